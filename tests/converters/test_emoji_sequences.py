"""Emoji of several characters are drawn as one and can be searched; those that no font joins are named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import openpyxl
import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageChops

from engine.conversion import convert
from engine.families.html_pdf.options import PLUTOPRINT, PageOptions
from engine.families.html_pdf.xhtml2pdf import engine as xhtml2pdf
from engine.families.images.drawings import text_measurement
from engine.families.libreoffice import parts
from engine.toolkit import emoji_font
from engine.toolkit.emoji_sequences import all_in, found_in
from engine.toolkit.formats import XLSX
from engine.toolkit.warnings import Warn
from tests.converters import conforming
from tests.families.documents import files

FLAG, FAMILY, HAND = "\U0001f1e9\U0001f1ea", "\U0001f469\u200d\U0001f469\u200d\U0001f467", "\U0001f44d\U0001f3fd"
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
KEY, HEART, PHONE, SMILE = "1\ufe0f\u20e3", "\u2764\ufe0f\u200d\U0001f525", "\u260e\ufe0f", "\U0001f600"
RAINBOW, ASTRONAUT = "\U0001f3f3\ufe0f\u200d\U0001f308", "\U0001f469\U0001f3fd\u200d\U0001f680"
PAIR, TWO = "\U0001f469\U0001f3fb\u200d\U0001f91d\u200d\U0001f469\U0001f3ff", "\U0001f469\u200d\U0001f469"
KINDS = (FLAG, FAMILY, HAND, ENGLAND, KEY, HEART, PHONE, RAINBOW, ASTRONAUT, PAIR)
_PARTED = "Emoji of several parts, such as flags and skin tones, are drawn as their parts: "
_TONELESS = "Skin tones of emoji are not drawn, as emoji have one colour: "
_HTML = "<!DOCTYPE html><meta charset=utf-8>"
plutoprint = pytest.mark.skipif(not PLUTOPRINT.available, reason="PlutoPrint is not installed")


def told(folder: Path, name: str, data: bytes, target: str = "output.pdf", **options: Any) -> list[str]:
    source = folder / name
    source.write_bytes(data)
    result = convert(source, folder / target, sandbox=False, **options)
    return [str(each.message) for each in result.warnings if each.code in ("GLYPH_MISSING", "COLOR_CONVERTED")]


def text_of(folder: Path) -> str:
    with pypdfium2.PdfDocument(folder / "output.pdf") as document:
        return "\n".join(page.get_textpage().get_text_bounded() for page in document)


def fonts_of(folder: Path, name: str = "output.pdf") -> set[str]:
    with pikepdf.open(folder / name) as document:
        return {str(each.BaseFont).partition("+")[2] for each in document.pages[0].Resources.Font.values()}


@plutoprint
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("input.html", f"<meta charset=utf-8><table><tr><td>{FLAG}<td>{FAMILY}</table>{HAND}{FLAG}".encode()),
        ("input.csv", f"a,b\n{FLAG},{FAMILY}\n{HAND},{FLAG}\n".encode()),
        ("input.docx", files.word(f"<w:p><w:r><w:t>{FLAG} {FAMILY} {HAND} {FLAG}</w:t></w:r></w:p>")),
        ("input.md", f"# {FLAG} {FAMILY}\n\n{HAND} {FLAG}".encode()),
    ],
)  # fmt: skip
def test_emoji_of_several_characters_can_be_searched_and_only_their_tones_are_named(
    name: str, data: bytes, tmp_path: Path
) -> None:
    assert told(tmp_path, name, data) == [f"{_TONELESS}1 ({HAND})."]
    assert "NotoEmoji-Regular" in fonts_of(tmp_path)
    found = text_of(tmp_path)
    assert [found.count(each) for each in (FLAG, FAMILY, HAND)] == [2, 1, 1]


@pytest.mark.parametrize("emoji", KINDS)
def test_the_font_joins_each_kind(emoji: str) -> None:
    assert emoji_font.is_joined(emoji)
    assert all_in(f"a{emoji}b") == {emoji}


@plutoprint
def test_emoji_that_the_font_does_not_join_are_named(tmp_path: Path) -> None:
    page = f"{_HTML}<p>{TWO} {TWO} {FAMILY}"
    assert told(tmp_path, "input.html", page.encode()) == [f"{_PARTED}2 ({TWO}, …)."]
    assert "".join(text_of(tmp_path).split()) == f"{TWO[::2]}{TWO[::2]}{FAMILY}"


@plutoprint
def test_rows_of_joined_emoji_are_drawn(tmp_path: Path) -> None:
    """As one glyph, ten of them are wider than a PDF can draw."""
    (only,) = told(tmp_path, "input.html", f"{_HTML}<p>{TWO[:2] * 60}".encode())
    assert only.startswith(f"{_PARTED}6 ")
    assert text_of(tmp_path).count(TWO[0]) == 60


@plutoprint
def test_symbols_are_emoji_only_before_a_variation_selector(tmp_path: Path) -> None:
    told(tmp_path, "input.html", f"{_HTML}<p>\u260e".encode())
    before = fonts_of(tmp_path)
    assert "NotoEmoji-Regular" not in before
    told(tmp_path, "input.html", f"{_HTML}<p>{SMILE} \u260e {SMILE}".encode())
    assert before < fonts_of(tmp_path)
    told(tmp_path, "input.html", f"{_HTML}<p>{PHONE}".encode())
    assert not before & (fonts_of(tmp_path) - {"LiberationSerif"})
    assert text_of(tmp_path) == PHONE


@plutoprint
def test_symbols_in_pictures_look_the_same_beside_emoji(tmp_path: Path) -> None:
    pictures = []
    for first in (SMILE, HEART, "x"):
        page = f"{_HTML}<div style='height: 60px'>{first}</div><div>\u260e \u2764 \u2714</div>"
        told(tmp_path, "input.html", page.encode(), "output.png")
        with Image.open(tmp_path / "output.png") as picture:
            pictures.append(picture.convert("RGB").crop((0, 68, 200, 90)))
    assert ImageChops.difference(pictures[0], pictures[2]).getbbox() is None
    assert ImageChops.difference(pictures[1], pictures[2]).getbbox() is None


@plutoprint
def test_lines_break_between_emoji(tmp_path: Path) -> None:
    told(tmp_path, "input.html", f"{_HTML}<p style='width: 200px'>{FLAG * 20}".encode())
    lines = text_of(tmp_path).split()
    assert len(lines) > 1
    assert "".join(lines) == FLAG * 20


@plutoprint
@pytest.mark.parametrize("kind", ["drawing", "style", "file"])
def test_emoji_outside_of_texts_can_be_searched(kind: str, tmp_path: Path) -> None:
    drawing = f"<svg xmlns='http://www.w3.org/2000/svg' width='300' height='30'><text y='20'>{FLAG} {KEY}</text></svg>"
    style = f"<style>p::before {{ content: '{FLAG} {KEY}' }}</style><p>"
    source = drawing if kind == "file" else f"{_HTML}{drawing if kind == 'drawing' else style}"
    assert told(tmp_path, "input.svg" if kind == "file" else "input.html", source.encode()) == []
    assert text_of(tmp_path) == f"{FLAG} {KEY}"


def test_emoji_in_drawings_are_measured_as_one(tmp_path: Path) -> None:
    drawing = (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='400' height='40'><text y='30' textLength='390'>{FLAG} {HAND}"
    )
    assert told(tmp_path, "input.svg", f"{drawing}</text></svg>".encode(), "output.png") == [f"{_TONELESS}1 ({HAND})."]
    assert list(text_measurement.clusters(f"a{FLAG}{HAND}e\u0301{KEY}")) == ["a", FLAG, HAND, "e\u0301", KEY]
    style = text_measurement.TextStyle()
    assert text_measurement.advance(FLAG, style) == text_measurement.advance(SMILE, style) > style.size


def test_emoji_without_plutoprint_can_be_searched(tmp_path: Path) -> None:
    """The engine for machines that PlutoPrint is not made for."""
    warn, written = Warn(), " ".join((*KINDS, SMILE, "\u260e", "\u2764", TWO))
    drawing = f"<svg width=400 height=30><text y=20>{FLAG} \u260e {KEY}</text></svg>"
    xhtml2pdf.render(f"{_HTML}<p>{written}</p>{drawing}", tmp_path / "output.pdf", PageOptions(), warn)
    assert {"NotoEmoji-Regular", "DejaVuSans"} < fonts_of(tmp_path)
    xhtml2pdf.render("<p style='font-family: Noto Emoji'>letters", tmp_path / "letters.pdf", PageOptions(), Warn())
    assert fonts_of(tmp_path, "letters.pdf") - {""} == {"DejaVuSans"}
    assert "".join(text_of(tmp_path).split()) == f"{written}{FLAG}\u260e{KEY}".replace(" ", "")
    assert [str(each.message).partition(":")[0] for each in warn.warnings] == [
        each.rstrip(": ") for each in (_PARTED, _TONELESS)
    ]


@plutoprint
@pytest.mark.ci
def test_files_with_emoji_conform(tmp_path: Path) -> None:
    conforming.require()
    page = f"{_HTML}<html lang=en><title>T</title><h1>{FLAG}</h1><p>{' '.join(KINDS)} {SMILE} \u260e {TWO}"
    for standard in ("a-2b", "ua-1"):
        target = f"{standard}.pdf"
        told(tmp_path, "input.html", page.encode(), target, pdfStandard=standard)
        assert conforming.judged([tmp_path / target], standard) == {str(tmp_path / target): []}


def test_emoji_in_workbooks_are_found(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append([FLAG, f"{HAND} and {ENGLAND}", "plain \U0001f600"])
    book.save(tmp_path / "input.xlsx")
    needed = parts.inspect(tmp_path / "input.xlsx", XLSX, Warn(), drawn=True)
    assert needed.emoji == {FLAG: 1, HAND: 1, ENGLAND: 1}


@pytest.mark.parametrize(
    "text", ["\U0001f600", "\u2764\ufe0f", "1\ufe0f\u20e3", "\u0915\u094d\u200d\u0937", "a\u200db"]
)
def test_what_one_character_draws_is_not_named(text: str, tmp_path: Path) -> None:
    assert not found_in(text)
    assert told(tmp_path, "input.html", f"<!DOCTYPE html><meta charset=utf-8><p>{text}".encode()) == []


@pytest.mark.parametrize("text", ["plain \u2713 \u2192 \u260e", "\u6771\u4eac", "\U0001f600\u2713"])
def test_symbols_are_looked_for_only_beside_emoji(text: str) -> None:
    assert emoji_font.symbols(set(text)) == set()
    assert emoji_font.symbols({*text, "\U0001f600", "\u2714"}) >= {"\u2714"}
