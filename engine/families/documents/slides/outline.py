"""A presentation as a document: a chapter per slide with its content and speaker notes."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Literal

from engine.families.documents.html_document import HtmlDocument
from engine.families.documents.ooxml.package import Element, Package
from engine.families.documents.slides.deck import Deck, P, Slide
from engine.families.documents.slides.shapes import Shape, shapes
from engine.families.documents.slides.tables import Cell
from engine.families.documents.slides.texts import Paragraph, Run, Styles, paragraphs, tags
from engine.families.documents.word.names import A
from engine.toolkit import office_links, office_macros
from engine.toolkit.data_uris import data_uri
from engine.toolkit.warnings import Kind, Warn

_DRAWN = Kind("CONTENT_DROPPED", "Drawn shapes without text were left out: {count}{places}.")
_REPEATED = Kind(
    "CONTENT_DROPPED", "Texts and pictures that layouts repeat on their slides were left out: {count}{places}."
)
_BRACKETS = Kind("VALUE_CONVERTED", "List numbers in brackets end with a full stop in the result: {count}{places}.")
_SHAPES = (P + "sp", P + "cxnSp")
_NO = ("0", "false")
_FILLS = tuple(A + name for name in ("solidFill", "gradFill", "pattFill", "blipFill", "ln"))

_LETTERS = {"alphaLc": "a", "alphaUc": "A", "romanLc": "i", "romanUc": "I"}
"""The beginnings of the types of numbers (20.1.10.61) that lists of HTML have a type for."""


@dataclass(frozen=True)
class Chapter:
    """The content of a slide: its title, everything else in reading order, and the speaker notes."""

    title: str
    shapes: list[Shape]
    notes: list[Paragraph]


ChartForm = Literal["table", "svg", "png"]
"""What charts become: tables of their data, drawings in the page, or pictures."""
_USUAL = 480.0, 288.0
"""The size in points of charts that have none."""


def read(source: Path, warn: Warn, *, hidden: bool, notes: bool, charts: ChartForm) -> HtmlDocument:
    """The slides in order as HTML without formatting. Raises as `chapters` does."""
    made = [_written(each) for each in chapters(source, warn, hidden=hidden, notes=notes, charts=charts)]
    return HtmlDocument("<hr>\n".join(made) if made else "<p></p>\n")


def chapters(source: Path, warn: Warn, *, hidden: bool, notes: bool, charts: ChartForm) -> list[Chapter]:
    """The slides in order. Raises Unreadable and OverLimit."""
    with Package(source) as package:
        deck = Deck(package)
        slides = list(deck.slides(hidden=hidden))
        found = [_chapter(deck, each, notes) for each in slides]
        for shape in (shape for each in found for shape in each.shapes):
            _show(deck, shape, charts)
        report(deck, warn)
        repeated = _repeated(slides)
        warn.tally(_REPEATED, len(repeated), filter(None, repeated))
    return found


def _show(deck: Deck, shape: Shape, form: ChartForm) -> None:
    """Draw a chart, or count it as one that stays a table."""
    if shape.drawn is None:
        return
    width, height = (shape.box.width, shape.box.height) if shape.box.width and shape.box.height else _USUAL
    if form == "table":
        deck.charts.table(shape.drawn)
        return
    shape.name = shape.name or shape.chart or ""
    shape.table = []
    if form == "svg":
        shape.markup = deck.charts.svg(shape.drawn, width, height, shape.name)
    else:
        shape.picture = data_uri("image/png", deck.charts.png(shape.drawn, width, height))


def report(deck: Deck, warn: Warn) -> None:
    """Warn of content that can't be shown exactly, and of references outside the file."""
    deck.charts.report(warn)
    for kind, count in deck.found.items():
        warn.tally(kind, count)
    office_macros.report(deck.package.names, warn)
    outside = [
        address
        for name in sorted(deck.package.names)
        if name.endswith(".rels")
        for address in office_links.external_addresses(name, deck.package.read(name))
    ]
    for address in dict.fromkeys(outside):
        warn("REMOTE_RESOURCE_BLOCKED", office_links.blocked(address))


def _repeated(slides: list[Slide]) -> list[str]:
    """What the layouts and masters of the slides show on each: the text of a shape, or nothing for a picture."""
    layers: dict[str, Element] = {}
    for slide in slides:
        shows = slide.root.get("showMasterSp") not in _NO
        for part, root in slide.layers[1:] if shows else ():
            layers[part] = root
            if root.get("showMasterSp") in _NO:
                break
    found = []
    for root in layers.values():
        for each in root.iter(P + "sp", P + "pic"):
            text = " ".join("".join(part.text or "" for part in each.iter(A + "t")).split())
            if each.find(f"*/{P}nvPr/{P}ph") is None and (text or each.tag == P + "pic"):
                found.append(text)
    return found


