"""The options of tabular and structured data: those of each reader and of each writer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from conversions.families.data.picking.options import LeadingLines, LeadingRows, Picked, RowPath, SeparatorLine
from conversions.families.html_pdf.options import Paper
from conversions.toolkit.options import option

Encoding = Literal[
    "auto", "utf-8", "utf-16", "windows-1252", "windows-1250", "windows-1251", "iso-8859-1", "iso-8859-15",
    "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr",
]  # fmt: skip


@dataclass(frozen=True)
class TextRows(LeadingLines):
    """Reading tab-separated text."""

    header_row: bool = option(True, "The first row holds the names of the columns.")
    types: Literal["text", "infer"] = option(
        "text",
        "Keep every cell as text, or infer for each column whether all of it is numbers, booleans, dates or times. "
        "Leading zeros, numbers of over 15 digits and mixed columns stay text.",
    )
    date_format: Literal["iso", "dd.mm.yyyy", "dd/mm/yyyy", "dd-mm-yyyy", "mm/dd/yyyy", "yyyy/mm/dd"] = option(
        "iso", "How dates are written, beside ISO 8601 (2024-12-31). For types=infer."
    )
    decimal: Literal[".", ","] = option(".", "Character before the decimals of numbers. For types=infer.")
    thousands: Literal["none", ",", ".", "space", "apostrophe"] = option(
        "none", "Character between the thousands of numbers. For types=infer."
    )
    input_encoding: Encoding = option("auto", "Character encoding of the file; auto detects it.")  # noqa: RUF009


@dataclass(frozen=True)
class DelimitedRows(TextRows):
    """Reading delimited text."""

    input_delimiter: str | None = option(
        None, "Character that separates the columns of the file; detected if not given.", length=1
    )


_INFERRED = TextRows.__dataclass_fields__["types"].metadata["description"]


@dataclass(frozen=True)
class TypedTextRows(TextRows):
    """Reading tab-separated text for a format with types."""

    types: Literal["text", "infer"] = option("infer", _INFERRED)


@dataclass(frozen=True)
class TypedDelimitedRows(DelimitedRows):
    """Reading delimited text for a format with types."""

    types: Literal["text", "infer"] = option("infer", _INFERRED)


_SHEET = "Name of the sheet, or its number from 1; the first one if not given."
_ONE_SHEET = "Name of the one sheet to convert, or its number from 1."


@dataclass(frozen=True)
class SheetCells(LeadingLines):
    """Reading the cells of a workbook's sheets."""

    range: str = option("", "Cells to convert, such as A1:D20, A:D or 2:50; all if empty.", max_length=25)
    values: Literal["raw", "shown"] = option(
        "raw",
        "raw takes the values themselves, shown the texts that a spreadsheet shows for them, such as 01234, 12% or "
        "30:00:00.",
    )
    fill_merged: bool = option(False, "Repeat the value of merged cells in each of them.")
    password: str | None = option(
        None, "Password that opens the workbook, if it is encrypted.", max_length=255, secret=True
    )


@dataclass(frozen=True)
class SheetRows(SheetCells):
    """Reading a workbook for rows."""

    sheet: str | None = option(None, _SHEET, max_length=100)
    all_sheets: bool = option(False, "Convert every sheet, each to its own file in one ZIP. Ignored if sheet is given.")
    header_row: bool = option(True, "The first row with content holds the names of the columns.")
    empty_rows: bool = option(False, "Keep rows in which every cell is empty.")


@dataclass(frozen=True)
class SheetCopy(SheetCells):
    """Reading a workbook to write another one: every sheet, as it is."""

    sheet: str | None = option(None, _ONE_SHEET, max_length=100)
    all_sheets: bool = option(True, "Convert every sheet. Ignored if sheet is given.")
    header_row: bool = option(False, "Treat the first row with content as a header, which gets bold and unique names.")
    empty_rows: bool = option(True, "Keep rows in which every cell is empty.")


@dataclass(frozen=True)
class SheetPages(SheetCells):
    """Reading a workbook to draw it: every sheet, as it is."""

    sheet: str | None = option(None, _ONE_SHEET, max_length=100)
    all_sheets: bool = option(True, "Convert every sheet. Ignored if sheet is given.")
    header_row: bool = option(True, "The first row with content holds the names of the columns.")
    empty_rows: bool = option(True, "Keep rows in which every cell is empty.")


@dataclass(frozen=True)
class PageTables(LeadingLines):
    """Reading the tables of a web page or a Markdown file."""

    table: int = option(1, "Which of the tables to convert, counted from 1.", minimum=1, maximum=10_000)
    all_tables: bool = option(False, "Convert every table, not only one.")
    header_row: bool = option(True, "The first row holds the names of the columns.")


@dataclass(frozen=True)
class XmlIn:
    """Reading XML."""

    attribute_prefix: str = option("@", "Prefix that marks attributes in the output.", max_length=5)
    force_list: str = option(
        "", "Names of elements, separated by commas, that become a list even if there is only one.", max_length=500
    )
    strip_whitespace: bool = option(True, "Remove white space around the text of elements.")


