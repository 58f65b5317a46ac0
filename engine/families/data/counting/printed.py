"""Find the values of tables on the pages of a PDF, whose text is not divided into cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from engine.families.data.counting.spellings import spelled
from engine.toolkit.census import Census
from engine.toolkit.word_search import WORD, WordSearch, plain

_UNBROKEN = 12
"""Characters of a number or date that no column is too narrow for."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_NESTED = re.compile(r"[\[\]{}\"]")
_SIGNED = re.compile(r"(?=-\d)", re.ASCII)
_MARKS = re.compile(r"[\[\]{}\",]+|(?<=\"):")


def pdf(path: Path) -> Census:
    """Return the values on the pages of a PDF."""
    import pypdfium2

    texts = []
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            text_page = page.get_textpage()
            texts.append(text_page.get_text_range())
            text_page.close()
            page.close()
    return of_texts(texts)


def of_texts(texts: Sequence[str]) -> Census:
    """Return the values in the texts of pages: of those without blanks how often they occur, of others whether."""
    printed = _Printed(texts)
    return Census(items={"values": Counter(printed.values())}, contains=printed.contains)


def _apart(word: str) -> list[str]:
    """Return a word and the negative number after it, whose sign was taken for a hyphen."""
    day = _DAY.match(word)
    first, rest = (day[0], word[day.end() :]) if day else ("", word)
    return [each for each in (first, *_SIGNED.split(rest)) if each]


class _Printed:
    """The texts of pages, to find values in."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts

    @cached_property
    def _search(self) -> WordSearch:
        return WordSearch(self._texts)

    def values(self) -> Iterator[str]:
        """Yield each word in the spelling of values; those of a moment, or inside of a list, also as one value each."""
        for text in self._texts:
            words = text.split()
            for at, word in enumerate(words):
                yield spelled(word)
                if _NESTED.search(word):
                    yield from map(spelled, filter(None, _MARKS.split(word)))
                elif "-" in word and _DAY.fullmatch(word):
                    yield spelled(" ".join(words[at : at + 2]))
                    yield spelled(" ".join(words[at : at + 3]))
                elif "-" in word[1:]:
                    yield from map(spelled, _apart(word))

    def contains(self, value: str) -> bool:
        """Return whether the words of a text are on the pages; numbers and dates were counted by `values`."""
        number = value[-1].isdigit() and not value[0].isalpha() and (" " not in value or _DAY.match(value))
        if number and len(value) < _UNBROKEN:
            return False
        return all(map(self._search.has_word, WORD.findall(plain(value))))