def _chapter(deck: Deck, slide: Slide, notes: bool) -> Chapter:
    found = [each for each in shapes(deck, slide) if not each.is_furniture]
    title = next((each for each in found if each.is_title and _text_of(each)), None)
    rest = [each for each in found if each is not title]
    listed = [each for shape in rest for each in shape.paragraphs if each.text.strip() and each.numbered]
    deck.found[_BRACKETS] += sum("Paren" in str(each.formatting.get("numbered", "")) for each in listed)
    deck.found[_DRAWN] += sum(map(_is_only_drawn, rest))
    # Visual order: top to bottom, then left to right.
    rest.sort(key=lambda each: (round(each.box.y / 8), each.box.x))
    written = [each for each in slide.notes if "".join(each.itertext()).strip()]
    spoken: list[Paragraph] = []
    if notes and written:
        body = written[0].getparent()
        spoken = paragraphs(deck, slide, slide.part, body, Styles(deck, slide, None, [], None))
    name = _text_of(title) if title is not None else f"Slide {slide.number}"
    return Chapter(name, rest, [each for each in spoken if each.text.strip()])


def _is_only_drawn(shape: Shape) -> bool:
    """Whether a shape shows lines or colours and has no text."""
    if shape.kind or shape.table or shape.picture or shape.element.tag not in _SHAPES or _text_of(shape):
        return False
    look = shape.element.find(f"{P}spPr")
    own = [] if look is None else [each for each in look if each.tag in _FILLS]
    return any(each.find(f"{A}noFill") is None for each in own) or (
        not own and shape.element.find(f"{P}style") is not None
    )


def _written(chapter: Chapter) -> str:
    parts = [f"<h2>{escape(chapter.title, quote=False)}</h2>\n", *map(_shape, chapter.shapes)]
    if chapter.notes:
        lines = "".join(f"<p>{_runs(each)}</p>\n" for each in chapter.notes)
        parts.append(f"<blockquote>\n<p><strong>Notes</strong></p>\n{lines}</blockquote>\n")
    return "".join(parts)


def _text_of(shape: Shape) -> str:
    return " ".join(" ".join(each.text for each in shape.paragraphs).split())


def _shape(shape: Shape) -> str:
    if shape.markup:
        return f"<p>{shape.markup}</p>\n"
    if shape.table:
        heading = f"<p><strong>{escape(shape.chart, quote=False)}</strong></p>\n" if shape.chart else ""
        return heading + table(shape)
    if shape.picture:
        return f'<p><img src="{shape.picture}" alt="{escape(shape.name)}"></p>\n'
    return list_html(shape.paragraphs)


def table(shape: Shape) -> str:
    """The table of a shape as HTML."""

    def row(cells: list[Cell], tag: str) -> str:
        return "<tr>" + "".join(_cell(each, tag) for each in cells) + "</tr>\n"

    head = f"<thead>{row(shape.table[0], 'th')}</thead>\n" if shape.headed else ""
    body = "".join(row(each, "td") for each in shape.table[1 if shape.headed else 0 :])
    return f"<table>\n{head}<tbody>\n{body}</tbody>\n</table>\n"


def _cell(cell: Cell, tag: str) -> str:
    span = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
    span += f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
    inside = "<br>".join(_runs(each) for each in cell.paragraphs if each.text.strip())
    return f"<{tag}{span}>{inside}</{tag}>"


def list_html(found: list[Paragraph]) -> str:
    """Paragraphs as HTML, those with bullets or numbers as nested lists."""
    parts: list[str] = []
    opened: list[tuple[int, str]] = []
    for each in found:
        if not each.text.strip():
            continue
        kind = kind_of(each)
        while opened and ends_before(opened[-1], each):
            parts.append(f"</li></{opened.pop()[1]}>\n")
        if not kind:
            parts.append(f"<p>{_runs(each)}</p>\n")
            continue
        if opened and opened[-1][0] == each.level:
            parts.append("</li>\n<li>")
        else:
            start = each.formatting.get("start", 1) if kind == "ol" else 1
            letters = f' type="{letter_of(each)}"' if letter_of(each) else ""
            parts.append(f"<{kind}{letters}{f' start={start}' if start != 1 else ''}>\n<li>")
            opened.append((each.level, kind))
        parts.append(_runs(each))
    parts += [f"</li></{kind}>\n" for _, kind in reversed(opened)]
    return "".join(parts)


def kind_of(paragraph: Paragraph) -> str:
    """The list type of a paragraph: `ol`, `ul` or none."""
    return "ol" if paragraph.numbered else "ul" if paragraph.bullet else ""


def letter_of(paragraph: Paragraph) -> str:
    """The type of HTML for a list of letters or Roman numerals (HTML, 4.4.5); empty for numbers."""
    kind = str(paragraph.formatting.get("numbered", ""))
    return next((letter for name, letter in _LETTERS.items() if kind.startswith(name)), "")


def ends_before(opened: tuple[int, str], paragraph: Paragraph) -> bool:
    """Whether an open list, with its level and kind, ends before a paragraph."""
    level, kind = opened
    now = kind_of(paragraph)
    return not now or level > paragraph.level or (level == paragraph.level and kind != now)


def _runs(paragraph: Paragraph) -> str:
    return "".join(map(_run, paragraph.runs)).strip()


def _run(run: Run) -> str:
    text = run.markup or escape(run.text, quote=False).replace("\n", "<br>")
    if run.text.strip() and not run.markup:
        for tag in reversed(tags(run)):
            text = f"<{tag}>{text}</{tag}>"
    return f'<a href="{escape(run.link)}">{text}</a>' if run.link else text
