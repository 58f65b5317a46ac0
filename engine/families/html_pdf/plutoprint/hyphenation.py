"""Divide words at soft hyphens where a page asks for `hyphens: auto` (CSS Text 3, 5.4)."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

from engine.families.html_pdf.css import ignored
from engine.families.html_pdf.plutoprint.declared import Declared, of_page, word_of
from engine.families.html_pdf.plutoprint.first_words import HIDDEN_TAGS
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.warnings import Warn
from engine.toolkit.word_search import DIVISION

MOST = 40_000
"""The soft hyphens that a page gets: those of 800 KB of text."""
_MOST_LANGUAGES = 5
"""The languages of a page whose words are divided: each reads a dictionary, 0.1 s."""
_LONGEST_TAG = 35
"""The length of a language tag that programs have to keep (RFC 5646, 4.4.1)."""
_ASKED = re.compile(r"hyphens\s*:\s*auto\b")
_WORD = re.compile(rf"(?<![\w{DIVISION}@./:])[^\W\d_]{{5,60}}(?![\w{DIVISION}@/]|\.\w)")
_UNDIVIDED = frozenset((*HIDDEN_TAGS, "svg", "math", "textarea", "option"))


def divide(page: Page, sheets: list[str], warn: Warn, *, media: str) -> None:
    """Insert soft hyphens, first to last, into the words of elements that ask for it and whose language is known.

    Name the languages that are too many.
    """
    if not any(_ASKED.search(each) for each in sheets):
        return
    own = of_page(page, sheets, ("hyphens",), media=media)
    left = MOST
    read: set[Path] = set()
    unread: dict[str, None] = {}
    for element, child, language in _asking(page.root, own):
        text = (element.text if child is None else child.tail) or ""
        dictionary = _dictionary_of(language) if _WORD.search(text) else None
        if dictionary is None:
            continue
        if dictionary not in read and len(read) >= _MOST_LANGUAGES:
            unread[f"hyphens: auto ({language})"] = None
            continue
        read.add(dictionary)
        divided = _dividing(dictionary)
        text = _WORD.sub(lambda word, divided=divided: divided(word[0]), text)
        left -= text.count(DIVISION)
        if left < 0:
            break
        page.characters.add(DIVISION)
        if child is None:
            element.text = text
        else:
            child.tail = text
    warn.tally(ignored.KIND, len(unread), unread, part="languages")


def _asking(root: Element, own: Declared) -> Iterator[tuple[Element, Element | None, str]]:
    """The texts that may be divided: their element, the child that each follows, if any, and their language."""
    stack = [(root, False, "")]
    while stack:
        element, auto, language = stack.pop()
        word = word_of(own, element, "hyphens")
        auto = word == "auto" if word not in ("", "inherit", "unset") else auto
        language = (element.get("lang") or element.get("xml:lang") or language)[:_LONGEST_TAG]
        if auto and language:
            yield from ((element, child, language) for child in (None, *element))
        inside = [each for each in reversed(element) if isinstance(each.tag, str) and each.tag not in _UNDIVIDED]
        stack += [(each, auto, language) for each in inside]


@functools.lru_cache(maxsize=100)
def _dictionary_of(language: str) -> Path | None:
    """The dictionary of a language; None for one that has none."""
    import pyphen  # it is imported only for pages that ask for it

    found: Path | None = pyphen.LANGUAGES.get(pyphen.language_fallback(language))
    return found


@functools.lru_cache(maxsize=_MOST_LANGUAGES)
def _dividing(dictionary: Path) -> Callable[[str], str]:
    """The function that divides a word."""
    import pyphen

    places = pyphen.Pyphen(filename=dictionary).positions

    @functools.lru_cache(maxsize=10_000)
    def divided(word: str) -> str:
        # Places with `data` change letters, such as a third consonant, which a soft hyphen can't.
        starts = [0, *(each for each in places(word) if each.data is None), len(word)]
        return DIVISION.join(word[start:end] for start, end in pairwise(starts))

    return divided
