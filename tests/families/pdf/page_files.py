"""PDF pages with contents that are known: tables of many looks, columns, lists, forms, letters without meaning."""

from __future__ import annotations

import io
import itertools
import random
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfgen.canvas import Canvas

Rows = tuple[tuple[str, ...], ...]

_NAMES = ("Bolt", "Washer", "Hinge, left", "Cable 3 m", "Lamp", "Fuse", "Door handle", "Pipe", "Valve", "Screw M4")
_STATES = ("OK", "late", "", "open", "CRITICAL")


@dataclass(frozen=True)
class Drawn:
    """How a table of known rows is drawn: with which rules, how large, how far apart, and what else is on the page."""

    name: str
    rows: Rows
    rules: Literal["grid", "boxes", "thin", "inner", "rows", "none"] = "none"
    size: float = 10
    leading: float = 16
    right: frozenset[int] = frozenset()
    """Columns whose cells end at one edge, as numbers do."""

    gap: float = 18
    font: str = "Helvetica"
    prose: bool = True
    wide: bool = False
    shift: float = 0


def _made(seed: int, columns: int, count: int, *, holes: float = 0.0) -> Rows:
    chance = random.Random(seed)
    kinds = [0] + [chance.choice((1, 2, 3, 4)) for _ in range(columns - 1)]

    def cell(kind: int) -> str:
        if kind and chance.random() < holes:
            return ""
        if kind == 0:
            return chance.choice(_NAMES)
        if kind == 1:
            return f"{chance.randrange(1, 90_000):,}.{chance.randrange(100):02}"
        if kind == 2:
            return f"2024-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}"
        if kind == 3:
            return f"{chance.choice('ABCD')}-{chance.randrange(10, 99)}"
        return chance.choice([each for each in _STATES if each])

    heads = (
        "Item",
        *(f"{('', 'Amount', 'Date', 'Place', 'State')[kind]} {at}" for at, kind in enumerate(kinds[1:], 1)),
    )
    return (heads, *(tuple(cell(kind) for kind in kinds) for _ in range(count)))


_SUMS = (("Total", "1,200.00"), ("Tax", "228.00"), ("Due", "1,428.00"), ("Paid", "0.00"))
_YEARS = (("Year", "Units", "Share"), *((str(2000 + n), str(n * 917 % 1000), f"{n * 7 % 100} %") for n in range(9)))


def _tables() -> tuple[Drawn, ...]:
    return (
        Drawn("three columns", _made(1, 3, 5)),
        Drawn("six columns", _made(2, 6, 12), size=9, gap=14),
        Drawn("with holes", _made(3, 5, 8, holes=0.4)),
        Drawn("two columns", _made(4, 2, 6)),
        Drawn("numbers at the right", _made(5, 4, 9), right=frozenset({1, 2, 3})),
        Drawn("tight rows", _made(6, 4, 20), size=8, leading=10, gap=10),
        Drawn("wide rows", _made(7, 4, 6), leading=26),
        Drawn("in a serif", _made(8, 5, 7), font="Times-Roman", size=11),
        Drawn("of one width", _made(9, 4, 7), font="Courier", size=9),
        Drawn("on a wide page", _made(10, 8, 15, holes=0.1), wide=True, size=9),
        Drawn("alone", _made(11, 4, 10), prose=False),
        Drawn("long", _made(12, 5, 38), size=8, leading=12),
        Drawn("small letters", _made(13, 7, 10), size=6, leading=9, gap=9),
        Drawn("large letters", _made(14, 3, 6), size=16, leading=26),
        Drawn("narrow gaps", _made(15, 5, 9), gap=11),
        Drawn("far to the right", _made(16, 3, 6), shift=180),
        Drawn("all numbers", _YEARS),
        Drawn("many holes", _made(18, 6, 10, holes=0.55)),
        Drawn("key figures", _SUMS),
        Drawn("bold face", _made(20, 4, 8), font="Helvetica-Bold"),
    )  # fmt: skip


ALIGNED: tuple[Drawn, ...] = _tables()
"""Tables without any rule."""

_STYLES: tuple[Literal["grid", "boxes", "thin", "inner", "rows"], ...] = ("grid", "boxes", "thin", "inner", "grid")
RULED: tuple[Drawn, ...] = tuple(
    replace(each, name=f"{each.name}, {_STYLES[at % 5]}", rules=_STYLES[at % 5], leading=each.leading + 4)
    for at, each in enumerate(ALIGNED)
)
"""The same with rules around their cells: lines, boxes, thin filled boxes, or none at the outside."""

