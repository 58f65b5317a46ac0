"""Looks that an output has no place for are named where they are lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.converters.test_documents import Convert
from tests.converters.test_open_document_looks import odt
from tests.families.documents import files

_SECTION = "<w:p><w:r><w:t>Text</w:t></w:r></w:p><w:sectPr>{}</w:sectPr>"
_FRAMED = "<w:p><w:pPr><w:framePr {}/></w:pPr><w:r><w:t>I</w:t></w:r></w:p><w:p><w:r><w:t>n it</w:t></w:r></w:p>"
KEPT_ON_PAGES = ("places of floating pictures", "initial letters over several lines")
_NONE = '<w:pgBorders><w:top w:val="none"/></w:pgBorders>'


def _floating() -> str:
    return files.PICTURE.replace("<wp:inline ", "<wp:anchor ").replace("</wp:inline>", "</wp:anchor>")


@pytest.mark.parametrize("output", ["odt", "rtf", "epub"])
@pytest.mark.parametrize(
    ("body", "named"),
    [
        (_SECTION.format('<w:pgBorders><w:top w:val="single" w:sz="4"/></w:pgBorders>'), "page borders"),
        (_SECTION.format('<w:lnNumType w:countBy="5"/>'), "line numbers"),
        (_floating(), "places of floating pictures"),
        (_FRAMED.format('w:w="3000" w:wrap="around" w:hAnchor="page" w:x="7000" w:y="3000"'), "places of frames"),
        (_FRAMED.format('w:dropCap="drop" w:lines="3" w:wrap="around"'), "initial letters over several lines"),
    ],
)
def test_what_only_pages_of_word_have_is_named(output: str, body: str, named: str, tmp_path: Path) -> None:
    done = Convert(tmp_path, f"docx-to-{output}", files.word(body))
    assert "STYLE_DROPPED" in done.codes
    assert f"{named}." in done.messages
    assert ("Convert to PDF" in done.messages) is (named in KEPT_ON_PAGES)


@pytest.mark.parametrize("output", ["odt", "docx", "epub"])
def test_the_place_of_a_frame_in_rich_text_is_named(output: str, tmp_path: Path) -> None:
    framed = rb"{\rtf1\ansi{\pard\absw3000\phpg\posx7000\pvpg\posy3000 framed\par}{\pard plain\par}}"
    assert "places of frames" in Convert(tmp_path, f"rtf-to-{output}", framed).messages
    assert "frames" not in Convert(tmp_path, f"rtf-to-{output}", rb"{\rtf1\ansi\pard plain\par}").messages


@pytest.mark.parametrize("body", [_SECTION.format(_NONE), files.PICTURE])
def test_pictures_in_lines_and_borders_that_are_none_are_not_named(body: str, tmp_path: Path) -> None:
    assert "STYLE_DROPPED" not in Convert(tmp_path, "docx-to-odt", files.word(body)).codes


def _underlined(style: str) -> bytes:
    properties = f'<style:text-properties style:text-underline-style="{style}"/>'
    return odt(
        '<text:p>plain <text:span text:style-name="U">under</text:span></text:p>',
        f'<style:style style:name="U" style:family="text">{properties}</style:style>',
    )


@pytest.mark.parametrize("output", ["markdown", "rst", "latex"])
def test_underlined_words_that_become_italic_are_named(output: str, tmp_path: Path) -> None:
    assert "1 (“under”)" in Convert(tmp_path, f"odt-to-{output}", _underlined("solid")).messages


def test_words_without_an_underline_are_not_named(tmp_path: Path) -> None:
    assert "STYLE_DROPPED" not in Convert(tmp_path, "odt-to-markdown", _underlined("none")).codes


@pytest.mark.parametrize(
    ("tag", "is_hidden"),
    [
        ("<p hidden>", True),
        ('<p class="a" hidden="">', True),
        ('<p title="not hidden here">', False),
        ('<p class="hidden">', False),
    ],
)
def test_what_a_page_hides_and_markdown_shows_is_named(tag: str, is_hidden: bool, tmp_path: Path) -> None:
    done = Convert(tmp_path, "html-to-markdown", f"<html><body><p>one</p>{tag}two</p></body></html>".encode())
    assert ("VALUE_CONVERTED" in done.codes) is is_hidden
