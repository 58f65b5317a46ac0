"""The papers of a document whose named pages have sizes and margins of their own, and what each of them shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
        self._names = dict(runs.pieces)
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
    def all(self) -> list[Paper]:
        """Each paper once, the main one first."""
        return list(dict.fromkeys(self._by_name.values()))

    def on(self, element: Element) -> Paper:
        """The paper on which an element is."""
        names = self._names
        return next(
            (self._by_name[names[each]] for each in (element, *element.iterancestors()) if each in names), self._main
        )

    def elsewhere(self, paper: Paper | None = None) -> list[Element]:
        """The pieces of other papers than this one, by default the main one."""
        paper = paper or self._main
        return [each for each, name in self._runs.pieces if self._by_name[name] != paper]

    @contextmanager
    def dividing(self, elements: Sequence[Element]) -> Iterator[None]:
        """While these elements may be divided: what is new beside them is on their papers."""
        beside = [(each, set(each.getparent())) for each in elements if each in self._names]
        yield
        for each, known in beside:
            new = [one for one in each.itersiblings() if one not in known and one not in self._names]
            self._runs.pieces.extend((one, self._names[each]) for one in new)
            self._names.update((one, self._names[each]) for one in new)

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
