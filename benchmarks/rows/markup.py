"""Pages to PDF, compared with common tools: an invoice, a book, a report, and tables."""

from __future__ import annotations

import csv
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


def bootstrap_invoice(path: Path) -> None:
    """One page with a header, a grid of columns, badges and a table, with rules as in Bootstrap 5."""
    sample = Path(__file__).parents[2] / "tests" / "converters" / "pages" / "invoice_bootstrap5.html"
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


def _report(path: Path) -> None:
    """A report of about 50 pages: a table of contents with links, margin boxes, figures, notes, boxes and tables."""
    dice = random.Random(2)

    def prose(least: int, most: int) -> str:
        return f"<p>{' '.join(dice.choices(_TEXT.split(), k=dice.randint(least, most)))}.</p>"

    parts = ["<h1 class=cover>Annual report</h1><nav><h2>Contents</h2><ol>"]
    parts += [f"<li><a href='#c{number}'>Chapter {number}</a></li>" for number in range(1, 17)]
    parts.append("</ol></nav>")
    for number in range(1, 17):
        parts.append(f"<h1 id=c{number}>Chapter {number}</h1>{prose(80, 120)}<div class=cards>")
        for name in ("Revenue", "Cost", "Margin", "Staff"):
            parts.append(f"<div class=card><b>{dice.randint(100, 999)}</b><span>{name}</span></div>")
        parts.append(f"</div><h2>Figures</h2>{prose(60, 120)}")
        bars = "".join(
            f"<rect x='{at * 40 + 8}' y='{100 - size}' width='28' height='{size}' fill='#3b6ea5'/>"
            for at, size in enumerate(dice.choices(range(20, 95), k=10))
        )
        parts.append(
            f"<figure><svg viewBox='0 0 410 102'>{bars}</svg><figcaption>Figure {number}</figcaption></figure>"
        )
        rows = "".join(
            f"<tr><td>Region {at}</td>{''.join(f'<td>{dice.randint(1000, 99999):,}</td>' for _ in range(5))}</tr>"
            for at in range(28)
        )
        head = "".join(f"<th>{year}</th>" for year in ("Region", *range(2021, 2026)))
        parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>")
        parts.append(f"<aside>{prose(30, 50)}</aside><h2>Outlook</h2>")
        parts += [prose(70, 140) for _ in range(5)]
        parts.append(f"<ul>{''.join(f'<li>{prose(10, 25)}</li>' for _ in range(6))}</ul>")
    style = (
        "@page{size:A4;margin:22mm 20mm;@top-right{content:'Annual report';font-size:8pt;color:#777}"
        "@bottom-center{content:'Page ' counter(page) ' of ' counter(pages);font-size:8pt}}"
        "body{font:10.5pt/1.45 serif}h1{break-before:page;font:700 22pt sans-serif;color:#234}.cover{break-before:auto}"
        "h2{font:700 14pt sans-serif;break-after:avoid}.cards{display:flex;gap:12px;margin:1em 0}"
        ".card{flex:1;border:1px solid #ccd;border-radius:6px;padding:10px;text-align:center}.card b{display:block;"
        "font-size:18pt}table{width:100%;border-collapse:collapse;font-size:9pt}th,td{border-bottom:1px solid #ccc;"
        "padding:4px 6px;text-align:right}th:first-child,td:first-child{text-align:left}tbody tr:nth-child(even)"
        "{background:#f4f6f8}aside{border-left:4px solid #3b6ea5;background:#eef3f8;padding:6px 12px;margin:1em 0}"
        "figure{break-inside:avoid;margin:1em 0}"
    )
    path.write_text(
        f"<!doctype html><html lang=en><meta charset=utf-8><title>Report</title><style>{style}</style>{''.join(parts)}"
    )


def table(path: Path) -> None:
    """3,300 rows of six cells with borders, stripes and a header row."""
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


def _orders(path: Path) -> None:
    """2,000 rows of eight columns."""
    dice = random.Random(3)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("No", "Date", "Customer", "Mail", "City", "Quantity", "Price", "Total"))
        for at in range(2000):
            quantity, price = dice.randint(1, 40), dice.randint(100, 99_999) / 100
            day = f"2026-{at % 12 + 1:02d}-{at % 28 + 1:02d}"
            city = dice.choice(("Berlin", "Paris", "São Paulo", "Kraków"))
            writer.writerow(
                (at, day, f"Customer number {at}", f"c{at}@example.com", city, quantity, price, quantity * price)
            )


ROWS: tuple[Row, ...] = (
    Row(
        name="a Bootstrap invoice of one page",
        input="bootstrap.html",
        make=bootstrap_invoice,
        slug="html-to-pdf",
        peer_name="WeasyPrint",
        peer=_WEASYPRINT,
        needs=("weasyprint",),
        goal=0.6,
        job=True,
        job_goal=0.1,
    ),
    Row(
        name="a Bootstrap invoice of one page",
        input="bootstrap.html",
        make=bootstrap_invoice,
        slug="html-to-pdf",
        peer_name="chromium, cold",
        peer=_CHROMIUM,
        needs=("chromium",),
        goal=0.5,
        job=True,
        job_goal=0.05,
    ),
    Row(
        name="a report of 50 pages",
        input="report.html",
        make=_report,
        slug="html-to-pdf",
        peer_name="WeasyPrint",
        peer=_WEASYPRINT,
        needs=("weasyprint",),
        goal=0.2,
        job=True,
        job_goal=0.1,
    ),
    Row(
        name="a report of 50 pages",
        input="report.html",
        make=_report,
        slug="html-to-pdf",
        peer_name="chromium, cold",
        peer=_CHROMIUM,
        needs=("chromium",),
        goal=0.4,
        job=True,
        job_goal=0.15,
    ),
    Row(
        name="87 pages of prose",
        input="book.html",
        make=_book,
        slug="html-to-pdf",
        peer_name="WeasyPrint",
        peer=_WEASYPRINT,
        needs=("weasyprint",),
        goal=0.4,
    ),
    Row(
        name="a table of 3,300 rows",
        input="table.html",
        make=table,
        slug="html-to-pdf",
        peer_name="WeasyPrint",
        peer=_WEASYPRINT,
        needs=("weasyprint",),
        goal=0.2,
    ),
    Row(
        name="a table of 3,300 rows",
        input="table.html",
        make=table,
        slug="html-to-pdf",
        peer_name="chromium, cold",
        peer=_CHROMIUM,
        needs=("chromium",),
        goal=0.35,
        most=128,
        job=True,
    ),
    Row(
        name="2,000 rows of a table as pages",
        input="pages.csv",
        make=_orders,
        slug="csv-to-pdf",
        peer_name="LibreOffice",
        peer=("soffice", "--headless", "--convert-to", "pdf", "--outdir", "{output}", "{input}"),
        needs=("soffice",),
        goal=0.7,
        job=True,
        job_goal=0.5,
    ),
)
