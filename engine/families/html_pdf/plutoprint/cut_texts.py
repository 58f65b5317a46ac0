"""Take the text of a box apart into letters or words, mark them, and cut it before one of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.families.html_pdf.source.cleaning import Element

_DOTS = "\u2026"
_SPACES = re.compile(r"[ \t\r\n\f]+")
_WORD = re.compile(r"\S+")
_JOINING = "\u200d"
_SKIPPED = frozenset(("style", "script", "svg", "math", "select", "textarea"))


@dataclass(frozen=True)
class Piece:
    """A letter or word: the element and the attribute (`text` or `tail`) that hold it, and where it begins."""

    holder: Element
    name: str
    start: int


def pieces_of(element: Element, *, words: bool) -> list[Piece]:
    """The letters or `words` of a box; spaces count as they are shown."""
    found = []
    for holder, name, text in _texts(element):
        found += [Piece(holder, name, start) for start in _starts(text, words=words)]
    return found


def marked(element: Element, names: Sequence[str], *, words: bool) -> None:
    """Wrap the first letters or `words` of a box in elements with these names."""
    left = iter(names)
    for holder, name, text in list(_texts(element)):
        starts = _starts(text, words=words)
        if not starts:
            continue
        runs = []
        for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
            identity = next(left, None)
            run = element.makeelement("fc-run") if identity is None else element.makeelement("fc-run", id=identity)
            run.text = text[start:end].rstrip() if words else text[start:end]
            run.tail = text[start:end][len(run.text) :]
            runs.append(run)
        setattr(holder, name, text[: starts[0]])
        if name == "text":
            holder[:0] = runs
        else:
            parent = holder.getparent()
            at = parent.index(holder) + 1
            parent[at:at] = runs


def cut(element: Element, before: Piece) -> None:
    """End the text of a box with dots in place of a piece and all that follows it."""
    holder = before.holder
    text = next(text for each, name, text in _texts(element) if (each, name) == (holder, before.name))
    setattr(holder, before.name, text[: before.start].rstrip() + _DOTS)
    if before.name == "text":
        del holder[:]
    else:
        holder = _without_following(holder)
    while holder is not element:
        holder.tail = None
        holder = _without_following(holder)


def _without_following(element: Element) -> Element:
    """Remove what follows an element within its parent, which is returned; its tail stays."""
    parent = element.getparent()
    del parent[parent.index(element) + 1 :]
    return parent


def _starts(text: str, *, words: bool) -> list[int]:
    if words:
        return [found.start() for found in _WORD.finditer(text)]
    starts: list[int] = []
    for at, letter in enumerate(text):
        joined = at and (unicodedata.combining(letter) or letter in "\u200d\ufe0e\ufe0f" or text[at - 1] == _JOINING)
        if not joined:
            starts.append(at)
    return starts


def _texts(element: Element) -> Iterator[tuple[Element, str, str]]:
    """The texts of a box in order, with their spaces as shown."""
    begun = False
    left: list[tuple[Element, str]] = [(element, "text")]
    while left:
        holder, name = left.pop()
        if not isinstance(holder.tag, str):
            continue
        if text := getattr(holder, name):
            shown = _SPACES.sub(" ", text)
            shown = shown if begun else shown.lstrip(" ")
            if shown:
                begun = True
                yield holder, name, shown
        if name == "text" and holder.tag not in _SKIPPED:
            for child in reversed(holder):
                left += [(child, "tail"), (child, "text")]
