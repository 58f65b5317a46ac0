"""The places of named elements in a PDF that is drawn to measure a page."""

from __future__ import annotations

from dataclasses import dataclass

import pikepdf

from engine.families.html_pdf.plutoprint.finishing import destinations

_PX = 4 / 3


@dataclass(frozen=True)
class Place:
    """Where an element is: its page, and CSS pixels from the left, and downwards from the lower edge of the paper."""

    page: int
    left: float
    top: float


def places(pdf: pikepdf.Pdf, prefix: str) -> dict[str, Place]:
    """The places of the elements whose names begin with `prefix`."""
    numbers = {each.obj.objgen: number for number, each in enumerate(pdf.pages)}
    return {
        name: Place(numbers.get(place[0].objgen, 0), float(place[2]) * _PX, -float(place[3]) * _PX)
        for name, place in destinations(pdf).items()
        if name.startswith(prefix)
    }
