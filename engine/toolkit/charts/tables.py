"""The data of charts as rows of texts, also of those of later kinds, `cx:chart` (MS-ODRAWXML, 2.24.3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from engine.toolkit.charts.model import Chart
from engine.toolkit.charts.plane import places
from engine.toolkit.charts.stored import Allowance, TooManyPoints, setting, whole
from engine.toolkit.xml_elements import child, children, local

_ENDLESS = re.compile(r"-?[0-9]+\.[0-9]{13,20}")


@dataclass(frozen=True)
class Table:
    """The title of a chart and its data: a header, and a row for each category or point."""

    title: str
    rows: tuple[tuple[str, ...], ...]


def of_chart(chart: Chart) -> Table:
    """The data of a chart, a column for each series; points with places of their own have a table below the other."""
    title = " ".join(chart.title.lines) if chart.title is not None else ""
    rows: list[tuple[str, ...]] = []
    common = [each for each in chart.series if not (each.xs or (each.sizes and any(each.sizes)))]
    if common:
        rows.append(("", *(each.name for each in common)))
        names = chart.levels[0] if chart.levels else ()
        groups = chart.levels[1:]
        count = max((len(names), *(len(each.values) for each in common)))
        above = [""] * len(groups)
        for at in range(count):
            for level, texts in enumerate(groups):
                above[level] = texts[at] if at < len(texts) and texts[at] else above[level]
            own = names[at] if at < len(names) else "" if names else str(at + 1)
            name = " ".join((*reversed([each for each in above if each]), own)).strip()
            rows.append((name, *(_shown(each.values, at) for each in common)))
    for series in chart.series:
        if series in common:
            continue
        sized = any(each is not None for each in series.sizes)
        rows.append(("X", series.name, *(("Size",) if sized else ())))
        xs = places(series.xs, len(series.values))
        for at in range(len(series.values)):
            text = _shown(xs, at) if series.xs else series.texts[at] or _shown(xs, at)
            rows.append((text, _shown(series.values, at), *((_shown(series.sizes, at),) if sized else ())))
    widest = max(map(len, rows), default=0)
    return Table(title, tuple((*each, *[""] * (widest - len(each))) for each in rows))


def _shown(values: tuple[float | None, ...], at: int) -> str:
    value = values[at] if at < len(values) else None
    return "" if value is None else f"{value:.15g}"


def of_other(root: Any, allowance: Allowance) -> tuple[str, Table] | None:
    """The kind of a chart that is not drawn, and its data; None if it has none. Raises TooManyPoints."""
    area = child(root, "chart", "plotArea", "plotAreaRegion")
    series = list(children(area, "series"))
    if not series:
        return None
    data = {each.get("id") or "": each for each in children(child(root, "chartData"), "data")}
    title = "".join(each.text or "" for each in _iter(child(root, "chart", "title"), "t"))
    names: list[str] = []
    columns: list[dict[int, str]] = []
    categories: dict[int, str] = {}
    for number, each in enumerate(series, start=1):
        own = data.get(setting(each, "dataId") or "")
        label = "".join(text.text or "" for text in _iter(child(each, "tx"), "v"))
        texts = [_level(level, allowance) for one in children(own, "strDim") for level in children(one, "lvl")]
        if texts and not categories:
            found = sorted({at for level in texts for at in level})
            categories = {at: " ".join(level[at] for level in reversed(texts) if level.get(at)) for at in found}
        for one in children(own, "numDim"):
            columns.append(
                {at: text for level in children(one, "lvl") for at, text in _level(level, allowance).items()}
            )
            names.append(label or f"Series {number}")
    if not columns and not categories:
        return None
    rows = [("", *names)]
    for at in sorted({*categories, *(at for each in columns for at in each)}):
        rows.append((categories.get(at, str(at + 1)), *(each.get(at, "") for each in columns)))
    return series[0].get("layoutId") or "", Table(title, tuple(rows))


def _iter(element: Any, name: str) -> list[Any]:
    return (
        []
        if element is None
        else [each for each in element.iter() if isinstance(each.tag, str) and local(each) == name]
    )


def _level(element: Any, allowance: Allowance) -> dict[int, str]:
    found: dict[int, str] = {}
    for each in children(element, "pt"):
        at = whole(each.get("idx"))
        if at is None or at > allowance.left:
            raise TooManyPoints
        allowance.take(1)
        text = (each.text or "").strip()
        found[at] = f"{float(text):.15g}" if _ENDLESS.fullmatch(text) else text
    return found
