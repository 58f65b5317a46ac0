"""Records of contacts and events: what one component of a file holds, read alike for both."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from conversions.families.data.agenda import rows
from conversions.families.data.agenda.content_lines import Component, components
from conversions.families.data.agenda.rows import Record
from conversions.families.data.table import Documents, Table, batched
from conversions.families.data.values import Value
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.warnings import Kind, Warn

Collect = Callable[[list[Component], Warn, "Binaries"], list[Record]]


class Binaries:
    """Pictures and files inside properties: what is not to be kept is counted by its name."""

    def __init__(self, *, keep: bool) -> None:
        self.dropped: list[str] = []
        self._keep = keep

    def drops(self, name: str) -> bool:
        """Whether the one in the property `name` is left out, which is counted then."""
        if not self._keep:
            self.dropped.append(name)
        return not self._keep


@dataclass(frozen=True)
class Format:
    """What a file is made of.

    All its outermost components have the `name`; `collect` makes records of them, `missing` says that there are none.
    `flat` makes a row of one, and `order` names its columns. `left_out` is the warning for binaries.
    What usually stands `inside` of an outermost component may be a file of its own, as programs copy it.
    """

    name: str
    collect: Collect
    missing: str
    flat: Callable[[Record], dict[str, Value]]
    order: Iterable[str]
    left_out: Kind
    inside: frozenset[str] = frozenset()

    def objects(self, source: Path, warn: Warn, *, binaries: bool) -> Documents:
        """Each record as an object. Raises Unreadable for a file that is none of this format."""
        records = self._records(source, warn, binaries=binaries)
        return Documents(lambda: batched(records), many=True)

    def table(self, source: Path, warn: Warn, *, binaries: bool) -> Table:
        """Each record as a row. Raises Unreadable for a file that is none of this format."""
        return rows.table(self._records(source, warn, binaries=binaries), self.flat, self.order)

    def _records(self, source: Path, warn: Warn, *, binaries: bool) -> list[Record]:
        found = components(source.read_bytes(), warn)
        if found and all(each.name in self.inside for each in found):
            found = [Component(self.name, found[0].line, children=found)]
        for each in found:
            if each.name != self.name:
                raise Unreadable(f"Line {each.line} begins a {each.name}, not a {self.name}.", line=each.line)
        met = Binaries(keep=binaries)
        records = self.collect(found, warn, met)
        warn.tally(self.left_out, len(met.dropped), met.dropped)
        if not records:
            raise Unreadable(self.missing)
        return records
