"""HTML to PDF against what people use for it: an invoice, a book, and a table of 3,300 rows."""

from __future__ import annotations

import random
from pathlib import Path

from benchmarks.row import Row

_TEXT = (
    "the of and to in is that for it as was with be by on not he his but at are this have from or had an they which"
    " one you were her all she there would their we him been has when who will more no if out so said what up its"
    " about into than them can only other new some could time these two may then do first any my now such like our"
)
_WEASYPRINT = ("{python}", "-m", "weasyprint", "{input}", "{output}")
_CHROMIUM = ("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--print-to-pdf={output}", "file://{input}")


def _invoice(path: Path) -> None:
    sample = Path(__file__).parents[2] / "tests" / "converters" / "samples" / "invoice.html"
    path.write_bytes(sample.read_bytes())


def _book(path: Path) -> None:
    """About 87 pages of justified prose."""
    dice = random.Random(1)  # the same book every time
    chapters = []
    for number in range(1, 46):
        paragraphs = (" ".join(dice.choices(_TEXT.split(), k=dice.randint(50, 130))) for _ in range(15))
        chapters.append(f"<h2>Chapter {number}</h2>" + "".join(f"<p>{text}.</p>" for text in paragraphs))
    style = "body { font-family: serif; line-height: 1.5 } p { text-align: justify }"
    path.write_text(f"<!doctype html><meta charset=utf-8><title>Book</title><style>{style}</style>{''.join(chapters)}")


def _table(path: Path) -> None:
    """3,300 rows of six cells with borders, stripes and a header."""
    rows = "".join(
        f"<tr><td>{at}</td><td>2026-01-{at % 28 + 1:02d}</td><td>Customer number {at} with a name</td>"
        f"<td>Order {at * 7919 % 100_000:05d}</td><td class=n>{at * 1.37:.2f}</td><td>paid</td></tr>"
        for at in range(3300)
    )
    style = (
        "table { border-collapse: collapse; width: 100% } td, th { border: 1px solid #ccc; padding: 3px 6px;"
        " font-size: 9pt } th { background: #eee } tr:nth-child(even) td { background: #f8f8f8 }"
        " .n { text-align: right }"
    )
    head = "<tr><th>No<th>Date<th>Customer<th>Order<th>Amount<th>State</tr>"
    path.write_text(
        f"<!doctype html><meta charset=utf-8><style>{style}</style><h1>Orders</h1>"
        f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"
    )


ROWS: tuple[Row, ...] = (
    Row(
        name="html-to-pdf, an invoice of one page",
        input="invoice.html",
        make=_invoice,
        slug="html-to-pdf",
        peer_name="WeasyPrint",
        peer=_WEASYPRINT,
        needs=("weasyprint",),
        goal=0.6,
        job=True,
    ),
    Row(
        name="html-to-pdf, an invoice of one page",
        input="invoice.html",
        make=_invoice,
        slug="html-to-pdf",
        peer_name="chromium, cold",
        peer=_CHROMIUM,
        needs=("chromium",),
        goal=0.3,
        job=True,
    ),
    Row(
        name="html-to-pdf, 87 pages of prose",
        input="book.html",
        make=_book,
        slug="html-to-pdf",
        peer_name="WeasyPrint",
        peer=_WEASYPRINT,
        needs=("weasyprint",),
        goal=0.4,
    ),
    Row(
        name="html-to-pdf, a table of 3,300 rows",
        input="table.html",
        make=_table,
        slug="html-to-pdf",
        peer_name="WeasyPrint",
        peer=_WEASYPRINT,
        needs=("weasyprint",),
        goal=1.0,
    ),
)
