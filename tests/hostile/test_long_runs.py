"""Long runs of one sign, where a number or a tag is expected, are read in linear time."""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Callable
from typing import Any

import pikepdf
import pytest
from fontTools.misc import eexec
from pikepdf import Array, Dictionary, Name

from engine.families.books import census as books
from engine.families.data.columnar import json_templates
from engine.families.data.counting import bibliographies, date_styles, ods_looks, open_document, protections, small
from engine.families.data.json_input import proofs
from engine.families.data.picking import names
from engine.families.data.workbooks import cell_numbers, facts, misread_parts, ods_formats_out, repairing
from engine.families.documents.rich_text import links
from engine.families.images.drawings import styles, text_measurement
from engine.families.libreoffice import named_fonts, parts, svg
from engine.families.mail.counting import outlook
from engine.families.pdf.page import prose, unruled_rows
from engine.families.pdf.tasks import type1
from engine.families.subtitles import marked
from engine.toolkit.warnings import Warn
from tests.families.data.databases.vectors import schema_edited
from tests.families.data.files import edited, spreadsheet, workbook
from tests.hostile.costs import Meter
from tests.hostile.patterns import BUDGET, slow, within

SECONDS = 5
"""What each may take, of processor time; before, each took longer than that, and up to minutes."""
_BLANKS = b" " * 90_000
_DIGITS = b"9" * 90_000
_ZEROS = b"0" * 90_000
_SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="9">%s</svg>'
_BOX = b'<rect width="9" height="9" %s/>'


