"""Vectors of feeds and outlines: RSS, Atom and RSS 1.0 as blogs and podcasts write them, and lists of feeds."""

from __future__ import annotations

import json
import tempfile
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

from engine.families.data.feeds import entries
from engine.toolkit.warnings import Warn
from tests.converters.pairs import Given, Readers, Wanted, Writer, awkward, broken, ordinary, pairs
from tests.converters.vector import Check, fail, take
from tests.families.data.files import NO_ROWS, TABLES
from tests.families.data.seen import SEEN

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


_WHOLE = ("json",)
_TABLES = ("csv", "xlsx", "ods")


def _rss(output: str) -> Check:
    def check(data: bytes) -> None:
        if output == "json":
            value = json.loads(data)
            assert value["title"] == "News & more"
            assert value["entries"] == [
                {"title": "First", "link": "https://example.org/1", "id": "1", "published": "2026-11-23T10:00:00+01:00",
                 "summary": "Plain words"}
            ]  # fmt: skip
        elif output in SEEN and output != "html" and output != "markdown":
            header, first = SEEN[output](data)
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
            header, first = SEEN[output](data)
            row = dict(zip(header, first, strict=True))
            assert row["categories"] == "Ü; y"
            assert row["media:thumbnail"] == "https://example.org/t.png"

    return check


_FEEDS: Readers = {
    "rss": (
        ordinary("RSS", RSS),
        awkward("Atom with markup, files, fields of others", ATOM),
        broken("XML that ends early", RSS[:-20], 4),
        broken("no feed", b"<html/>", 1),
    )
}
_MARKED = frozenset({"CONTENT_DROPPED", "SCRIPT_REMOVED"})


def _writer(output: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        plain = given.kind == "ordinary"
        said_of_feed = output in _TABLES or (not plain and output in ("html", "markdown"))
        codes = frozenset({"METADATA_DROPPED"} if said_of_feed else ())
        codes |= _MARKED if not plain and output in ("html", "markdown") else frozenset()
        return Wanted(_rss(output) if plain else _atom(output), codes)

    return wanted


def _outlines(output: str, *, plain: bool) -> Check:
    def check(data: bytes) -> None:
        if output == "json":
            value = json.loads(data)
            first = value["outlines"][0]["outlines"][0]
            assert first.get("xmlUrl" if plain else "title") == ("https://a.example/f" if plain else "Innen")
        else:
            header, *rows = SEEN[output](data)
            found = [{name: cell for name, cell in zip(header, row, strict=True) if cell} for row in rows]
            assert found == (
                [{"text": "A & B", "folder": "News", "type": "rss", "xmlUrl": "https://a.example/f",
                  "htmlUrl": "https://a.example/"}]
                if plain else
                [{"text": "x", "folder": "Ä∕b/Innen", "xmlUrl": "https://x.example/", "rating": "5"}, {"text": "alone"}]
            )  # fmt: skip

    return check


_OUTLINES: Readers = {
    "opml": (
        ordinary("feeds", OPML),
        awkward("folders in folders", OPML_AWKWARD, "CONTENT_DROPPED"),
        broken("no outlines", b'<opml version="2.0">\n<body/></opml>'),
    )
}


def _writer_of_outlines(output: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        plain = given.kind == "ordinary"
        head = frozenset({"METADATA_DROPPED"} if plain and output != "json" else ())
        return Wanted(_outlines(output, plain=plain), head)

    return wanted


_HEADER = ["text", "folder", "XML URL", "my rating"]
_ROWS = [["A & B", "News/Près", "https://a.example/f", "5"], ["alone", "", "", ""]]


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


_LISTS: Readers = {
    id: (
        ordinary("a feed", partial(TABLES[id], ["title", "xmlUrl"], [["A & B", "https://a.example/f"]])),
        awkward("folders, a column of its own", partial(TABLES[id], _HEADER, _ROWS), "VALUE_CONVERTED"),
        broken("nothing that is an outline", *damaged),
    )
    for id, damaged in NO_ROWS.items()
}


def _opml(source: str, given: Given) -> Wanted:
    return Wanted(_written(plain=given.kind == "ordinary"))


_ITEMS = ["title", "link", "published", "categories", "itunes:duration", "stars"]
_ITEM = ["A & B", "https://a.example/1", "2026-11-23T10:00:00+01:00", "x; y", "1:00", "5"]
_CHANNEL = {
    "title": "Zeitung", "link": "https://example.org/", "summary": "All", "updated": "2026-11-23T10:00:00+00:00",
    "entries": [
        {"title": "Über", "content": "<p>Grüße</p>", "id": "tag:2", "author": "Ann", "categories": ["a; b", "c"],
         "enclosures": ["https://example.org/2.mp3"], "enclosures.type": ["audio/mpeg"], "enclosures.length": ["0"],
         "id.isPermaLink": "false", "updated": "2026-11-23T10:00:00+00:00", "rights": "Free",
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


_ENTRIES: Readers = {
    id: (
        ordinary("an item", partial(TABLES[id], _ITEMS[:3], [_ITEM[:3]])),
        awkward("columns of others", partial(TABLES[id], _ITEMS, [_ITEM]), "CONTENT_DROPPED"),
        broken("nothing that is an item", *damaged),
    )
    for id, damaged in NO_ROWS.items()
}


def _written_feed(source: str, given: Given) -> Wanted:
    return Wanted(partial(_feed, whole=given.kind == "awkward"))


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


VECTORS = (
    *pairs("data.feeds", _FEEDS, {id: _writer(id) for id in (*_WHOLE, *_TABLES, "html", "markdown")}),
    *pairs("data.feeds", _OUTLINES, {id: _writer_of_outlines(id) for id in (*_WHOLE, *_TABLES)}),
    *pairs("data.feeds", _LISTS, {"opml": _opml}),
    *pairs("data.feeds", _ENTRIES, {"rss": _written_feed}),
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
