"""The paper: its size, its margins, and the texts printed in them on every page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from reportlab.lib.colors import HexColor
from xhtml2pdf.xhtml2pdf_reportlab import PmlFrame, PmlPageTemplate

from conversions.families.html_pdf.css.styles import Declared, PageRule
from conversions.families.html_pdf.options import PageOptions
from conversions.families.html_pdf.paper import (
    DEFAULT_MARGIN,
    LARGEST,
    LEAST_TEXT,
    NAMED,
    PT,
    SMALLEST,
    Margins,
    margins,
    paper,
)
from conversions.families.html_pdf.xhtml2pdf.lengths import points
from conversions.toolkit.failures import InvalidOption
from conversions.toolkit.warnings import Warn

EDGE, GAP = 6 * PT["mm"], 3 * PT["mm"]  # between paper and printed text, between that and the content
FURNITURE_SIZE = 9.0
_COLOR = HexColor("#444444")
_SIDES = ("top", "right", "bottom", "left")
_ALIGNED = {"left": 0, "center": 1, "right": 2}
_BOX = re.compile(r"(top|bottom)-(left|center|right)(?:-corner)?")
_CONTENT = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'|counter\(\s*(pages?)\s*\)|([\w-]+(?:\([^)]*\))?)")
_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)", re.DOTALL)
_SIZE = re.compile(r"(?<![\w.])([\d.]+(?:pt|px|mm|r?em))")

_LITERAL = "\ue000"
"""Stands for a brace that begins no field."""

Boxes = dict[tuple[str, str], str]
"""What is printed at the `top` or `bottom`, to the `left`, in the `center` or to the `right`; {page} is replaced."""


@dataclass
class Sheet:
    """The paper as the document's `@page` rules and the options have it, in points, and what is in its margins."""

    size: tuple[float, float] = NAMED["a4"]
    margins: Margins = field(default_factory=lambda: Margins(*[DEFAULT_MARGIN] * 4))
    boxes: Boxes = field(default_factory=dict)
    first: Boxes = field(default_factory=dict)

    @property
    def room(self) -> float:
        """How wide the page is between its margins."""
        return self.size[0] - self.margins.left - self.margins.right


def sheet(rules: list[PageRule], options: PageOptions, warn: Warn) -> Sheet:
    """The paper. Raises InvalidOption where the margins leave no room for text."""
    made = Sheet()
    for rule in rules:
        first = rule.selector == ":first"
        if rule.selector not in ("", ":first"):
            warn("CSS_UNSUPPORTED", f"@page {rule.selector[:60]} is not supported and was ignored.")
            continue
        for name, value in rule.own.items():
            if first or not _read(made, name, value.lower().removesuffix("!important").strip()):
                warn(
                    "CSS_UNSUPPORTED", f"@page {rule.selector}: {name}: {value[:60]} is not supported and was ignored."
                )
        for name, said in rule.boxes.items():
            _box(made.first if first else made.boxes, name, said, warn)
    made.first = {**made.boxes, **made.first}
    if not _has_room(made.size, made.margins):
        warn("CSS_UNSUPPORTED", "@page leaves no room for text; its margins were ignored.")
        made.margins = Margins(*[DEFAULT_MARGIN] * 4)
        made.size = made.size if _has_room(made.size, made.margins) else NAMED["a4"]
    made.size = paper(options.page_size) if options.page_size else made.size
    if options.orientation != "auto":
        made.size = (
            (max(made.size), min(made.size)) if options.orientation == "landscape" else (min(made.size), max(made.size))
        )
    made.margins = margins(options.margin) if options.margin else made.margins
    if not _has_room(made.size, made.margins):
        raise InvalidOption(
            "margin" if options.margin or not options.page_size else "pageSize",
            "The margins leave no room for text: make the margins smaller or the page larger.",
        )
    return made


def _read(made: Sheet, name: str, value: str) -> bool:
    """Take one declaration of `@page`; whether it says something that is done."""
    if name == "size":
        words = value.split()
        turned = [word for word in words if word in ("landscape", "portrait")]
        sides = [word for word in words if word not in turned]
        size = NAMED.get(sides[0]) if len(sides) == 1 else None
        lengths = [points(word, 0.0) for word in sides] if size is None else []
        if lengths:
            size = (lengths[0] or 0.0, lengths[-1] or 0.0)
        size = size or (made.size if turned and not sides else None)
        if size is None or not all(SMALLEST <= side <= LARGEST for side in size):
            return value == "auto"
        made.size = (max(size), min(size)) if "landscape" in turned else (min(size), max(size)) if turned else size
        return True
    if name == "margin":
        found = [points(word, made.size[0]) for word in value.split()]
        if not 1 <= len(found) <= 4 or any(each is None or each < 0 for each in found):
            return False
        top, right, bottom, left = (
            found[at if at < len(found) else max(at - 2, 0) if len(found) > 1 else 0] for at in range(4)
        )
        made.margins = Margins(top or 0.0, right or 0.0, bottom or 0.0, left or 0.0)
        return True
    side = name.removeprefix("margin-")
    length = points(value, made.size[0])
    if name.startswith("margin-") and side in _SIDES and length is not None and length >= 0:
        made.margins = replace(made.margins, **{side: length})
        return True
    return name in ("marks", "bleed", "page-orientation")


