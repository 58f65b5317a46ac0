"""Parts of forms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from django import template

register = template.Library()


class Folded(Protocol):
    """A control that may be folded, as in `conversions.pages.controls`."""

    @property
    def section(self) -> str: ...

    @property
    def is_set(self) -> bool: ...


@dataclass(frozen=True)
class Section:
    """Controls under one heading, or under none; `is_open` if one of them was set or is wrong."""

    heading: str
    controls: tuple[Folded, ...]

    @property
    def is_open(self) -> bool:
        return any(each.is_set for each in self.controls)


@register.filter
def sections(controls: Iterable[Folded]) -> list[Section]:
    """The controls by section, in their order."""
    return [Section(heading, tuple(each)) for heading, each in groupby(controls, lambda control: control.section)]
