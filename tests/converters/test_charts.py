"""Charts of office files: read from what they store, drawn, and written as tables where nothing can be drawn."""

from __future__ import annotations

import io
import re
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from engine.families import auditing
from engine.families.registry import CONVERTERS
from engine.toolkit.charts import svg
from engine.toolkit.charts.figures import Drawing, Outline, Words
from engine.toolkit.charts.model import Chart
from engine.toolkit.charts.of_file import Charts
from engine.toolkit.charts.painting import Surroundings
from engine.toolkit.charts.stored import MOST_POINTS
from engine.toolkit.charts.tables import Table, of_chart
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.converters.chart_parts import (
    AXES,
    NAMES,
    axis,
    cache,
    grouped,
    of_kind,
    other,
    plot,
    root,
    series,
    slides,
    space,
    word,
)
from tests.converters.test_documents import Convert
from tests.engine.losing import change, lost

_ACCENTS = ("111111", "222222", "333333", "444444", "555555", "666666")
_SIZE = 400.0, 240.0
_DRAWN = (
    "barChart", "bar3DChart", "lineChart", "areaChart", "pieChart", "doughnutChart", "scatterChart", "bubbleChart",
    "radarChart", "stockChart",
)  # fmt: skip


def _colour(element: object) -> str | None:
    found = re.search(r'srgbClr[^<>]* val="([0-9A-F]{6})"', svg_of(element))
    return f"#{found[1].lower()}" if found else None


def svg_of(element: object) -> str:
    from lxml import etree

    return str(etree.tostring(element).decode())


AROUND = Surroundings(_colour, _ACCENTS)


def read(text: str) -> Chart:
    made = Charts().read(root(text), AROUND)
    assert isinstance(made, Chart)
    return made


def drawn(text: str) -> Drawing:
    return Charts().draw(read(text), _SIZE)


def said(drawing: Drawing) -> list[str]:
    return [each.text for each in drawing.items if isinstance(each, Words)]


def filled(drawing: Drawing, colour: str) -> list[Outline]:
    return [each for each in drawing.items if isinstance(each, Outline) and each.fill and each.fill.colour == colour]


def heights(outline: Outline) -> list[float]:
    """The heights of the rectangles in an outline."""
    ys = [numbers[1] for letter, numbers in outline.steps if letter in "ML"]
    return [round(max(ys[at : at + 4]) - min(ys[at : at + 4]), 3) for at in range(0, len(ys), 4)]


@pytest.mark.parametrize("kind", _DRAWN)
def test_every_kind_is_drawn_with_its_title_and_legend(kind: str) -> None:
    drawing = drawn(of_kind(kind))
    words = said(drawing)
    assert "Sales" in words
    wanted = NAMES if kind in ("pieChart", "doughnutChart") else ("Series 0", "Series 1")
    assert all(each in words for each in wanted)
    assert all(0 <= each.at[0] <= _SIZE[0] and 0 <= each.at[1] <= _SIZE[1] for each in drawing.items
               if isinstance(each, Words))  # fmt: skip
    assert svg.svg(drawing, label="Sales").startswith('<svg class="chart"')


def test_bars_are_as_high_as_their_values() -> None:
    drawing = drawn(space(plot("barChart", series("A", [1, 2, 4]))))
    (bars,) = filled(drawing, "#111111")
    one, two, four = heights(bars)
    assert (two / one, four / one) == pytest.approx((2.0, 4.0), rel=0.01)


def test_stacked_bars_stand_on_each_other_and_full_ones_reach_the_top() -> None:
    inside = series("A", [1, 1, 1]) + series("B", [3, 3, 3], at=1)
    for grouping in ("stacked", "percentStacked"):
        drawing = drawn(space(plot("barChart", inside, before=f'<c:grouping val="{grouping}"/>')))
        (lower,), (upper,) = filled(drawing, "#111111"), filled(drawing, "#222222")
        assert heights(upper)[0] / heights(lower)[0] == pytest.approx(3.0, rel=0.01)
        bottom = min(numbers[1] for _, numbers in lower.steps if numbers)
        assert max(numbers[1] for _, numbers in upper.steps if numbers) == pytest.approx(bottom)
    assert {"0%", "50%", "100%"} <= set(said(drawing))


