"""A task: something that people want done with a file, in their words, on a page with few fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from conversions.pages.controls import Field
from conversions.wording import language, translated
from conversions.work.offer import current
from engine.families.registry import CONVERTERS
from engine.toolkit.declaring import Converter
from engine.toolkit.formats import FORMATS, Format

__all__ = ["CHOOSING_ORDER", "TURNS", "Field", "Gathering", "Task", "pairs", "same"]

Group = Literal["PDF", "Pictures", "Documents", "Tables and data", "Audio and video", "Books and more"]
Picture = Literal[
    "becomes", "smaller", "merge", "split", "turn", "cut", "locked", "opened", "read", "covered", "cleaned"
]


CHOOSING_ORDER = (
    "How do I choose the order?",
    "Drag the files in the list, or use the arrows beside them. You can add and remove files at any time.",
)
"""The question about several files that become one result."""
TURNS = {"90": "A quarter to the right", "180": "Upside down", "270": "A quarter to the left"}


@dataclass(frozen=True)
class Gathering:
    """Several files become one result: the page packs them in a ZIP, in the order that its visitor chooses.

    `slug` is the conversion of the ZIP. Of fewer files than `least` nothing is made by it.
    """

    slug: str
    members: tuple[str, ...]
    """Ids of the formats that can be in the ZIP, the most usual first."""
    sets: Mapping[str, str] = field(default_factory=dict)
    """Options of the conversion that the task fixes."""
    least: int = 2
    apart: str = ""
    """Label of the switch for a result of each file; empty if the task has none."""
    script: Literal["gather.js", "organize.js"] = "gather.js"
    """What shows the files: as a list, or page by page."""

    @property
    def formats(self) -> tuple[Format, ...]:
        return tuple(FORMATS[each] for each in self.members)


@dataclass(frozen=True)
class Task:
    """One page; `slugs` are its conversions, chosen by the file's extension."""

    name: str
    title: str
    does: str
    group: Group
    slugs: tuple[str, ...]
    picture: Picture = "becomes"
    fields: tuple[Field, ...] = ()
    sets: Mapping[str, str] = field(default_factory=dict)
    """Options fixed by the task."""
    asked: tuple[tuple[str, str], ...] = ()
    """Questions with their answers."""
    gathers: Gathering | None = None
    """How several files become one result, if they do."""
    see: str = ""
    """Name of a task that does the same with thumbnails of the pages."""
    called: str = ""
    """Synonyms for the search."""

    def translated(self) -> Task:
        """The task in the language of the request; controls translate its fields."""
        if language() is None:
            return self
        asked = tuple((translated(question), translated(answer)) for question, answer in self.asked)
        gathers = self.gathers and replace(self.gathers, apart=translated(self.gathers.apart))
        return replace(self, title=translated(self.title), does=translated(self.does), asked=asked, gathers=gathers)

    @property
    def converters(self) -> tuple[Converter, ...]:
        """Its available conversions; none if the one it is named after is switched off."""
        offered = current().converters
        if self.name in CONVERTERS and self.name not in offered:
            return ()
        return tuple(offered[slug] for slug in self.slugs if slug in offered)


def pairs(inputs: str, output: str) -> tuple[str, ...]:
    """Slugs from each input, space-separated ids, to one output."""
    return tuple(f"{each}-to-{output}" for each in inputs.split())


def same(formats: str) -> tuple[str, ...]:
    """Slugs from each format to itself."""
    return tuple(f"{each}-to-{each}" for each in formats.split())
