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

__all__ = ["TURNS", "Field", "Task", "pairs", "same"]

Group = Literal["PDF", "Pictures", "Documents", "Tables and data", "Sound and film", "Books and more"]
Picture = Literal[
    "becomes", "smaller", "merge", "split", "turn", "cut", "locked", "opened", "read", "covered", "cleaned"
]


TURNS = {"90": "A quarter to the right", "180": "Upside down", "270": "A quarter to the left"}


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
    called: str = ""
    """Synonyms for the search."""

    def translated(self) -> Task:
        """The task in the language of the request; controls translate its fields."""
        if language() is None:
            return self
        asked = tuple((translated(question), translated(answer)) for question, answer in self.asked)
        return replace(self, title=translated(self.title), does=translated(self.does), asked=asked)

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
