"""A task: something people want done with a file, in their words, on a page with no more fields than it needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from conversions.families.registry import CONVERTERS
from conversions.offer import current
from conversions.pages.controls import Field
from conversions.sayings.telling import language, spoken
from conversions.toolkit.declaring import Converter

__all__ = ["TURNS", "Field", "Task", "pairs", "same"]

Group = Literal["PDF", "Pictures", "Documents", "Tables and data", "Sound and film", "Books and more"]
Picture = Literal[
    "becomes", "smaller", "merge", "split", "turn", "cut", "locked", "opened", "read", "covered", "cleaned"
]


TURNS = {"90": "A quarter to the right", "180": "Upside down", "270": "A quarter to the left"}


@dataclass(frozen=True)
class Task:
    """One page; `slugs` are the conversions that do it, of which the name of the file chooses one."""

    name: str
    title: str
    does: str
    group: Group
    slugs: tuple[str, ...]
    picture: Picture = "becomes"
    fields: tuple[Field, ...] = ()
    sets: Mapping[str, str] = field(default_factory=dict)
    """Options that the task itself decides."""
    asked: tuple[tuple[str, str], ...] = ()
    """Questions with their answers."""
    called: str = ""
    """Other words that people look for it by."""

    def told(self) -> Task:
        """The same in the language of the request; its fields are told by their controls."""
        if language() is None:
            return self
        asked = tuple((spoken(question), spoken(answer)) for question, answer in self.asked)
        return replace(self, title=spoken(self.title), does=spoken(self.does), asked=asked)

    @property
    def converters(self) -> tuple[Converter, ...]:
        """The conversions of it that are offered here; none where the one that has its name is switched off."""
        offered = current().converters
        if self.name in CONVERTERS and self.name not in offered:
            return ()
        return tuple(offered[slug] for slug in self.slugs if slug in offered)


def pairs(inputs: str, output: str) -> tuple[str, ...]:
    """The slugs from each of the inputs, ids with blanks between, to one output."""
    return tuple(f"{each}-to-{output}" for each in inputs.split())


def same(formats: str) -> tuple[str, ...]:
    """The slugs from each of the formats to itself."""
    return tuple(f"{each}-to-{each}" for each in formats.split())