DRAWINGS = {
    "a width": (_SVG % (_DIGITS + b"x", b""), "refused"),
    "an angle": (_SVG % (b"9", _BOX % (b'filter="hue-rotate(' + _ZEROS + b'x)"')), "written"),
    "a blur": (_SVG % (b"9", _BOX % (b'filter="blur(' + _DIGITS + b'!)"')), "written"),
    "points": (_SVG % (b"9", b'<polygon points="' + _BLANKS + b'"/>'), "written"),
    "a transform": (_SVG % (b"9", b'<g transform="matrix(' + _ZEROS + b'!"/>'), "written"),
    "references that nothing closes": (_SVG % (b"9", _BOX % (b'style="fill:' + b"url( " * 18_000 + b'"')), "written"),
    "a reference": (_SVG % (b"9", _BOX % (b'fill="url(' + _BLANKS + b'"')), "written"),
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_values_of_drawings_are_read_in_linear_time(measured: Meter, name: str) -> None:
    drawing, end = DRAWINGS[name]
    cost = measured.cost("svg-to-png", drawing, most=SECONDS)
    assert cost.end == end, cost


def test_digits_of_a_cell_are_read_in_linear_time(measured: Meter) -> None:
    cost = measured.cost("csv-to-xlsx", b"a\n" + _DIGITS + b"\n", most=SECONDS)
    assert (cost.end, cost.warned) == ("written", ("TEXT_TRUNCATED",)), cost


def _before(end: bytes, added: bytes) -> Callable[[bytes], bytes]:
    return lambda part: part.replace(end, added + end)


def _noted(sign: bytes) -> bytes:
    return b"<!-- " + sign * (3_000_000 // len(sign)) + b" -->"


_FORMULA = b'<row r="9"><c r="A9"><f>a</f>' + b" " * 3_000_000 + b"<v>1</v></c></row>"
_FAULT = b'<row r="9"><c r="A9" t="e"><v>#N/A</v></c></row>'
SHEETS = {
    "merged cells": ("xl/worksheets/sheet1.xml", b"</worksheet>", _noted(b"<mergeCell ")),
    "blanks after a formula": ("xl/worksheets/sheet1.xml", b"</sheetData>", _FORMULA),
    "references after an error": ("xl/worksheets/sheet1.xml", b"</sheetData>", _FAULT + _noted(b' r="A1"')),
    "formats of cells": ("xl/styles.xml", b"</styleSheet>", _noted(b"<cellXfs>")),
    "cells": ("content.xml", b"</table:table>", _noted(b"<table:table-cell ")),
    "rows": ("content.xml", b"</table:table>", _noted(b"<table:table-row ")),
}


@pytest.mark.parametrize("name", SHEETS)
def test_tags_in_a_comment_of_a_workbook_are_read_in_linear_time(measured: Meter, name: str) -> None:
    part, end, added = SHEETS[name]
    table = {"t": [["a"], [1]]}
    whole, slug = (spreadsheet(table), "ods-to-csv") if part == "content.xml" else (workbook(table), "xlsx-to-csv")
    data = edited(whole, part, _before(end, added))
    assert len(data) < 50_000
    cost = measured.cost(slug, data, most=SECONDS)
    assert cost.end == "written", cost


@pytest.mark.parametrize("slug", ["tgz-to-zip", "tgz-to-csv"])
def test_names_that_one_header_gives_to_all_files_are_counted(measured: Meter, slug: str) -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", pax_headers={"path": "a/" * 450_000}) as archive:
        for number in range(3_000):
            archive.addfile(tarfile.TarInfo(f"{number}"))
    assert len(out.getvalue()) < 50_000
    cost = measured.cost(slug, out.getvalue(), most=SECONDS)
    assert (cost.end, cost.reason) == ("refused", "output"), cost


_SEARCH = "instr(zeroblob(40000000) || a, zeroblob(1000000) || x'01')"
_DOUBLED = ", ".join(["b0 AS (a || a)", *(f"b{at} AS (b{at - 1} || b{at - 1})" for at in range(1, 16))])
GENERATED = {
    "a search": (f"a, b AS ({_SEARCH})", 1),
    "a search for a check": (f"a, b NOT NULL AS ({_SEARCH})", 1),
    "texts that double": (f"a, {_DOUBLED}, c AS (length(b15))", 5_000),
}


@pytest.mark.parametrize("name", GENERATED)
def test_what_generated_columns_compute_is_bounded(measured: Meter, name: str) -> None:
    columns, rows = GENERATED[name]
    values = ", ".join(["('x')"] * rows)
    data = schema_edited("(a)", f"({columns})", "CREATE TABLE t (a)", f"INSERT INTO t VALUES {values}")
    cost = measured.cost("sqlite-to-csv", data, most=2 * SECONDS)
    assert (cost.end, cost.reason) == ("refused", "timeout"), cost


def test_a_check_of_a_table_is_not_computed(measured: Meter) -> None:
    data = schema_edited("(a)", f"(a, CHECK ({_SEARCH}))", "CREATE TABLE t (a)", "INSERT INTO t VALUES ('x')")
    cost = measured.cost("sqlite-to-csv", data, most=SECONDS)
    assert cost.end == "written", cost


@pytest.mark.parametrize("look", ["/F 12 Tf " + "1 " * 40_000, "/F -" + "0" * 80_000, "/F 1.2.3 Tf 0 g"])
def test_the_look_of_a_field_is_read_in_linear_time(measured: Meter, look: str) -> None:
    with pikepdf.new() as pdf:
        page = pdf.add_blank_page(page_size=(300, 100))
        field = Dictionary(Subtype=Name.Widget, FT=Name.Tx, T="a", V="Dvořák", DA=look, Rect=Array([0, 0, 99, 20]))
        page.obj.Annots = Array([pdf.make_indirect(field)])
        pdf.Root.AcroForm = Dictionary(Fields=page.obj.Annots)
        out = io.BytesIO()
        pdf.save(out)
    cost = measured.cost("pdf-to-pdf", out.getvalue(), {"operation": "flatten"}, most=SECONDS)
    assert cost.end == "written", cost


def test_a_row_of_signs_is_known_for_figures_or_not_in_linear_time() -> None:
    assert not slow(unruled_rows._FIGURE, 2_000, BUDGET, ("match",))


SEARCHED = {
    "attributes of books": books._ATTRIBUTE,
    "attributes of date styles": date_styles._ATTRIBUTE,
    "attributes of looks": ods_looks._ATTRIBUTE,
    "attributes of OpenDocument": open_document._ATTRIBUTE,
    "attributes of workbooks": facts._ATTRIBUTE,
    "fields of BibTeX": bibliographies._FIELD,
    "sheets of an address": ods_looks._ADDRESSED,
    "numbers of JSON": proofs._FLOAT,
    "numbers of JSON objects": proofs._NUMBER,
    "features of a screen": styles._FEATURE,
    "fonts of RTF": named_fonts._RTF_FONT,
    "words of emails": outlook._NOT_ASCII,
    "leaders": prose._LED,
    "outlines of Type 1": type1._OUTLINE,
    "tags of subtitles": marked._TAG,
}
MATCHED = {
    "between objects": (json_templates._BETWEEN, "match"),
    "settings": (small._SETTING, "fullmatch"),
    "columns": (names._ITEM, "match"),
    "addresses with data": (svg._DATA, "fullmatch"),
    "lengths of drawings": (text_measurement._LENGTH, "fullmatch"),
}


@pytest.mark.parametrize("name", SEARCHED)
def test_what_is_searched_in_a_text_is_found_in_linear_time(name: str) -> None:
    assert not slow(SEARCHED[name], 12_000, 2 * BUDGET, ("search",))


@pytest.mark.parametrize("name", MATCHED)
def test_what_a_text_must_be_is_known_in_linear_time(name: str) -> None:
    expression: re.Pattern[Any] = MATCHED[name][0]
    assert not slow(expression, 12_000, 2 * BUDGET, (MATCHED[name][1],))


@pytest.mark.parametrize(
    ("read", "tag"),
    [(protections.of_excel, b"<sheetProtection "), (protections.of_open_document, b"<office:spreadsheet ")],
)
def test_protections_without_an_end_are_looked_for_in_linear_time(read: Callable[[bytes], bool], tag: bytes) -> None:
    assert within(1, lambda: read(tag * 20_000))


def test_a_cell_with_many_styles_is_read_in_linear_time() -> None:
    cell = b"<c" + b" s='1'" * 40_000
    assert within(1, lambda: list(cell_numbers._xml(cell, frozenset((1,)))))
    assert within(1, lambda: misread_parts.readable(cell, (1,)))


def test_declarations_without_an_end_are_looked_for_in_linear_time() -> None:
    part = "\ufeff" + "<?xml " * 40_000
    assert within(1, lambda: repairing._text(part.encode("utf-16-le")))


@pytest.mark.parametrize("data", [b"<binary-data " * 20_000, b"<binary-data " * 20_000 + b"><a>"])
def test_pictures_without_an_end_are_looked_for_in_linear_time(data: bytes) -> None:
    assert within(1, lambda: svg.within_text(data))


@pytest.mark.parametrize("fonts", [b"{\\fonttbl" * 20_000, b"{\\fonttbl" + b"\\f0" * 20_000 + b"}}"])
def test_fonts_without_a_name_are_looked_for_in_linear_time(fonts: bytes) -> None:
    assert within(1, lambda: parts._rtf(fonts, Warn()))


def test_only_the_width_of_an_outline_is_decrypted() -> None:
    hidden, _ = eexec.encrypt(bytes(4) + b"/CharStrings " + b"/a 99999 x " * 2_000, 55665)
    assert within(2, lambda: type1.read(hidden, 0))


@pytest.mark.parametrize("code", ["0" + "," * 6_000, "," * 6_000 + "x", "0" * 6_000 + ".x"])
def test_a_number_format_is_read_in_linear_time(code: str) -> None:
    assert within(BUDGET, lambda: ods_formats_out._decimal(code))


@pytest.mark.parametrize("code", ["#" * 6_000, "# " * 3_000, "#" * 3_000 + "/" + "?" * 3_000 + "x", "#" + " " * 6_000])
def test_a_fraction_of_a_number_format_is_read_in_linear_time(code: str) -> None:
    assert within(BUDGET, lambda: ods_formats_out._fraction(code))


@pytest.mark.parametrize("rest", ['"a"' + " \\o" * 20_000 + "x", '"' * 40_001, '"a"' + ' \\o "t"' * 10_000 + "x"])
def test_the_link_of_a_field_is_read_in_linear_time(rest: str) -> None:
    assert within(1, lambda: links.read(f"HYPERLINK {rest}"))
