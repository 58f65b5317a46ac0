"""Facts: what a workbook's file tells of its sheets before a library opens it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from conversions.families.data.features import Feature
from conversions.families.data.workbooks import places
from conversions.families.data.workbooks.places import Area, Place
from conversions.toolkit.warnings import MAX_EXAMPLES, Kind

WITHOUT_CELLS = Kind("SHEET_SKIPPED", "Sheets without cells, such as charts, are not in the output")

_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")


@dataclass
class Seen:
    """How often something was found, and the first few places."""

    count: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, place: str = "", count: int = 1) -> None:
        self.count += count
        if place and len(self.examples) < MAX_EXAMPLES:
            self.examples.append(place)


def seen(places: Iterable[str]) -> Seen:
    """All of these places."""
    result = Seen()
    for place in places:
        result.add(place)
    return result


@dataclass
class SheetFacts:
    """What one part tells: the cells of the area it spans at most, what it has beside values, and its merged areas.

    `uncalculated` formulas have no value yet; `exact` are integers with more digits than a float holds, by row and
    column from 0; widths are in characters, and links are addresses, or the ids of relations that have them; `place` is
    where in the file the sheet begins, if it is no part of its own.
    """

    cells: int = 0
    features: dict[Feature, Seen] = field(default_factory=dict)
    errors: Seen = field(default_factory=Seen)
    uncalculated: Seen = field(default_factory=Seen)
    merged: list[Area] = field(default_factory=list)
    exact: dict[tuple[int, int], int] = field(default_factory=dict)
    place: int = 0
    widths: dict[int, float] = field(default_factory=dict)
    hidden_columns: set[int] = field(default_factory=set)
    hidden_rows: set[int] = field(default_factory=set)
    notes: dict[Place, str] = field(default_factory=dict)
    links: dict[Place, str] = field(default_factory=dict)

    def see(self, feature: Feature, place: str = "", count: int = 1) -> None:
        if count:
            self.features.setdefault(feature, Seen()).add(place, count)

    def hide_columns(self, columns: range) -> None:
        """Take note of hidden columns."""
        self.see(Feature.HIDDEN_COLUMN, places.letters(columns.start), max(1, len(columns)))
        self.hidden_columns.update(columns)

    def widen(self, columns: range, width: float) -> None:
        """Take note of columns whose width is their own, in characters."""
        if width > 0:
            self.see(Feature.WIDTH, places.letters(columns.start), max(1, len(columns)))
            self.widths.update(dict.fromkeys(columns, min(width, 255.0)))


@dataclass(frozen=True)
class Styles:
    """The number format of each style of cells, and the styles that fill a cell with a colour."""

    formats: tuple[str, ...] = ()
    filled: frozenset[int] = frozenset()


@dataclass(frozen=True)
class CodePage:
    """The code page that an xls file names, and where in its records; `in_unicode` says that no text is in it."""

    number: int
    place: int
    in_unicode: bool


@dataclass
class WorkbookFacts:
    """What was seen of each part of a workbook; sheets are found by name where it names their parts.

    `related` has the parts that belong to a part, `addresses` what it leads to outside of the file, by ids. `breaks`
    tells that cells of an ods file have tabs or line breaks in them, `odd` has the relations of sheets that are neither
    worksheets nor charts, and `outside` the addresses of what is not in the file.
    """

    parts: dict[str, SheetFacts] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    targets: dict[str, str] = field(default_factory=dict)
    related: dict[str, list[str]] = field(default_factory=dict)
    styles: Styles = field(default_factory=Styles)
    odd: list[str] = field(default_factory=list)
    breaks: bool = False
    macros: bool = False
    outside: list[str] = field(default_factory=list)
    addresses: dict[str, dict[str, str]] = field(default_factory=dict)
    code_page: CodePage | None = None

    def part_name(self, sheet: str) -> str:
        """The name of the part that holds a sheet; empty where it can't be told."""
        return self.targets.get(self.names.get(sheet, ""), "")

    def part(self, sheet: str) -> SheetFacts:
        return self.parts.get(self.part_name(sheet), SheetFacts())

    def features(self, sheet: str) -> dict[Feature, Seen]:
        """What the sheet has beside its values, in its own part and in those that belong to it."""
        name = self.part_name(sheet)
        found: dict[Feature, Seen] = {}
        for each in (name, *self.related.get(name, ())):
            for feature, seen in self.parts.get(each, SheetFacts()).features.items():
                total = found.setdefault(feature, Seen())
                total.count += seen.count
                total.examples += seen.examples[: MAX_EXAMPLES - len(total.examples)]
        return found

    def notes(self, sheet: str) -> dict[Place, str]:
        """The notes on cells of a sheet."""
        name = self.part_name(sheet)
        parts = (self.parts.get(each, SheetFacts()) for each in (name, *self.related.get(name, ())))
        return {place: text for part in parts for place, text in part.notes.items()}

    def links(self, sheet: str) -> dict[Place, str]:
        """The addresses that cells of a sheet lead to; those within the workbook begin with #."""
        known = self.addresses.get(self.part_name(sheet), {})
        return {place: known.get(link, link) for place, link in self.part(sheet).links.items()}

    def cells(self, sheet: str) -> int:
        # A sheet that can't be told apart counts as the largest.
        return self.part(sheet).cells or max((each.cells for each in self.parts.values()), default=0)


def attributes(tag: str) -> dict[str, str]:
    """The attributes of one tag by their names as written."""
    return {key: html.unescape(first or second) for key, first, second in _ATTRIBUTE.findall(tag)}
