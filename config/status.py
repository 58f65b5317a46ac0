"""The status page of staff: what works on this machine, what doesn't, and what would change that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from config import health
from conversions.wording import translated
from conversions.work import runner
from conversions.work.offer import current
from engine.families.registry import CONVERTERS, DECLARED, MISSING
from engine.toolkit.declaring import Converter
from engine.toolkit.formats import FORMATS, Format


@dataclass(frozen=True)
class Gap:
    """Something that is not installed: the conversions that need it, between which formats, and how to install it."""

    absent: str
    conversions: int
    formats: tuple[str, ...]
    remedy: str


@dataclass(frozen=True)
class Row:
    """A format: how many of its declared conversions work here, as input and as output."""

    name: str
    reads: int
    of_reads: int
    writes: int
    of_writes: int

    @property
    def is_whole(self) -> bool:
        return (self.reads, self.writes) == (self.of_reads, self.of_writes)


def status() -> dict[str, Any]:
    """The facts of the page."""
    failing, programs, isolation = health.readiness()
    offered = current().converters
    return {
        "checks": [(name, name not in failing) for name in health.CHECKS],
        "programs": programs,
        "isolation": isolation,
        "confined": runner.canary().confined if isolation else False,
        "working": len(offered),
        "declared": len({each.slug for each in DECLARED}),
        "switched_off": len(CONVERTERS) - len(offered),
        "gaps": _gaps(),
        "formats": _formats(offered.values()),
    }


def _gaps() -> list[Gap]:
    """What is not installed, by what is absent."""
    needed: defaultdict[tuple[str, ...], list[Converter]] = defaultdict(list)
    seen: set[str] = set()
    for each in sorted(DECLARED, key=lambda each: each.alternative is not None):
        if each.slug in MISSING and each.slug not in seen:
            seen.add(each.slug)
            needed[each.engine.absent].append(each)
    return [
        Gap(", ".join(absent), len(several), _names(several), _remedy(several[0]))
        for absent, several in sorted(needed.items())
    ]


def _names(converters: Iterable[Converter]) -> tuple[str, ...]:
    """The formats that occur most among these conversions, in which the others are read or written."""
    used = {side for each in converters for side in (each.input, each.output)}
    lost = {each for each in used if all(each not in (one.input, one.output) for one in CONVERTERS.values())}
    return tuple(sorted(translated(each.name) for each in lost or used))


def _remedy(converter: Converter) -> str:
    if converter.engine.file is None:
        return _("Install requirements-extras.txt: see “More formats” in docs/operating.md.")
    if converter.declared_in.startswith("engine.families.libreoffice"):
        return _("Install LibreOffice: see “LibreOffice” in docs/operating.md.")
    return _("Install requirements.txt again: one of its files is missing.")


def _formats(offered: Iterable[Converter]) -> list[Row]:
    declared = list({each.slug: each for each in DECLARED}.values())
    working = list(offered)

    def number(converters: list[Converter], side: str, format: Format) -> int:
        return sum(getattr(each, side) is format for each in converters)

    rows = [
        Row(
            translated(each.name),
            number(working, "input", each),
            number(declared, "input", each),
            number(working, "output", each),
            number(declared, "output", each),
        )
        for each in FORMATS.values()
    ]
    return sorted((each for each in rows if each.of_reads + each.of_writes), key=lambda row: (row.is_whole, row.name))
