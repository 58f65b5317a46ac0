"""Facts about a workbook's sheets, read from the file before a library opens it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.families.data import cell_references as places
from engine.families.data.cell_references import Area, Place
from engine.families.data.features import Feature
from engine.toolkit.warnings import MAX_EXAMPLES, Kind

WITHOUT_CELLS = Kind("SHEET_SKIPPED", "Sheets without cells, such as charts, are not in the output: {count}{places}.")
BESIDE_SHEETS = "\0"
"""The name of the part of a workbook in XML that is in no sheet: styles, settings, properties, how days are written."""
_ATTRIBUTE = re.compile(r"""(?<![\w:.-])([\w:.-]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""")


@dataclass
class Seen:
    """The count of a finding, and its first places."""

    count: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, place: str = "", count: int = 1) -> None:
        self.count += count
        if place and len(self.examples) < MAX_EXAMPLES:
            self.examples.append(place)


def without_cells(name: str) -> Kind:
    """The kind of sheets that the sheet `name` was converted instead of."""
    return Kind(
        "SHEET_SKIPPED",
        "Sheets before “{name}”, which was converted, have no cells: {count}{places}. Use sheet to choose another.",
        (("name", name),),
    )


def seen(places: Iterable[str]) -> Seen:
    """All of these places."""
    result = Seen()
    for place in places:
        result.add(place)
    return result


@dataclass
class SheetFacts:
    """Facts of one part: an upper bound on its cells, its features and its merged areas.

    `misread` means that the library has to read a mended copy, `long` that it has numbers of ten digits or more;
    `uncalculated` formulas have no value yet; `exact` are
    integers with more digits than a float holds, by row and column from 0; widths are in characters; links are
    addresses, or the ids of relationships that have them; `threads` are comments with their replies, whose cells may
    have a note for older programs, too; `place` is the offset of a sheet that is not a part of its own.
    """

    cells: int = 0
    features: dict[Feature, Seen] = field(default_factory=dict)
    errors: Seen = field(default_factory=Seen)
    uncalculated: Seen = field(default_factory=Seen)
    merged: list[Area] = field(default_factory=list)
    misread: bool = False
    long: bool = False
    exact: dict[tuple[int, int], int] = field(default_factory=dict)
    place: int = 0
    widths: dict[int, float] = field(default_factory=dict)
    hidden_columns: set[int] = field(default_factory=set)
    hidden_rows: set[int] = field(default_factory=set)
    notes: dict[Place, str] = field(default_factory=dict)
    threads: dict[Place, list[str]] = field(default_factory=dict)
    links: dict[Place, str] = field(default_factory=dict)

    def see(self, feature: Feature, place: str = "", count: int = 1) -> None:
        if count:
            self.features.setdefault(feature, Seen()).add(place, count)

    def hide_columns(self, columns: range) -> None:
        """Record hidden columns."""
        self.see(Feature.HIDDEN_COLUMN, places.column_name(columns.start), max(1, len(columns)))
        self.hidden_columns.update(columns)

    def widen(self, columns: range, width: float) -> None:
        """Record columns with a custom width, in characters."""
        if width > 0:
            self.see(Feature.WIDTH, places.column_name(columns.start), max(1, len(columns)))
            self.widths.update(dict.fromkeys(columns, min(width, 255.0)))


@dataclass(frozen=True)
class Styles:
    """The number format of each cell style, and the styles with a fill colour."""

    formats: tuple[str, ...] = ()
    filled: frozenset[int] = frozenset()


@dataclass(frozen=True)
class CodePage:
    """The code page an xls file declares, and its offset; `in_unicode` means that no text uses it."""

    number: int
    place: int
    in_unicode: bool


@dataclass
class WorkbookFacts:
    """Facts of each part of a workbook; sheets are found by name if it names their parts.

    `related` are the parts that belong to a part, `addresses` its external targets by id. `breaks` means that cells of
    an ods file contain tabs or line breaks, `odd` are the relationships of sheets that are neither worksheets nor
    charts, `lost` the names of sheets without a part in the file, and `outside` are external addresses. `from_1904`
    means that days are counted from 1904.
    """

    parts: dict[str, SheetFacts] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    targets: dict[str, str] = field(default_factory=dict)
    related: dict[str, list[str]] = field(default_factory=dict)
    styles: Styles = field(default_factory=Styles)
    odd: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    breaks: bool = False
    macros: int = 0
    readings: int = 0
    outside: list[str] = field(default_factory=list)
    addresses: dict[str, dict[str, str]] = field(default_factory=dict)
    code_page: CodePage | None = None
    from_1904: bool = False

    def part_name(self, sheet: str) -> str:
        """The part name of a sheet; empty if unknown."""
        return self.targets.get(self.names.get(sheet, ""), "")

    def part(self, sheet: str) -> SheetFacts:
        return self.parts.get(self.part_name(sheet), SheetFacts())

    def features(self, sheet: str) -> dict[Feature, Seen]:
        """The features of the sheet in its own part and related ones."""
        found: dict[Feature, Seen] = {}
        for each in self._of(sheet):
            for feature, seen in each.features.items():
                total = found.setdefault(feature, Seen())
                total.count += seen.count
                total.examples += seen.examples[: MAX_EXAMPLES - len(total.examples)]
        noted = {place for each in self._of(sheet) for place in each.notes}
        for row, column in sorted({place for each in self._of(sheet) for place in each.threads} - noted):
            found.setdefault(Feature.NOTE, Seen()).add(places.cell(row, column))
        return found

    def notes(self, sheet: str) -> dict[Place, str]:
        """The notes and comments on cells of a sheet."""
        found = {place: text for part in self._of(sheet) for place, text in part.notes.items()}
        return found | {place: "\n\n".join(texts) for part in self._of(sheet) for place, texts in part.threads.items()}

    def _of(self, sheet: str) -> list[SheetFacts]:
        name = self.part_name(sheet)
        return [self.parts[each] for each in (name, *self.related.get(name, ())) if each in self.parts]

    def links(self, sheet: str) -> dict[Place, str]:
        """The link targets of a sheet's cells; those within the workbook begin with #."""
        known = self.addresses.get(self.part_name(sheet), {})
        return {place: known.get(link, link) for place, link in self.part(sheet).links.items()}

    def cells(self, sheet: str) -> int:
        # An unidentified sheet counts as the largest.
        return self.part(sheet).cells or max((each.cells for each in self.parts.values()), default=0)


def attributes(tag: str) -> dict[str, str]:
    """The attributes of one tag by name as written."""
    return {key: html.unescape(first or second) for key, first, second in _ATTRIBUTE.findall(tag)}
