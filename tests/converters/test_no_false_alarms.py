"""What a result has of its file is not named as missing."""

from __future__ import annotations

import io
import struct
from datetime import datetime
from pathlib import Path

import openpyxl
import pytest

from engine.conversion import convert
from engine.toolkit.warnings import Warn


def told(folder: Path, name: str, data: bytes, target: str, **options: str) -> list[str]:
    source = folder / name
    source.write_bytes(data)
    result = convert(source, folder / target, sandbox=False, **options)
    return [f"{each.code} {each.message}" for each in result.warnings]


@pytest.mark.parametrize("target", ["output.txt", "output.md", "output.docx", "output.odt"])
def test_bytes_behind_the_end_of_a_rich_text_are_no_words(target: str, tmp_path: Path) -> None:
    assert (
        told(tmp_path, "input.rtf", rb"{\rtf1\ansi Words of it\par}" + b"\n\xef\xbf\xbd8 rubbish left over", target)
        == []
    )


def test_words_of_a_rich_text_are_counted_to_its_end(tmp_path: Path) -> None:
    data = rb"{\rtf1\ansi {Some {\b bold}} words {\*\unknown gone} and more\par}"
    assert told(tmp_path, "input.rtf", data, "output.txt") == []
    assert (tmp_path / "output.txt").read_text().split() == ["Some", "bold", "words", "and", "more"]


@pytest.mark.parametrize("target", ["output.csv", "output.json", "output.ods"])
def test_a_moment_of_which_the_format_shows_the_time_alone_is_kept(target: str, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["at"])
    book.active.append([datetime(1992, 12, 28, 6, 15, 0, 687000)])
    book.active["A2"].number_format = "h:mm AM/PM"
    file = io.BytesIO()
    book.save(file)
    assert told(tmp_path, "input.xlsx", file.getvalue(), target) == []


@pytest.mark.parametrize("target", ["output.html", "output.pptx", "output.docx", "output.txt"])
def test_a_word_with_a_subscript_of_markdown_is_whole(target: str, tmp_path: Path) -> None:
    assert told(tmp_path, "input.md", b"~~struck~~ H~2~O and a~b\n", target) == []


def test_a_word_with_a_subscript_that_is_gone_is_named(tmp_path: Path) -> None:
    from engine.families.documents.counting import plain
    from engine.toolkit.census import Census
    from engine.toolkit.comparison import compare

    (found,) = compare(plain.notation("H~2~O is water"), Census(texts=["is water"]), {"words"}, Warn())
    assert found.missing == 1


@pytest.mark.parametrize("target", ["output.txt", "output.md", "output.docx"])
def test_the_names_of_odd_styles_are_no_text(target: str, tmp_path: Path) -> None:
    styles = rb"{\stylesheet{\s0 Normal;}{\s1\b Odd \keycode name;}{\*\cs2\i{\*\keycode x} Emph;}{\s3 {\b Heading} 1;}}"
    data = rb"{\rtf1\ansi\deff0{\fonttbl{\f0 Arial;}}" + styles + rb"\pard\s1 First words\par\pard\s3 Second words\par}"
    assert told(tmp_path, "input.rtf", data, target) == []
    if target != "output.docx":
        text = (tmp_path / target).read_text()
        assert "Odd" not in text
        assert "Heading" not in text
        assert "First words" in text.replace("*", "")


@pytest.mark.parametrize(
    ("name", "text", "target"),
    [
        ("input.adoc", "Some AsciiDoc(R) and Words(TM), (C) by us.\n", "output.html"),
        ("input.tex", r"\section{\texorpdfstring{An \emph{old} one}{An old one of an old}}", "output.html"),
        ("input.wiki", "[[Help]]ers and [[Help]]<nowiki/>ing [[Archivo:dot.jpg]]\n", "output.html"),
        ("input.md", "| Version | Open |\n|---|---|\n| 1.6 | :x: |\n", "output.html"),
        ("input.html", "<p><a href='/news/a'>one [0]</a> and more</p>", "output.md"),
        ("input.1", '.TH "it" "1"\n.SH NAME\nsome \\f[CR]<script>\\f[R] words <!\\-\\- here\n', "output.md"),
        ("input.wiki", "[[File:dot.jpg|border|the words with [http://google.com a link]]]\n", "output.md"),
        ("input.tex", r"One \includegraphics{figs/one.pdf} of it", "output.html"),
    ],
)
def test_words_pictures_and_links_in_another_spelling_are_kept(
    name: str, text: str, target: str, tmp_path: Path
) -> None:
    assert [each for each in told(tmp_path, name, text.encode(), target) if "missing" in each] == []


def test_words_of_code_between_names_of_scripts_are_words_of_markdown() -> None:
    from engine.families.documents.counting import plain
    from engine.toolkit.census import Census
    from engine.toolkit.comparison import compare

    made = plain.notation("A `<script>` and a\n\n    <style>\n\nword of `</script>` and\n\n    </style>\n")
    assert not [each for each in compare(Census(texts=["word of and"]), made, {"words"}, Warn()) if each.missing]
    hidden = plain.notation("A <script> word of </script> end\n")
    (lost,) = compare(Census(texts=["word of end"]), hidden, {"words"}, Warn())
    assert lost.missing


