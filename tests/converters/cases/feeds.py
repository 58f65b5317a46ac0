"""Vectors of feeds and outlines: RSS, Atom and RSS 1.0 as blogs and podcasts write them, and lists of feeds."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from conversions.families.data.feeds import entries
from conversions.toolkit.warnings import Warn
from tests.converters.cases.data_checks import Check, fail, take
from tests.converters.cases.data_inputs import delimited, spreadsheet, workbook
from tests.converters.cases.data_outputs import READERS
from tests.converters.vector import Vector

RSS = b"""<?xml version="1.0"?>
<rss version="2.0"><channel><title>News &amp; more</title><link>https://example.org/</link><description>All</description>
<language>en-gb</language><item><title>First</title><link>https://example.org/1</link><guid>1</guid>
<pubDate>Mon, 23 Nov 2026 10:00:00 +0100</pubDate><description>Plain words</description></item></channel></rss>
"""
ATOM = """

<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><title>Zeitung</title>
<link href="https://example.org/"/><link rel="self" href="https://example.org/feed"/><updated>2026-11-23T10:00:00Z</updated>
<entry><title type="html">Über &lt;b&gt;</title><link rel="alternate" href="https://example.org/2"/>
<link rel="enclosure" href="https://example.org/2.mp3"/><id>tag:2</id><updated>2026-11-23T10:00:00Z</updated>
<author><name>Ann</name><email>a@example.org</email></author><category term="x" label="Ü"/><category term="y"/>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Grüße <b>an</b> alle</p><script>alert(1)</script>
</div></content><media:thumbnail url="https://example.org/t.png"/></entry></feed>
""".encode()
RDF = b"""<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>C</title></channel>
<item><title>T</title><link>https://example.org/3</link><dc:creator>Bob</dc:creator><dc:date>2026-11-23</dc:date></item>
</rdf:RDF>"""
OPML = b"""<?xml version="1.0"?><opml version="2.0"><head><title>Mine</title></head><body>
<outline text="News"><outline text="A &amp; B" type="rss" xmlUrl="https://a.example/f" htmlUrl="https://a.example/"/>
</outline></body></opml>"""
OPML_AWKWARD = """<opml version="1.0"><head/><body><outline text="Ä/b"><outline title="Innen"><outline text="x"
 xmlUrl="https://x.example/" rating="5"/></outline><note/></outline><outline text="alone"/></body></opml>""".encode()


def _rss(output: str) -> Check:
    def check(data: bytes) -> None:
        if output == "json":
            value = json.loads(data)
            assert value["title"] == "News & more"
            assert value["entries"] == [
                {"title": "First", "link": "https://example.org/1", "id": "1", "published": "2026-11-23T10:00:00+01:00",
                 "summary": "Plain words"}
            ]  # fmt: skip
        elif output in READERS and output != "html" and output != "markdown":
            header, first = READERS[output](data)
            assert dict(zip(header, first, strict=True))["title"] == "First"
            assert header[:3] == ["title", "link", "published"]
        else:
            text = data.decode()
            assert "Plain words" in text
            assert "https://example.org/1" in text
            assert "News" in text

    return check


def _atom(output: str) -> Check:
    def check(data: bytes) -> None:
        if output == "json":
            (entry,) = json.loads(data)["entries"]
            assert entry["title"] == "Über <b>"
            assert entry["author"] == "Ann <a@example.org>"
            assert entry["categories"] == ["Ü", "y"]
            assert entry["enclosures"] == ["https://example.org/2.mp3"]
            assert "<p>Grüße <b>an</b> alle</p>" in entry["content"]
            assert entry["others"] == [{"name": "media:thumbnail", "value": "https://example.org/t.png"}]
        elif output in ("html", "markdown"):
            text = data.decode()
            assert ("<b>an</b>" if output == "html" else "**an**") in text
            assert "alert" not in text
            assert "2.mp3" in text
        else:
            header, first = READERS[output](data)
            row = dict(zip(header, first, strict=True))
            assert row["categories"] == "Ü; y"
            assert row["media:thumbnail"] == "https://example.org/t.png"

    return check


_CODES = {"json": set(), "html": {"CONTENT_DROPPED", "SCRIPT_REMOVED"}, "markdown": {"CONTENT_DROPPED",
          "SCRIPT_REMOVED"}}  # fmt: skip


def _pair(output: str) -> tuple[Vector, ...]:
    slug = f"rss-to-{output}"
    codes = _CODES.get(output, {"METADATA_DROPPED"})
    always = codes & {"METADATA_DROPPED"}
    return (
        Vector(slug, "RSS", "ordinary", lambda: RSS, check=_rss(output), warnings=frozenset(always)),
        take(slug, "Atom with markup, files, fields of others", ATOM, _atom(output), *codes),
        fail(slug, "XML that ends early", RSS[:-20], 4),
        fail(slug, "no feed", b"<html/>", 1),
    )


def _outlines(output: str, *, plain: bool) -> Check:
    def check(data: bytes) -> None:
        if output == "json":
            value = json.loads(data)
            first = value["outlines"][0]["outlines"][0]
            assert first.get("xmlUrl" if plain else "title") == ("https://a.example/f" if plain else "Innen")
        else:
            header, *rows = READERS[output](data)
            found = [{name: cell for name, cell in zip(header, row, strict=True) if cell} for row in rows]
            assert found == (
                [{"text": "A & B", "folder": "News", "type": "rss", "xmlUrl": "https://a.example/f",
                  "htmlUrl": "https://a.example/"}]
                if plain else
                [{"text": "x", "folder": "Ä∕b/Innen", "xmlUrl": "https://x.example/", "rating": "5"}, {"text": "alone"}]
            )  # fmt: skip

    return check


def _opml(output: str) -> tuple[Vector, ...]:
    slug = f"opml-to-{output}"
    lost = {"CONTENT_DROPPED"}
    head = frozenset() if output == "json" else frozenset({"METADATA_DROPPED"})
    return (
        Vector(slug, "feeds", "ordinary", lambda: OPML, check=_outlines(output, plain=True), warnings=head),
        take(slug, "folders in folders", OPML_AWKWARD, _outlines(output, plain=False), *lost),
        fail(slug, "no outlines", b'<opml version="2.0">\n<body/></opml>'),
    )


_HEADER = ["text", "folder", "XML URL", "my rating"]
_ROWS = [["A & B", "News/Près", "https://a.example/f", "5"], ["alone", "", "", ""]]
_MADE = {
    "csv": lambda header, rows: delimited(",", header, rows),
    "json": lambda header, rows: json.dumps([dict(zip(header, each, strict=True)) for each in rows]).encode(),
    "xlsx": lambda header, rows: workbook({"Rows": [header, *rows]}),
    "ods": lambda header, rows: spreadsheet({"Rows": [header, *rows]}),
}
_BAD = {"csv": b'"a', "json": b"[1]", "xlsx": b"PK\x03\x04 no", "ods": b"PK\x03\x04 no"}


def _written(*, plain: bool) -> Check:
    def check(data: bytes) -> None:
        root = ElementTree.fromstring(data)
        assert root.get("version") == "2.0"
        feeds = [each for each in root.iter("outline") if each.get("xmlUrl")]
        assert [(each.get("text"), each.get("type")) for each in feeds] == [("A & B", "rss")]
        place = "body/outline" if plain else "body/outline/outline/outline"
        assert root.find(place) is feeds[0]
        assert plain or feeds[0].get("my_rating") == "5"

    return check


def _back(source: str) -> tuple[Vector, ...]:
    slug, make = f"{source}-to-opml", _MADE[source]
    return (
        Vector(slug, "a feed", "ordinary", lambda: make(["title", "xmlUrl"], [["A & B", "https://a.example/f"]]),
               check=_written(plain=True)),
        take(slug, "folders, a column of its own", lambda: make(_HEADER, _ROWS), _written(plain=False),
             "VALUE_CONVERTED"),
        fail(slug, "nothing that is an outline", _BAD[source], 1 if source == "csv" else None),
    )  # fmt: skip


_ITEMS = ["title", "link", "published", "categories", "itunes:duration", "stars"]
_ITEM = ["A & B", "https://a.example/1", "2026-11-23T10:00:00+01:00", "x; y", "1:00", "5"]
_CHANNEL = {
    "title": "Zeitung", "link": "https://example.org/", "summary": "All", "updated": "2026-11-23T10:00:00+00:00",
    "entries": [
        {"title": "Über", "content": "<p>Grüße</p>", "id": "tag:2", "author": "Ann", "categories": ["a; b", "c"],
         "enclosures": ["https://example.org/2.mp3"], "updated": "2026-11-23T10:00:00+00:00", "rights": "Free",
         "others": [{"name": "media:thumbnail", "value": "t.png"}]},
        {"summary": "Plain", "link": "https://example.org/3", "published": "soon"},
    ],
}  # fmt: skip


def _feed(data: bytes, *, whole: bool) -> None:
    channel = ElementTree.fromstring(data)[0]
    assert [channel.findtext(name) is not None for name in ("title", "link", "description")] == [True] * 3
    first = channel.find("item")
    assert first is not None
    assert (first.findtext("title"), first.findtext("link")) == ("A & B", "https://a.example/1")
    assert first.findtext("pubDate") == "Mon, 23 Nov 2026 10:00:00 +0100"
    if whole:
        assert [each.text for each in first.iter("category")] == ["x", "y"]
        assert first.findtext("{http://www.itunes.com/dtds/podcast-1.0.dtd}duration") == "1:00"


def _to_feed(source: str) -> tuple[Vector, ...]:
    slug, make = f"{source}-to-rss", _MADE[source]
    return (
        Vector(slug, "an item", "ordinary", lambda: make(_ITEMS[:3], [_ITEM[:3]]),
               check=lambda data: _feed(data, whole=False)),
        take(slug, "columns of others", lambda: make(_ITEMS, [_ITEM]), lambda data: _feed(data, whole=True),
             "CONTENT_DROPPED"),
        fail(slug, "nothing that is an item", _BAD[source], 1 if source == "csv" else None),
    )  # fmt: skip


def _same_again(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "again.rss")
        path.write_bytes(data)
        feed, found = entries.read(path, Warn())
    assert feed | {"entries": found} == _CHANNEL


def _nested(data: bytes) -> None:
    root = ElementTree.fromstring(data)
    assert root.findtext("head/title") == "Mine"
    assert [each.get("text") for each in root.findall("body/outline/outline")] == ["x"]


def _is_rdf(data: bytes) -> None:
    (entry,) = json.loads(data)["entries"]
    assert (entry["author"], entry["published"]) == ("Bob", "2026-11-23T00:00:00")


_LOOSE = b"""<rss><channel><title>Caf&eacute; &amp; B&B &lt;</title>
<item><title><![CDATA[&eacute;]]></title><link>https://example.org/?a=1&b=2</link></item></channel></rss>"""
_BIG5 = '<?xml version="1.0" encoding="big5"?>\n<rss><channel><title>新聞</title><item/></channel></rss>'.encode("big5")


