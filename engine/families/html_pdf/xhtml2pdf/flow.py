"""Reduce a page to what xhtml2pdf handles well: plain blocks, text, pictures and tables."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from xml.dom.minidom import Document

from lxml import etree

from engine.families.html_pdf.css import content
from engine.families.html_pdf.css.cascade import Declared, points
from engine.families.html_pdf.css.counters import Counters
from engine.families.html_pdf.css.user_agent import is_block
from engine.families.html_pdf.source.cleaning import Element
from engine.families.html_pdf.xhtml2pdf import lists, pictures
from engine.families.html_pdf.xhtml2pdf.styles import Styles
from engine.toolkit.data_uris import data_uri
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

LONGEST_TEXT = 20_000
"""The maximum length of a paragraph: the engine wraps its remainder again for every page."""
MOST_COLUMNS, MOST_NESTED, MOST_REPEATED = 64, 8, 10
LONG = 12
"""The number of rows above which a table has no box around it, which would be laid out as a whole for every page."""
# Chinese, Japanese, Thai, Lao and Khmer have no spaces; lines may break between any two characters.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]")
_BLOCKS = frozenset(
    ("block", "list-item", "flow-root", "flex", "grid", "table", "table-row", "table-cell", "-webkit-box")
)
_AS_BLOCKS = frozenset(("table", "inline-table", "table-row", "table-cell", "ruby", "run-in", "grid", "inline-grid"))
_TABLES = frozenset(("table", "thead", "tbody", "tfoot", "tr", "td", "th"))
_SKIPPED = frozenset(("head", "style", "title", "col", "colgroup", "area"))
_INHERITED = ("color", "font", "text-", "line-height", "white-space", "letter-spacing", "vertical-align")
_BOX = ("padding", "border", "background")
_FLOW_ONLY = (
    "float", "position", "direction", "list-style", "list-style-type", "content", "counter-reset", "counter-increment",
    "max-width", "max-height", "min-height", "flex", "flex-direction", "flex-flow", "flex-wrap", "justify-content",
)  # fmt: skip
_LEVELS = {f"h{level}": level - 1 for level in range(1, 7)}


@dataclass(frozen=True)
class _Place:
    """The context of an element: its available width, its container, and its text direction."""

    room: float
    custom: Declared = field(default_factory=dict)
    cell: bool = False
    rtl: bool = False
    tables: int = 0
    unspaced: bool = False
    list_type: str = ""
    items: bool = False
    """Whether child boxes are blocks of their own, as in flex containers and grids."""
    sized: bool = False
    """Whether the child box's declared width is already final."""


