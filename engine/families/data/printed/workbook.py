"""Convert a workbook to the pages that a spreadsheet program would print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any

from reportlab.pdfgen.canvas import Canvas

from engine.families.data import cell_references as places
from engine.families.data.features import Feature
from engine.families.data.printed import charts, ods_sheets, papers, xlsx_sheets
from engine.families.data.printed.looks import PLAIN, Looks, Setup
from engine.families.data.printed.metafiles import Metafiles
from engine.families.data.printed.pages import Pages
from engine.families.data.printed.paging import MOST_PAGES, Sheet
from engine.families.data.printed.sheets import Printed, laid_out
from engine.families.data.printed.text_boxes import TextBox
from engine.families.data.printed.values import Values
from engine.families.data.readers import workbooks
from engine.families.data.table import Table
from engine.families.data.values import texts as texts_of
from engine.families.html_pdf import paper, render
from engine.families.html_pdf.visibility.against_html import check
from engine.toolkit.failures import InvalidOption, OverLimit
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

MOST_CELLS = 200_000
"""Cells with a text or a style in all sheets, which take about 20 s."""
_KEPT = frozenset(
    {
        Feature.NUMBER_FORMAT, Feature.COLOUR, Feature.MERGED, Feature.HIDDEN_SHEET, Feature.HIDDEN_ROW,
        Feature.HIDDEN_COLUMN, Feature.WIDTH, Feature.FORMULA, Feature.LINK, Feature.PICTURE, Feature.CHART,
        Feature.SHAPE,
    }
)  # fmt: skip
"""What is drawn, or reported here by what is not."""
_LOST = {
    "shapes": Kind("CONTENT_DROPPED", "Drawn shapes, controls and embedded objects were left out: {count}{places}."),
    "charts": Kind("CONTENT_DROPPED", "Charts were left out: {count}{places}.", counts="charts"),
    "pictures": Kind("CONTENT_DROPPED", "Pictures were left out: {count}{places}.", counts="pictures"),
    "head_pictures": Kind("CONTENT_DROPPED", "Pictures in headers and footers were left out: {count}{places}."),
    "conditions": Kind("STYLE_DROPPED", "Conditional formats that are not drawn: {count}{places}."),
    "tables": Kind("STYLE_DROPPED", "Styles of whole tables are not drawn: {count}{places}."),
    "patterns": Kind("STYLE_DROPPED", "Patterns in cells are drawn as plain colours: {count}{places}."),
    "codes": Kind("CONTENT_DROPPED", "Fields in headers and footers that have no text here: {count}{places}."),
    "links": Kind(
        "CONTENT_DROPPED",
        "Links that lead nowhere in a PDF were left out: {count}{places}.",
        counts="links",
        drawn=True,
    ),
    "merges": Kind("MERGED_CELLS", "Merged cells keep their value in the first cell only: {count}{places}."),
}
_UNPRINTED = Kind(
    "CONTENT_DROPPED",
    "Cells that are hidden or outside the print area are not on the pages: {count}{places}.",
    drawn=True,
)
_MISSING = Kind("GLYPH_MISSING", "Characters that no font here has are missing: {count}{places}.")


def write(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Draw the sheets as they would be printed. Raises what reading them does, and OverLimit for too much content."""
    reading = replace(options, header_row=False, empty_rows=True, values="shown", range="")
    tables, facts, file = workbooks.read_with_facts(source, reading, warn, hidden_too=False)
    if file.suffix == ".ods":
        book = ods_sheets.read(file)
    else:
        book = xlsx_sheets.read(file, facts, [each.name for each in tables])
    cells = sum(len(row) for looks in book.sheets.values() for row in looks.cells.values())
    if cells > MOST_CELLS:
        raise OverLimit("timeout", say("The workbook has too many cells for a PDF: {count}.", count=cells))
    missing: Counter[str] = Counter()
    sheets: list[Printed] = []
    printed: list[str] = []
    pages_left = MOST_PAGES
    for table in tables:
        looks = book.sheets.setdefault(table.name, Looks([PLAIN], PLAIN.font))
        looks.setup = _setup(looks.setup, options)
        _choose(looks, options)
        texts = _texts(table, looks)
        made = laid_out(table.name, looks, texts, papers.A4, lambda each: missing.update((each,)), pages_left)
        pages_left -= len(made.pages)
        if pages_left < 0:
            raise OverLimit(
                "limit", say("The sheets would have more than {count} pages. Choose one with sheet.", count=MOST_PAGES)
            )
        book.lost["merges"] += made.merges_lost
        sheets.append(made)
        printed += _said(made)
    if not any(each.pages for each in sheets):  # a blank one, with its header
        sheets[0].pages.append((Sheet((0, 0), (0, 0), None, None), 1.0))
    title = options.title or (sheets[0].name if len(sheets) == 1 and sheets[0].name != "Sheet1" else "")
    canvas = Canvas(str(target), invariant=True, pageCompression=1)
    canvas.setTitle(title or "")
    canvas.setProducer("")
    values = Values(book.sheets, {each.name: each.texts for each in sheets})

    drawn = charts.WorkbookCharts(book.colours, values.of)
    metafiles = Metafiles(canvas, target, warn)
    pages = Pages(
        canvas, drawn.drawing, options.title or "", datetime.now(UTC), lambda each: missing.update((each,)), metafiles
    )
    pages.draw(sheets, lambda done, total: warn.progress(done, total, "pages"))
    canvas.save()
    metafiles.fill(target)
    book.lost += pages.undrawn
    drawn.charts.report(warn)
    _report(book.lost, sheets, missing, pages.shown, drawn.charts.lost, warn)
    warn.leave_out([text for each in sheets for text in each.unprinted])
    for table in tables:
        table.found.report_lost(_KEPT, warn)
    render.report_fonts(_fonts(sheets), warn)
    items = (item for sheet in sheets for item in sheet.looks.placed if id(item) in pages.shown)
    printed += [item.box.text for item in items if isinstance(item.box, TextBox)]
    words = "".join(f"<p>{escape(each)}</p>" for each in (*printed, *dict.fromkeys(pages.heads)))
    check(target, [f"<html><body>{words}</body></html>"], warn)


