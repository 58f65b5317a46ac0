"""Charts of presentations as PowerPoint writes them (ECMA-376, part 1, 21.2): bars, lines and pies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.office import styles

CHART = "http://schemas.openxmlformats.org/drawingml/2006/chart"


def chart(kind: str, names: Sequence[str], series: Mapping[str, Sequence[float]]) -> str:
    """A chart with a value for each name."""

    def points(values: Sequence[object]) -> str:
        inside = "".join(f'<c:pt idx="{at}"><c:v>{value}</c:v></c:pt>' for at, value in enumerate(values))
        return f'<c:ptCount val="{len(values)}"/>{inside}'

    made = "".join(
        f'<c:ser><c:idx val="{at}"/><c:order val="{at}"/><c:tx><c:strRef><c:f>S!$A${at + 1}</c:f><c:strCache>'
        f"{points([name])}</c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:f>S!$B$1</c:f><c:strCache>{points(names)}"
        f"</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:f>S!$C$1</c:f><c:numCache>{points(values)}</c:numCache>"
        "</c:numRef></c:val></c:ser>"
        for at, (name, values) in enumerate(series.items())
    )
    axes = (
        '<c:catAx><c:axId val="1"/><c:scaling/><c:delete val="0"/><c:axPos val="b"/><c:crossAx val="2"/>'
        "</c:catAx><c:valAx>"
        '<c:axId val="2"/><c:scaling/><c:delete val="0"/><c:axPos val="l"/><c:majorGridlines/><c:crossAx '
        'val="1"/></c:valAx>'
    )
    used = '<c:axId val="1"/><c:axId val="2"/>'
    shown = {
        "bar": f'<c:barChart><c:barDir val="col"/><c:grouping val="clustered"/>{made}<c:gapWidth val="150"/>{used}'
        f"</c:barChart>{axes}",
        "line": f'<c:lineChart><c:grouping val="standard"/>{made}{used}</c:lineChart>{axes}',
        "pie": f'<c:pieChart><c:varyColors val="1"/>{made}</c:pieChart>',
    }[kind]
    return (
        f'<c:chartSpace xmlns:c="{CHART}" xmlns:a="{styles.A}"><c:chart><c:autoTitleDeleted val="1"/><c:plotArea>'
        f'<c:layout/>{shown}</c:plotArea><c:legend><c:legendPos val="r"/></c:legend></c:chart></c:chartSpace>'
    )
