"""Options of the writers of tabular and structured data."""

from __future__ import annotations

from typing import ClassVar, Literal

from engine.families.data.picking.options import LeadingRows, Picked, RowPath, SeparatorLine
from engine.toolkit.options import option, options


@options
class TsvOut:
    """Writing tab-separated text."""

    header: bool = option(True, "Write the column names as the first row.", selects={"rows"})
    bom: bool = option(False, "Start the file with a byte order mark, so that Excel opens it as UTF-8.")
    line_ending: Literal["crlf", "lf"] = option(
        "crlf",
        "Line endings: CRLF as in RFC 4180, or LF.",
        choices={
            "crlf": "Windows: Carriage return and line feed (CRLF), as in the standard (RFC 4180).",
            "lf": "Unix: Line feed only (LF), as on Linux and macOS.",
        },
    )
    quote: Literal["minimal", "all"] = option(
        "minimal",
        "Quote only the cells that need it, or all cells.",
        choices={
            "minimal": "Where needed: Only around cells with a delimiter, a quote or a line break.",
            "all": "Everywhere: Around every cell that has a value, for programs that expect it.",
        },
    )
    escape_formulas: bool = option(
        False, "Put an apostrophe before text that spreadsheets would run as a formula.", selects={"values"}
    )


@options
class CsvOut(TsvOut, SeparatorLine):
    """Writing delimited text."""

    delimiter: str = option(",", "Character that separates columns.", length=1, shape="delimiter")


@options
class OdsOut:
    """Writing an ods workbook."""

    zones: ClassVar[bool] = False
    """Whether cells can hold timestamps with a zone; those of delimited text stay in source form."""

    header: bool = option(True, "Write the column names as the first row.", selects={"rows"})


@options
class XlsxOut(OdsOut):
    """Writing an xlsx workbook."""

    freeze_header: bool = option(True, "Keep the header row visible when scrolling.")


@options
class ParquetOut:
    """Writing Parquet."""

    compression: Literal["zstd", "snappy", "gzip", "lz4", "uncompressed"] = option(
        "zstd",
        "Compression of the columns.",
        choices={
            "zstd": "Zstandard: Small and fast; supported by all current programs.",
            "snappy": "Snappy: The usual choice; slightly larger.",
            "gzip": "Gzip: Small but slower; for older programs.",
            "lz4": "LZ4: Fastest to read, slightly larger.",
            "uncompressed": "None: Largest file.",
        },
    )


@options
class HtmlOut:
    """Writing an HTML table."""

    header: bool = option(True, "Write the column names as the first row.", selects={"rows"})
    fragment: bool = option(False, "Write only the table, to insert into a page.")
    title: str = option("", "Title of the page; if empty, the name of the sheet or table.", max_length=200)


@options
class JsonRows:
    """Writing rows as JSON."""

    indent: int = option(0, "Spaces per level; 0 writes one row per line.", minimum=0, maximum=8)


@options
class JsonOut:
    """Writing documents as JSON."""

    indent: int = option(2, "Spaces per level; 0 writes only line breaks.", minimum=0, maximum=8)


@options
class JsonFormat(LeadingRows, Picked, RowPath, JsonOut):
    """Formatting JSON."""

    sort_keys: bool = option(False, "Sort the keys of every object.")


@options
class YamlOut:
    """Writing YAML."""

    indent: int = option(2, "Spaces per level.", minimum=2, maximum=8)


@options
class TomlOut:
    """Writing TOML."""

    root: str = option(
        "items",
        "Key for data that TOML can't have at the top level, such as a list.",
        min_length=1,
        max_length=50,
    )


@options
class TomlRows:
    """Writing rows as TOML."""

    root: str = option("rows", "Key for the list of rows.", min_length=1, max_length=50)


@options
class XmlLayout:
    """Formatting XML."""

    indent: int = option(2, "Spaces per level; 0 writes everything on one line.", minimum=0, maximum=8)


@options
class XmlOut(XmlLayout):
    """Writing documents as XML."""

    root: str = option(
        "root", "Name of the root element if the data has none.", max_length=50, pattern=r"[A-Za-z_][\w.\-]*"
    )
    item: str = option("item", "Element name for list items.", max_length=50, pattern=r"[A-Za-z_][\w.\-]*")
    attribute_prefix: str = option(
        "@", "Keys that start with this become attributes. Leave empty for none.", max_length=5
    )


@options
class XmlRows(XmlLayout):
    """Writing rows as XML."""

    root: str = option("rows", "Name of the root element.", max_length=50, pattern=r"[A-Za-z_][\w.\-]*")
    item: str = option("row", "Element name for each row.", max_length=50, pattern=r"[A-Za-z_][\w.\-]*")
    attribute_prefix: str = option(
        "", "Columns whose names start with this become attributes. Leave empty for none.", max_length=5
    )
