"""Attributes of feeds are in objects and rows, and come back from there; what can't be is named."""

from __future__ import annotations

import csv
import io
import json
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from engine.families import auditing
from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

PODCAST = b"""<?xml version="1.0"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"
 xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel xml:lang="en"><title>Cast</title>
<link>https://example.org/</link><description>All</description><itunes:image href="https://example.org/c.png"/>
<image><url>https://example.org/i.png</url><title>I</title></image>
<item xml:base="https://example.org/"><title>Ep 1</title><guid isPermaLink="true">https://example.org/1</guid>
<category domain="topic">news</category><category>other</category>
<enclosure url="https://example.org/1.mp3" length="12345" type="audio/mpeg"/>
<source url="https://example.net/f.xml">Other</source>
<media:group><media:title>M</media:title><media:content url="https://example.org/v" width="640"/>
<media:content url="https://example.org/w"><media:title type="plain">two</media:title></media:content>
<media:statistics views="10" favorites="2"/></media:group>
<media:thumbnail url="https://example.org/t.png"/><media:thumbnail url="https://example.org/u.png" width="7"/>
</item></channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom" xmlns:app="https://example.org/app"><title>T</title>
<author><name>A</name><uri>https://a.example</uri></author><author><name>B</name></author>
<entry><id>1</id><title type="html" xml:lang="de">One</title>
<link rel="alternate" type="text/html" hreflang="en" href="https://example.org/1"/>
<link rel="replies" type="text/html" href="https://example.org/r" app:count="3"/>
<category term="x" scheme="https://example.org/s" label="X"/><category term="y"/>
<content type="image/png" src="https://example.org/i"/><summary>S</summary></entry></feed>"""


def run(folder: Path, slug: str, data: bytes, **options: Any) -> tuple[bytes, list[str]]:
    converter, warn = CONVERTERS[slug], Warn()
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(data)
    auditing.run(converter, source, target, build(converter.options, options), warn)
    return target.read_bytes(), [str(each.message) for each in warn.warnings]


def elements(data: bytes, *, items_only: bool) -> list[Any]:
    """The elements with their attributes and texts, from which `items_only` leaves out those of the channel."""

    def told(element: Any) -> Any:
        inside = sorted(map(told, element))
        return element.tag, sorted(element.attrib.items()), (element.text or "").strip(), inside

    root = ElementTree.fromstring(data)
    return list(map(told, root.iter("item") if items_only else root))


@pytest.mark.parametrize("middle", ["json", "csv", "xlsx", "ods"])
def test_all_attributes_of_a_podcast_come_back_from_objects_and_rows(tmp_path: Path, middle: str) -> None:
    between, told = run(tmp_path, f"rss-to-{middle}", PODCAST)
    assert [each for each in told if not each.startswith("Details of the feed itself")] == []
    back, told = run(tmp_path, f"{middle}-to-rss", between)
    assert told == []
    rows = middle != "json"  # which have no place for what the feed says of itself
    assert elements(back, items_only=rows) == elements(PODCAST, items_only=rows)


def test_attributes_stand_beside_values_and_in_columns_of_their_name(tmp_path: Path) -> None:
    (entry,) = json.loads(run(tmp_path, "rss-to-json", PODCAST)[0])["entries"]
    assert (entry["enclosures.length"], entry["enclosures.type"]) == (["12345"], ["audio/mpeg"])
    assert entry["categories.domain"] == ["topic", None]
    others = {each["name"]: each for each in entry["others"]}
    assert others["source"] == {"name": "source", "value": "Other", "attributes": {"url": "https://example.net/f.xml"}}
    assert others["media:group/media:content 2/media:title"]["value"] == "two"
    header, row = csv.reader(io.StringIO(run(tmp_path, "rss-to-csv", PODCAST)[0].decode()))
    cells = dict(zip(header, row, strict=True))
    assert cells["categories.domain"] == "topic; "
    assert cells["media:group/media:statistics.views"] == "10"
    assert header[header.index("enclosures") + 1] == "enclosures.length"


