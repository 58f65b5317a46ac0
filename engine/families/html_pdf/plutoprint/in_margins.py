"""Draw positioned boxes that reach into the page margins or show page numbers (CSS Positioned Layout 3, 3).

PlutoPrint cuts off what is in the margins, and knows the number of a page in margin boxes only.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

import cssselect2
import pikepdf
from lxml import html as markup

from engine.families.html_pdf.css import margin_boxes, pages
from engine.families.html_pdf.css.pages import Paper
from engine.families.html_pdf.css.rules import rules
from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.paper import PT, Margins
from engine.families.html_pdf.plutoprint import output, running
from engine.families.html_pdf.plutoprint.bare_copies import BARE, within
from engine.families.html_pdf.plutoprint.declared import Declared, declared, of_page, word_of
from engine.families.html_pdf.plutoprint.first_words import HIDDEN_TAGS
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.plutoprint.layered_backgrounds import HEAVIEST
from engine.families.html_pdf.plutoprint.layout import UNSEEN, laid_out, style_sheet
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.selectors import compiled, visited
from engine.toolkit.warnings import Kind, Warn

_OFFSETS = ("top", "bottom", "left", "right")
_GROUNDS = ("background", "background-color", "background-image")
_NAMES = ("position", "z-index", "display", *_OFFSETS, *_GROUNDS)
_ASKED = re.compile(r"position\s*:\s*(?:fixed|absolute)")
_NEGATIVE = re.compile(rf"-(\d++\.?\d*+|\.\d++)({'|'.join(PT)})")
_FURTHEST = 1_000.0
"""Points beyond the text where a box is no longer on the paper: such offsets hide text from readers."""
_BOXES = margin_boxes.without(margin_boxes.NAMES)
_COUNTER = re.compile(r"counter\(\s*(pages?\b)", re.IGNORECASE)
"""The number of a page, which PlutoPrint knows in margin boxes only."""
_COUNTED = re.compile(r"counter-(?:reset|increment|set)\s*:[^:;{}]*(?<![\w-])pages?(?![\w-])")
_SHORT = 4_000
"""The length of a box that is taken out of the page for its page numbers alone."""
_ELSEWHERE = Kind("CSS_UNSUPPORTED", "Page numbers in the text that are drawn as 0: {count}. Use margin boxes.")
_PLAIN = (
    f"@page{{background:none!important;{_BOXES}}}@page :first{{{_BOXES}}}"
    "html,body{margin:0!important;padding:0!important;border:0!important;columns:auto!important}"
    f"html{HEAVIEST},body{HEAVIEST}{{background:none!important}}"
    f".fc-sheet{{{running.SHEET}}}.fc-area{{{running.PLAIN};position:absolute!important}}"
)


@dataclass(frozen=True)
class Hung:
    """Boxes that reach into the margins, within copies of the elements around them, and the page's style sheets."""

    every: Sequence[Element]
    first: Sequence[Element]
    """Those on the first page only."""
    behind: bool
    """Whether all are behind the text."""
    sheets: Sequence[str]
    body: Element

    def draw(self, pdf: pikepdf.Pdf, papers: Sequence[Paper], scale: float, warn: Warn) -> None:
        """Draw them on each page, whose papers are given. Raises OverLimit if they are too long for that."""
        length = sum(len(markup.tostring(each)) for each in self.every)
        running.check_length(length * len(pdf.pages))
        targets = list(pdf.pages)
        for paper, numbers in running.batches(papers):
            root = self._sheets(numbers, len(targets), paper, scale)
            whole = Paper(paper.width, paper.height, Margins(0.0, 0.0, 0.0, 0.0))
            style_sheet(root, pages.sheet(None, whole, PageOptions(), "", scale=scale))
            stream = BytesIO()
            laid_out(root, whole, PageOptions(), warn, scale=scale, last=True).write_to_pdf_stream(stream)
            with output.opened(stream) as drawn:
                for at, source in zip(numbers, drawn.pages, strict=False):
                    place = targets[at].add_underlay if self.behind else targets[at].add_overlay
                    place(source, pikepdf.Rectangle(*map(float, targets[at].mediabox)))

    def _sheets(self, numbers: Sequence[int], count: int, paper: Paper, scale: float) -> Element:
        root = self.body.makeelement("html")
        head, body = root.makeelement("head"), copy.deepcopy(self.body)
        root.extend([head, body])
        for text in (UNSEEN, *self.sheets, _PLAIN):
            style_sheet(root, text)
        head.extend(body.findall("style"))
        left, top = paper.margins.left / scale, paper.margins.top / scale
        width, height = (each / scale for each in paper.room)
        for at in numbers:
            size = f"width:{paper.width / scale:.2f}pt!important;height:{paper.height / scale - 0.1:.2f}pt!important"
            counters = f"counter-reset:fc-page {at + 1} fc-pages {count}!important"
            page = root.makeelement("fc-run", {"class": "fc-sheet", "style": f"{size};{counters}"})
            room = f"width:{width:.2f}pt!important;height:{height:.2f}pt!important"
            place = f"left:{left:.2f}pt!important;top:{top:.2f}pt!important;{room}"
            area = root.makeelement("fc-run", {"class": "fc-area", "style": place})
            area.extend([copy.deepcopy(each) for each in (*self.every, *(self.first if at == 0 else ()))])
            page.append(area)
            body.append(page)
        return root


