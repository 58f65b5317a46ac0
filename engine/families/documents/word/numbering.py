"""List labels of paragraphs (ECMA-376, part 1, 17.9)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import properties
from engine.families.documents.word.names import W, child, integer, value
from engine.families.documents.word.number_formats import is_known, ordinal
from engine.families.documents.word.properties import Properties
from engine.families.documents.word.theme import Theme
from engine.toolkit import symbols

_PLACE = re.compile(r"%([1-9])")
_MOST = 100_000
_LONGEST = 255
"""The characters of a label's pattern that are read: each paragraph of its list repeats them."""


@dataclass(frozen=True)
class Level:
    """One list level: its label format, and its paragraph and label text properties."""

    start: int
    format: str
    text: str
    follow: str
    block: Properties
    run: Properties
    restart: int | None
    legal: bool
    style: str
    pictured: bool
    justified: str


@dataclass(frozen=True)
class Label:
    """The label of a paragraph; `follow` is tab, space or nothing, `justified` how it is about its position."""

    text: str
    follow: str
    run: Properties
    justified: str = "left"


class Numbering:
    """All lists of a document with their current counters."""

    def __init__(self, root: Element | None, theme: Theme, language: str = "") -> None:
        self._theme = theme
        self._language = language
        self.unknown: Counter[str] = Counter()
        """The labels that are decimal for a format that is not known, by format."""
        self.pictured = 0
        """The labels that are pictures in the file."""
        self._lists: dict[int, tuple[int, dict[int, Level], dict[int, int]]] = {}
        self._counts: dict[int, dict[int, int]] = {}
        self._begun: set[tuple[int, int]] = set()
        self._by_style: dict[tuple[int, str], int] = {}
        if root is None:
            return
        plans = {integer(each.get(W + "abstractNumId")): each for each in root.iterfind(W + "abstractNum")}
        linked = {
            value(child(each, "styleLink")): each for each in plans.values() if child(each, "styleLink") is not None
        }
        read: dict[int, dict[int, Level]] = {}
        for each in root.iterfind(W + "num"):
            number, plan = integer(each.get(W + "numId")), integer(value(child(each, "abstractNumId")))
            found = plans.get(plan)
            if number is None or plan is None or found is None:
                continue
            link = value(child(found, "numStyleLink"))
            found = linked.get(link, found) if link else found
            if plan not in read:
                read[plan] = {index: self._level(item) for index, item in _levels(found)}
            levels = dict(read[plan])
            starts: dict[int, int] = {}
            for over in each.iterfind(W + "lvlOverride"):
                index = integer(over.get(W + "ilvl")) or 0
                start = integer(value(child(over, "startOverride")))
                if (item := child(over, "lvl")) is not None:
                    levels[index] = self._level(item)
                if start is not None:
                    starts[index] = start
            self._lists[number] = (plan, levels, starts)
            for index, level in levels.items():
                if level.style:
                    self._by_style[number, level.style] = index

    def level(self, number: int | None, index: int) -> Level | None:
        """A level of a list; None if it isn't a list."""
        return self._lists[number][1].get(index) if number in self._lists else None

    def level_of(self, number: int, style: str) -> int | None:
        """The list level linked to a paragraph style."""
        return self._by_style.get((number, style))

    def next(self, number: int, index: int, language: str = "") -> Label | None:
        """Advance the list by one paragraph in a language, and return its label."""
        level = self.level(number, index)
        if level is None:
            return None
        plan, levels, starts = self._lists[number]
        counts = self._counts.setdefault(plan, {})
        if index in starts and (number, index) not in self._begun:
            counts[index] = starts[index] - 1
        elif index not in counts:
            counts[index] = level.start - 1
        self._begun.add((number, index))
        counts[index] = min(counts[index] + 1, _MOST)
        for deeper in [each for each in counts if each > index]:
            again = levels[deeper].restart if deeper in levels else None
            if again is None or index < again:
                del counts[deeper]
        if level.format == "none" and not level.text:
            return Label("", level.follow, level.run)
        if level.format == "bullet":
            self.pictured += level.pictured
            return Label(symbols.shown(level.text, level.run.get("font", "")), level.follow, level.run, level.justified)

        language = language or level.run.get("lang", "") or self._language

        def spelled(match: re.Match[str]) -> str:
            at = int(match[1]) - 1
            other = levels.get(at, level)
            known = is_known(other.format, language)
            self.unknown[other.format] += not level.legal and not known
            count = counts.setdefault(at, other.start) if at <= index else other.start
            return ordinal(count, "decimal" if level.legal or not known else other.format)

        return Label(_PLACE.sub(spelled, level.text), level.follow, level.run, level.justified)

    def _level(self, element: Element) -> Level:
        restart = integer(value(child(element, "lvlRestart")))
        return Level(
            start=integer(value(child(element, "start"))) or 0,  # nothing stands for 0 (17.9.25)
            format=value(child(element, "numFmt")) or "decimal",
            text=(value(child(element, "lvlText")) or "")[:_LONGEST],
            follow=value(child(element, "suff")) or "tab",
            block=properties.paragraph(child(element, "pPr"), self._theme),
            run=properties.run(child(element, "rPr"), self._theme),
            restart=restart,
            legal=child(element, "isLgl") is not None,
            style=value(child(element, "pStyle")) or "",
            pictured=child(element, "lvlPicBulletId") is not None,
            justified=value(child(element, "lvlJc")) or "left",
        )


def _levels(plan: Element) -> list[tuple[int, Element]]:
    return [(integer(each.get(W + "ilvl")) or 0, each) for each in plan.iterfind(W + "lvl")]
