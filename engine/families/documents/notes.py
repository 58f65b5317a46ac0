"""Add up what pandoc reads of notes that refer to notes: it reads each as often as something refers to it."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from engine.families.documents.ooxml.package import Element, Package
from engine.families.documents.word.names import W
from engine.toolkit.failures import OverLimit

_MOST = 500_000
"""The maximum characters of notes that are read again: pandoc took 1.4 s for 460,000 in Markdown.

A text with 500 references to 60 notes of 150 characters has 110,000.
"""
_EACH = 100
"""What reading a note costs besides its text, in characters."""
_MOST_WITHIN = 500_000
"""The maximum references within notes, counted again for each note around them."""

_MARKDOWN = re.compile(r"\[\^((?:[^\[\]\\]|\\.){1,1000})\](:?)", re.DOTALL)
_MARKDOWN_END = re.compile(r"^[ \t>]*\n(?:[ ]?>)*[ ]?(?=[^\s>])", re.MULTILINE)
"""A blank line, and a line after it that is not indented."""
_TEXTILE = re.compile(r"^fn(\d+)\.|\[(\d+)\]|(\n[ \t]*\n)", re.MULTILINE)
_KINDS = ("footnote", "endnote")


@dataclass(frozen=True)
class Note:
    """The length of a note's text, and how often it refers to which notes."""

    length: int
    refers: Mapping[str, int]


def are_heavy(notes: Mapping[str, Note], text: Mapping[str, int]) -> bool:
    """Whether pandoc reads too much of notes again, given the references of the `text` outside them.

    Notes in a circle are read without end.
    """
    known = {name: {other: n for other, n in each.refers.items() if other in notes} for name, each in notes.items()}
    once = sum(each.length + _EACH for each in notes.values())
    costs: dict[str, int] = {}
    try:
        for name in TopologicalSorter(known).static_order():
            inside = sum(costs[other] * times for other, times in known[name].items())
            # Beyond the maximum the numbers would only become long.
            costs[name] = min(notes[name].length + _EACH + inside, once + _MOST + 1)
    except CycleError:
        return True
    unused = notes.keys() - text.keys() - {other for each in known.values() for other in each}
    read = sum(costs.get(name, 0) * times for name, times in text.items()) + sum(costs[name] for name in unused)
    return read - once > _MOST


def in_markdown(text: str) -> bool:
    """Whether the notes of a Markdown text are too heavy for pandoc (see `are_heavy`).

    Notes may end too late and references be code here: another reader is then used without need, but does no harm.
    """
    marks = list(_MARKDOWN.finditer(text))
    if not any(mark[2] for mark in marks):
        return False
    ends = [found.end() for found in _MARKDOWN_END.finditer(text)]
    places = [mark.start() for mark in marks]
    notes: dict[str, Note] = {}
    outside = Counter[str]()
    last = counted = 0
    for at, mark in enumerate(marks):
        if not mark[2]:
            if mark.start() >= last:
                outside[_label(mark)] += 1
            continue
        place = bisect_left(ends, mark.end())
        end = ends[place] if place < len(ends) else len(text)
        within = range(at + 1, bisect_left(places, end))
        counted += len(within)
        if counted > _MOST_WITHIN:
            return True
        refers = Counter(_label(marks[each]) for each in within if not marks[each][2])
        before = notes.get(_label(mark), Note(0, {}))
        notes[_label(mark)] = Note(before.length + end - mark.end(), refers + Counter(before.refers))
        last = max(last, end)
    return are_heavy(notes, outside)


def _label(mark: re.Match[str]) -> str:
    return " ".join(mark[1].split()).casefold()


def check_textile(text: str) -> None:
    """Raise OverLimit for a Textile text whose notes are too heavy."""
    outside, notes = Counter[str](), dict[str, tuple[int, Counter[str]]]()
    name, start = "", 0
    for found in (*_TEXTILE.finditer(text), None):
        if found is not None and found[2]:
            (notes[name][1] if name else outside)[found[2]] += 1
            continue
        at = len(text) if found is None else found.start()
        if name:
            notes[name] = (notes[name][0] + at - start, notes[name][1])
        name, start = (found[1] or "", at) if found is not None else ("", at)
        if name:
            notes.setdefault(name, (0, Counter()))
    _refuse(are_heavy({name: Note(*each) for name, each in notes.items()}, outside))


def check_word(path: Path, part: str) -> None:
    """Raise OverLimit for a Word document whose notes are too heavy; `part` holds the text."""
    folder = posixpath.dirname(part)
    with Package(path) as package:
        parts = {posixpath.join(folder, f"{kind}s.xml"): kind for kind in _KINDS}
        parts = {name: kind for name, kind in parts.items() if name in package.names}
        if not parts:
            return
        outside = Counter(_references(package.xml(part)))
        notes = {
            f"{kind} {each.get(W + 'id')}": Note(sum(map(len, each.itertext())), Counter(_references(each)))
            for name, kind in parts.items()
            for each in package.xml(name).iter(W + kind)
        }
    _refuse(are_heavy(notes, outside))


def _references(root: Element) -> Iterator[str]:
    for kind in _KINDS:
        yield from (f"{kind} {each.get(W + 'id')}" for each in root.iter(f"{W}{kind}Reference"))


def _refuse(heavy: bool) -> None:
    if heavy:
        raise OverLimit("limit", "The document's notes refer to one another too often.")
