"""Charts as files store them, written by hand, in documents, presentations and on their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lxml import etree

from tests.converters.test_slides import deck
from tests.families.documents import files

C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WP = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
_CX = "http://schemas.microsoft.com/office/drawing/2014/chartex"
NAMES = ("North", "South", "West")
FREE = ("scatterChart", "bubbleChart")


def cache(kind: str, values: Sequence[object], code: str = "General") -> str:
    points = "".join(f'<c:pt idx="{at}"><c:v>{each}</c:v></c:pt>' for at, each in enumerate(values) if each is not None)
    inside = f'<c:ptCount val="{len(values)}"/>{points}'
    if kind == "str":
        return f"<c:strRef><c:f>Sheet1!A1</c:f><c:strCache>{inside}</c:strCache></c:strRef>"
    return (
        f"<c:numRef><c:f>Sheet1!A1</c:f><c:numCache><c:formatCode>{code}</c:formatCode>{inside}</c:numCache></c:numRef>"
    )


def series(
    name: str, values: Sequence[object], *, at: int = 0, cat: str | None = None, code: str = "General", more: str = "",
    free: bool = False,
) -> str:  # fmt: skip
    """A series; `free` for points with places of their own, `more` before its values."""
    names = cache("str", NAMES[: len(values)]) if cat is None else cat
    first, second = ("xVal", "yVal") if free else ("cat", "val")
    named = f"<c:tx>{cache('str', [name])}</c:tx>" if name else ""
    return (
        f'<c:ser><c:idx val="{at}"/><c:order val="{at}"/>{named}{more}<c:{first}>{names}</c:{first}>'
        f"<c:{second}>{cache('num', values, code)}</c:{second}></c:ser>"
    )


def plot(kind: str, inside: str, *, ids: tuple[int, int] | None = (1, 2), before: str = "") -> str:
    axes = "".join(f'<c:axId val="{each}"/>' for each in ids or ())
    return f"<c:{kind}>{before}{inside}{axes}</c:{kind}>"


def axis(kind: str, id: int, crossing: int, side: str, more: str = "") -> str:
    return (
        f'<c:{kind}><c:axId val="{id}"/><c:scaling/><c:delete val="0"/><c:axPos val="{side}"/>{more}'
        f'<c:crossAx val="{crossing}"/></c:{kind}>'
    )


AXES = axis("catAx", 1, 2, "b") + axis("valAx", 2, 1, "l")


def space(plots: str, *, axes: str = AXES, title: str = "", legend: str = "", before: str = "") -> str:
    """A chart part."""
    heading = (
        f"<c:title><c:tx><c:rich><a:p><a:r><a:t>{title}</a:t></a:r></a:p></c:rich></c:tx></c:title>" if title else ""
    )
    return (
        f'<c:chartSpace xmlns:c="{C}" xmlns:a="{_A}" xmlns:r="{_R}">{before}<c:chart>{heading}<c:plotArea>{plots}{axes}'
        f"</c:plotArea>{legend}</c:chart></c:chartSpace>"
    )


def of_kind(kind: str) -> str:
    """A chart of one plot of a kind, with three points in two series."""
    free = kind in FREE
    cat = cache("num", [1, 2, 3]) if free else None
    made = "".join(
        series(f"Series {at}", [3, 5, at + 1], at=at, cat=cat, free=free)
        for at in range(1 if kind == "pieChart" else 2)
    )
    axes = axis("valAx", 1, 2, "b") + axis("valAx", 2, 1, "l") if free else AXES
    return space(plot(kind, made), axes=axes, title="Sales", legend='<c:legend><c:legendPos val="r"/></c:legend>')


def other() -> str:
    """A treemap, in the part of later kinds of charts."""
    return (
        f'<cx:chartSpace xmlns:cx="{_CX}" xmlns:a="{_A}"><cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:lvl>'
        '<cx:pt idx="0">Leaf</cx:pt><cx:pt idx="1">Root</cx:pt></cx:lvl></cx:strDim><cx:numDim type="size"><cx:lvl>'
        '<cx:pt idx="0">22</cx:pt><cx:pt idx="1">7</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart>'
        '<cx:plotArea><cx:plotAreaRegion><cx:series layoutId="treemap"><cx:tx><cx:txData><cx:v>Plants</cx:v>'
        '</cx:txData></cx:tx><cx:dataId val="0"/></cx:series></cx:plotAreaRegion>'
        "</cx:plotArea></cx:chart></cx:chartSpace>"
    )


def root(text: str) -> Any:
    return etree.fromstring(text)


def _graphic(id: str, kind: str) -> str:
    uri, prefix = (C, "c") if kind == "chart" else (_CX, "cx")
    return (
        f'<a:graphic xmlns:a="{_A}"><a:graphicData uri="{uri}"><{prefix}:chart xmlns:{prefix}="{uri}" xmlns:r="{_R}" '
        f'r:id="{id}"/></a:graphicData></a:graphic>'
    )


def word(*charts: str) -> bytes:
    """A document with charts, each in a paragraph of its own between texts."""
    body, extra = "<w:p><w:r><w:t>Before</w:t></w:r></w:p>", {}
    for at, each in enumerate(charts):
        kind = "chartEx" if "chartex" in each[:200] else "chart"
        drawing = (
            f'<w:drawing><wp:inline xmlns:wp="{_WP}"><wp:extent cx="4572000" cy="2743200"/><wp:docPr id="{at + 1}" '
            f'name="c"/>{_graphic(f"c{at}", kind)}</wp:inline></w:drawing>'
        )
        body += f"<w:p><w:r>{drawing}</w:r></w:p>"
        extra[f"c{at}"] = (kind, f"charts/{kind}{at}.xml", each)
    return files.word(f"{body}<w:p><w:r><w:t>After</w:t></w:r></w:p>", extra)


def grouped(chart: str) -> bytes:
    """A document with a chart in a group."""
    names = "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup"
    place = '<a:off x="0" y="0"/><a:ext cx="4572000" cy="2743200"/>'
    whole = f'{place}<a:chOff x="0" y="0"/><a:chExt cx="4572000" cy="2743200"/>'
    frame = f"<g:graphicFrame><g:xfrm>{place}</g:xfrm>{_graphic('c0', 'chart')}</g:graphicFrame>"
    body = (
        f'<w:p><w:r><w:drawing><wp:inline xmlns:wp="{_WP}"><wp:extent cx="4572000" cy="2743200"/><wp:docPr id="1" '
        f'name="c"/><a:graphic xmlns:a="{_A}"><a:graphicData uri="{names}"><g:wgp xmlns:g="{names}"><g:grpSpPr>'
        f"<a:xfrm>{whole}</a:xfrm></g:grpSpPr>{frame}</g:wgp></a:graphicData></a:graphic></wp:inline></w:drawing>"
        "</w:r></w:p>"
    )
    return files.word(body, {"c0": ("chart", "charts/chart0.xml", chart)})


def slides(*charts: str) -> bytes:
    """A presentation of one slide with charts."""
    frames, extra, related = "", {}, []
    for at, each in enumerate(charts):
        kind = "chartEx" if "chartex" in each[:200] else "chart"
        frames += (
            f"<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id='{at + 2}' name='c'/><p:nvPr/></p:nvGraphicFramePr>"
            f'<p:xfrm><a:off x="0" y="0"/><a:ext cx="4572000" cy="2743200"/></p:xfrm>{_graphic(f"c{at}", kind)}'
            "</p:graphicFrame>"
        )
        extra[f"ppt/charts/{kind}{at}.xml"] = each
        related.append((f"c{at}", kind, f"../charts/{kind}{at}.xml"))
    return deck(frames, extra, *related)