def test_horizontal_bars_begin_at_the_left() -> None:
    drawing = drawn(space(plot("barChart", series("A", [1, 2, 4]), before='<c:barDir val="bar"/>')))
    (bars,) = filled(drawing, "#111111")
    starts = {round(numbers[0], 3) for letter, numbers in bars.steps if letter == "M"}
    assert len(starts) == 1


def test_a_second_axis_has_a_scale_of_its_own() -> None:
    axes = AXES + axis("catAx", 3, 4, "b", '<c:delete val="1"/>') + axis("valAx", 4, 3, "r", '<c:crosses val="max"/>')
    plots = plot("barChart", series("A", [1, 2, 3])) + plot(
        "lineChart", series("B", [1000, 2000, 4000], at=1), ids=(3, 4)
    )
    words = {each.text: each.at[0] for each in drawn(space(plots, axes=axes)).items if isinstance(each, Words)}
    assert words["1"] < _SIZE[0] / 4
    assert words["4000"] > _SIZE[0] * 3 / 4


def test_values_and_dates_have_the_formats_of_the_file() -> None:
    days = cache("num", [45292, 45323, 45352], "mmm yyyy")
    axes = axis("dateAx", 1, 2, "b", '<c:numFmt formatCode="mmm yyyy" sourceLinked="1"/>') + axis("valAx", 2, 1, "l")
    words = said(drawn(space(plot("lineChart", series("A", [0.1, 0.2, 0.4], cat=days, code="0%")), axes=axes)))
    assert {"Jan 2024", "Feb 2024", "Mar 2024", "0%", "40%"} <= set(words)


def test_dates_of_1904_are_four_years_later() -> None:
    days = cache("num", [0, 31], "yyyy")
    words = said(drawn(space(plot("lineChart", series("A", [1, 2], cat=days)), before='<c:date1904 val="1"/>')))
    assert "1904" in words


def test_labels_say_what_the_file_asks_for() -> None:
    flags = '<c:dLbls><c:numFmt formatCode="0.0&quot; kg&quot;" sourceLinked="0"/><c:showVal val="1"/></c:dLbls>'
    field = '<a:p><a:r><a:t>about </a:t></a:r><a:fld id="x" type="VALUE"><a:t>[VALUE]</a:t></a:fld></a:p>'
    own = f'<c:dLbls><c:dLbl><c:idx val="1"/><c:tx><c:rich>{field}</c:rich></c:tx></c:dLbl>'
    assert {"1.0 kg", "4.0 kg"} <= set(said(drawn(space(plot("barChart", series("A", [1, 2, 4], more=flags))))))
    made = said(drawn(space(plot("barChart", series("A", [1, 2, 4], more=f"{own}{flags[9:]}")))))
    assert {"about 2.0 kg", "4.0 kg"} <= set(made)
    percent = '<c:dLbls><c:showPercent val="1"/></c:dLbls>'
    assert {"25%", "50%"} <= set(said(drawn(space(plot("pieChart", series("A", [1, 1, 2], more=percent))))))


def test_colours_are_those_of_the_theme_or_of_the_file() -> None:
    own = '<c:spPr><a:solidFill><a:srgbClr val="ABCDEF"/></a:solidFill></c:spPr>'
    drawing = drawn(space(plot("barChart", series("A", [1, 2]) + series("B", [1, 2], at=1, more=own))))
    assert filled(drawing, "#111111")
    assert filled(drawing, "#abcdef")
    slices = drawn(space(plot("pieChart", series("A", [1, 2, 3]))))
    assert all(filled(slices, f"#{each}") for each in _ACCENTS[:3])


