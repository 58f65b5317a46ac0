"""PDF reading rows: to Markdown, Word and table rows, compared with programs that read the same file."""

from __future__ import annotations

from pathlib import Path

from benchmarks.row import Row

_PLUMBER_TEXT = """\
import sys, pdfplumber
with pdfplumber.open(sys.argv[1]) as pdf, open(sys.argv[2], "w") as out:
    for page in pdf.pages:
        out.write(page.extract_text() + "\\n")
"""
_PLUMBER_TABLES = """\
import csv, sys, pdfplumber
with pdfplumber.open(sys.argv[1]) as pdf, open(sys.argv[2], "w") as out:
    for page in pdf.pages:
        for table in page.extract_tables():
            csv.writer(out).writerows(table)
"""
_MARKITDOWN = """\
import sys
from markitdown import MarkItDown
open(sys.argv[2], "w").write(MarkItDown().convert(sys.argv[1]).text_content)
"""
_TEXT = "Revenue grew by eleven per cent, driven mostly by subscriptions in the northern region, while costs rose more"
_WORDS = _TEXT.split()


def _report(pages: int, path: Path) -> None:
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path), pagesize=A4, invariant=True)
    for page in range(pages):
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(60, 770, f"Section {page + 1}")
        canvas.setFont("Helvetica", 10)
        for at in range(28):
            line = " ".join(_WORDS[(page + at * 5 + n) % len(_WORDS)] for n in range(15))
            canvas.drawString(60, 740 - 13 * at, line)
        xs, ys = [60, 160, 260, 360, 460], [340 - 18 * at for at in range(13)]
        canvas.grid(xs, ys)
        for row, y in enumerate(ys[:-1]):
            for column, x in enumerate(xs[:-1]):
                canvas.drawString(x + 5, y - 13, f"{_WORDS[row]} {page * row + column}")
        canvas.showPage()
    canvas.save()


def _long(path: Path) -> None:
    _report(117, path)


def _short(path: Path) -> None:
    _report(3, path)


def _python(script: str) -> tuple[str, ...]:
    return ("{python}", "-c", script, "{input}", "{output}")


_OFFICE = """\
set -e
folder=$(mktemp -d)
soffice -env:UserInstallation=file://"$folder"/profile --headless --infilter=writer_pdf_import --convert-to docx \
--outdir "$folder" "$1" > "$folder"/said 2>&1
mv "$folder"/*.docx "$2"
rm -rf "$folder"
"""

ROWS: tuple[Row, ...] = (
    Row(
        name="117 pages as Markdown",
        input="report-117.pdf",
        make=_long,
        slug="pdf-to-markdown",
        peer_name="pdftotext",
        peer=("pdftotext", "{input}", "{output}"),
        needs=("pdftotext",),
        goal=25,
    ),
    Row(
        name="117 pages as Markdown",
        input="report-117.pdf",
        make=_long,
        slug="pdf-to-markdown",
        peer_name="pdfplumber",
        peer=_python(_PLUMBER_TEXT),
        needs=("pdfplumber",),
        goal=0.3,
    ),
    Row(
        name="117 pages as Markdown",
        input="report-117.pdf",
        make=_long,
        slug="pdf-to-markdown",
        peer_name="markitdown",
        peer=_python(_MARKITDOWN),
        needs=("markitdown", "pdfminer"),
        goal=0.3,
    ),
    Row(
        name="117 tables as CSV",
        input="report-117.pdf",
        make=_long,
        slug="pdf-to-csv",
        peer_name="pdfplumber",
        peer=_python(_PLUMBER_TABLES),
        needs=("pdfplumber",),
        goal=0.3,
    ),
    Row(
        name="117 pages as Word",
        input="report-117.pdf",
        make=_long,
        slug="pdf-to-docx",
        peer_name="LibreOffice",
        peer=("bash", "-c", _OFFICE, "bash", "{input}", "{output}"),
        needs=("soffice",),
        goal=0.5,
    ),
    Row(
        name="117 pages as slides",
        input="report-117.pdf",
        make=_long,
        slug="pdf-to-pptx",
        peer_name="LibreOffice to docx",
        peer=("bash", "-c", _OFFICE, "bash", "{input}", "{output}"),
        needs=("soffice",),
        goal=0.5,
    ),
    Row(
        name="3 pages as Word",
        input="report-3.pdf",
        make=_short,
        slug="pdf-to-docx",
        peer_name="LibreOffice",
        peer=("bash", "-c", _OFFICE, "bash", "{input}", "{output}"),
        needs=("soffice",),
        goal=0.2,
    ),
)
