"""Damage that only chance has found: refused, or passed over with a warning, and never a fault of the service."""

from __future__ import annotations

import base64
import contextlib
import io
import sqlite3
import struct
import tempfile
import zipfile
import zlib
from pathlib import Path
from typing import Any

import cssselect2
import openpyxl
import pypdfium2
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.misc.psCharStrings import T2CharString
from PIL import Image

from conversions.work import runner
from engine.families.data.values import NotFinite
from engine.families.data.writers.xlsx import _writer
from engine.families.registry import CONVERTERS
from engine.toolkit.failures import MAX_REASON, InvalidOption, OverLimit, Unreadable
from engine.toolkit.options import build
from engine.toolkit.selectors import compiled
from engine.toolkit.warnings import Warn
from tests.converters.test_encodings import convert
from tests.converters.vectors import VECTORS
from tests.families.data import old_workbooks
from tests.hostile.small_pdfs import document


def _font() -> bytes:
    """An OpenType font with outlines in PostScript whose one letter ends in a number."""
    builder = FontBuilder(1000, isTTF=False)
    names = [".notdef", "A"]
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord("A"): "A"})
    drawing: Any = [0, 100, 100, "rmoveto", 200, "hlineto", "endchar"]
    builder.setupCFF("Chance", {}, {each: T2CharString(program=list(drawing)) for each in names}, {})
    builder.setupHorizontalMetrics(dict.fromkeys(names, (500, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Chance"})
    builder.setupOS2()
    builder.setupPost()
    file = io.BytesIO()
    builder.save(file)
    data = file.getvalue()
    letter = T2CharString(program=drawing)
    letter.compile()
    at = data.rindex(letter.bytecode) + len(letter.bytecode)
    return data[: at - 1] + b"\x8b" + data[at:]


def test_a_letter_that_ends_in_a_number_is_damage(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        convert(tmp_path, "otf-to-png", _font())


def test_a_lock_in_an_old_workbook_without_a_beginning_is_refused(tmp_path: Path) -> None:
    book = bytearray(next(each.source() for each in VECTORS if each.slug == "xls-to-csv" and not each.error))
    at = book.index(b"\x09\x08\x10\x00")
    book[at : at + 2] = b"\0\0"
    book[at + 20 : at + 22] = b"\x2f\0"
    with pytest.raises(Unreadable):
        convert(tmp_path, "xls-to-csv", bytes(book))


@pytest.mark.parametrize(("left", "right"), [(0xFFFF, 0xFFFF), (0x100, 0xFFFF), (2, 1)])
def test_an_impossible_first_column_is_read_as_the_first_column(tmp_path: Path, left: int, right: int) -> None:
    """The library makes room for as many cells before it reads one, or ends with the process."""
    stream = old_workbooks.records("A", [["Ada", 1]])
    written = struct.pack("<4H", 0, 1, 0, 2)
    assert stream.count(written) == 1
    for rows, fits in ((1, True), (0xFFFF, right < 0xFFFF)):
        book = old_workbooks.compound(stream.replace(written, struct.pack("<4H", 0, rows, left, right)))
        if fits:
            assert convert(tmp_path, "xls-to-csv", book)[0].split() == [b"Ada,1"]
        else:
            with pytest.raises(OverLimit):
                convert(tmp_path, "xls-to-csv", book)


def test_a_sheet_that_begins_in_the_midst_of_a_record_is_damage(tmp_path: Path) -> None:
    """What it says of its size was not seen there, and the library would make room for it."""
    stream = old_workbooks.records("A", [["Ada", 1]])
    start = stream.rindex(struct.pack("<H", 0x809))
    sheet = stream[start:].replace(struct.pack("<4H", 0, 1, 0, 2), struct.pack("<4H", 0, 0xFFFF, 0, 0xFFFF))
    written = struct.pack("<I", start)
    assert stream.count(written) == 1
    around = struct.pack("<HH", 0x7FFF, len(sheet))
    moved = stream[:start].replace(written, struct.pack("<I", start + len(around)))
    with pytest.raises(Unreadable):
        convert(tmp_path, "xls-to-csv", old_workbooks.compound(moved + around + sheet))


def test_a_truncated_video_frame_is_damaged(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        convert(tmp_path, "zip-to-mp4", _film(80))
    _, warn = convert(tmp_path, "zip-to-mp4", _film(1000))
    assert "CONTENT_DROPPED" in {each.code for each in warn.warnings}


def _film(length: int) -> bytes:
    """An archive with the beginning of a picture of 64 rows."""
    picture = io.BytesIO()
    Image.effect_noise((64, 64), 90).save(picture, "PNG")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as film:
        film.writestr("1.png", picture.getvalue()[:length])
    return archive.getvalue()


@pytest.mark.parametrize("selectors", ["*|", "rect, p|", "rect |"])
def test_selectors_that_end_behind_a_namespace_are_none(selectors: str) -> None:
    with pytest.raises(cssselect2.SelectorError):
        compiled(selectors)


def test_an_archive_whose_directory_points_before_its_start_is_damaged(tmp_path: Path) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("a.txt", "a")
    data = bytearray(file.getvalue())
    at = len(data) - 22 + 16  # where the end of the list says that the list begins (APPNOTE 4.3.16)
    data[at : at + 4] = (int.from_bytes(data[at : at + 4], "little") + 100).to_bytes(4, "little")
    with pytest.raises(Unreadable):
        convert(tmp_path, "zip-to-tgz", bytes(data))


def test_what_is_no_number_is_text_in_a_workbook() -> None:
    assert "NaN" in _writer(Warn())(NotFinite("NaN"))


def test_a_style_with_an_escape_of_what_no_page_may_have_is_drawn(tmp_path: Path) -> None:
    page = b"<!DOCTYPE html><body style='ma\x94\x02\\\xc4rgin:0'><div styl"
    assert convert(tmp_path, "html-to-pdf", page)[0].startswith(b"%PDF")


@pytest.mark.parametrize("sort", ["\x0c", "[]", "-[]", "a,\x0b"])
def test_a_column_without_a_name_is_none_to_sort_by(tmp_path: Path, sort: str) -> None:
    with pytest.raises(InvalidOption):
        convert(tmp_path, "csv-to-tsv", b"a\n1\n", sort=sort)


def test_a_binary_sheet_that_ends_too_soon_is_damaged(tmp_path: Path) -> None:
    book = next(each.source() for each in VECTORS if each.slug == "xlsb-to-csv" and not each.error)
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as whole, zipfile.ZipFile(file, "w") as cut:
        for each in whole.infolist():
            data = whole.read(each)
            cut.writestr(each, data[: len(data) // 2 + 1] if "worksheets/sheet" in each.filename else data)
    with pytest.raises(Unreadable):
        convert(tmp_path, "xlsb-to-csv", file.getvalue())


_LENGTH_OF_GIGABYTES = (
    b"c-nIe3i1y(WME)nU|{(4|Nnmx1`wMONOCc7GjIS&7KR@{aUP%u2M~f}nSo>i5F0Q+^vwXuO8{vBuo?yiMi2)o4wBEyFG&UQ51^`x9tA`L"
    b"25^)Bfdd1ShVlg&5P%sPA0PmghVvP4@V_%q2IPR)(8$;X*$oB;<|uA5Of|)+AEejR%-q7#02_<2{Y*gY=ZN5Q1975GlC@Hyl0uC_1=zo~"
    b"hT4Y6^8V_6shK$nF$&4~VEuXdsQPm<^HL4DK%@~kd_T;e(EyX@0%9WrBNJT%Lm-04DcB_0sU_wXSlj3)*^wB2z%20}7B6prY*74K0I>*E"
    b"jE6x8m|s|c`Gp4@rx&3544@I*z=&!djq)m79Y~xLNT-$N<S67N=B7g3tplVLfLH>mRsiU379c4I*3ARf`v+_X3pmU(Qy4x2DMxVe0{~d|"
    b")0h"
)
"""An Arrow file in which chance has written a length of 1.5 GB, compressed."""


def test_an_arrow_length_that_overflows_another_library_is_damage() -> None:
    """In the sandbox, whose address space has an end: polars makes room for the length, and does not give it back."""
    converter = CONVERTERS["arrow-to-json"]
    with tempfile.TemporaryFile() as source:
        source.write(zlib.decompress(base64.b85decode(_LENGTH_OF_GIGABYTES)))
        with pytest.raises(Unreadable):
            runner.convert(converter, source, build(converter.options, {}))


def test_a_message_with_the_longest_file_names_is_complete() -> None:
    converter = CONVERTERS["csv-to-json"]
    with tempfile.TemporaryFile() as source:
        source.write(b"a" * 5_000 + b",b\r\n1,2\r\n")
        with pytest.raises(InvalidOption) as refused:
            runner.convert(converter, source, build(converter.options, {"columns": "c"}))
    assert (refused.value.option, len(str(refused.value))) == ("columns", MAX_REASON)


@pytest.mark.parametrize(
    ("slug", "text"),
    [("xml-to-csv", "<r><{0}><a>1</a></{0}><{0}><a>2</a></{0}></r>"), ("toml-to-csv", "[[{0}]]\na = 1\n")],
)
def test_a_directory_with_the_longest_name_is_found(slug: str, text: str) -> None:
    converter = CONVERTERS[slug]
    with tempfile.TemporaryFile() as source:
        source.write(text.format("k" * 5_000).encode())
        done = runner.convert(converter, source, build(converter.options, {}))
    with done.output:
        assert done.output.read().startswith(b"a\r\n1\r\n")
    assert "kkk" in str(done.detected["rowPath"])


@pytest.mark.parametrize("slug", ["json-to-ini", "json-to-properties", "json-to-env"])
def test_an_empty_object_is_no_setting(tmp_path: Path, slug: str) -> None:
    assert convert(tmp_path, slug, b"{}")[0] == b""


def test_a_sheet_without_cells_is_no_table_of_a_database(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["name"])
    book.active.append(["Ada"])
    book.create_sheet("Sheet2")
    file = io.BytesIO()
    book.save(file)
    data, warn = convert(tmp_path, "xlsx-to-sqlite", file.getvalue())
    (tmp_path / "made.sqlite").write_bytes(data)
    with contextlib.closing(sqlite3.connect(tmp_path / "made.sqlite")) as made:
        names = [name for (name,) in made.execute("SELECT name FROM sqlite_master")]
        assert made.execute(f'SELECT name FROM "{names[0]}"').fetchall() == [("Ada",)]
    assert (len(names), [each.code for each in warn.warnings]) == (1, ["SHEET_SKIPPED"])


_CONTROLS = [*map(chr, (1, 8, 11, 12, 27, 31)), "&#1;", "&#12;", "&#x1F;", "&#xffff;"]


@pytest.mark.parametrize("slug", ["html-to-pdf", "html-to-png", "html-to-pptx", "html-to-revealjs", "html-to-docx"])
@pytest.mark.parametrize("control", _CONTROLS, ids=ascii)
def test_a_control_character_next_to_removed_text_is_not_text(tmp_path: Path, slug: str, control: str) -> None:
    """A form feed after a script is in many a page that was text once."""
    words = "Enough words for a page. " * 20
    page = (
        f"{control}<p>{words}<script>x</script>{control}a<iframe></iframe>{control}<img src='x.png' alt='b{control}c'>"
        f"</p><!-- --> {control} <h1 title='{control}'>d{control}</h1>"
    )
    assert convert(tmp_path, slug, page.encode())[0]


def test_a_form_feed_is_white_space(tmp_path: Path) -> None:
    page = b"<p>Enough words for a page of them.</p><p><script>x</script>one\x0ctwo&#12;three\x02</p>"
    made = pypdfium2.PdfDocument(convert(tmp_path, "html-to-pdf", page)[0])
    assert "one two three" in made[0].get_textpage().get_text_range()


def test_an_image_wider_than_a_canvas_is_drawn_in_tiles(tmp_path: Path) -> None:
    page = b"<body style='margin:0'><div style='margin-left:8000px; width:200px; height:9px; background:#f00'>"
    wished = {"viewportWidth": 10_000, "viewportHeight": 16, "scale": 4.0, "fullPage": False}
    made, _ = convert(tmp_path, "html-to-png", page, **wished)
    picture = Image.open(io.BytesIO(made)).convert("RGB")
    assert picture.size == (40_000, 64)
    red = [at for at in range(31_990, 32_810) if picture.getpixel((at, 20)) == (255, 0, 0)]
    assert (red[0], red[-1], len(red)) == (32_000, 32_799, 800)


@pytest.mark.parametrize("slug", ["eml-to-txt", "eml-to-markdown", "eml-to-html"])
def test_a_part_whose_type_has_other_bytes_than_ascii_is_a_file(tmp_path: Path, slug: str) -> None:
    mail = (
        b"From: a@example.org\nContent-Type: multipart/mixed; boundary=a\n\n"
        b"--a\nContent-Type: text/pl\xc8\xe9n\n\nwords\n"
    )
    assert b"part.bin" in convert(tmp_path, slug, mail, attachments="list")[0]


@pytest.mark.parametrize("slug", ["html-to-epub", "html-to-docx", "html-to-odt", "html-to-fb2"])
def test_a_title_with_control_characters_is_written_without_them(tmp_path: Path, slug: str) -> None:
    assert convert(tmp_path, slug, b"<p>words", title="\x13Y\x08<")[0]


def test_a_page_that_is_too_wide_for_pdfium_is_an_empty_slide(tmp_path: Path) -> None:
    page = document(b"0 0 9 9 re f").replace(b"/MediaBox[0 0 200 200]", b"/MediaBox[0 0 200 99999999999]")
    source, target, warn = tmp_path / "wide.pdf", tmp_path / "wide.pptx", Warn()
    source.write_bytes(page)
    converter = CONVERTERS["pdf-to-pptx"]
    converter.run(source, target, build(converter.options, {}), warn)
    assert zipfile.is_zipfile(target)
    assert {each.code for each in warn.warnings} == {"NO_TEXT"}
