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


@pytest.mark.parametrize("output", ["docx", "rtf"])
@pytest.mark.parametrize(
    ("anchor", "is_named"), [("paragraph", True), ("char", True), ("page", True), ("as-char", False)]
)
def test_places_of_floating_pictures_of_open_documents_are_named(
    output: str, anchor: str, is_named: bool, tmp_path: Path
) -> None:
    picture = '<draw:image xlink:href="Pictures/a.png"/>'
    frame = f'<draw:frame text:anchor-type="{anchor}" svg:width="2cm" svg:height="2cm">{picture}</draw:frame>'
    source = odt(f"<text:p>Before {frame} after</text:p>", **{"Pictures__a.png": files.png()})
    done = Convert(tmp_path, f"odt-to-{output}", source)
    assert ("places of floating pictures" in done.messages) is is_named


@pytest.mark.parametrize(("height", "is_named"), [("21cm", True), ("29.7cm", False)])
def test_pages_of_open_documents_that_lie_on_their_side_are_named(height: str, is_named: bool, tmp_path: Path) -> None:
    sizes = {"Standard": ("21cm", "29.7cm"), "Wide": ("29.7cm" if is_named else "21cm", height)}
    layouts = "".join(
        f'<style:page-layout style:name="L{name}"><style:page-layout-properties fo:page-width="{across}" '
        f'fo:page-height="{down}"/></style:page-layout>'
        for name, (across, down) in sizes.items()
    )
    masters = "".join(f'<style:master-page style:name="{each}" style:page-layout-name="L{each}"/>' for each in sizes)
    turn = '<style:style style:name="P1" style:family="paragraph" style:master-page-name="Wide"/>'
    body = '<text:p>Upright</text:p><text:p text:style-name="P1">Wide</text:p>'
    done = Convert(tmp_path, "odt-to-docx", odt(body, turn, layouts=layouts, masters=masters))
    assert ("landscape pages" in done.messages) is is_named
