"""Put what is drawn of each element into the order of its texts, and set repetitions apart."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from engine.families.html_pdf.source.cleaning import Element
from engine.families.html_pdf.tagged.drawn import Run
from engine.families.html_pdf.tagged.squeezing import squeezed

_FAR = 2_000
"""Letters that are searched for a text that does not follow."""
_HYPHENS = "-\u2010\u2011"
_REPEATED = frozenset(("thead", "tfoot"))


@dataclass
class Placed:
    """What is drawn of one element: its texts by the number of the child they are before, its label and picture."""

    texts: dict[int, list[Run]] = field(default_factory=dict)
    label: list[Run] = field(default_factory=list)
    picture: list[Run] = field(default_factory=list)


@dataclass
class Found:
    """What is drawn of the elements of a page, what is drawn of them again, and what could not be found."""

    elements: dict[Element, Placed] = field(default_factory=dict)
    repeated: list[Run] = field(default_factory=list)
    lost: list[Run] = field(default_factory=list)


def placed(runs: Iterable[Run], written: Mapping[str, str]) -> Found:
    """The runs, in the order in which they are painted, by their elements; `written` as for `drawn.pages`."""
    found = Found()
    plain = str.maketrans(dict(written))
    texts: dict[Element, list[Run]] = {}
    pages: dict[tuple[Element, str], int] = {}
    spaces: dict[Run, list[Run]] = {}
    before: Run | None = None
    letter: Run | None = None
    """A text in a colour of its own, which may be the first letter of the next one."""
    for run in runs:
        if run.size and not run.text.strip():
            # Spaces follow what is before them in the line, and are nothing elsewhere.
            if before is not None and (before.page, before.y) == (run.page, run.y):
                spaces.setdefault(before, []).append(run)
            continue
        before = run
        if run.owner is None:
            letter = run if run.size and not run.is_lost else None
            if run.is_lost:
                found.lost.append(run)
            continue
        element, part = run.owner.element, run.owner.part
        if part == "text":
            if element not in texts and letter is not None and _begins(element, letter.text + run.text, plain):
                letter.owner = run.owner
                texts[element] = [letter]
            letter = None
            texts.setdefault(element, []).append(run)
            continue
        own = found.elements.setdefault(element, Placed())
        is_first = run.page == pages.setdefault((element, part), run.page)
        (found.repeated if not is_first else own.label if part == "label" else own.picture).append(run)
    for element, drawn in texts.items():
        reader = _Reader(element, plain)
        reader.read(drawn)
        found.repeated += reader.repeated
        found.elements.setdefault(element, Placed()).texts = reader.texts
    for own in found.elements.values():
        for each in (own.label, *own.texts.values()):
            each[:] = _spaced(each, spaces)
    return found


def _begins(element: Element, text: str, plain: dict[int, str]) -> bool:
    return squeezed((element.text or "").translate(plain)).startswith(squeezed(text))


def _spaced(runs: Sequence[Run], spaces: Mapping[Run, list[Run]]) -> Iterator[Run]:
    for each in runs:
        own = spaces.get(each, [])
        yield from (*own, each) if each.read else (each, *own)


class _Reader:
    """Follows the own texts of an element, which are before, between and behind its children, as they are drawn."""

    def __init__(self, element: Element, plain: dict[int, str]) -> None:
        self.texts: dict[int, list[Run]] = {}
        self.repeated: list[Run] = []
        letters = [squeezed((each or "").translate(plain)) for each in (element.text, *(each.tail for each in element))]
        self._text = "".join(letters)
        self._begins: list[int] = []
        at = 0
        for each in letters:
            self._begins.append(at)
            at += len(each)
        self._at = 0
        self._count = 0
        self._is_again = False
        self._is_repeated = any(each.tag in _REPEATED for each in (element, *element.iterancestors()))

    def read(self, runs: Sequence[Run]) -> None:
        """Read all that is drawn of the element."""
        first = runs[0].page
        for _, group in groupby(runs, lambda each: (each.page, each.y)):
            line = list(group)
            if self._is_drawn_before(line[0], line[0].page > first):
                self.repeated += line
                continue
            if any(each.read for each in line):
                self._line(line)
            else:
                for each in line:
                    each.at = self._following(squeezed(each.text))
            self._count += sum(len(squeezed(each.text)) for each in line)
            for each in line:
                self.texts.setdefault(max(bisect_right(self._begins, each.at) - 1, 0), []).append(each)
        for slot in self.texts.values():
            if any(each.read for each in slot):
                slot.sort(key=lambda each: each.at)

    def _is_drawn_before(self, run: Run, is_later: bool) -> bool:
        """Whether an element is drawn again on a later page, as heads of tables and fixed boxes are."""
        if is_later and not self._text:
            return self._is_repeated
        letters = squeezed(run.read or run.text)
        if is_later and self._count >= len(self._text) and self._text.startswith(letters):
            self._is_again = True
        return self._is_again

    def _following(self, letters: str) -> int:
        """The place of a text in those of the element, in which it is the next one if it is not generated."""
        begin = self._find(letters)
        if begin < 0 and not set(_HYPHENS).isdisjoint(letters):
            letters = letters.rstrip(_HYPHENS)
            begin = self._find(letters) if letters else -1
        if begin < 0:
            return min(self._at, max(len(self._text) - 1, 0))
        self._at = begin + len(letters)
        return begin

    def _find(self, letters: str) -> int:
        if self._text.startswith(letters, self._at):
            return self._at
        return self._text.find(letters, self._at, self._at + _FAR + len(letters))

    def _line(self, runs: Sequence[Run]) -> None:
        """Place the texts of a line with some from right to left; in the element they are next to each other."""
        letters = {each: squeezed(each.read or each.text) for each in runs}
        begin, length = self._at, sum(map(len, letters.values()))
        left = self._text[begin : begin + length]
        for each in sorted(runs, key=lambda run: -len(letters[run])):
            at = left.find(letters[each])
            each.at = begin + max(at, 0)
            if at >= 0:
                left = left[:at] + "\0" * len(letters[each]) + left[at + len(letters[each]) :]
        self._at = min(begin + length, len(self._text))
