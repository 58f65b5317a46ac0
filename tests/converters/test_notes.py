"""Notes that refer to notes cost what is written, and ordinary notes stay notes."""

from __future__ import annotations

import zipfile
from io import BytesIO

import pytest

from engine.families.documents import notes
from tests.conftest import Person
from tests.hostile.shapes import SHAPES

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"


def _refers(number: int, times: int = 1) -> str:
    return f'<w:r><w:footnoteReference w:id="{number}"/></w:r>' * times


def _document(noted: list[str]) -> bytes:
    """A Word document that refers to the first of its footnotes, numbered from 1, with these runs."""
    numbered = enumerate(noted, start=1)
    written = "".join(f'<w:footnote w:id="{at}"><w:p>{runs}</w:p></w:footnote>' for at, runs in numbered)
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{_TYPE}.document.main+xml"/>'
        f'<Override PartName="/word/footnotes.xml" ContentType="{_TYPE}.footnotes+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{_OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{_OFFICE}/footnotes" Target="footnotes.xml"/></Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{_WORD}"><w:body><w:p>{_refers(1)}</w:p></w:body></w:document>',
        "word/footnotes.xml": f'<w:footnotes xmlns:w="{_WORD}">{written}</w:footnotes>',
    }
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return made.getvalue()


_TEXT = "<w:r><w:t>word</w:t></w:r>"


@pytest.mark.parametrize(
    "text",
    [
        SHAPES["markdown"]["notes in notes"](400).decode(),
        "t [^a]\n\n[^a]: x [^a]\n",
        "t [^a]\n\n[^a]: x [^B]\n\n[^b]: y [^A]\n",
        "t\n\n> [^a]: x\n>\n>     [^a]\n",
    ],
    ids=["doubled", "of itself", "in a circle", "quoted"],
)
def test_markdown_whose_notes_lead_to_notes_without_end_is_still_read(paying: Person, text: str) -> None:
    made = paying.convert("markdown-to-docx", text.encode(), "notes.md")
    assert made.status_code == 201, made.json()


@pytest.mark.parametrize(
    "text",
    [
        "x [^1] and [^2]\n\n[^1]: one [^2]\n[^2]: two\n\nMore [^1].\n",
        "".join(f"x[^{number}]\n\n[^{number}]: a note\n\n" for number in range(9_000)),
        "x[^1] " * 2_000 + "\n\n[^1]: a note\n",
    ],
    ids=["another", "many", "the same"],
)
def test_ordinary_notes_are_not_heavy(text: str) -> None:
    assert not notes.in_markdown(text)


def test_many_notes_that_never_end_are_heavy() -> None:
    assert notes.in_markdown("[^a]: [^b] " * 50_000)


@pytest.mark.parametrize(
    ("slug", "filename", "source"),
    [
        ("textile-to-html", "a.textile", SHAPES["textile"]["notes in notes"](300)),
        ("textile-to-html", "a.textile", b"t[1]\n\nfn1. x[1]\n"),
        ("docx-to-txt", "a.docx", _document([_TEXT + _refers(1)])),
        ("docx-to-markdown", "a.docx", _document([_refers(at + 1, 2) for at in range(1, 30)] + [_TEXT])),
    ],
    ids=["Textile doubled", "Textile of itself", "Word of itself", "Word doubled"],
)
def test_notes_that_lead_to_notes_without_end_are_refused(
    paying: Person, slug: str, filename: str, source: bytes
) -> None:
    answer = paying.convert(slug, source, filename)
    assert answer.status_code == 422
    assert answer.json()["meta"]["reason"] == "limit"


def test_notes_within_notes_are_kept(paying: Person) -> None:
    made = paying.convert("docx-to-txt", _document([_TEXT + _refers(2), _TEXT]), "a.docx")
    assert made.status_code == 201, made.json()
