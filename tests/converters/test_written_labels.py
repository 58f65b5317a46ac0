"""Numbers of headings of Word are in every result, and items whose labels a list can't have are named by number."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.converters.test_documents import Convert
from tests.families.documents import files

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_LEVELS = "".join(
    f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="decimal"/>{style}<w:lvlText w:val="{text}"/></w:lvl>'
    for at, (style, text) in enumerate([('<w:pStyle w:val="Heading1"/>', "%1."), ("", "%1.%2")])
)
_NUMBERING = (
    f'<w:numbering {_W}><w:abstractNum w:abstractNumId="0">{_LEVELS}</w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
)
_STYLES = (
    f'<w:styles {_W}><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:numPr>'
    '<w:numId w:val="1"/></w:numPr></w:pPr></w:style></w:styles>'
)
_PARTS = {"rN": ("numbering", "numbering.xml", _NUMBERING), "rS": ("styles", "styles.xml", _STYLES)}
_OTHERWISE = "List items are numbered in another way than in the file: {}"


def _heading(text: str) -> str:
    return f'<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>'


def _item(text: str, level: int) -> str:
    places = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="1"/></w:numPr>'
    return f"<w:p><w:pPr>{places}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


@pytest.mark.parametrize("output", ["markdown", "odt", "txt"])
def test_headings_keep_their_numbers(output: str, tmp_path: Path) -> None:
    body = _heading("Scope") + "<w:p><w:r><w:t>Text.</w:t></w:r></w:p>" + _heading("Terms")
    done = Convert(tmp_path, f"docx-to-{output}", files.word(body, _PARTS))
    if output == "odt":
        done = Convert(tmp_path, "odt-to-txt", done.data)
    assert "1. Scope" in done.text.replace("\\", "")
    assert "2. Terms" in done.text.replace("\\", "")


def test_headings_that_are_numbered_anew_have_one_number(tmp_path: Path) -> None:
    body = _heading("Scope") + "<w:p><w:r><w:t>Text.</w:t></w:r></w:p>"
    numbered, plain = (
        Convert(tmp_path, "docx-to-latex", files.word(body, _PARTS), numberSections=each) for each in (True, False)
    )
    assert r"\section{Scope}" in numbered.text
    assert r"{1. Scope}" in plain.text


@pytest.mark.parametrize("output", ["markdown", "rtf", "odt"])
def test_items_with_labels_of_several_numbers_are_named(output: str, tmp_path: Path) -> None:
    body = _item("Walk", 0) + _item("Pond", 1) + _item("Bench", 1)
    done = Convert(tmp_path, f"docx-to-{output}", files.word(body, _PARTS))
    assert _OTHERWISE.format("2 (“1.1 Pond”, “1.2 Bench”)") in done.messages


def test_lists_with_one_number_are_not_named(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-markdown", files.word(_item("Walk", 0) + _item("Pond", 0), _PARTS))
    assert done.codes == set()


def test_headings_in_text_boxes_count_once(tmp_path: Path) -> None:
    box = f"<w:txbxContent>{_heading('Aside')}</w:txbxContent>"
    kept_twice = (
        '<w:p><w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        '<mc:Choice xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" Requires="wps">'
        f"<w:drawing><wps:txbx>{box}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict>"
        f'<v:textbox xmlns:v="urn:schemas-microsoft-com:vml">{box}</v:textbox></w:pict></mc:Fallback>'
        "</mc:AlternateContent></w:r></w:p>"
    )
    body = _heading("Scope") + kept_twice + _heading("Terms")
    done = Convert(tmp_path, "docx-to-txt", files.word(body, _PARTS))
    assert [line for line in done.text.splitlines() if line] == ["1. Scope", "2. Aside", "3. Terms"]