def _setup(setup: Setup, options: Any) -> Setup:
    """The page setup of a sheet with what the options set in its place."""
    if options.page_size:
        setup = replace(setup, paper=paper.paper(options.page_size))
    if options.orientation != "auto":
        setup = replace(setup, landscape=options.orientation == "landscape")
        if not setup.landscape and (size := setup.paper or papers.A4)[0] > size[1]:
            setup = replace(setup, paper=(size[1], size[0]))
    if options.margin:
        setup = replace(setup, margins=paper.margins(options.margin).around)
    if options.fit != "document":
        setup = replace(setup, fit=(1, 0) if options.fit == "width" else (1, 1))
    if options.header_text is not None:
        setup = replace(setup, heads=(_code(options.header_text, options),) * 3)
    if options.footer_text is not None:
        setup = replace(setup, feet=(_code(options.footer_text, options),) * 3)
    return setup


def _code(text: str, options: Any) -> str:
    """A header of the options in the codes of workbooks."""
    text = text.replace("&", "&&")
    for field, code in (("{page}", "&P"), ("{pages}", "&N"), ("{date}", "&D")):
        text = text.replace(field, code)
    return f"&C{text.replace('{title}', (options.title or '').replace('&', '&&'))}"


def _choose(looks: Looks, options: Any) -> None:
    """Print the range that the options choose in place of the sheet's print area."""
    if options.range:
        area = places.area(options.range)
        if area is None:
            raise InvalidOption("range", "Enter a range of cells such as A1:D20, A:D or 2:50.")
        looks.areas = (area,)


def _texts(table: Table, looks: Looks) -> dict[int, dict[int, str]]:
    """The shown texts of a sheet by row and column."""
    found: dict[int, dict[int, str]] = {}
    row, left = table.corner
    for batch in table.batches():
        for cells in texts_of(batch):
            filled = {column: text for column, text in enumerate(cells, left) if text}
            if not looks.zeros and filled:
                own = looks.cells.get(row, {})
                filled = {at: text for at, text in filled.items() if not ((cell := own.get(at)) and cell.value == 0)}
            if filled:
                found[row] = filled
            row += 1
    return found


def _said(made: Printed) -> Iterable[str]:
    """The texts that must be on the pages."""
    left = Counter(made.unprinted)
    for filled in made.texts.values():
        for text in filled.values():
            if left and left[text] > 0:
                left[text] -= 1
            else:
                yield text


def _report(
    lost: Counter[str], sheets: list[Printed], missing: Counter[str], shown: set[int], named: int, warn: Warn
) -> None:
    for each in (item for sheet in sheets for item in sheet.looks.placed):
        lost["pictures" if each.picture else "shapes" if each.box else "charts"] += id(each) not in shown
    lost["charts"] = max(lost["charts"] - named, 0)
    for name, kind in _LOST.items():
        warn.tally(kind, lost[name])
    for sheet in sheets:
        warn.tally(_UNPRINTED, len(sheet.unprinted), (f"“{each[:40]}”" for each in sheet.unprinted), part=sheet.name)
    warn.tally(_MISSING, missing.total(), (f"U+{ord(each):04X}" for each in missing))
    numbers = sum(
        cell.kind in ("n", "b") for each in sheets for row in each.looks.cells.values() for cell in row.values()
    )
    warn.account("formatting", sum(len(row) for each in sheets for row in each.looks.cells.values()))
    warn.account("rules", sum(each.looks.rules + _settings(each.looks.setup) for each in sheets))
    warn.account("values", numbers)  # they are on the pages as a spreadsheet shows them


def _settings(setup: Setup) -> int:
    """The settings of a sheet's page and its headers, which are drawn, as the census counts them."""
    usual = setup.paper in (None, papers.A4, papers.LETTER)
    printed = (*setup.centred, setup.gridlines, setup.headings, setup.landscape, not usual)
    return sum(printed) + (setup.fit is not None or setup.scale != 1) + sum(map(bool, (*setup.heads, *setup.feet)))


def _fonts(sheets: list[Printed]) -> dict[str, set[str]]:
    """The fonts of the cells, in order, with the characters set in each."""
    found: dict[str, set[str]] = {}
    for each in sheets:
        for at, row in each.looks.cells.items():
            for column, cell in row.items():
                if cell.kind:
                    name = each.looks.styles[cell.style].font.name
                    found.setdefault(name, set()).update(each.texts.get(at, {}).get(column, ""))
    return dict(sorted(found.items()))
