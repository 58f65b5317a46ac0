"""The options of reading delimited text, pages and documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from conversions.families.data.picking.options import LeadingLines, RowPath
from conversions.toolkit.options import option

Encoding = Literal[
    "auto", "utf-8", "utf-16", "windows-1252", "windows-1250", "windows-1251", "iso-8859-1", "iso-8859-15",
    "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr",
]  # fmt: skip


@dataclass(frozen=True)
class TextRows(LeadingLines):
    """Reading tab-separated text."""

    zones: ClassVar[bool] = True
    """Whether moments with a zone are more than text in the output."""

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


@dataclass(frozen=True)
class PageTables(LeadingLines):
    """Reading the tables of a web page or a Markdown file."""

    table: int = option(1, "Which of the tables to convert, counted from 1.", minimum=1, maximum=10_000)
    sheets: Literal["one", "all"] = option("one", "Convert one of the tables, or all of them.")
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

    nested: ClassVar[bool] = False
    """Whether objects and lists may stay what they are, for a format that has them in its columns."""

    flatten: bool = option(True, "Turn each key of a nested object into a column; otherwise it stays JSON text.")
    separator: str = option(".", "Text between the keys in the name of a nested column.", min_length=1, max_length=5)
    arrays: Literal["json", "join", "columns"] = option(
        "json",
        "How to write lists inside a row: as JSON text, as their items joined with joinWith, or as one "
        "column for each item.",
    )
    join_with: str = option("; ", "Text between joined items.", max_length=10)


@dataclass(frozen=True)
class NestedRows(RowPath):
    """Making rows of documents for a format that has objects and lists in its columns."""

    nested: ClassVar[bool] = True

    flatten: bool = option(
        False, "Turn each key of a nested object into a column of its own; otherwise it stays one column with fields."
    )
    separator: str = option(".", "Text between the keys in the name of a nested column.", min_length=1, max_length=5)
    arrays: Literal["list", "json", "join", "columns"] = option(
        "list",
        "How to write the lists of a row: as lists, as JSON text, as their items joined with joinWith, or as one "
        "column for each item.",
    )
    join_with: str = option("; ", "Text between joined items.", max_length=10)