def take(page: Page, sheets: Sequence[str], warn: Warn, *, media: str) -> Hung | None:
    """Take these boxes out of the page; None without any. Raises OverLimit if they are too long with what is around.

    Warns of page numbers that are in no such box.
    """
    numbered = _numbered(page.root, sheets, media=media)
    hung = _taken(page, sheets, numbered, media=media)
    left = numbered and numbered.intersection(page.root.iter())
    if not left:
        return hung
    around = {each: (each, *each.iterancestors()) for each in left}
    found = declared(page.root, sheets, _NAMES, {one for each in around.values() for one in each}, media=media)
    warn.tally(_ELSEWHERE, sum(not any(_is_elsewhere(one, found) for one in each) for each in around.values()))
    return hung


def _is_elsewhere(element: Element, found: Declared) -> bool:
    """Whether an element is not drawn, or in margin boxes only."""
    position, display = (word_of(found, element, each) for each in ("position", "display"))
    return display == "none" or position.startswith("running(")


def _numbered(root: Element, sheets: Sequence[str], *, media: str) -> set[Element]:
    """The elements before or after which a style sheet writes the number of their page, or of all pages."""
    if not any(map(_COUNTER.search, sheets)):
        return set()
    own = [(selectors, body) for selectors, body in rules(sheets, media) if "counter" in body]
    if any(_COUNTED.search(body) for _, body in own):
        return set()  # a counter of the document's own
    matcher = cssselect2.Matcher()
    asked = [selectors for selectors, body in own if _COUNTER.search(body)]
    for each in (one for selectors in asked for one in compiled(selectors)):
        if each.pseudo_element in ("before", "after"):
            matcher.add_selector(each, None)
    return {each.etree_element for each in visited(root) if matcher.match(each)} if asked else set()


def _taken(page: Page, sheets: Sequence[str], numbered: set[Element], *, media: str) -> Hung | None:
    if not any(_ASKED.search(each) for each in sheets):
        return None
    found = of_page(page, sheets, _NAMES, media=media)
    body = page.root.find("body")
    every: list[Element] = []
    first: list[Element] = []
    taken: set[Element] = set()
    behind = True
    lengths: dict[Element, int] = {}
    length = 0
    for element in [each for each in body.iter() if each in found]:
        position = word_of(found, element, "position")
        around = [each for each in element.iterancestors() if each.tag not in ("body", "html")]
        counts = position == "fixed" and not numbered.isdisjoint(element.iter()) and _is_short(element, found)
        if not (counts or _reaches(element, found)) or not taken.isdisjoint(around):
            continue
        if position == "absolute" and any(word_of(found, each, "position") not in ("", "static") for each in around):
            continue
        taken.add(element)
        for each in around:
            if each not in lengths:
                lengths[each] = len(BARE) + sum(len(name) + len(value) for name, value in each.items())
            length += lengths[each]
        running.check_length(length)
        behind = behind and (word_of(found, element, "z-index").startswith("-") or _is_covered(element, found))
        (every if position == "fixed" else first).append(_within(element, around))
    if not taken:
        return None
    for element in taken:
        _leave_out(element)
    texts = [_COUNTER.sub(r"counter(fc-\1", each.text or "") for each in page.root.iter("style")]
    return Hung(every, first, behind, texts, body.makeelement("body", dict(body.attrib)))


def _is_covered(element: Element, found: Declared) -> bool:
    """Whether all else on the page is positioned above a box, and nothing would hide the box behind the page."""
    if word_of(found, element, "z-index") not in ("", "auto", "0"):
        return False
    around = list(element.iterancestors())
    if any(found.get(each, {}).keys() & _GROUNDS for each in around):
        return False
    beside = [(up, after) for up in (element, *around[:-2]) for after in (True, False)]
    return not any((each.text or "").strip() for each in around[:-1]) and all(
        _is_above(each, found, comes_after=after)
        for up, after in beside
        for each in up.itersiblings(preceding=not after)
        if isinstance(each.tag, str) and each.tag not in HIDDEN_TAGS
    )


def _is_above(element: Element, found: Declared, *, comes_after: bool) -> bool:
    """Whether an element is positioned and above a box with `z-index: auto` beside it, and no text is behind it."""
    level = word_of(found, element, "z-index")
    is_over = comes_after if level in ("", "auto", "0") else not level.startswith("-")
    is_positioned = word_of(found, element, "position") in ("relative", "absolute", "fixed", "sticky")
    return is_positioned and is_over and not (element.tail or "").strip()


def _reaches(element: Element, found: Declared) -> bool:
    """Whether a box may be in the margins: it is placed with a negative offset."""
    if word_of(found, element, "position") not in ("fixed", "absolute") or word_of(found, element, "display") == "none":
        return False
    lengths = (_NEGATIVE.fullmatch(word_of(found, element, each)) for each in _OFFSETS)
    return any(0 < float(each[1]) * PT[each[2]] < _FURTHEST for each in lengths if each)


def _is_short(element: Element, found: Declared) -> bool:
    """Whether a box is drawn, and may be repeated on all pages of a long document."""
    return word_of(found, element, "display") != "none" and len(markup.tostring(element)) <= _SHORT


def _within(element: Element, around: Sequence[Element]) -> Element:
    """A copy of a box within bare copies of the elements around it."""
    made = copy.deepcopy(element)
    made.tail = None
    add_style(made, "position:absolute!important")
    return within(made, around)


def _leave_out(element: Element) -> None:
    """Remove a box, but not the text behind it."""
    parent, before = element.getparent(), element.getprevious()
    if element.tail:
        if before is None:
            parent.text = (parent.text or "") + element.tail
        else:
            before.tail = (before.tail or "") + element.tail
    parent.remove(element)