_PROSE = (
    "The committee met on the twelfth of March to review progress against the plan that was agreed last year.",
    "Revenue grew by eleven per cent, driven mostly by subscriptions, while costs rose more slowly than had been",
    "expected, so that the result of the year is better than it looked in summer.",
)


@cache
def table_page(drawn: Drawn) -> bytes:
    """A page with one table, mostly between two paragraphs."""
    file = io.BytesIO()
    size = landscape(A4) if drawn.wide else A4
    canvas = Canvas(file, pagesize=size, invariant=True)
    y = size[1] - 60
    if drawn.prose:
        y = _paragraph(canvas, y)
    widths = [
        max(canvas.stringWidth(row[at], drawn.font, drawn.size) for row in drawn.rows) + drawn.gap
        for at in range(len(drawn.rows[0]))
    ]
    left = 60 + drawn.shift
    y -= 30
    top = y
    canvas.setFont(drawn.font, drawn.size)
    for row in drawn.rows:
        x = left
        for at, text in enumerate(row):
            base = y - drawn.leading + (drawn.leading - drawn.size) / 2 + 0.2 * drawn.size
            if at in drawn.right:
                canvas.drawRightString(x + widths[at] - drawn.gap / 2, base, text)
            else:
                canvas.drawString(x + drawn.gap / 2, base, text)
            x += widths[at]
        y -= drawn.leading
    _rules(canvas, drawn, left, top, widths)
    if drawn.prose:
        _paragraph(canvas, y - 30)
    canvas.showPage()
    canvas.save()
    return file.getvalue()


def _paragraph(canvas: Canvas, y: float) -> float:
    canvas.setFont("Helvetica", 10)
    for line in _PROSE:
        canvas.drawString(60, y, line)
        y -= 12
    return y


def _rules(canvas: Canvas, drawn: Drawn, left: float, top: float, widths: list[float]) -> None:
    xs = [left + sum(widths[:at]) for at in range(len(widths) + 1)]
    ys = [top - at * drawn.leading for at in range(len(drawn.rows) + 1)]
    if drawn.rules == "grid":
        canvas.grid(xs, ys)
    elif drawn.rules == "boxes":
        for x0, x1 in itertools.pairwise(xs):
            for y0, y1 in itertools.pairwise(ys):
                canvas.rect(x0, y1, x1 - x0, y0 - y1, stroke=1, fill=0)
    elif drawn.rules == "thin":
        for x in xs:
            canvas.rect(x, ys[-1], 0.5, ys[0] - ys[-1], stroke=0, fill=1)
        for y in ys:
            canvas.rect(xs[0], y, xs[-1] - xs[0], 0.5, stroke=0, fill=1)
    elif drawn.rules == "inner":
        for x in xs[1:-1]:
            canvas.line(x, ys[0], x, ys[-1])
        for y in ys[1:-1]:
            canvas.line(xs[0], y, xs[-1], y)


@cache
def merged() -> bytes:
    """A ruled table whose heading is over two columns and whose first cell below is over two rows."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4, invariant=True)
    canvas.setFont("Helvetica", 10)
    for x0, y0, x1, y1 in (
        (60, 700, 160, 700), (160, 700, 260, 700), (60, 680, 260, 680), (160, 660, 260, 660), (60, 640, 260, 640),
        (60, 700, 60, 640), (260, 700, 260, 640), (160, 680, 160, 640),
    ):  # fmt: skip
        canvas.line(x0, y0, x1, y1)
    for x, y, text in ((70, 686, "Both columns"), (70, 656, "North"), (170, 666, "1"), (170, 646, "2")):
        canvas.drawString(x, y, text)
    canvas.showPage()
    canvas.save()
    return file.getvalue()


LEFT = "left column speaks of one thing and goes on about it for a while before it ends here".split()  # noqa: SIM905
RIGHT = "right column has another subject which nobody may mix with what stands beside it".split()  # noqa: SIM905


ACROSS = "What is said at the end goes across both columns again, from the left edge to the right one."


@cache
def columns() -> bytes:
    """A heading across two columns of prose, and a line across both below them."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4, invariant=True)
    canvas.setFont("Helvetica-Bold", 20)
    canvas.drawString(60, 780, "A heading that goes right across both of the columns")
    for x, words in ((60, LEFT), (310, RIGHT)):
        canvas.setFont("Times-Roman", 11)
        for at in range(24):
            line = " ".join(words[(at * 3 + n) % len(words)] for n in range(7))
            canvas.drawString(x, 740 - 13 * at, line)
    canvas.drawString(60, 400, ACROSS)
    canvas.showPage()
    canvas.save()
    return file.getvalue()


