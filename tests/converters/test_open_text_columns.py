"""Column widths of OpenDocument tables are kept in rich text and books."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

from tests.engine.test_false_alarms import warned

_NAMES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in (("office", "office"), ("text", "text"), ("table", "table"), ("style", "style"))
)
_PARTS = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"


def _table(widths: tuple[int, ...], rows: int) -> str:
    columns = "".join(f'<table:table-column table:style-name="W{each}"/>' for each in widths)
    cells = "<table:table-cell><text:p>cell</text:p></table:table-cell>" * len(widths)
    return f"<table:table>{columns}{f'<table:table-row>{cells}</table:table-row>' * rows}</table:table>"


def _text(*tables: str) -> bytes:
    styles = "".join(
        f'<style:style style:name="W{each}" style:family="table-column"><style:table-column-properties '
        f'style:column-width="{each}pt"/></style:style>'
        for each in (60, 120, 300)
    )
    body = "<text:p>Between</text:p>".join(tables)
    content = (
        f"<office:document-content {_NAMES}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.text"
    entries = f'<m:file-entry m:full-path="/" m:media-type="{kind}"/>'
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as parts:
        parts.writestr("mimetype", kind)
        parts.writestr("META-INF/manifest.xml", f'<m:manifest xmlns:m="{_PARTS}">{entries}</m:manifest>')
        parts.writestr("content.xml", content)
        parts.writestr("styles.xml", f"<office:document-styles {_NAMES}><office:styles/></office:document-styles>")
    return file.getvalue()


def test_rich_text_has_the_column_widths_in_every_row(tmp_path: Path) -> None:
    assert warned(tmp_path, "odt-to-rtf", _text(_table((60, 300), 3), _table((120, 60, 60), 2))).warnings == ()
    edges = re.findall(r"\\cellx(\d+)", (tmp_path / "output.rtf").read_text())
    # Tables without a width of their own are as wide as the text, 9,638 twips on A4.
    assert edges == ["1606", "9638"] * 3 + ["4819", "7229", "9639"] * 2


def test_a_book_has_the_shares_of_the_columns(tmp_path: Path) -> None:
    assert warned(tmp_path, "odt-to-epub", _text(_table((60, 300), 2))).warnings == ()
    with zipfile.ZipFile(tmp_path / "output.epub") as book:
        pages = "".join(book.read(each).decode() for each in book.namelist() if each.endswith(".xhtml"))
    assert re.findall(r'<col style="width: ([\d.]+)%"', pages) == ["16.7", "83.3"]


def test_columns_of_pages_are_named_where_they_are_lost(tmp_path: Path) -> None:
    def text(columns: int, used: str) -> bytes:
        inside = f'<style:columns fo:column-count="{columns}"/>'
        inside = f"<style:page-layout-properties>{inside}</style:page-layout-properties>"
        layout = f'<style:page-layout style:name="L">{inside}</style:page-layout>'
        master = f'<style:master-page style:name="{used}" style:page-layout-name="L"/>'
        fo = 'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"'
        styles = (
            f"<office:document-styles {_NAMES} {fo}><office:styles/><office:automatic-styles>{layout}"
            f"</office:automatic-styles><office:master-styles>{master}</office:master-styles></office:document-styles>"
        )
        made, file = zipfile.ZipFile(io.BytesIO(_text("", ""))), io.BytesIO()
        with zipfile.ZipFile(file, "w") as parts:
            for name in made.namelist():
                parts.writestr(name, styles if name == "styles.xml" else made.read(name))
        return file.getvalue()

    for columns, used, count in ((2, "Standard", 1), (1, "Standard", 0), (2, "Unused", 0)):
        warnings = warned(tmp_path, "odt-to-docx", text(columns, used)).warnings
        assert [each.code for each in warnings if "columns" in str(each.message)] == ["STYLE_DROPPED"] * count
