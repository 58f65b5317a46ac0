"""Read the axes and titles of a chart part (ECMA-376, part 1, 21.2.2)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from engine.toolkit.charts.model import Axis, Lettering, Paint, Stroke, Title
from engine.toolkit.charts.painting import Painter, place
from engine.toolkit.charts.stored import setting, value, whole
from engine.toolkit.xml_elements import child, children, is_on, local

GREY = Stroke(Paint("#868686"))
_AXIS_KINDS: dict[str, Literal["category", "date", "value", "series"]] = {
    "catAx": "category", "valAx": "value", "dateAx": "date", "serAx": "series",
}  # fmt: skip
_UNITS = {
    "hundreds": 1e2, "thousands": 1e3, "tenThousands": 1e4, "hundredThousands": 1e5, "millions": 1e6,
    "tenMillions": 1e7, "hundredMillions": 1e8, "billions": 1e9, "trillions": 1e12,
}  # fmt: skip


def axis(element: Any, painter: Painter, texts: Lettering) -> Axis:
    """An axis of a chart."""
    scaling = child(element, "scaling")
    shown = child(element, "delete")
    crossing = _number(element, "crossesAt")
    grid, fine = (child(element, each) for each in ("majorGridlines", "minorGridlines"))
    deleted = shown is not None and is_on(shown.get("val"), True)
    heading = child(element, "title")
    bold = replace(texts, bold=True)
    base = _number(scaling, "logBase")
    step = _number(element, "majorUnit")
    letters = painter.lettering(element, texts)
    return Axis(
        id=setting(element, "axId") or "",
        kind=_AXIS_KINDS[local(element)],
        side=setting(element, "axPos") or "b",
        crossed=setting(element, "crossAx") or "",
        shown=not deleted,
        reversed=setting(scaling, "orientation") == "maxMin",
        low=_number(scaling, "min"),
        high=_number(scaling, "max"),
        step=step if step is not None and step > 0 else None,
        unit=setting(element, "majorTimeUnit") or "",
        base=setting(element, "baseTimeUnit") or "",
        log=base if base is not None and base >= 2 else None,
        code=_code(child(element, "numFmt")),
        title=None if heading is None else title(heading, painter, bold, "Axis Title"),
        grid=None if grid is None else painter.stroke(grid, GREY),
        fine_grid=None if fine is None else painter.stroke(fine, Stroke(Paint("#b3b3b3"), 0.5)),
        line=painter.stroke(element, GREY),
        ticks=setting(element, "majorTickMark") or "cross",
        fine_ticks=setting(element, "minorTickMark") or "none",
        labels=setting(element, "tickLblPos") or "nextTo",
        crosses=crossing if crossing is not None else setting(element, "crosses") or "autoZero",
        between=setting(element, "crossBetween") != "midCat",
        every=_count(element, "tickLblSkip"),
        ticked=_count(element, "tickMarkSkip"),
        lettering=letters,
        scaled=_unit(child(element, "dispUnits")),
    )


def title(element: Any, painter: Painter, letters: Lettering, otherwise: str) -> Title | None:
    """The text of a title; `otherwise` if it has none of its own."""
    words = child(element, "tx")
    rich = child(words, "rich")
    if rich is not None:
        letters = painter.lettering(words, letters)
        lines = ["".join(_said(each) for each in children(one)) for one in children(rich, "p")]
    else:
        letters = painter.lettering(element, letters)
        stored = child(words, "strRef", "strCache")
        lines = [child(each, "v").text or "" for each in children(stored, "pt") if child(each, "v") is not None]
    found = tuple(part for line in lines for part in line.split("\v") if part.strip()) or (otherwise,)
    laid = child(element, "overlay")
    return Title(found, letters, place(element), laid is not None and is_on(laid.get("val"), True))


def _said(each: Any) -> str:
    if local(each) == "br":
        return "\v"
    text = child(each, "t")
    return (text.text or "") if text is not None and local(each) in ("r", "fld") else ""


def _code(element: Any) -> str | None:
    """The number format of an element; None for that of the values."""
    if element is None or is_on(element.get("sourceLinked")):
        return None
    return element.get("formatCode") or None


def _unit(element: Any) -> float:
    own = _number(element, "custUnit")
    return own if own is not None and own > 0 else _UNITS.get(setting(element, "builtInUnit") or "", 1.0)


def _number(parent: Any, name: str) -> float | None:
    return value(setting(parent, name))


def _count(parent: Any, name: str) -> int | None:
    return whole(setting(parent, name)) or None