def _box(boxes: Boxes, name: str, said: Declared, warn: Warn) -> None:
    """Take one margin box."""
    content = said.get("content", "none").strip()
    match = _BOX.fullmatch(name)
    text, unknown = "", ""
    for one, other, counter, word in _CONTENT.findall(content):
        text += f"{{{counter}}}" if counter else _unescaped(one or other).replace("{", _LITERAL)
        unknown = unknown or (word if word not in ("none", "normal") else "")
    if unknown or (match is None and text):
        warn(
            "CSS_UNSUPPORTED",
            f"@{name}: {(unknown or content)[:60]} is not supported; use the header and footer options.",
        )
    if match is not None:
        boxes[match[1], match[2]] = text


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda match: chr(min(int(match[1], 16), 0x10FFFF)) if match[1] else match[2], text)


class Furniture:
    """Headers and footers: laid out when the number of pages is known, and placed on each page as it is drawn."""

    def __init__(self, context: Any, sheet: Sheet, options: PageOptions, title: str) -> None:
        self._context = context
        self._sheet = sheet
        self._fixed = {"title": title, "date": datetime.now(UTC).date().isoformat()}
        self._texts = {
            side: text
            for side, text in (("top", options.header_text), ("bottom", options.footer_text))
            if text and text.strip()
        }
        self._places: list[Margins] = []

    def __bool__(self) -> bool:
        return bool(self._texts or any(self._sheet.boxes.values()) or any(self._sheet.first.values()))

    def template(self) -> PmlPageTemplate:
        """The pages, with a top and a bottom wide enough for the texts. Raises InvalidOption for those that are not."""
        page = self._sheet.margins
        needed = {
            side: EDGE + self._block(text, 8888, 8888, 1).wrap(max(self._sheet.room, LEAST_TEXT), LARGEST)[1] + GAP
            for side, text in self._texts.items()
        }
        page = replace(page, **{side: max(getattr(page, side), least) for side, least in needed.items()})
        if not _has_room(self._sheet.size, page):
            raise InvalidOption("margin", "The header and the footer leave no room for text: make them shorter.")
        width, height = self._sheet.size
        template = PmlPageTemplate(id="body", pagesize=self._sheet.size)
        frame = PmlFrame(
            page.left, page.bottom, width - page.left - page.right, height - page.top - page.bottom, id="body",
            leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0,
        )  # fmt: skip
        template.frames = [frame]
        self._margins = page
        return template

    def place(self, canvas: Any, template: PmlPageTemplate) -> None:
        """Refer to the texts of the page that `canvas` is on."""
        self._places.append(self._margins)
        canvas.doForm(f"furniture-{len(self._places)}")

    def draw(self, canvas: Any) -> None:
        """Draw the texts of all pages that were placed."""
        pages = len(self._places)
        width, height = self._sheet.size
        for page, sides in enumerate(self._places, 1):
            canvas.beginForm(f"furniture-{page}", 0, 0, width, height)
            for side, text, alignment in self._of(page):
                block = self._block(text, page, pages, alignment)
                _, tall = block.wrapOn(canvas, width - sides.left - sides.right, height)
                from_edge = EDGE if side in self._texts else max((getattr(sides, side) - tall) / 2, 2.0)
                block.drawOn(canvas, sides.left, height - from_edge - tall if side == "top" else from_edge)
            canvas.endForm()
        self._places.clear()

    def _of(self, page: int) -> Iterator[tuple[str, str, int]]:
        """What is printed on a page: the side, the text, and how it is aligned; options go before the page's own."""
        for side, text in self._texts.items():
            yield side, text, 1
        for (side, place), text in (self._sheet.first if page == 1 else self._sheet.boxes).items():
            if text and side not in self._texts:
                yield side, text, _ALIGNED[place]

    def _block(self, text: str, page: int, pages: int, alignment: int) -> Any:
        values = {"page": str(page), "pages": str(pages), **self._fixed}
        filled = re.sub(r"\{(page|pages|title|date)\}", lambda match: values[match[1]], text).replace(_LITERAL, "{")
        return self._context.text_block(filled, size=FURNITURE_SIZE, color=_COLOR, alignment=alignment)


def _has_room(size: tuple[float, float], page: Margins) -> bool:
    return size[0] - page.left - page.right >= LEAST_TEXT and size[1] - page.top - page.bottom >= LEAST_TEXT
