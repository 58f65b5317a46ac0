"""The papers of a document whose named pages have sizes and margins of their own, and what each of them shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from engine.families.html_pdf.css.pages import Paper
from engine.families.html_pdf.plutoprint.named_pages import Runs
from engine.families.html_pdf.source.cleaning import Element
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_MOST = 6
"""Papers of a document, which is laid out once for each."""
_CUT = ";overflow:hidden!important"


class Papers:
    """The paper of each name, and of pages without one."""

    def __init__(self, runs: Runs, main: Paper, paper_of: Callable[[str], Paper], warn: Warn) -> None:
        self._runs = runs
        self._main = main
        self._by_name = {"": main}
        for name in sorted(runs.names):
            paper = paper_of(name) if name else main
            known = set(self._by_name.values())
            if paper not in known and len(known) == _MOST:
                warn(
                    "CSS_UNSUPPORTED",
                    say("@page {name}: a document has at most {most} page sizes and margins.", name=name, most=_MOST),
                )
                paper = main
            self._by_name[name] = paper

    def of(self, name: str) -> Paper:
        return self._by_name[name]

    def show(self, paper: Paper) -> None:
        """Cut off the excess of what other papers show: it would make this one's layout smaller."""
        for each, name in self._runs.pieces:
            style = (each.get("style") or "").replace(_CUT, "")
            if self._by_name[name] != paper:
                style += _CUT
            if style or "style" in each.attrib:
                each.set("style", style)

    @property
    def widest(self) -> Paper:
        return max(self._by_name.values(), key=lambda each: each.room[0])

    @contextmanager
    def as_wide_as_papers(self) -> Iterator[None]:
        """The page on its widest paper with all pieces as wide as on their own ones."""
        changed: list[tuple[Element, str]] = []
        for each, name in self._runs.pieces:
            less = self.widest.room[0] - self._by_name[name].room[0]
            if less:
                style = f";margin-right:{less:.2f}pt!important"
                each.set("style", (each.get("style") or "") + style)
                changed.append((each, style))
        try:
            yield
        finally:
            for each, style in changed:
                each.set("style", (each.get("style") or "").replace(style, ""))


def turned(paper: Paper, own: Paper) -> Paper:
    """A paper with its longer sides where those of another one are."""
    width, height = sorted((paper.width, paper.height), reverse=own.width > own.height)
    return replace(paper, width=width, height=height)
