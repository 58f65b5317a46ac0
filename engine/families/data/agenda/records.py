"""The common record model of contacts and events."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from engine.families.data.agenda import rows
from engine.families.data.agenda.content_lines import Component, components
from engine.families.data.agenda.rows import Record
from engine.families.data.table import Documents, Table, batched
from engine.families.data.values import Value
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

Collect = Callable[[list[Component], Warn, "Binaries"], list[Record]]


class Binaries:
    """Binary properties such as pictures: those that are not kept are counted by name."""

    def __init__(self, *, keep: bool) -> None:
        self.dropped: list[str] = []
        self._keep = keep

    def drops(self, name: str) -> bool:
        """Return whether the binary in the property `name` is dropped, and count it if so."""
        if not self._keep:
            self.dropped.append(name)
        return not self._keep


@dataclass(frozen=True)
class Format:
    """The structure of a format.

    All outermost components have the `name`; `collect` turns them into records, `missing` is the error if there are
    none. `flat` turns a record into a row, and `order` names the columns. `left_out` is the warning for binaries. A
    component that is usually `inside` another may also be a file, as programs copy it.
    """

    name: str
    collect: Collect
    missing: str
    flat: Callable[[Record], dict[str, Value]]
    order: Iterable[str]
    left_out: Kind
    inside: frozenset[str] = frozenset()

    def objects(self, source: Path, warn: Warn, *, binaries: bool) -> Documents:
        """Each record as an object. Raises Unreadable for a file of another format."""
        records = self._records(source, warn, binaries=binaries)
        return Documents(lambda: batched(records), many=True)

    def table(self, source: Path, warn: Warn, *, binaries: bool) -> Table:
        """Each record as a row. Raises Unreadable for a file of another format."""
        return rows.table(self._records(source, warn, binaries=binaries), self.flat, self.order)

    def _records(self, source: Path, warn: Warn, *, binaries: bool) -> list[Record]:
        found = components(source.read_bytes(), warn)
        if found and all(each.name in self.inside for each in found):
            found = [Component(self.name, found[0].line, children=found)]
        for each in found:
            if each.name != self.name:
                raise Unreadable(
                    say(
                        "Line {line} starts a {name} instead of a {name2}.",
                        line=each.line,
                        name=each.name,
                        name2=self.name,
                    ),
                    line=each.line,
                    reason="damaged",
                )
        met = Binaries(keep=binaries)
        records = self.collect(found, warn, met)
        warn.tally(self.left_out, len(met.dropped), met.dropped)
        if not records:
            raise Unreadable(self.missing, reason="format")
        return records