def test_colours_of_the_strict_variant_have_shares_in_percent() -> None:
    from engine.families.documents.word.theme import Theme

    space_ = "http://schemas.openxmlformats.org/drawingml/2006/main"
    fill = '<a:solidFill xmlns:a="{}"><a:srgbClr val="808080"><a:lumMod val="{}"/></a:srgbClr></a:solidFill>'
    found = [Theme(None).drawn(root(fill.format(space_, share))) for share in ("50000", "50%", "50.0%")]
    assert found == ["#404040"] * 3


def test_an_empty_point_is_a_gap_or_bridged_as_the_file_says() -> None:
    def parts(blanks: str) -> int:
        text = space(plot("lineChart", series("A", [1, None, 3])))
        text = text.replace("</c:plotArea>", f'</c:plotArea><c:dispBlanksAs val="{blanks}"/>')
        lines = [each for each in drawn(text).items if isinstance(each, Outline) and each.edge
                 and each.edge.paint.colour == "#111111"]  # fmt: skip
        return sum(letter == "L" for each in lines for letter, _ in each.steps)

    assert [parts("gap"), parts("span"), parts("zero")] == [0, 1, 2]


def test_deleted_axes_and_entries_are_not_drawn() -> None:
    axes = AXES.replace('<c:delete val="0"/>', '<c:delete val="1"/>')
    legend = '<c:legend><c:legendEntry><c:idx val="0"/><c:delete val="1"/></c:legendEntry></c:legend>'
    text = space(plot("barChart", series("A", [1, 2]) + series("B", [1, 2], at=1)), axes=axes, legend=legend)
    assert said(drawn(text)) == ["B"]


def test_charts_in_space_and_parts_that_are_not_drawn_are_named() -> None:
    charts, warn = Charts(), Warn()
    trend = "<c:trendline><c:trendlineType val='linear'/></c:trendline>"
    text = space(plot("bar3DChart", series("A", [1, 2], more=trend))).replace("<c:plotArea>", "<c:view3D/><c:plotArea>")
    made = charts.read(root(text), AROUND)
    assert isinstance(made, Chart)
    charts.draw(made, _SIZE)
    charts.report(warn)
    messages = " ".join(str(each.message) for each in warn.warnings)
    assert "3-D charts are drawn flat: 1." in messages
    assert "left out or drawn in a simpler way: 1 (trend line)" in messages


