"""Compare the words of a document with those on its pages, whatever layout did to lines, order and letter forms."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from engine.families.html_pdf.visibility.spelling import words_of

_HYPHENATED = re.compile(r"(?<=\w)[-\u2010\ufffe]\s+(?=\w)")
_LONG = 4
"""Letters from which a word is unlikely to occur inside others by chance."""
_MOST_LETTERS = 1_000_000_000
"""Letters that are searched for single words, which takes 0.3 s."""
_FEWEST = 600
_MOST_PLACES = 300
"""Occurrences of one short word whose neighbours are searched."""
_MISSING = 0.5
"""Share of the letters of text without spaces, such as a Chinese sentence, that are missing if it is."""
_BLANKS = b" \t\n\r\f\v"
_SPLIT = ("LATIN", "GREEK", "CYRILLIC", "DIGIT", "ARMENIAN", "GEORGIAN")
"""Scripts whose letters a PDF stores in logical order and in their basic form."""


class Text:
    """A text to search for words."""

    def __init__(self, pieces: Iterable[str]) -> None:
        self.pieces = list(pieces)
        self._written = " ".join(self.pieces)

    @cached_property
    def solid(self) -> bytes:
        """The text without blanks."""
        return self._written.encode("utf-8", "surrogatepass").translate(None, _BLANKS)

    @cached_property
    def tokens(self) -> list[str]:
        """The space-separated tokens in order, not normalised."""
        return self._written.split()

    @cached_property
    def split(self) -> Counter[str]:
        """The number of each token."""
        return Counter(self.tokens)

    @cached_property
    def words(self) -> list[str]:
        return words_of(_HYPHENATED.sub("", self._written))

    @cached_property
    def counted(self) -> Counter[str]:
        return Counter(self.words)

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """The positions of each short word in `words`."""
        found: dict[str, list[int]] = {}
        for at, word in enumerate(self.words):
            if len(word) < _LONG:
                found.setdefault(word, []).append(at)
        return found

    @cached_property
    def squeezed(self) -> str:
        """All letters and digits, joined."""
        return "".join(self.words)

    @cached_property
    def letters(self) -> Counter[str]:
        return Counter(self.squeezed)


def doubtful(expected: Text, printed: Text) -> set[str]:
    """Return the normalised words of tokens that are in `printed` less often than expected."""
    if expected.tokens == printed.tokens:
        return set()
    drawn = printed.split
    rest = [each for each, count in expected.split.items() if count > drawn[each]]
    return {word for each in rest for word in words_of(each)}


def lacking(expected: Text, printed: Text, *, unprintable: bool = False) -> Counter[str]:
    """Return the normalised words that are in `printed` less often than expected, and how much less.

    With `unprintable`, words with letters that are nowhere in `printed` don't count, because no font has them. If there
    are too many words to search, only the longest are.
    """
    if expected.solid == printed.solid:  # no letter is missing, so that no word is: most pages are told by this alone
        return Counter()
    words = sorted(doubtful(expected, printed), key=lambda word: (-len(word), word))
    if not words:
        return Counter()
    missing = expected.letters - printed.letters
    budget = max(_MOST_LETTERS // (len(expected.squeezed) + len(printed.squeezed) + 1), _FEWEST)
    found: Counter[str] = Counter()
    for word in words:
        count = expected.counted[word] - printed.counted[word]
        if count <= 0 or (unprintable and not all(each in printed.letters for each in word)):
            continue
        if not all(map(_is_split, word)):
            letters = Counter(word)
            lost = (letters & missing).total()
            count = min(count, 1) if lost > _MISSING * letters.total() else 0
        elif len(word) >= _LONG:
            # With the direction of text overridden, words are stored reversed.
            there = max(printed.squeezed.count(word), printed.squeezed.count(word[::-1]))
            count = min(count, expected.squeezed.count(word) - there)
            budget -= 3
        elif missing.keys() & set(word) and len(places := expected.places.get(word, ())) <= min(budget, _MOST_PLACES):
            count = min(count, _without_neighbours(places, expected.words, printed.squeezed))
            budget -= 2 * len(places)
        else:
            count = 0
        if count > 0:
            found[word] = count
        if budget <= 0:
            break
    return found


def _is_split(letter: str) -> bool:
    return letter.isascii() or unicodedata.name(letter, "").startswith(_SPLIT)


def _without_neighbours(places: Sequence[int], words: Sequence[str], squeezed: str) -> int:
    """Count the words at these positions that are found neither with their predecessor nor with their successor."""
    return sum(
        "".join(words[max(at - 1, 0) : at + 1]) not in squeezed and "".join(words[at : at + 2]) not in squeezed
        for at in places
    )


def phrases(text: Text, lost: Counter[str], most: int) -> list[str]:
    """Return phrases of the text that contain the `lost` words, adjacent ones joined, as far as they can be located.

    Pieces that are lost as a whole come first, and among them those with a word that does not remain anywhere.
    """
    left = Counter(lost)
    given = [(each, Counter(words)) for each in text.pieces if not left.keys().isdisjoint(words := words_of(each))]
    vanished = {word for word, count in lost.items() if count >= text.counted[word]}
    given.sort(key=lambda each: vanished.isdisjoint(each[1]))
    found: list[str] = []
    for piece, counted in given:
        if len(found) < most and not counted - left:
            left -= counted
            found.append(" ".join(piece.split()))
    for piece, _ in given:
        if len(found) >= most or not left:
            break
        run: list[str] = []
        for each in piece.split():
            own = Counter(words_of(each))
            if own.keys() & left.keys():
                left -= own
                run.append(each)
            elif run:
                found.append(" ".join(run))
                run = []
        found += [" ".join(run)] if run else []
    return found[:most]
