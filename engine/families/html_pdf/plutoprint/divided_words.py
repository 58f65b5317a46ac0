"""Words with soft hyphens in a page's tree, of which those that lines break are put into elements piece by piece."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise

from engine.families.html_pdf.plutoprint import text_runs, whole_words
from engine.families.html_pdf.plutoprint.first_words import HIDDEN_TAGS
from engine.families.html_pdf.source.cleaning import Element
from engine.toolkit.word_search import DIVISION

_SHORT = 10
"""Letters that fit a line; those of pieces whose hyphen didn't fit are as many again."""
_WHOLE = "overflow-wrap:normal"
_LONG = re.compile(rf"[^\s{DIVISION}]{{{_SHORT + 1},}}")
_WORD = re.compile(rf"(?<![^\s{DIVISION}])[^\s{DIVISION}]++(?:{DIVISION}[^\s{DIVISION}]++)++")
_UNSPLIT = frozenset((*HIDDEN_TAGS, "svg", "textarea", "option", "math"))


@dataclass(eq=False)
class Word:
    """A word, the soft hyphens at which it ends a line with a hyphen, and those that are removed from it."""

    text: str
    """The text that it is in, where it starts, and the words before and behind it there."""
    start: int
    before: str
    after: str
    shown: set[int] = field(default_factory=set)
    removed: set[int] = field(default_factory=set)
    is_split: bool = False
    is_doubtful: bool = False
    """Whether it was shown where a line ended that may end elsewhere, as a line before it changed."""
    pieces: dict[int, tuple[Element, Element]] = field(default_factory=dict)
    """The elements before and behind each soft hyphen that is left, while it is split."""

    @property
    def parts(self) -> list[str]:
        return self.text.split(DIVISION)

    @property
    def breaks(self) -> int:
        return self.text.count(DIVISION)


@dataclass(eq=False)
class Text:
    """A text of an element, or behind its `child`, with words that have soft hyphens."""

    element: Element
    child: Element | None
    following: Element | None
    text: str
    words: list[Word]
    block: Element
    """The element whose lines it is in."""

    def write(self) -> None:
        """Put the words that are split into elements, with their hyphens; the others stay in the text."""
        self._clear()
        split = [each for each in self.words if each.is_split]
        if not split:
            return
        ends = [*(each.start for each in split[1:]), len(self.text)]
        runs: list[list[Element]] = []
        for word, end in zip(split, ends, strict=True):
            pieces = _pieces(self.element, word)
            pieces[-1].tail = self.text[word.start + len(word.text) : end]
            runs.append(pieces)
        # Unlike a soft hyphen between elements, <wbr> counts for the least width of a table cell.
        between = chain.from_iterable(map(_with_breaks, runs))
        text_runs.put(self.element, self.child, self.text[: split[0].start], list(between))
        for pieces in runs:
            _keep_behind(pieces[-1])

    def _clear(self) -> None:
        run = _behind(self.element, self.child)
        while run is not None and run is not self.following:
            self.element.remove(run)
            run = _behind(self.element, self.child)
        if self.child is None:
            self.element.text = self.text
        else:
            self.child.tail = self.text


def found(root: Element, without: frozenset[Element]) -> list[Text]:
    """The texts of a page that have soft hyphens, but those in elements of `without`."""
    texts = []
    for element in list(_shown(root, without)):
        for child in (None, *element):
            text = element.text if child is None else child.tail
            if text and DIVISION in text and (words := list(_words(text))):
                texts.append(Text(element, child, _behind(element, child), text, words, _block(element)))
    return texts


def _behind(element: Element, child: Element | None) -> Element | None:
    """What is behind the text at the start of an element, or the one after its `child`."""
    return next(iter(element), None) if child is None else child.getnext()


def _block(element: Element) -> Element:
    while element.tag in whole_words.INLINE and (parent := element.getparent()) is not None:
        element = parent
    return element


def _shown(root: Element, without: frozenset[Element]) -> Iterator[Element]:
    left = [root]
    while left:
        element = left.pop()
        yield element
        inside = [each for each in reversed(element) if isinstance(each.tag, str) and each.tag not in _UNSPLIT]
        left += [each for each in inside if each not in without]


def _words(text: str) -> Iterator[Word]:
    at, before = 0, ""
    words = list(_WORD.finditer(text))
    ends = [*(each.start() for each in words[1:]), len(text)]
    for word, end in zip(words, ends, strict=True):
        between = text[at : word.start()].split()
        behind = text[word.end() : end].split(None, 1)
        following = behind[0] if behind else text[end:].split(None, 1)[0] if end < len(text) else ""
        yield Word(word[0], word.start(), between[-1] if between else before, following.replace(DIVISION, ""))
        at, before = word.end(), word[0].replace(DIVISION, "")


def _pieces(near: Element, word: Word) -> list[Element]:
    texts: list[str] = []
    kept: list[int] = []
    for at, part in enumerate(word.parts):
        if at - 1 in word.removed:
            texts[-1] += part
        else:
            kept += [at - 1] * bool(at)
            texts.append(part)
    runs = []
    for text, is_shown in zip(texts, [*(each in word.shown for each in kept), False], strict=True):
        run = near.makeelement("fc-run")
        run.text = text + "-" * is_shown
        if len(text) <= (_SHORT if text in word.parts else 2 * _SHORT):
            run.set("style", _WHOLE)  # else PlutoPrint breaks the piece at the end of the line
        runs.append(run)
    word.pieces = dict(zip(kept, pairwise(runs), strict=True))
    return runs


def _keep_behind(piece: Element) -> None:
    """Forbid breaks within words behind a piece, which lines would have there, up to one that may not fit a line."""
    text = piece.tail or ""
    long = _LONG.search(text)
    end = long.start() if long is not None else len(text)
    if text[:end].strip():
        run = piece.makeelement("fc-run", style=_WHOLE)
        run.text, run.tail = text[:end], text[end:]
        piece.tail = None
        piece.addnext(run)


def _with_breaks(pieces: Sequence[Element]) -> Iterable[Element]:
    yield pieces[0]
    for each in pieces[1:]:
        yield each.makeelement("wbr")
        yield each
