"""Search for words in the texts of a file, however a layout splits, joins or mirrors them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cached_property
from itertools import groupby

LONG_WORD = 4
"""Letters from which an ASCII word is also searched inside other words, as a layout may hyphenate or join words."""
DIVISION = "\xad"
"""A soft hyphen: a place at which a word of a text may be divided, or may be two words."""
WORD = re.compile(r"[^\W_]+")
DIVIDED_WORD = re.compile(rf"[^\W_]+(?:{DIVISION}[^\W_]+)*")
SHORT_WORD = re.compile(r"(?<![^\W\d_])[^\W\d_]{1,3}(?![^\W\d_])")
_LETTERS_OR_DIGITS = re.compile(r"\d+|[^\W\d_]+")
_NO_LETTERS = bytes(code for code in range(128) if not chr(code).isalnum())


class WordSearch:
    """Searches the texts of a result, without blanks and punctuation; `searched` counts the characters searched."""

    def __init__(self, texts: Iterable[str]) -> None:
        # Runs, as a table has a text for each of its cells; only one that is not ASCII needs the slower spelling.
        self._texts = [plain("\n".join(run)) for _, run in groupby(texts, str.isascii)]
        self._all = "".join(map(squeezed, self._texts))
        self._at = 0
        self.searched = 0

    @cached_property
    def _words(self) -> set[str]:
        return {word for text in self._texts for word in WORD.findall(text)}

    @cached_property
    def _regrouped(self) -> set[str]:
        """Words as other layouts group their letters: joined over marks of division, and apart from digits."""
        joined = {word for text in self._texts if DIVISION in text for word in WORD.findall(text.replace(DIVISION, ""))}
        return joined | {part for word in self._words | joined for part in _parts(word)}

    @cached_property
    def _drawn(self) -> set[str]:
        return {_letters(word) for word in self._words if _is_mirrored(word)}

    def has_text(self, text: str) -> bool:
        """Return whether the text occurs as one piece after the previous match."""
        place = self._all.find(text, self._at)
        self.searched += (len(self._all) if place < 0 else place) - self._at
        if place >= 0:
            self._at = place + len(text)
        return place >= 0

    def has_word(self, word: str) -> bool:
        """Return whether the word occurs anywhere, whole or in its parts.

        Parts are those at a soft hyphen; if there is none, its letters and digits, which a layout may set apart; and in
        scripts without blanks, the ends of two lines.
        """
        spelled = plain(word)
        whole = squeezed(spelled)
        if DIVISION not in word and len(WORD.findall(spelled)) > 1:
            return self._has_spelled(spelled)
        if self._has(whole):
            return True
        parts = word.split(DIVISION) if DIVISION in word else _parts(word)
        if len(parts) > 1 and all(self._has(squeezed(plain(each))) for each in parts):
            return True
        return unicodedata.east_asian_width(whole[:1] or " ") in "WF" and self._has_in_two(whole)

    def _has_spelled(self, word: str) -> bool:
        """Return whether a word occurs whose compatibility form has signs inside, such as three quarters: 3⁄4."""
        self.searched += sum(map(len, self._texts))
        return any(word in text for text in self._texts)

    def _has_in_two(self, word: str) -> bool:
        end = next((end for end in range(len(word) - 1, 0, -1) if word[:end] in self._all), 0)
        self.searched += len(self._all) * (len(word) - end)
        return end > 0 and word[end:] in self._all

    def _has(self, word: str) -> bool:
        """Return whether the word occurs on its own, inside another, or with its letters in visual order."""
        if word in self._words or (_is_mirrored(word) and _letters(word) in self._drawn):
            return True
        if len(word) < LONG_WORD and word.isascii():
            return not word.isdecimal() and word in self._regrouped
        self.searched += len(self._all)
        return word in self._all


def _parts(word: str) -> list[str]:
    """The letters and the digits of a word, as a raised digit or a letter of a formula may stand alone."""
    return _LETTERS_OR_DIGITS.findall(word)


def _is_mirrored(word: str) -> bool:
    """Return whether a word is written from right to left."""
    return not word.isascii() and unicodedata.bidirectional(word[0]) in ("R", "AL")


def _letters(word: str) -> str:
    return "".join(sorted(word))


def plain(text: str) -> str:
    """A text in compatibility form, without regard to case."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


def squeezed(text: str) -> str:
    """The letters and digits of a text, joined."""
    if text.isascii():
        return text.encode().translate(None, _NO_LETTERS).decode()
    return "".join(WORD.findall(text))
