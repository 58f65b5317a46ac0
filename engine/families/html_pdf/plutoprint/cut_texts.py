"""Take the text of a box apart into letters or words, mark them, and cut it before one of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from engine.families.html_pdf.plutoprint import text_runs
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


def pieces_of(element: Element, most: int, *, words: bool) -> list[Piece]:
    """The first letters or `words` of a box, `most` of them at most; spaces count as they are shown."""
    pieces = (
        Piece(holder, name, start) for holder, name, text in _texts(element) for start in _starts(text, words=words)
    )
    return list(islice(pieces, most))


def marked(element: Element, names: Sequence[str], *, words: bool) -> None:
    """Wrap the first letters or `words` of a box in elements with these names."""
    at = 0
    for holder, name, text, starts in _first_texts(element, len(names), words=words):
        runs = []
        for start, end in pairwise(starts):
            run = element.makeelement("fc-run", id=names[at])
            run.text = text[start:end].rstrip() if words else text[start:end]
            run.tail = text[start:end][len(run.text) :]
            runs.append(run)
            at += 1
        runs[-1].tail = (runs[-1].tail or "") + text[starts[-1] :]
        around, child = (holder, None) if name == "text" else (holder.getparent(), holder)
        text_runs.put(around, child, text[: starts[0]], runs)


def _first_texts(element: Element, most: int, *, words: bool) -> list[tuple[Element, str, str, list[int]]]:
    """The texts with the first letters or `words`: where each begins, and where the last one ends."""
    found = []
    for holder, name, text in _texts(element):
        if most <= 0:
            break
        starts = list(islice(_starts(text, words=words), most + 1))
        if not starts:
            continue
        if len(starts) <= most:
            starts.append(len(text))
        most -= len(starts) - 1
        found.append((holder, name, text, starts))
    return found


def cut(element: Element, before: Piece) -> None:
    """End the text of a box with dots in place of a piece and all that follows it, if it still has that piece."""
    holder = before.holder
    texts = (text for each, name, text in _texts(element) if (each, name) == (holder, before.name))
    text = next(texts, None)
    if text is None:  # the box around this one ends before it
        return
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


def _starts(text: str, *, words: bool) -> Iterator[int]:
    if words:
        yield from (found.start() for found in _WORD.finditer(text))
        return
    for at, letter in enumerate(text):
        joined = at and (unicodedata.combining(letter) or letter in "\u200d\ufe0e\ufe0f" or text[at - 1] == _JOINING)
        if not joined:
            yield at


def _texts(element: Element) -> Iterator[tuple[Element, str, str]]:
    """The texts of a box in order, with their spaces as shown."""
    begun = False
    for holder, name in _places(element):
        if text := getattr(holder, name):
            shown = _SPACES.sub(" ", text)
            shown = shown if begun else shown.lstrip(" ")
            if shown:
                begun = True
                yield holder, name, shown


def _places(element: Element) -> Iterator[tuple[Element, str]]:
    """The elements of a box and the attributes that may hold text, found one by one: a box may have very many."""
    yield element, "text"
    open_ = [(element, iter(() if element.tag in _SKIPPED else element))]
    while open_:
        holder, children = open_[-1]
        child = next(children, None)
        if child is None:
            open_.pop()
            if open_:
                yield holder, "tail"
        elif isinstance(child.tag, str):
            yield child, "text"
            open_.append((child, iter(() if child.tag in _SKIPPED else child)))