def _titled(data: bytes, title: str) -> None:
    assert json.loads(data)["title"] == title


def _is_loose(data: bytes) -> None:
    _titled(data, "Café & B&B <")
    (entry,) = json.loads(data)["entries"]
    assert (entry["title"], entry["link"]) == ("&eacute;", "https://example.org/?a=1&b=2")


VECTORS: tuple[Vector, ...] = (
    *(each for output in ("json", "csv", "xlsx", "ods", "html", "markdown") for each in _pair(output)),
    *(each for output in ("json", "csv", "xlsx", "ods") for each in _opml(output)),
    *(each for source in _MADE for each in _back(source)),
    *(each for source in _MADE for each in _to_feed(source)),
    take("json-to-rss", "a whole feed", json.dumps(_CHANNEL).encode(), _same_again, "VALUE_CONVERTED"),
    fail("json-to-rss", "an entry without words", b'[{"link": "https://example.org/"}]'),
    take("rss-to-json", "RSS 1.0", RDF, _is_rdf),
    take("rss-to-json", "names of HTML and marks that are none", _LOOSE, _is_loose, "VALUE_CONVERTED"),
    take("rss-to-json", "an encoding of several bytes", _BIG5, lambda data: _titled(data, "新聞")),
    take(
        "json-to-opml",
        "nested",
        b'{"title": "Mine", "outlines": [{"text": "f", "outlines": [{"text": "x"}]}]}',
        _nested,
    ),
)
