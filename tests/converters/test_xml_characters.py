"""Characters that XML can't hold, written as they are or as references: every result is well-formed without them."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from lxml import etree

from engine.families.registry import CONVERTERS
from tests.converters.test_documents import Convert

LINK = rb"{\field{\*\fldinst{HYPERLINK http://x/\u-1?y}}{\fldrslt l}}"
RTF = rb"{\rtf1\ansi{\info{\title T\u-2?x}} one\u-2?two%s\par " + LINK + b"}"
SOURCES = {
    "rtf": RTF % b"\0",
    "html": b"<title>T&#1;x</title><h1>one&#xFFFE;two</h1><p title='&#11;'><a href='http://x/&#1;'>l</a>",
    "markdown": b'# T&#1;x\n\none&#xFFFE;two &#65535; [l](http://x/&#1; "t&#11;")\n',
    "mediawiki": b"one&#xFFFE;two&#1; [http://x/&#11; l]\n",
}


@pytest.mark.parametrize(
    ("source", "target"),
    [(source, target) for source in SOURCES for target in ("epub", "docx", "odt", "fb2", "docbook")
     if f"{source}-to-{target}" in CONVERTERS],
)  # fmt: skip
def test_characters_that_xml_cant_hold_are_left_out(source: str, target: str, tmp_path: Path) -> None:
    done = Convert(tmp_path, f"{source}-to-{target}", SOURCES[source])
    parts = [done.data]
    if target not in ("fb2", "docbook"):
        with zipfile.ZipFile(io.BytesIO(done.data)) as file:
            parts = [
                file.read(each)
                for each in file.namelist()
                if each.endswith((".xml", ".xhtml", ".rels", ".opf", ".ncx"))
            ]
    read = [b"".join(etree.tostring(etree.fromstring(part), encoding="utf-8", method="text").split()) for part in parts]
    assert any(b"onetwo" in text or "one\ufffdtwo".encode() in text for text in read)


@pytest.mark.parametrize("reference", ["&#xFFFE;", "&#XFFFF;", "&#65534;", "&#0065535;"])
def test_references_to_no_character_become_one(reference: str, tmp_path: Path) -> None:
    assert Convert(tmp_path, "markdown-to-html", f"one {reference} two").text.count("one \ufffd two") == 1
    assert "\ufffd" in Convert(tmp_path, "markdown-to-csv", f"| a |\n|---|\n| {reference} |\n").text
