"""Files attached to a PDF: each that a result does not carry is named."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from reportlab.pdfgen.canvas import Canvas

from engine.families import auditing
from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

LOST = "Attachments are missing from the result: 2 (“invoice.xml”, …)."


def attached() -> bytes:
    """A page with a file in the list of attached files, and one that is attached to a place."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(300, 200), invariant=True)
    canvas.drawString(20, 150, "Invoice 4711")
    canvas.save()
    with pikepdf.open(file) as document:
        document.attachments["invoice.xml"] = b"<invoice/>"
        spec = pikepdf.AttachedFileSpec(
            document, b"a,b\n1,2\n", description="", filename="rows.csv", mime_type="", creation_date="", mod_date=""
        )
        note = pikepdf.Dictionary(
            Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.FileAttachment, Rect=[250, 20, 270, 40], FS=spec.obj
        )
        document.pages[0].Annots = pikepdf.Array([document.make_indirect(note)])
        result = io.BytesIO()
        document.save(result)
    return result.getvalue()


def warned(folder: Path, slug: str, **options: Any) -> list[str]:
    converter = CONVERTERS[slug]
    source, warn = folder / "input.pdf", Warn()
    source.write_bytes(attached())
    auditing.run(converter, source, folder / f"output.{converter.output.id}", build(converter.options, options), warn)
    return [str(each.message) for each in warn.warnings]


@pytest.mark.parametrize("output", ["docx", "html", "markdown", "odt", "rtf", "txt"])
def test_attached_files_are_named_where_the_result_has_no_place_for_them(tmp_path: Path, output: str) -> None:
    assert LOST in warned(tmp_path, f"pdf-to-{output}")


@pytest.mark.parametrize("operation", ["compress", "rotate", "repair"])
def test_a_pdf_keeps_them(tmp_path: Path, operation: str) -> None:
    assert warned(tmp_path, "pdf-to-pdf", operation=operation) == []


@pytest.mark.parametrize(
    ("operation", "options"), [("pages", {"pages": "1"}), ("redact", {"redactText": "4711"}), ("archive", {})]
)
def test_those_that_an_operation_removes_are_not_named_twice(
    tmp_path: Path, operation: str, options: dict[str, Any]
) -> None:
    messages = warned(tmp_path, "pdf-to-pdf", operation=operation, **options)
    assert any("ttach" in each for each in messages)
    assert LOST not in messages