def test_attributes_of_atom_are_kept_and_those_that_rss_lacks_are_named(tmp_path: Path) -> None:
    data, told = run(tmp_path, "rss-to-json", ATOM)
    assert told == []
    whole = json.loads(data)
    (entry,) = whole["entries"]
    assert (whole["author"], whole["author.uri"]) == ("A; B", "https://a.example; ")
    assert (entry["link.type"], entry["link.hreflang"]) == ("text/html", "en")
    assert entry["title.xml:lang"] == "de"
    assert (entry["categories"], entry["categories.term"]) == (["X", "y"], ["x", None])
    assert (entry["content"], entry["content.type"]) == ("https://example.org/i", "image/png")
    assert entry["others"] == [
        {"name": "link replies", "value": "https://example.org/r", "attributes": {"type": "text/html", "count": "3"}}
    ]
    _, told = run(tmp_path, "json-to-rss", data)
    assert len(told) == 1
    assert "link.hreflang" in told[0]


def test_many_different_attributes_of_one_list_are_bounded_and_counted(tmp_path: Path) -> None:
    many = "".join(f'<category a{n}="v{n}">c</category>' for n in range(500))
    feed = f"<rss><channel><item><title>T</title>{many}</item></channel></rss>".encode()
    data, told = run(tmp_path, "rss-to-json", feed)
    assert sum(name.startswith("categories.") for name in json.loads(data)["entries"][0]) == 20
    assert told[0].startswith("Attributes of the feed's elements are not in the output: 480 ")


def test_elements_deep_in_others_stay_one_text_whose_attributes_are_counted(tmp_path: Path) -> None:
    deep = "".join(f"<e{n}>" for n in range(8)) + '<x y="zzzz">text</x>' + "".join(f"</e{7 - n}>" for n in range(8))
    feed = f"<rss><channel><item><title>T</title>{deep}</item></channel></rss>".encode()
    data, told = run(tmp_path, "rss-to-json", feed)
    assert json.loads(data)["entries"][0]["others"] == [{"name": "e0/e1/e2/e3/e4", "value": "text"}]
    assert told == ["Attributes of the feed's elements are not in the output: 1 (x y=zzzz)."]


def test_an_attribute_does_not_replace_what_an_element_says(tmp_path: Path) -> None:
    feed = b'<rss><channel><item title="no" id="i"><title>Yes</title></item></channel></rss>'
    (entry,) = json.loads(run(tmp_path, "rss-to-json", feed)[0])["entries"]
    assert entry == {"title": "Yes", "@title": "no", "@id": "i"}


def test_a_second_element_of_a_name_has_a_column_of_its_own(tmp_path: Path) -> None:
    feed = (
        b'<rss xmlns:o="https://example.org/o" xmlns:m="http://search.yahoo.com/mrss"><channel><item><title>First</title>'
        b'<o:title lang="en">Other</o:title><m:credit role="artist">Ann</m:credit></item></channel></rss>'
    )
    header, row = csv.reader(io.StringIO(run(tmp_path, "rss-to-csv", feed)[0].decode()))
    assert dict(zip(header, row, strict=True)) == {
        "title": "First",
        "title 2": "Other",
        "title 2.lang": "en",
        "media:credit": "Ann",
        "media:credit.role": "artist",
    }


def test_many_authors_are_read_in_linear_time(tmp_path: Path) -> None:
    many = "".join(f"<author>author {n}</author>" for n in range(60_000))
    feed = f"<rss><channel><item><title>T</title>{many}<author>author 1</author></item></channel></rss>".encode()
    begun = time.process_time()
    (entry,) = json.loads(run(tmp_path, "rss-to-json", feed)[0])["entries"]
    assert entry["author"].count(";") == 59_999
    assert time.process_time() - begun < 30