def test_an_asf_file_that_is_whole_lasts_as_long_as_its_tracks(tmp_path: Path) -> None:
    from engine.families.media import declared
    from engine.families.media.probe import Media

    head = bytes.fromhex("a1dcab8c47a9cf118ee400c00c205365") + bytes(24)
    sizes = (0, 0, 285_000_000, 0, 3_000, 0)
    media = Media(25.1, (), demuxer="asf", claimed=28.5)
    for size, seconds in ((92, None), (5_000, 25.5)):
        path = tmp_path / f"{size}.wmv"
        path.write_bytes(head + struct.pack("<QQQQQQI", size, *sizes))
        assert declared.seconds(path, media) == seconds


@pytest.mark.parametrize("target", ["ttf", "woff2"])
def test_glyphs_that_draw_nothing_are_counted_the_same_in_each_font(target: str, tmp_path: Path) -> None:
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.ttLib.tables._g_l_y_f import Glyph, GlyphCoordinates
    from fontTools.ttLib.tables.ttProgram import Program

    names = [".notdef", "A", "place", "copy", "Copy"]
    triangle, place = TTGlyphPen(None), Glyph()
    triangle.moveTo((0, 0)), triangle.lineTo((500, 700)), triangle.lineTo((900, 0)), triangle.closePath()
    place.numberOfContours, place.endPtsOfContours, place.flags = 1, [0], bytearray([1])
    place.coordinates, place.program = GlyphCoordinates([(100, 100)]), Program()
    glyphs = {".notdef": Glyph(), "A": triangle.glyph(), "place": place}
    for name, part in (("copy", "place"), ("Copy", "A")):
        pen = TTGlyphPen(dict.fromkeys(names))
        pen.addComponent(part, (1, 0, 0, 1, 30, 40))
        glyphs[name] = pen.glyph()
    font = FontBuilder(1000, isTTF=True)
    font.setupGlyphOrder(names)
    font.setupCharacterMap({65: "A", 66: "place", 67: "copy", 68: "Copy"})
    font.setupGlyf(glyphs)
    font.setupHorizontalMetrics(dict.fromkeys(names, (1000, 0)))
    font.setupHorizontalHeader(ascent=800, descent=-200)
    font.setupNameTable({"familyName": "Shapes", "styleName": "Regular"})
    font.setupOS2()
    font.setupPost()
    if target == "woff2":
        font.font.flavor = target
    file = io.BytesIO()
    font.save(file)
    assert not [each for each in told(tmp_path, f"input.{target}", file.getvalue(), "output.otf") if "GLYPH" in each]
    from engine.families.fonts import counting

    assert counting.count(tmp_path / f"input.{target}").total("outlines") == 2


@pytest.mark.parametrize(("number", "format"), [(12.5, "A/P"), (-1.2, "[h]:mm")])
def test_times_in_unusual_formats_are_kept(number: float, format: str, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["at", "other"])
    book.active.append(["text", number])
    book.active["B2"].number_format = format
    file = io.BytesIO()
    book.save(file)
    assert not [each for each in told(tmp_path, "input.xlsx", file.getvalue(), "output.csv") if "missing" in each]


@pytest.mark.parametrize(
    ("colour", "theme", "is_black"),
    [
        ("0000000000000000", b"", True),
        ("0340000000000000", b"", True),
        ("05ff0000000000ff", b"", True),
        ("0701000000000000", b"", True),
        ("0701000000000000", b'<a:dk1><a:srgbClr val="112233"/></a:dk1>', False),
        ("0701003300000000", b"", False),
        ("05ff0000ff0000ff", b"", False),
        ("0305000000000000", b"", False),
    ],
)
def test_black_in_any_spelling_is_the_usual_colour_of_text(colour: str, theme: bytes, is_black: bool) -> None:
    from engine.families.data.counting import text_colours

    usual = text_colours.of_xlsb(bytes(8), b"")
    assert (text_colours.of_xlsb(bytes.fromhex(colour), theme) == usual) is is_black
    assert text_colours.of_xls(8) == text_colours.of_xls(0x7FFF) != text_colours.of_xls(10)


@pytest.mark.parametrize(
    "data",
    [
        b"# a comment\nid,name\n1,x\n",
        b"sep=;\nid;name\n1;x\n",
        "id,name\n1,x\n2,ÿ\n".encode("utf-16"),
        "id,name\n1,x\n".encode("utf-16-le"),
    ],
)
@pytest.mark.parametrize("target", ["output.csv", "output.json"])
def test_only_rows_are_counted_in_delimited_text(target: str, data: bytes, tmp_path: Path) -> None:
    assert not [each for each in told(tmp_path, "input.csv", data, target) if "missing" in each]


@pytest.mark.parametrize("target", ["output.json", "output.parquet", "output.xlsx"])
@pytest.mark.parametrize("cell", ["NULL", "\\N", "+NaN", "-nan", "+inf", "Infinity"])
def test_what_is_read_as_nothing_or_as_no_number_is_named_once(target: str, cell: str, tmp_path: Path) -> None:
    found = told(tmp_path, "input.csv", f"a,b\n1.5,x\n{cell},y\n".encode(), target, types="infer")
    assert not [each for each in found if "missing" in each]
