"""The page in the few words that the layout engine does well: plain blocks, text, pictures, and tables of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any
from xml.dom.minidom import Node

from conversions.families.html_pdf.css.styles import Declared, Said
from conversions.families.html_pdf.source.tree import Element, rows_of
from conversions.families.html_pdf.xhtml2pdf import lists, long_tables, pictures, rows
from conversions.families.html_pdf.xhtml2pdf.lengths import points
from conversions.families.html_pdf.xhtml2pdf.styled import StyledTree
from conversions.families.html_pdf.xhtml2pdf.tables import GROUP
from conversions.toolkit.warnings import Warn

MOST_REPEATED = 10
LONGEST_TEXT = 20_000
"""Characters of one paragraph: the engine breaks all that is left of one into lines again for every page."""
MOST_HEIGHT = 500.0
_PARTS = frozenset(("table", "thead", "tbody", "tfoot", "tr", "td", "th"))
_KEPT = _PARTS | {"html", "head", "body", "img", "a", "br", "sub", "sup", "title", "meta", "span"}
_BLOCKS = frozenset(
    ("block", "list-item", "flow-root", "table", "flex", "grid", "table-row", "table-cell", "table-caption")
)
_INLINE_BLOCKS = {"inline-block": "inline", "inline-table": "inline", "inline-flex": "inline", "inline-grid": "inline"}
_NEGATIVE = re.compile(r"-[\d.]+[a-z%]*")
_OFFSETS = ("top", "right", "bottom", "left", "z-index")
_UNUSED = (
    "overflow",
    "overflow-x",
    "overflow-y",
    "text-overflow",
    "max-height",
    "min-width",
    "list-style",
    "list-style-type",
    "list-style-image",
    "list-style-position",
    *rows.PLACING,
)
_BREAKS = tuple(f"{page}break-{side}" for page in ("page-", "") for side in ("before", "after", "inside"))
_SIZED = ("width", "height", *_BREAKS)
_OUTLINE = ("-pdf-outline", "-pdf-outline-level", "-pdf-outline-open")
_BOX = ("padding", "border", "background")
_INHERITED = (
    "color",
    "font",
    "line-height",
    "text-align",
    "text-indent",
    "text-transform",
    "white-space",
    "letter-spacing",
    "word-",
)


@dataclass
class Simplified:
    """A page for the layout: its tree, in which `style` is the number of an element's styles, and its drawings."""

    styles: list[Said] = field(default_factory=lambda: [Said({})])
    drawings: list[Any] = field(default_factory=list)
    groups: dict[int, list[Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class _Place:
    """Where an element stands: in a cell, in what is not to be cut, from right to left, centred by an attribute."""

    room: float
    cell: bool = False
    kept: bool = False
    rtl: bool = False
    centred: bool = False


class Simplifier(StyledTree):
    """Rewrites a tree in place; `room` is how wide the page is between its margins, in points."""

    def __init__(self, said: dict[Element, Said], warn: Warn, room: float) -> None:
        super().__init__(said)
        self.page = Simplified()
        self._warn = warn
        self._room = room
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._groups = 0

    def run(self, root: Element) -> Simplified:
        self._element(root, _Place(self._room))
        return self.page

    def _element(self, element: Element, place: _Place) -> None:
        tag = element.tagName.lower()
        said = self.said.get(element) or Said({})
        own = dict(self._uninherited(element, said.own))
        display = own.get("display", "inline").strip()
        if display == "none" or tag in ("colgroup", "col"):
            element.parentNode.removeChild(element)
            return
        if tag in ("head", "title", "meta", "br"):
            return
        if tag == "svg":
            element.tagName = element.nodeName = tag = "img"
        if tag == "img" and not self._picture(element, own, place):
            element.parentNode.removeChild(element)
            return
        direction = element.getAttribute("dir").lower()
        place = replace(place, rtl=direction == "rtl" if direction in ("ltr", "rtl") else place.rtl)
        centred = tag == "center" or element.getAttribute("align").lower() == "center"
        if self._taken_out(tag, own) and display.startswith("inline"):
            display = "block"
        if tag == "hr":
            own = _rule(element, own)
        elif tag in ("ul", "ol", "menu") and place.rtl and "margin-left" in own:
            own["margin-right"] = own.pop("margin-left")
        elif tag == "li":
            lists.mark(self, element, own, rtl=place.rtl)
        elif tag == "table":
            element, tag = self._table(element, own, place)
        if display in ("flex", "inline-flex", "grid", "inline-grid") and tag not in _PARTS:
            display = "block"
            rows.arrange(self, element, own, place.room, self._warn)
        if display == "inline-block" and element.nextSibling is not None:
            element.parentNode.insertBefore(element.ownerDocument.createTextNode(" "), element.nextSibling)
        display = _INLINE_BLOCKS.get(display, "block" if display in _BLOCKS else "inline")
        if tag in _PARTS or (display != own.get("display", "inline") == "inline-block" and self._holds_blocks(element)):
            display = "block"
        own["display"] = display
        self._sizes(own, place, block=display == "block", part=tag in _PARTS)
        if place.cell or place.kept or display == "inline":
            for name in _BREAKS:
                own.pop(name, None)
        for name in ("break-before", "page-break-before"):
            if "avoid" in own.get(name, ""):
                del own[name]  # the engine would hold together the break before it and what follows
        kept = place.kept or "avoid" in (own.get("break-inside"), own.get("page-break-inside"))
        for name in _UNUSED:
            own.pop(name, None)
        for name in [each for each in own if each.startswith("-pdf-") and each not in _OUTLINE]:
            self._warn("CSS_UNSUPPORTED", f"{name}: {own.pop(name)[:60]} is not supported and was ignored.")
        if tag not in _KEPT:
            element.tagName = element.nodeName = "div" if display == "block" else "span"
        element.setAttribute("style", str(self._number(replace(said, own=own))))
        cell = tag in ("td", "th")
        if place.rtl and (cell or tag == "table") and direction == "rtl":
            self._turn(element, tag)
        room = points(own.get("width", ""), place.room) or place.room
        inner = replace(
            place,
            room=min(room, place.room),
            cell=place.cell or cell,
            kept=kept,
            centred=centred or (place.centred and tag in ("tr", "tbody", "td")),
        )
        for child in list(element.childNodes):
            if child.nodeType == Node.ELEMENT_NODE:
                self._element(child, inner)
            elif child.nodeType == Node.TEXT_NODE and len(child.data) > LONGEST_TEXT:
                self._cut(child)

    def _uninherited(self, element: Element, own: Declared) -> Any:
        """The declarations without `inherit`: the engine inherits what it can, the rest is the parent's."""
        for name, value in own.items():
            if value != "inherit":
                yield name, value
            elif not name.startswith(_INHERITED):
                above = self.own(element.parentNode).get(name)
                if above is not None and above != "inherit":
                    yield name, above

    def _taken_out(self, tag: str, own: Declared) -> bool:
        """Whether an element is to stand outside the text around it, which is reported."""
        side, position = own.pop("float", "none"), own.pop("position", "static")
        if side in ("left", "right"):
            self._warn("CSS_UNSUPPORTED", f"float: {side} is not supported; <{tag}> stands where it is written.")
        moved = [own.pop(name) for name in _OFFSETS if name in own]
        if position in ("absolute", "fixed") or (
            position == "relative" and any(each not in ("0", "auto", "0px") for each in moved)
        ):
            self._warn("CSS_UNSUPPORTED", f"position: {position} is not supported; <{tag}> stands where it is written.")
        return tag != "img" and (side in ("left", "right") or position in ("absolute", "fixed"))

    def _sizes(self, own: Declared, place: _Place, *, block: bool, part: bool) -> None:
        most = points(own.pop("max-width", ""), place.room)
        if block and not part and most is not None and most < (points(own.get("width", ""), place.room) or place.room):
            own["width"] = f"{most:g}pt"
        if own.get("width", "").endswith("%") and (points(own["width"], 100.0) or 0) >= 100 and not part:
            del own["width"]
        least = own.pop("min-height", None)
        if least and "height" not in own:
            own["height"] = least
        height = points(own.get("height", ""), 0.0)
        if height is None or height > MOST_HEIGHT or not block:
            if height is not None and height > MOST_HEIGHT:
                self._warn("CONTENT_CLIPPED", f"height: {own['height'][:40]} is more than a page has and was ignored.")
            own.pop("height", None)
        for name in [each for each in own if each.startswith("margin") and "-" in own[each]]:
            own[name] = _NEGATIVE.sub("0", own[name])
        line = own.get("line-height", "")
        if (line.replace(".", "").isdecimal() and float(line) > 8) or (points(line, 12.0) or 0) > 200:
            self._warn(
                "CONTENT_CLIPPED",
                f"line-height: {own.pop('line-height')[:40]} is more than a page has and was ignored.",
            )

    def _picture(self, element: Element, own: Declared, place: _Place) -> bool:
        """Give a picture the size that it is drawn at; whether it can be drawn."""
        made = pictures.prepared(element.getAttribute("src"), self.page.drawings)
        if made is None or min(made[1:]) <= 0:
            described = element.getAttribute("alt").strip()
            self._warn(
                "CONTENT_DROPPED", f"A picture {described[:60]} was left out: it can't be drawn.".replace("  ", " ")
            )
            if described:
                element.parentNode.insertBefore(element.ownerDocument.createTextNode(described), element)
            return False
        source, natural_width, natural_height = made
        width, height = (
            points(own.pop(name, "") or _pixels(element.getAttribute(name)), whole)
            for name, whole in (("width", place.room), ("height", 0.0))
        )
        ratio = natural_width / natural_height
        if width is None:
            width = height * ratio if height is not None else natural_width * 0.75
        if height is None:
            height = width / ratio
        bounds = (points(own.pop("max-width", ""), place.room) or 1e6, points(own.pop("max-height", ""), 0.0) or 1e6)
        factor = min(1.0, bounds[0] / max(width, 0.1), bounds[1] / max(height, 0.1))
        element.setAttribute("src", source)
        for name, size in (("width", width), ("height", height)):
            element.setAttribute(name, f"{max(size * factor / 0.75, 0.1):.2f}")
        return True

    def _table(self, element: Element, own: Declared, place: _Place) -> tuple[Element, str]:
        """A table as one, with its columns' widths at its cells, or as blocks where it has one column only."""
        for foot in [each for each in element.childNodes if getattr(each, "tagName", "") == "tfoot"]:
            element.appendChild(foot)  # wherever it is written
        for head in element.getElementsByTagName("thead"):
            if len(head.getElementsByTagName("tr")) > MOST_REPEATED:
                head.tagName = head.nodeName = "tbody"
        found = list(rows_of(element))
        cells = [[each for each in row.childNodes if getattr(each, "tagName", "") in ("td", "th")] for row in found]
        if place.centred and "margin-left" not in own:
            own["margin-left"] = own["margin-right"] = "auto"
        widths = [
            self.own(col).get("width") or _pixels(col.getAttribute("width"))
            for col in element.getElementsByTagName("col")
        ]
        for row in cells[:1]:
            for cell, width in zip(row, widths, strict=False):
                if width and "width" not in self.own(cell):
                    self.say(cell, "width", width)
        if max(map(len, cells), default=0) > 1 or any(row.parentNode.tagName == "thead" for row in found):
            if len(found) > long_tables.LONG and not place.cell:
                self._free(element, len(found))
                self._groups += 1
                heads = sum(row.parentNode.tagName == "thead" for row in found)
                for part in long_tables.cut(self, element, found, self._groups * GROUP + heads):
                    self._element(part, place)
            return element, "table"
        for row, inside in zip(found, cells, strict=True):
            back = self.own(row).get("background-color")
            for cell in inside:
                said = {
                    name: value for name, value in self.own(cell).items() if name not in ("width", "vertical-align")
                }
                if back and "background-color" not in said:
                    said["background-color"] = back
                element.appendChild(self.make(element, "div", {**said, "display": "block"}, list(cell.childNodes)))
        for child in list(element.childNodes):
            if getattr(child, "tagName", "") in _PARTS | {"colgroup"} and child.tagName != "table":
                element.removeChild(child)
        element.tagName = element.nodeName = "div"
        return element, "div"

    def _free(self, table: Element, rows: int) -> None:
        """Take away the boxes around a long table: what is in a box is laid out as a whole for every page."""
        around = table.parentNode
        while around.nodeType == Node.ELEMENT_NODE and around.tagName not in ("body", "html"):
            said = self.page.styles[int(around.getAttribute("style") or 0)]
            names = [each for each in said.own if not each.startswith(_BOX) and each not in _SIZED]
            if len(names) != len(said.own):
                self._warn(
                    "CSS_UNSUPPORTED", f"The box of <{around.tagName}> is not drawn: a table in it has {rows} rows."
                )
            kept = {name: said.own[name] for name in names}
            around.setAttribute("style", str(self._number(replace(said, own=kept))))
            around = around.parentNode

    def _turn(self, element: Element, tag: str) -> None:
        """Say the direction where the engine reads it: at a block."""
        if tag == "table":
            around = self.make(element, "div", {"display": "block"}, [])
            element.parentNode.replaceChild(around, element)
            around.appendChild(element)
        else:
            around = self.make(element, "div", {"display": "block"}, list(element.childNodes))
            element.appendChild(around)
        around.setAttribute("dir", "rtl")

    def _cut(self, text: Any) -> None:
        data, parent = text.data, text.parentNode
        while len(data) > LONGEST_TEXT:
            at = (data.rfind(" ", 1, LONGEST_TEXT) + 1) or LONGEST_TEXT
            made = self.make(parent, "div", {"display": "block"}, [parent.ownerDocument.createTextNode(data[:at])])
            made.setAttribute("style", str(self._number(self.said[made])))
            parent.insertBefore(made, text)
            data = data[at:]
        text.data = data

    def _holds_blocks(self, element: Element) -> bool:
        for child in element.childNodes:
            if child.nodeType == Node.ELEMENT_NODE:
                display = self.own(child).get("display", "inline")
                if display in _BLOCKS or child.tagName in ("hr", "table") or self._holds_blocks(child):
                    return True
        return False

    def _number(self, said: Said) -> int:
        key = tuple(None if part is None else tuple(part.items()) for part in (said.own, said.before, said.after))
        if key not in self._numbers:
            self._numbers[key] = len(self.page.styles)
            self.page.styles.append(said)
        return self._numbers[key]


def _pixels(value: str) -> str:
    value = value.strip()
    return f"{value}px" if value.replace(".", "", 1).isdecimal() else value


def _rule(element: Element, own: Declared) -> Declared:
    """A rule as a block without content that has a border above."""
    color = element.getAttribute("color") or "#808080"
    said = {"border-top": f"1px solid {color}", **{name: value for name, value in own.items() if name != "height"}}
    if element.getAttribute("width"):
        said["width"] = _pixels(element.getAttribute("width"))
    return said
