"""Find the words that the lines of a layout may break at a soft hyphen, by the words beside them in its PDF."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator
from itertools import accumulate, pairwise

from engine.families.html_pdf.plutoprint.divided_words import Word

_Key = tuple[str, str, str]


class TornWords:
    """The words of a page that have soft hyphens, by their letters and the words before and behind them."""

    def __init__(self, words: Iterable[Word]) -> None:
        self._divided: dict[str, set[int]] = {}
        self._known: defaultdict[_Key, list[Word]] = defaultdict(list)
        for word in words:
            parts = word.parts
            whole = _folded("".join(parts))
            self._divided.setdefault(whole, set()).update(accumulate(len(_folded(each)) for each in parts[:-1]))
            for key in _keys(_folded(word.before), whole, _folded(word.after)):
                self._known[key].append(word)

    def of(self, text: str, known: Container[Word]) -> Iterator[tuple[list[Word], int]]:
        """The words that may be broken in a text of pages, and how many of their letters are before the break.

        Of words with the same words beside them the one at that place in their order is given, if it is not split. If
        it is split and not among those `known` to be broken, or has a hyphen, the order is another one, and all are
        given together.
        """
        tokens = self._joined([_folded(each) for each in text.split()])
        seen: Counter[_Key] = Counter()
        for at in range(1, len(tokens) - 1):
            whole, letters = tokens[at]
            if whole not in self._divided:
                continue
            keys = _keys(tokens[at - 1][0], whole, tokens[at + 1][0])
            number = seen[keys[0]]
            seen[keys[0]] += 1
            if not letters:
                continue
            alike = next(found for each in keys if (found := self._known.get(each)))
            if keys[0] not in self._known or number >= len(alike):
                yield alike, letters
            elif not alike[number].is_split:
                yield [alike[number]], letters
            elif alike[number] not in known or alike[number].shown:
                yield alike, letters

    def _joined(self, tokens: list[str]) -> list[tuple[str, int]]:
        """The words of tokens, and how many letters are before a break without a hyphen; 0 for other words."""
        found = [("", 0)]
        is_joined = False
        for token, following in pairwise([*tokens, ""]):
            if is_joined:
                is_joined = False
                continue
            plain = token.removesuffix("-")
            is_joined = len(plain) in self._divided.get(plain + following, ())
            whole = plain + following if is_joined else token
            found.append((whole, len(plain) if is_joined and plain == token else 0))
        return [*found, ("", 0)]


def _keys(before: str, whole: str, after: str) -> tuple[_Key, _Key, _Key, _Key]:
    """What a word is looked up by: the first has most words beside it."""
    return (before, whole, after), (before, whole, "\n"), ("\n", whole, after), ("\n", whole, "\n")


def _folded(text: str) -> str:
    return text.casefold()