def test_points_of_all_charts_have_one_limit_and_those_beyond_it_are_counted() -> None:
    charts, warn = Charts(), Warn()
    many = space(plot("lineChart", series("A", list(range(MOST_POINTS * 2 // 3)), cat="")))
    found = [charts.read(root(many), AROUND) for _ in range(3)]
    assert [each is not None for each in found] == [True, False, False]
    assert charts.read(root(of_kind("barChart")), AROUND) is not None, "a small one has room still"
    charts.report(warn)
    assert [each.code for each in warn.warnings] == ["CONTENT_DROPPED"]
    assert "50,000 points for a file were left out: 2." in str(warn.warnings[0].message)


def test_a_point_far_away_takes_the_room_of_those_before_it() -> None:
    text = space(plot("lineChart", series("A", [1, 2]))).replace('<c:pt idx="1">', '<c:pt idx="900000000">')
    charts = Charts()
    assert charts.read(root(text), AROUND) is None
    assert charts.lost == 1


@pytest.mark.parametrize("kind", _DRAWN)
def test_many_points_and_strange_values_take_little_time(kind: str) -> None:
    values = [*(at % 97 for at in range(20_000)), 1e299, -1e299, "nan", "inf", "x", 0]
    free = kind in ("scatterChart", "bubbleChart")
    flags = '<c:dLbls><c:showVal val="1"/></c:dLbls>'
    text = space(plot(kind, series("A", values, cat="", more=flags, free=free)))
    began = time.process_time()
    written = svg.svg(drawn(text), label="")
    assert time.process_time() - began < 4
    assert "nan" not in written
    assert "inf" not in written


def test_many_series_take_time_by_their_number() -> None:
    many = "".join(series(f"S{at}", [1], at=at) for at in range(8_000))
    began = time.process_time()
    assert len(filled(drawn(space(plot("barChart", many), legend="<c:legend/>")), "#111111")) > 100
    assert time.process_time() - began < 6


def test_labels_beyond_those_that_can_be_read_are_counted() -> None:
    charts, warn = Charts(), Warn()
    flags = '<c:dLbls><c:showVal val="1"/></c:dLbls>'
    made = charts.read(root(space(plot("lineChart", series("A", range(5_000), cat="", more=flags)))), AROUND)
    assert isinstance(made, Chart)
    drawing = charts.draw(made, _SIZE)
    charts.report(warn)
    assert len(said(drawing)) == 4_000
    names = f"label × {drawing.unlabelled}, axis label × {drawing.unshown}"
    assert f"simpler way: {drawing.unlabelled + drawing.unshown:,} ({names}" in str(warn.warnings[0].message)
    assert drawing.unshown > 1_000
    assert drawing.unlabelled > 900


def test_entries_of_a_legend_and_series_of_a_pie_that_are_left_out_are_counted() -> None:
    charts, warn = Charts(), Warn()
    two = series("A", range(210), cat="") + series("B", [1], at=1)
    made = charts.read(root(space(plot("pieChart", two), legend="<c:legend/>")), AROUND)
    assert isinstance(made, Chart)
    charts.draw(made, _SIZE)
    charts.report(warn)
    assert "simpler way: 11 (series of a pie after its first, legend entry × 10" in str(warn.warnings[0].message)


def test_the_data_of_a_chart_are_a_table() -> None:
    made = of_chart(read(space(plot("barChart", series("A", [1, 2.5, None])), title="Sales")))
    assert made == Table("Sales", (("", "A"), ("North", "1"), ("South", "2.5"), ("West", "")))
    points = cache("num", [0.5, 1.5])
    made = of_chart(read(space(plot("scatterChart", series("B", [3, 4], cat=points, free=True)))))
    assert made.rows == (("X", "B"), ("0.5", "3"), ("1.5", "4"))


def _audited(folder: Path, slug: str, data: bytes) -> tuple[bytes, list[str]]:
    converter = CONVERTERS[slug]
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(data)
    warn = Warn()
    auditing.run(converter, source, target, build(converter.options, {}), warn)
    return target.read_bytes(), [str(each.message) for each in warn.warnings]


@pytest.mark.parametrize(("slug", "made"), [("docx-to-html", word), ("pptx-to-html", slides)])
def test_charts_are_drawings_on_a_page(tmp_path: Path, slug: str, made: object) -> None:
    data, messages = _audited(tmp_path, slug, made(of_kind("barChart"), of_kind("pieChart")))  # type: ignore[operator]
    assert data.count(b'<svg class="chart"') == 2
    assert b"<title>Sales</title>" in data
    assert not any("hart" in each for each in messages)


@pytest.mark.parametrize("slug", ["docx-to-html", "docx-to-pdf"])
def test_a_chart_in_a_group_is_drawn(tmp_path: Path, slug: str) -> None:
    data, messages = _audited(tmp_path, slug, grouped(of_kind("barChart")))
    if slug == "docx-to-pdf":
        text = pypdfium2.PdfDocument(data)[0].get_textpage().get_text_range()
        assert all(each in text for each in (*NAMES, "Sales", "Series 1"))
    else:
        assert data.count(b'<svg class="chart"') == 1
    assert not any("hart" in each or "hape" in each for each in messages)


@pytest.mark.parametrize(("slug", "made"), [("docx-to-html", word), ("pptx-to-html", slides)])
def test_a_chart_that_a_page_loses_is_named(tmp_path: Path, slug: str, made: object) -> None:
    tear = change('<svg class="chart" ', "<svg ")
    assert lost(tmp_path, slug, made(of_kind("barChart")), tear) == {"charts"}  # type: ignore[operator]


def test_charts_of_a_document_are_drawn_in_a_pdf(tmp_path: Path) -> None:
    data, messages = _audited(tmp_path, "docx-to-pdf", word(of_kind("barChart")))
    text = pypdfium2.PdfDocument(data)[0].get_textpage().get_text_range()
    assert all(each in text for each in (*NAMES, "Sales", "Series 1", "Before", "After"))
    assert not any("hart" in each for each in messages)


@pytest.mark.parametrize(
    ("slug", "folder"), [("docx-to-odt", "Pictures/"), ("docx-to-epub", "EPUB/media/"), ("pptx-to-docx", "word/media/")]
)
def test_charts_are_pictures_in_documents(tmp_path: Path, slug: str, folder: str) -> None:
    made = (word if slug.startswith("docx") else slides)(of_kind("barChart"))
    data, messages = _audited(tmp_path, slug, made)
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        (name,) = [each for each in parts.namelist() if each.startswith(folder) and each.endswith(".png")]
        picture = Image.open(io.BytesIO(parts.read(name))).convert("RGB")
    assert picture.width / picture.height == pytest.approx(5 / 3, rel=0.01)
    assert (0x4F, 0x81, 0xBD) in {colour for _, colour in picture.getcolors(1 << 24) or ()}
    assert not any("hart" in each for each in messages)


@pytest.mark.parametrize(("slug", "made"), [("docx-to-markdown", word), ("pptx-to-markdown", slides)])
def test_charts_are_tables_of_their_data_in_texts(tmp_path: Path, slug: str, made: object) -> None:
    done = Convert(tmp_path, slug, made(of_kind("barChart")))  # type: ignore[operator]
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in done.text.splitlines() if row[:1] == "|"]
    assert rows[0] == ["", "Series 0", "Series 1"]
    assert rows[2:] == [["North", "3", "3"], ["South", "5", "5"], ["West", "1", "2"]]
    assert "**Sales**" in done.text
    assert "Charts became tables of their data: 1." in done.messages


@pytest.mark.parametrize(
    ("slug", "made"),
    [("docx-to-html", word), ("docx-to-odt", word), ("docx-to-markdown", word), ("pptx-to-html", slides)],
)
def test_kinds_that_are_not_drawn_are_named_and_tables_of_their_data(tmp_path: Path, slug: str, made: object) -> None:
    data, messages = _audited(tmp_path, slug, made(other()))  # type: ignore[operator]
    assert "Charts of kinds that are not drawn became tables of their data: 1 (treemap)." in messages
    if slug.endswith("odt"):
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            data = parts.read("content.xml")
    assert all(each in data for each in (b"Leaf", b"Root", b"22", b"Plants"))
    assert not any("Charts are missing" in each for each in messages)


def test_a_surface_is_a_table_of_its_data(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-html", word(of_kind("surfaceChart")))
    assert "not drawn became tables of their data: 1 (surface)." in done.messages
    assert "<td" in done.text


def test_charts_whose_part_is_missing_are_counted(tmp_path: Path) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(word(of_kind("barChart")))) as before, zipfile.ZipFile(made, "w") as after:
        for each in before.namelist():
            if "charts/chart0" not in each:
                after.writestr(each, before.read(each))
    data = made.getvalue()
    for slug in ("docx-to-html", "docx-to-odt"):
        _, messages = _audited(tmp_path, slug, data)
        assert any("were left out: 1" in each for each in messages), slug


@pytest.mark.parametrize(
    ("named", "expected"),
    [("", "Calibri"), ("<a:latin typeface='Georgia'/>", "Georgia"), ("<a:latin typeface='+mn-lt'/>", "Calibri")],
)
def test_text_of_a_chart_is_in_its_font_or_that_of_the_theme(named: str, expected: str) -> None:
    own = f"<c:txPr><a:p><a:pPr><a:defRPr>{named}</a:defRPr></a:pPr></a:p></c:txPr></c:chartSpace>"
    charts = Charts()
    made = charts.read(root(of_kind("barChart").replace("</c:chartSpace>", own)), replace(AROUND, font="Calibri"))
    assert isinstance(made, Chart)
    drawn = svg.svg(charts.draw(made, _SIZE), label="", font=made.font)
    assert f"font-family=\"'{expected}', " in drawn