LONG = "one that is long enough to go on in a line of its own, which many of the items of a"


@cache
def linked() -> bytes:
    """Two pages: a link, words of other looks, a raised number, a picture, a form; a list with a list inside."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4, invariant=True)
    text = canvas.beginText(60, 780)
    for font, size, words, rise in (
        ("Helvetica", 11, "See ", 0), ("Helvetica-Bold", 11, "the site", 0), ("Helvetica", 11, " of ", 0),
        ("Helvetica-Oblique", 11, "everybody", 0), ("Helvetica", 7, "2", 5), ("Helvetica", 11, " for more.", 0),
    ):  # fmt: skip
        text.setFont(font, size)
        text.setRise(rise)
        text.textOut(words)
    canvas.drawText(text)
    width = canvas.stringWidth("See ", "Helvetica", 11)
    canvas.linkURL(
        "https://example.com/a?b=(c)",
        (60 + width, 776, 62 + width + canvas.stringWidth("the site", "Helvetica-Bold", 11), 790),
    )
    canvas.linkURL("javascript:alert(1)", (60, 700, 200, 720))
    canvas.setFont("Helvetica", 11)
    canvas.drawString(60, 706, "Nothing runs here.")
    canvas.acroForm.textfield(name="surname", tooltip="Surname", value="Muster", x=60, y=640, width=120, height=20)
    canvas.acroForm.checkbox(name="member", tooltip="Member", checked=True, x=60, y=610)
    canvas.showPage()
    canvas.setFont("Helvetica", 11)
    for x, y, words in (
        (60, 780, "•"), (74, 780, LONG), (74, 766, "list are"),
        (84, 752, "–"), (98, 752, "inner"), (60, 738, "•"), (74, 738, "two"),
    ):  # fmt: skip
        canvas.drawString(x, y, words)
    canvas.showPage()
    canvas.save()
    return file.getvalue()


WORDS = ("one", "two", "three", "four")


@cache
def running() -> bytes:
    """Four pages with a head and a foot, and a paragraph that goes on over the end of a page."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4, invariant=True)
    for page in range(1, 5):
        canvas.setFont("Helvetica", 9)
        canvas.drawString(60, 815, "Annual report of the society")
        canvas.drawString(290, 30, f"Page {page} of 4")
        canvas.setFont("Helvetica", 11)
        for at in range(50):
            words = (
                f"line {at} of page {WORDS[page - 1]} which is filled with words up to the right edge of the paper, all"
            )
            canvas.drawString(60, 770 - 14 * at, words)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def hard() -> bytes:
    """What is easily misread: a shadow, a line awry, two columns that look aligned, outlines over words, a button."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4, invariant=True)
    for off in (0.4, 0):
        canvas.setFont("Helvetica-Bold", 20)
        canvas.drawString(60 + off, 780 - off, "Shadowed offering")
    canvas.setFont("Helvetica", 10)
    for at in range(6):
        canvas.rect(60 + 83 * at, 690, 83, 40)
    for at in range(3):
        canvas.drawString(
            66, 717 - 11 * at, f"Words {at} run along under all of these outlines, unconcerned by where they end"
        )
    for at in range(16):
        number = LEFT[at % len(LEFT)]
        left = f"{number} programs." if at == 8 else f"{number} reads on in its own column, as prose does"
        canvas.drawString(60, 660 - 12 * at, left)
        canvas.drawString(320, 660 - 12 * at, f"{RIGHT[at % len(RIGHT)]} goes on beside it for as many lines")
    canvas.saveState()
    canvas.translate(120, 200)
    canvas.rotate(30)
    canvas.drawString(0, 0, "Awry across the paper")
    canvas.restoreState()
    canvas.acroForm.checkbox(name="member", x=60, y=100, checked=True)
    canvas.save()
    return file.getvalue()