@dataclass(frozen=True)
class Flatten(RowPath):
    """Making rows of documents."""

    flatten: bool = option(True, "Turn each key of a nested object into a column; otherwise it stays JSON text.")
    separator: str = option(".", "Text between the keys in the name of a nested column.", min_length=1, max_length=5)
    arrays: Literal["json", "join", "columns"] = option(
        "json",
        "How to write lists inside a row: as JSON text, as their items joined with joinWith, or as one "
        "column for each item.",
    )
    join_with: str = option("; ", "Text between joined items.", max_length=10)


@dataclass(frozen=True)
class TsvOut:
    """Writing tab-separated text."""

    header: bool = option(True, "Write the column names as the first row.")
    bom: bool = option(False, "Begin the file with a byte order mark, so that Excel reads it as UTF-8.")
    line_ending: Literal["crlf", "lf"] = option("crlf", "How lines end: CRLF as in RFC 4180, or LF.")
    quote: Literal["minimal", "all"] = option(
        "minimal", "Put quotes around the cells that need them only, or around all cells."
    )
    escape_formulas: bool = option(False, "Put an apostrophe before text that a spreadsheet would run as a formula.")


@dataclass(frozen=True)
class CsvOut(TsvOut, SeparatorLine):
    """Writing delimited text."""

    delimiter: str = option(",", "Character that separates columns.", length=1)


@dataclass(frozen=True)
class OdsOut:
    """Writing an ods workbook."""

    header: bool = option(True, "Write the column names as the first row.")


@dataclass(frozen=True)
class XlsxOut(OdsOut):
    """Writing an xlsx workbook."""

    freeze_header: bool = option(True, "Keep the row of column names in view while scrolling.")


@dataclass(frozen=True)
class ParquetOut:
    """Writing Parquet."""

    compression: Literal["zstd", "snappy", "gzip", "lz4", "uncompressed"] = option(
        "zstd", "How the columns are compressed."
    )


@dataclass(frozen=True)
class HtmlOut:
    """Writing an HTML table."""

    header: bool = option(True, "Write the column names as the first row.")
    fragment: bool = option(False, "Write only the table, to be inserted into a page.")
    title: str = option("", "Title of the page; if empty, the name of the sheet or table.", max_length=200)


@dataclass(frozen=True)
class JsonRows:
    """Writing rows as JSON."""

    indent: int = option(0, "Spaces for each level; 0 writes one row on each line.", minimum=0, maximum=8)


@dataclass(frozen=True)
class JsonOut:
    """Writing documents as JSON."""

    indent: int = option(2, "Spaces for each level; 0 writes only line breaks.", minimum=0, maximum=8)


@dataclass(frozen=True)
class JsonFormat(LeadingRows, Picked, RowPath, JsonOut):
    """Laying JSON out anew."""

    sort_keys: bool = option(False, "Sort the keys of every object.")


@dataclass(frozen=True)
class YamlOut:
    """Writing YAML."""

    indent: int = option(2, "Spaces for each level.", minimum=2, maximum=8)


@dataclass(frozen=True)
class TomlOut:
    """Writing TOML."""

    root: str = option(
        "items",
        "Key under which data is written that TOML can't have at the top level, such as a list.",
        min_length=1,
        max_length=50,
    )


@dataclass(frozen=True)
class TomlRows:
    """Writing rows as TOML."""

    root: str = option("rows", "Key under which the list of rows is written.", min_length=1, max_length=50)


@dataclass(frozen=True)
class XmlLayout:
    """Laying XML out anew."""

    indent: int = option(2, "Spaces for each level; 0 writes everything on one line.", minimum=0, maximum=8)


@dataclass(frozen=True)
class XmlOut(XmlLayout):
    """Writing documents as XML."""

    root: str = option(
        "root", "Name of the outermost element if the data has none.", max_length=50, pattern=r"[A-Za-z_][\w.\-]*"
    )
    item: str = option("item", "Name of the elements of a list.", max_length=50, pattern=r"[A-Za-z_][\w.\-]*")
    attribute_prefix: str = option("@", "Keys that begin with this become attributes; if empty, none do.", max_length=5)


@dataclass(frozen=True)
class XmlRows(XmlLayout):
    """Writing rows as XML."""

    root: str = option("rows", "Name of the outermost element.", max_length=50, pattern=r"[A-Za-z_][\w.\-]*")
    item: str = option("row", "Name of the element of each row.", max_length=50, pattern=r"[A-Za-z_][\w.\-]*")
    attribute_prefix: str = option(
        "", "Columns whose names begin with this become attributes; if empty, none do.", max_length=5
    )


@dataclass(frozen=True)
class PdfOut(Paper):
    """Drawing tables on pages."""

    orientation: Literal["auto", "portrait", "landscape"] = option(
        "auto", "Portrait or landscape; auto turns the paper where the table is wider than it is upright."
    )
    fit_to_width: bool = option(
        True,
        "Make the text of a table smaller until all columns fit the width of the paper, down to 5 points; columns that "
        "do not fit are put on pages of their own.",
    )
    repeat_header: bool = option(True, "Repeat the names of the columns at the top of every page.")
    zebra: bool = option(True, "Shade every other row.")
