"""Divide words at soft hyphens where a page asks for `hyphens: auto` (CSS Text 3, 5.4)."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from engine.families.html_pdf.plutoprint.declared import Declared, of_page, word_of
from engine.families.html_pdf.plutoprint.first_words import HIDDEN_TAGS
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.word_search import DIVISION

MOST = 4_000
"""The soft hyphens that a page gets: each is a named place of up to five layouts."""
_ASKED = re.compile(r"hyphens\s*:\s*auto\b")
_WORD = re.compile(rf"(?<![\w{DIVISION}@./:])[^\W\d_]{{5,60}}(?![\w{DIVISION}@/]|\.\w)")
_UNDIVIDED = frozenset((*HIDDEN_TAGS, "svg", "math", "textarea", "option"))


def divide(page: Page, sheets: list[str], *, media: str) -> None:
    """Insert soft hyphens, first to last, into the words of elements that ask for it and whose language is known."""
    if not any(_ASKED.search(each) for each in sheets):
        return
    own = of_page(page, sheets, ("hyphens",), media=media)
    left = MOST
    for element, language in _asking(page.root, own):
        divided = _dictionary(language)
        if divided is None:
            continue
        for child in (None, *element):
            text = element.text if child is None else child.tail
            if not text or not _WORD.search(text):
                continue
            text = _WORD.sub(lambda word, divided=divided: divided(word[0]), text)  # type: ignore[misc]
            left -= text.count(DIVISION)
            if left < 0:
                return
            page.characters.add(DIVISION)
            if child is None:
                element.text = text
            else:
                child.tail = text


def _asking(root: Element, own: Declared) -> Iterator[tuple[Element, str]]:
    """The elements whose own texts may be divided, in their order, each with its language."""
    stack = [(root, False, "")]
    while stack:
        element, auto, language = stack.pop()
        word = word_of(own, element, "hyphens")
        auto = word == "auto" if word not in ("", "inherit", "unset") else auto
        language = element.get("lang") or element.get("xml:lang") or language
        if auto and language:
            yield element, language
        inside = [each for each in reversed(element) if isinstance(each.tag, str) and each.tag not in _UNDIVIDED]
        stack += [(each, auto, language) for each in inside]


@functools.lru_cache(maxsize=8)
def _dictionary(language: str) -> Callable[[str], str] | None:
    """The function that divides a word of a language; None for one without a dictionary."""
    import pyphen  # its dictionaries are read only for pages that ask for them

    name = pyphen.language_fallback(language)
    if name is None:
        return None
    places = pyphen.Pyphen(lang=name).positions

    @functools.lru_cache(maxsize=10_000)
    def divided(word: str) -> str:
        # Places with `data` change letters, such as a third consonant, which a soft hyphen can't.
        starts = [0, *(each for each in places(word) if each.data is None), len(word)]
        return DIVISION.join(word[start:end] for start, end in pairwise(starts))

    return divided
