"""Lay out some elements of a page by themselves, and find where they stand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import plutoprint

from engine.families.html_pdf.css import pages
from engine.families.html_pdf.plutoprint import footnotes, link_targets
from engine.families.html_pdf.plutoprint.columns import Lay

_KEPT = ("style", "fc-run")
"""Elements of a page's body that contain no text."""


@dataclass
class Stage:
    """The body of a page, on which elements are laid out in its place; lengths are in points of the paper."""

    body: Any
    paper: pages.Paper
    scale: float
    lay: Lay

    def __post_init__(self) -> None:
        links = (each.get("href") or "" for each in self.body.iter("a"))
        self._linked = {each[1:] for each in links if each.startswith("#")}
        self._fixed = [each for each in self.body if each.tag in _KEPT]

    @property
    def texts(self) -> list[Any]:
        """The elements of the body that may have content."""
        return [each for each in self.body if isinstance(each.tag, str) and each.tag not in _KEPT]

    @property
    def room(self) -> float:
        return self.paper.room[1]

    def part(self, top: float, height: float | None = None) -> pages.Paper:
        """The paper with room only from `top` points below its upper margin, for `height` points or to its end."""
        sides = self.paper.margins
        bottom = sides.bottom if height is None else self.paper.height - sides.top - top - height
        return replace(self.paper, margins=replace(sides, top=sides.top + top, bottom=max(bottom, 0.0)))

    def book(self, elements: Iterable[Any], paper: pages.Paper, names: Iterable[str] = ()) -> plutoprint.Book:
        """The elements laid out without the others; `names` are ids whose places will be asked for."""
        children = list(self.body)
        self.body[:] = [*elements, *self._fixed]
        here = {each.get("id") for each in self.body.iter() if each.get("id")}
        away = [
            each
            for shown in self.body
            if shown.tag not in _KEPT
            for each in shown.iter("a")
            if (each.get("href") or "").startswith("#") and each.get("href")[1:] not in here
        ]
        for each in away:
            each.set("href", link_targets.ELSEWHERE + each.get("href")[1:])
        # PlutoPrint names only the places to which a link leads.
        hidden = self.body.makeelement("fc-run", hidden="")
        for name in sorted((self._linked & here) | set(names)):
            hidden.append(self.body.makeelement("a", href=f"#{name}"))
        self.body.append(hidden)
        try:
            return self.lay(paper)
        finally:
            for each in away:
                each.set("href", "#" + each.get("href").removeprefix(link_targets.ELSEWHERE))
            self.body[:] = children

    def places(self, elements: list[Any], paper: pages.Paper, names: Iterable[str]) -> footnotes.MarkPositions:
        """Where the elements with these ids stand, and the pictures beside them."""
        wanted = frozenset(names)
        return footnotes.find_marks(self.book(elements, paper, wanted), wanted)
