"""Options of reading delimited text, pages and documents."""

from __future__ import annotations

from typing import ClassVar, Literal

from engine.families.data.picking.options import ONE_OR_ALL, LeadingLines, RowPath
from engine.toolkit.census import EVERYTHING
from engine.toolkit.options import option, options

Encoding = Literal[
    "auto", "utf-8", "utf-16", "windows-1252", "windows-1250", "windows-1251", "iso-8859-1", "iso-8859-15",
    "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr",
]  # fmt: skip
_INFERRED = (
    "Keep all cells as text, or convert columns that contain only numbers, booleans, dates "
    "or times. Leading zeros, numbers with too many digits and mixed columns stay text."
)
_TYPES = {
    "text": "Everything as text: Each cell exactly as written.",
    "infer": "Find numbers and dates: In columns with only one type of value. Leading zeros stay text.",
}


@options
class TextRows(LeadingLines):
    """Reading tab-separated text."""

    zones: ClassVar[bool] = True
    """Whether the output keeps timestamps with a zone as more than text."""

    header_row: bool = option(True, "The first row has the column names.")
    types: Literal["text", "infer"] = option(
        "text",
        _INFERRED,
        choices=_TYPES,
    )
    date_format: Literal["iso", "dd.mm.yyyy", "dd/mm/yyyy", "dd-mm-yyyy", "mm/dd/yyyy", "yyyy/mm/dd"] = option(
        "iso",
        "Date format to accept in addition to ISO 8601 (2024-12-31). For types=infer.",
        choices={
            "iso": "2024-12-31: The standard (ISO 8601), and no other.",
            "dd.mm.yyyy": "31.12.2024: As in Germany and much of Europe.",
            "dd/mm/yyyy": "31/12/2024: As in Britain, France and Spain.",
            "dd-mm-yyyy": "31-12-2024: As in the Netherlands and India.",
            "mm/dd/yyyy": "12/31/2024: As in the United States.",
            "yyyy/mm/dd": "2024/12/31: As in Japan and China.",
        },
        selects={"values"},
    )
    decimal: Literal[".", ","] = option(
        ".",
        "Decimal separator in numbers. For types=infer.",
        choices={
            ".": "Point, as in 1.5: As in English.",
            ",": "Comma, as in 1,5: As in German, French or Spanish.",
        },
        selects={"values"},
    )
    thousands: Literal["none", ",", ".", "space", "apostrophe"] = option(
        "none",
        "Thousands separator in numbers. For types=infer.",
        choices={
            "none": "Nothing, as in 1234: No separator.",
            ",": "Comma, as in 1,234: As in English.",
            ".": "Point, as in 1.234: As in German or Spanish.",
            "space": "Space, as in 1 234: As in French or Polish.",
            "apostrophe": "Apostrophe, as in 1'234: As in Switzerland.",
        },
        selects={"values"},
    )
    nulls: str | None = option(
        None,
        "Texts that mean an empty cell, separated by commas, such as N/A,-. For types=infer; in columns of numbers and "
        "dates, NULL and \\N always mean that.",
        max_length=200,
        selects={"values"},
    )
    input_encoding: Encoding = option(
        "auto",
        "Character encoding of the file; auto detects it.",
        choices={
            "auto": "Automatic: Detected from the file.",
            "utf-8": "UTF-8: Almost all current files.",
            "utf-16": "UTF-16: Text from some Windows programs.",
            "windows-1252": "Western, Windows: Windows-1252, such as older files in English, French or German.",
            "windows-1250": "Central European, Windows: Windows-1250, such as Polish or Czech.",
            "windows-1251": "Cyrillic, Windows: Windows-1251, such as Russian or Bulgarian.",
            "iso-8859-1": "Western, ISO: ISO-8859-1, older files from Unix and the web.",
            "iso-8859-15": "Western with euro, ISO: ISO-8859-15.",
            "shift_jis": "Japanese, Shift JIS: Older files from Windows.",
            "euc-jp": "Japanese, EUC: Older files from Unix.",
            "gb18030": "Chinese, GB 18030: Simplified characters, GBK and GB 2312 among them.",
            "big5": "Chinese, Big5: Traditional characters.",
            "euc-kr": "Korean, EUC: Older Korean files.",
        },
        selects={"values"},
    )


@options
class DelimitedRows(TextRows):
    """Reading delimited text."""

    input_delimiter: str | None = option(
        None,
        "Character that separates columns in the file; detected if not given.",
        length=1,
        shape="delimiter",
        selects={"columns", "values"},
    )


@options
class TypedTextRows(TextRows):
    """Reading tab-separated text for a format with types."""

    types: Literal["text", "infer"] = option(
        "infer",
        _INFERRED,
        choices=_TYPES,
    )


@options
class TypedDelimitedRows(DelimitedRows):
    """Reading delimited text for a format with types."""

    types: Literal["text", "infer"] = option(
        "infer",
        _INFERRED,
        choices=_TYPES,
    )


@options
class PageTables(LeadingLines):
    """Reading the tables of a web page or a Markdown file."""

    table: int = option(
        1, "Which of the tables to convert, counted from 1.", minimum=1, maximum=10_000, selects=EVERYTHING
    )
    sheets: Literal["one", "all"] = option(
        "one",
        "Convert one of the tables, or all of them.",
        choices=ONE_OR_ALL,
        selects=EVERYTHING,
    )
    header_row: bool = option(True, "The first row has the column names.")


@options
class XmlIn:
    """Reading XML."""

    attribute_prefix: str = option("@", "Prefix that marks attributes in the output.", max_length=5)
    force_list: str = option(
        "", "Element names, separated by commas, that always become lists, even with one item.", max_length=500
    )
    strip_whitespace: bool = option(True, "Remove white space around the text of elements.")


@options
class Flatten(RowPath):
    """Making rows of documents."""

    nested: ClassVar[bool] = False
    """Whether objects and lists may stay nested, for formats with nested columns."""

    flatten: bool = option(
        True, "Turn each key of a nested object into a separate column; otherwise it stays JSON text."
    )
    separator: str = option(".", "Text between the keys in the name of a nested column.", min_length=1, max_length=5)
    arrays: Literal["json", "join", "columns"] = option(
        "json",
        "How to write lists in a row: as JSON text, as items joined with joinWith, or as one column per item.",
        choices={
            "json": "As JSON: The whole list in one cell, such as [1, 2].",
            "join": "Joined: The items joined in one cell, with a separator of your choice.",
            "columns": "One column each: The first item in tags.0, the second in tags.1, and so on.",
        },
        selects={"values"},
    )
    join_with: str = option("; ", "Text between joined items.", max_length=10)


@options
class NestedRows(RowPath):
    """Making rows of documents for a format that has objects and lists in its columns."""

    nested: ClassVar[bool] = True

    flatten: bool = option(
        False, "Turn each key of a nested object into a separate column; otherwise it stays one column with fields."
    )
    separator: str = option(".", "Text between the keys in the name of a nested column.", min_length=1, max_length=5)
    arrays: Literal["list", "json", "join", "columns"] = option(
        "list",
        "How to write lists in a row: as lists, as JSON text, as items joined with joinWith, or "
        "as one column per item.",
        choices={
            "list": "As lists: The format's own lists, without loss.",
            "json": "As JSON: The whole list as one text, such as [1, 2].",
            "join": "Joined: The items joined into one text, with a separator of your choice.",
            "columns": "One column each: The first item in tags.0, the second in tags.1, and so on.",
        },
        selects={"values"},
    )
    join_with: str = option("; ", "Text between joined items.", max_length=10)