class Flow:
    """Rewrites a cleaned tree; `room` is the page width between its margins, in points."""

    def __init__(self, styles: Styles, warn: Warn, room: float) -> None:
        self.document = Document()
        self.drawings: list[Any] = []
        self._hidden: set[Element] = set()
        self._styles, self._warn, self._room = styles, warn, room
        self._say = functools.partial(warn, "CSS_UNSUPPORTED")
        self._counted: dict[Element, dict[Element, int]] = {}
        self._counters = Counters()

    def run(self, root: Element) -> Any:
        """The root of the tree in the engine's form."""
        self._element(root, self.document, _Place(self._room))
        return self.document.documentElement

    def owed(self, element: Element) -> Iterator[str]:
        """All texts in an element that will be drawn, in order."""
        if element.tag in _SKIPPED or element.tag == "svg" or element in self._hidden:
            return
        yield element.text or ""
        for child in element:
            yield from self.owed(child)
            yield child.tail or ""

    def append(self, texts: Sequence[str], head: str) -> None:
        """Append texts to the document."""
        (body,) = self.document.getElementsByTagName("body")
        for at, text in enumerate((head, *texts)):
            declared = {"display": "block", "font-size": "10pt" if at else "8pt", "margin": "3pt 0"}
            if not at:
                declared["page-break-before"] = "always"
            made = self._make(body, "div", declared | _breaks(_UNSPACED.search(text) is not None, around=False))
            self._write(text, made)

    def _make(self, parent: Any, tag: str, own: Declared) -> Any:
        made = self.document.createElement(tag)
        made.setAttribute("style", ";".join(f"{name}:{value}" for name, value in own.items() if name not in _FLOW_ONLY))
        parent.appendChild(made)
        return made

    def _write(self, text: str | None, node: Any) -> None:
        if not text:
            return
        while len(text) > LONGEST_TEXT:
            at = (text.rfind(" ", 1, LONGEST_TEXT) + 1) or LONGEST_TEXT
            self._make(node, "div", {"display": "block"}).appendChild(self.document.createTextNode(text[:at]))
            text = text[at:]
        node.appendChild(self.document.createTextNode(text))

    def _inside(self, element: Element, node: Any, place: _Place) -> None:
        self._generated(element, "before", node, place)
        self._write(element.text, node)
        for child in element:
            self._element(child, node, place)
            self._write(child.tail, node)
        self._generated(element, "after", node, place)

    def _element(self, element: Element, node: Any, place: _Place) -> None:
        tag = element.tag
        own, custom = self._styles.computed(element, place.custom)
        display = own.get("display", "inline").strip()
        if display == "none" or tag in _SKIPPED:
            self._hidden.add(element)
            return
        self._counters.count(own.get("counter-reset", ""), own.get("counter-increment", ""))
        direction = (element.get("dir") or own.get("direction") or "").strip().lower()
        place = replace(place, custom=custom, rtl=direction == "rtl" if direction in ("ltr", "rtl") else place.rtl)
        if place.items and display.startswith("inline"):
            display = "block"
        if place.sized:
            own.pop("width", None)
        rows = "flex" in display or "grid" in display
        place = replace(place, list_type=lists.named(element, own) or place.list_type, items=rows, sized=False)
        if tag == "br":
            # Where lines may break between any characters, the engine has no line break; a new paragraph replaces it.
            self._make(node, "div" if place.unspaced else "br", {"display": "block"} if place.unspaced else {})
            return
        if tag in ("img", "svg"):
            self._picture(element, own, node, place)
            return
        if tag == "table":
            self._table(element, own, node, replace(place, tables=place.tables + 1))
            return
        if tag in _TABLES:
            display = "block"
        if self._taken_out(tag, own, display) and display.startswith("inline"):
            display = "block"
        if display in _AS_BLOCKS:
            self._say(
                say(
                    "display: {display} is not supported; the content of <{tag}> was placed one below the other.",
                    display=display,
                    tag=tag,
                )
            )
        block = display in _BLOCKS or display in ("inline-flex", "inline-grid")
        own["display"] = "block" if block else "inline"
        self._sizes(own, place, block=block)
        unspaced = place.unspaced
        if block:
            unspaced = _is_unspaced(element)
            own |= _breaks(unspaced, around=place.unspaced)
        if any(name.startswith(_BOX) for name in own) and block and sum(1 for _ in element.iter("tr")) > LONG:
            self._say(say("The box around <{tag}> was left out, because it has a table with many rows.", tag=tag))
            own = _without(own, *_BOX)
        if tag in _LEVELS and not place.cell:
            own |= {"-pdf-outline": "true", "-pdf-outline-level": str(_LEVELS[tag])}
        made = self._make(node, _name(tag, block=block), own)
        for name in ("href", "id", "name", "dir"):
            if element.get(name) and (name != "href" or tag == "a"):
                made.setAttribute(name, element.get(name))
        room = points(own.get("width", ""), place.room) or place.room
        inner = replace(place, room=min(room, place.room), unspaced=unspaced)
        mark = lists.mark(element, place.list_type or "disc", self._counted) if tag == "li" else ""
        if mark:
            self._make(made, "span", {"display": "inline"}).appendChild(self.document.createTextNode(mark + "\u00a0"))
        if not (display in ("flex", "inline-flex") and self._row(element, own, made, inner)):
            self._inside(element, made, inner)
        if display.startswith("inline-"):
            node.appendChild(self.document.createTextNode(" "))

    def _generated(self, element: Element, where: str, node: Any, place: _Place) -> None:
        """Insert generated content before or after an element."""
        own, _ = self._styles.computed(element, place.custom, where)
        if "content" not in own or own.get("display") == "none":
            return
        self._counters.count(own.get("counter-reset", ""), own.get("counter-increment", ""))

        def filled(name: str, arguments: str) -> str | None:
            return element.get(arguments.lower()) or "" if name == "attr" else self._counters.filled(name, arguments)

        text, unknown = content.written(own["content"], filled)
        if unknown:
            self._say(say("content: {own} is not supported and was ignored.", own=own["content"][:60]))
        if text:
            self._write(text, self._make(node, "span", {**own, "display": "inline"}))

    def _taken_out(self, tag: str, own: Declared, display: str) -> bool:
        """Whether an element is positioned outside the text flow, which is reported."""
        side, position = own.get("float", "none"), own.get("position", "static")
        for name, value in (("float", side), ("position", position)):
            if value not in ("none", "static", "relative"):
                self._say(
                    say(
                        "{name}: {value} is not supported; <{tag}> stays in the normal flow.",
                        name=name,
                        value=value[:40],
                        tag=tag,
                    )
                )
        return side in ("left", "right") or position in ("absolute", "fixed")

    def _sizes(self, own: Declared, place: _Place, *, block: bool) -> None:
        """Keep only those sizes of an element that fit any page."""
        most, width = points(own.get("max-width", ""), place.room), points(own.get("width", ""), place.room)
        if block and most is not None and most < (width or place.room):
            own["width"] = f"{most:g}pt"
        elif width is None or width >= place.room:
            own.pop("width", None)
        height = points(own.get("height") or own.get("min-height", ""), 0.0)
        own.pop("height", None)
        if height and block:
            own["height"] = f"{height:g}pt"
        for name in [each for each in own if each.startswith(("margin", "text-indent"))]:
            parts = own[name].split()
            own[name] = " ".join(
                "0" if each.startswith("-") or (points(each, 1) or 0) > 300 else each for each in parts
            )
        for name in [each for each in own if each.startswith(("page-break", "break"))]:
            if "avoid" in own[name]:
                self._say(say("{name}: avoid is not supported; pages break where they are full.", name=name))
            if place.cell or "avoid" in own[name]:
                del own[name]

    def _picture(self, element: Element, own: Declared, node: Any, place: _Place) -> None:
        source = element.get("src") or ""
        if element.tag == "svg":
            source = data_uri("image/svg+xml", etree.tostring(element, with_tail=False))
        found = pictures.prepared(source, self.drawings)
        described = (element.get("alt") or "").strip()
        if found is None:
            self._warn(
                "CONTENT_DROPPED",
                say("A picture {described} was left out: it can't be shown.", described=described[:60]),
            )
            self._write(described, node)
            return
        source, natural = found[0], (found[1] * 0.75, found[2] * 0.75)
        width, height = points(own.get("width", ""), place.room), points(own.get("height", ""), 0.0)
        width = width or (height * natural[0] / natural[1] if height else natural[0])
        height = height or width * natural[1] / natural[0]
        bounds = points(own.get("max-width", ""), place.room), points(own.get("max-height", ""), 0.0)
        factor = min([1.0, *(most / each for most, each in zip(bounds, (width, height), strict=True) if most)])
        made = self._make(node, "img", {name: own[name] for name in ("vertical-align", "display") if name in own})
        made.setAttribute("src", source)
        for name, size in (("width", width), ("height", height)):
            made.setAttribute(name, f"{max(size * factor / 0.75, 0.1):.2f}")

    def _row(self, box: Element, own: Declared, node: Any, place: _Place) -> bool:
        """Put the items of a flex container side by side at their widths; returns whether it was done."""
        if box.text and box.text.strip():
            return False
        flow = f"{own.get('flex-flow', '')} {own.get('flex-direction', '')} {own.get('flex-wrap', '')}"
        if not 2 <= len(box) <= 6 or "column" in flow or any(each.tail and each.tail.strip() for each in box):
            if len(box) > 1 and "column" not in flow:
                self._say(say("display: flex: the content of <{tag}> was placed one below the other.", tag=box.tag))
            return False
        declared = [self._styles.computed(each, place.custom)[0] for each in box]
        grow = all(each.get("flex", "0")[0] not in "0nai" for each in declared)
        row = self._make(self._make(node, "table", {"width": "100%"}), "tr", {})
        for item, each in zip(box, declared, strict=True):
            cell = self._make(row, "td", {"vertical-align": "top", "padding": "0 2pt"})
            share = 1 / len(box) if grow else (points(each.get("width", ""), place.room) or 0.0) / place.room
            if share:
                cell.setAttribute("width", f"{min(share, 1.0) * 100:.1f}%")
            if item is box[-1] and own.get("justify-content") == "space-between":
                cell.setAttribute("align", "right")
            inner = replace(place, cell=True, sized=share > 0, room=place.room * min(share or 1.0, 1.0))
            self._element(item, self._make(cell, "div", {"display": "block"}), inner)
        return True

    def _table(self, element: Element, own: Declared, node: Any, place: _Place) -> None:
        """Write a table as one, or as blocks if it has only one column, or more than can be drawn."""
        rows, heads = self._rows(element, place)
        most = max((len(cells) for _, cells in rows), default=0)
        self._strays(element, node, place)
        too_many = most > MOST_COLUMNS or place.tables > MOST_NESTED
        if too_many:
            self._warn(
                "CONTENT_CLIPPED",
                "Cells are placed one below the other in deeply nested tables and tables with too many columns.",
            )
        if too_many or (most < 2 and not heads):
            kept = {name: value for name, value in own.items() if name.startswith(_BOX)}
            around = self._make(node, "div", {**kept, "display": "block"})
            for row, cells in rows:
                for cell, declared in cells:
                    unspaced = _is_unspaced(cell)
                    declared = _without({**row, **declared}, "width", "vertical-align", "height")
                    declared |= {"display": "block", **_breaks(unspaced, around=place.unspaced)}
                    self._inside(cell, self._make(around, "div", declared), replace(place, unspaced=unspaced))
            return
        own = _without(own, "max-", "height")
        if place.rtl:
            node = self._make(node, "div", {"display": "block"})
            node.setAttribute("dir", "rtl")
        table = self._make(node, "table", {**own, "display": "block"})
        table.setAttribute("repeat", str(heads if heads <= MOST_REPEATED else 0))
        cols = [self._styles.computed(each, place.custom)[0].get("width", "") for each in element.iter("col")]
        free = [0] * MOST_COLUMNS
        for at, (declared, cells) in enumerate(rows):
            self._cells(
                self._make(table, "tr", {**declared, "display": "block"}), at, len(rows), cells, free, cols, place
            )

    def _strays(self, parent: Element, node: Any, place: _Place) -> None:
        """Write content of a table outside of its cells before it."""
        for text in (parent.text, *(child.tail for child in parent)):
            self._write(text and text.strip() and text, node)
        for child in parent:
            if child.tag in ("thead", "tbody", "tfoot", "tr"):
                self._strays(child, node, place)
            elif child.tag not in ("td", "th"):
                self._element(child, node, place)

    def _cells(self, row: Any, at: int, rows: int, cells: Any, free: list[int], cols: list[str], place: _Place) -> None:
        """Write the cells of a row; `free` is the first free row of each column."""
        column = 0
        for cell, own in cells:
            while column < MOST_COLUMNS - 1 and free[column] > at:
                column += 1
            across = max(1, min(_span(cell, "colspan"), len(free) - column))
            down = min(_span(cell, "rowspan") or rows, rows - at)
            free[column : column + across] = [at + down] * across
            if column < len(cols) and cols[column] and across == 1:
                own.setdefault("width", cols[column])
            unspaced = _is_unspaced(cell)
            own = _without(own, "margin", "page-break", "break") | _breaks(unspaced, around=place.unspaced)
            made = self._make(row, "td", {**own, "display": "block"})
            for name, span in (("colspan", across), ("rowspan", down)):
                if span > 1:
                    made.setAttribute(name, str(span))
            column += across
            if place.rtl:
                made = self._make(made, "div", {"display": "block"})
                made.setAttribute("dir", "rtl")
            inner = replace(place, cell=True, unspaced=unspaced)
            self._inside(cell, made, inner)

    def _rows(self, table: Element, place: _Place) -> tuple[list[Any], int]:
        """The declarations of each row and its cells, headers first and footers last; and the number of header rows."""
        parts: dict[str, list[Any]] = {"thead": [], "tbody": [], "tfoot": []}

        def shown(child: Element) -> Declared | None:
            own, _ = self._styles.computed(child, place.custom)
            if own.get("display") != "none":
                return own
            self._hidden.add(child)
            return None

        def read(parent: Element, part: str, above: Declared) -> None:
            loose: list[Any] = []
            for child in parent:
                if child.tag not in _TABLES or child.tag == "table" or (own := shown(child)) is None:
                    continue
                if child.tag in ("td", "th"):
                    loose.append((child, own))
                elif child.tag == "tr":
                    cells = [
                        (each, declared)
                        for each in child.iterchildren("td", "th")
                        if (declared := shown(each)) is not None
                    ]
                    parts[part].append(({**above, **own}, cells))
                else:
                    read(child, child.tag, {n: v for n, v in own.items() if n.startswith((*_INHERITED, "background"))})
            if loose:
                parts[part].append((above, loose))

        read(table, "tbody", {})
        return parts["thead"] + parts["tbody"] + parts["tfoot"], len(parts["thead"])


def _without(own: Declared, *names: str) -> Declared:
    return {name: value for name, value in own.items() if not name.startswith(names)}


def _is_unspaced(element: Element) -> bool:
    """Whether a block's own text is in a script without spaces."""
    inside = ("" if is_block(each) else "".join(each.itertext()) for each in element)
    return _UNSPACED.search("".join((element.text or "", *inside, *(each.tail or "" for each in element)))) is not None


def _breaks(unspaced: bool, *, around: bool) -> Declared:
    """The line breaking rules of a block; `around` is whether its parent is unspaced."""
    return {"-pdf-word-wrap": "CJK" if unspaced else "none"} if unspaced or around else {}


def _name(tag: str, *, block: bool) -> str:
    """The engine's name for an element: for some others it would read files."""
    return tag if tag in ("html", "body", "a", "sub", "sup") else "div" if block else "span"


def _span(cell: Element, name: str) -> int:
    text = (cell.get(name) or "1").strip()
    return int(text) if text.isdecimal() else 1
