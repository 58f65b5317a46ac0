"""The data of charts as rows of texts (ECMA-376, part 1, 21.2.2)."""

from __future__ import annotations

import re

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import A, integer

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_ENDLESS = re.compile(r"-?[0-9]+\.[0-9]{13,20}")
_MOST_POINTS = 20_000


def data(root: Element) -> tuple[str, list[list[str]]]:
    """The title of a chart and its data: a header, a row for each category, a column for each series."""
    title = root.find(f"{C}chart/{C}title")
    heading = "" if title is None else "".join(each.text or "" for each in title.iter(A + "t"))
    series = list(root.iter(C + "ser"))[:100]
    categories: dict[int, str] = {}
    columns: list[tuple[str, dict[int, str]]] = []
    for at, each in enumerate(series, start=1):
        name = next((v.text or "" for v in each.iterfind(f"{C}tx//{C}v")), "") or f"Series {at}"
        for kind in ("cat", "xVal"):
            categories |= {
                index: text for index, text in _points(each.find(C + kind)).items() if index not in categories
            }
        values = each.find(C + "val")
        columns.append((name, _points(values if values is not None else each.find(C + "yVal"))))
    if title is not None and not heading and len(columns) == 1:
        heading = columns[0][0]  # an empty title stands for the name of the only series
    rows = [["", *(name for name, _ in columns)]]
    for index in sorted({*categories, *(at for _, points in columns for at in points)})[:2_000]:
        rows.append([categories.get(index, str(index + 1)), *(points.get(index, "") for _, points in columns)])
    return heading, rows


def _points(element: Element | None) -> dict[int, str]:
    found: dict[int, str] = {}
    for each in () if element is None else element.iter(C + "pt"):
        index = integer(each.get("idx"))
        if index is not None and len(found) < _MOST_POINTS:
            found[index] = _number((each.findtext(C + "v") or "").strip())
    return found


def _number(text: str) -> str:
    """A number as it was typed: files store all binary digits (IEEE 754)."""
    if text.endswith(".0"):
        return text[:-2]
    return f"{float(text):.15g}" if _ENDLESS.fullmatch(text) else text
