"""Read the series of a chart part, with their labels and single points (ECMA-376, part 1, 21.2.2.170)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.toolkit.charts.model import Kind, Labels, Lettering, Look, Marker, Paint, Series, Stroke
from engine.toolkit.charts.painting import Painter
from engine.toolkit.charts.stored import Reader, Stored, setting, value, whole
from engine.toolkit.xml_elements import child, children, is_on, local

_SAID = {"showVal": "value", "showCatName": "category", "showSerName": "series", "showPercent": "percent",
         "showBubbleSize": "size"}  # fmt: skip
_SYMBOLS = ("diamond", "square", "triangle", "x", "star", "circle", "plus", "dot", "dash")
_NOTED = {"trendline": "trend line", "errBars": "error bars", "pictureOptions": "picture fill"}
_LINE = 2.25
_BREAK = ("", "\n")


def _piece(each: Any) -> tuple[str, str]:
    """A run of a label: the name of its field, if it is one, and its text."""
    text = child(each, "t")
    if local(each) == "br":
        return _BREAK
    return (each.get("type") or "" if local(each) == "fld" else "", (text.text or "") if text is not None else "")


class SeriesReader:
    """Reads the series of all plots of a chart; `categories` and `names` are those stored of each."""

    def __init__(self, reader: Reader, painter: Painter, texts: Lettering) -> None:
        self._reader, self._painter, self._texts = reader, painter, texts
        self._count = 0
        self.categories: list[Stored] = []
        self.names: list[str] = []

    def read(
        self, element: Any, kind: Kind, *, shared: Any, marked: bool, lined: bool, varied: bool, filled: bool
    ) -> Series:
        """One series; `shared` are the labels of its plot.

        `marked` and `lined` are whether it has symbols and lines unless it says otherwise.
        """
        self._count += 1
        free = kind in ("scatter", "bubble")
        values = self._reader.read(child(element, "yVal" if free else "val"))
        places = self._reader.read(child(element, "xVal" if free else "cat"))
        sizes = self._reader.read(child(element, "bubbleSize"))
        if not free:
            self.categories.append(places)
        length = max(values.length, places.length if not free else 0, 0)
        number = whole(setting(element, "idx")) or 0
        order = whole(setting(element, "order"))
        look = self._look(element, kind, number, marked=marked, lined=lined, filled=filled)
        for each in children(element, *_NOTED):
            self._painter.undrawn[_NOTED[local(each)]] += 1
        labels, own = self._labels(element, shared, length)
        inverted = child(element, "invertIfNegative")
        smooth = child(element, "smooth")
        return Series(
            self._name(element),
            values.numbers(length),
            places.numbers(length, 0.0) if free and places.numeric else (),
            sizes.numbers(length),
            tuple(places.texts.get(at, "") for at in range(length)),
            values.code,
            values.codes,
            look,
            self._points(element, kind, look, length if varied else 0, marked=marked, lined=lined, filled=filled),
            labels,
            own,
            smooth is not None and is_on(smooth.get("val"), True),
            inverted is not None and is_on(inverted.get("val"), True),
            self._count if order is None else order,
            self._count - 1,
        )

    def _name(self, element: Any) -> str:
        named = self._reader.read(child(element, "tx"))
        self.names.append(" ".join(each for _, each in sorted(named.texts.items()) if each))
        return self.names[-1] or f"Series {self._count}"

    def _look(self, element: Any, kind: Kind, number: int, *, marked: bool, lined: bool, filled: bool) -> Look:
        colour = self._painter.accent(number)
        return self._of(element, kind, Look(colour), colour, number, marked=marked, lined=lined, filled=filled)

    def _of(
        self, element: Any, kind: Kind, above: Look, colour: Paint, number: int, *, marked: bool, lined: bool,
        filled: bool,
    ) -> Look:  # fmt: skip
        painter = self._painter
        pushed = min(max((value(setting(element, "explosion")) or above.pushed * 100) / 100, 0.0), 4.0)
        if kind in ("line", "scatter", "radar") and not filled:
            line = above.edge or (Stroke(colour, _LINE) if lined and above.fill is not None else None)
            edge = painter.stroke(element, line, width=_LINE)
            return Look(None, edge, self._marker(element, above, edge, colour, number, marked=marked), pushed)
        return Look(painter.fill(element, above.fill), painter.stroke(element, above.edge), Marker(), pushed)

    def _marker(
        self, element: Any, above: Look, edge: Stroke | None, colour: Paint, number: int, *, marked: bool
    ) -> Marker:
        found = child(element, "marker")
        otherwise = above.marker if above.fill is None else Marker(_SYMBOLS[number % len(_SYMBOLS)] if marked else "")
        if found is None:
            return replace(otherwise, fill=otherwise.fill or colour)
        symbol = setting(found, "symbol") or (otherwise.symbol or _SYMBOLS[number % len(_SYMBOLS)])
        if symbol == "auto":
            symbol = _SYMBOLS[number % len(_SYMBOLS)]
        size = min(max(value(setting(found, "size")) or otherwise.size, 2.0), 72.0)
        ink = edge.paint if edge else colour
        fill = self._painter.fill(found, otherwise.fill or ink)
        outline = self._painter.stroke(found, otherwise.edge or Stroke(fill or ink))
        return Marker("" if symbol == "none" else "square" if symbol == "picture" else symbol, size, fill, outline)

    def _points(
        self, element: Any, kind: Kind, look: Look, varied: int, *, marked: bool, lined: bool, filled: bool
    ) -> dict[int, Look]:
        found = {}
        for at in range(varied):
            hue = self._painter.accent(at, varied)
            lines = kind in ("line", "scatter", "radar")
            found[at] = replace(look, marker=replace(look.marker, fill=hue)) if lines else replace(look, fill=hue)
        if varied and child(element, "spPr") is not None and kind not in ("pie", "doughnut"):
            found = {}  # a colour of its own counts for all points
        for each in children(element, "dPt"):
            number = whole(setting(each, "idx"))
            if number is None:
                continue
            above = found.get(number, look)
            colour = above.fill or (above.edge.paint if above.edge else self._painter.accent(number))
            found[number] = self._of(each, kind, above, colour, number, marked=marked, lined=lined, filled=filled)
        return found

    def _labels(self, element: Any, shared: Any, length: int) -> tuple[Labels, dict[int, Labels]]:
        own = child(element, "dLbls")
        general = self._label(own if own is not None else shared, Labels(lettering=self._texts))
        found = {}
        for each in children(own, "dLbl"):
            at = whole(setting(each, "idx"))
            if at is not None and at < length:
                found[at] = self._label(each, general)
        return general, found

    def _label(self, element: Any, otherwise: Labels) -> Labels:
        if element is None:
            return otherwise
        deleted = child(element, "delete")
        if deleted is not None and is_on(deleted.get("val"), True):
            return replace(otherwise, parts=frozenset(), words=None)
        flags = {local(each): is_on(each.get("val"), True) for each in children(element, *_SAID)}
        parts = frozenset(_SAID[name] for name, on in flags.items() if on) if flags else otherwise.parts
        coded = child(element, "numFmt")
        code = otherwise.code
        if coded is not None:
            code = None if is_on(coded.get("sourceLinked")) else coded.get("formatCode")
        between = child(element, "separator")
        rich = child(element, "tx", "rich")
        letters = self._painter.lettering(element, otherwise.lettering)
        words: tuple[tuple[str, str], ...] | None = None
        if rich is not None:
            lines = (map(_piece, children(each, "r", "fld", "br")) for each in children(rich, "p"))
            words = tuple(piece for line in lines for piece in (*line, _BREAK))[:-1]
            letters = self._painter.lettering(child(element, "tx"), letters)
        return Labels(
            parts,
            setting(element, "dLblPos") or otherwise.position,
            code,
            (between.text or ", ") if between is not None else otherwise.separator,
            letters,
            words,
        )
