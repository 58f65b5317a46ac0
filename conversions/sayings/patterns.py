"""Patterns: which message a text was made from, and what stands in the places of its varying parts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from conversions.toolkit.warnings import MAX_MESSAGE

_PLACE = re.compile(r"\{\{|\}\}|\{(\w+)\}")
_NUMBER = re.compile(r"[\d,]*")
_HEAD = 8
"""By so many letters at their beginning or end messages are told apart at once."""


def split(template: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fixed parts of a message and the names of what varies between them: one more of the first."""
    fixed, names, text, at = [], [], "", 0
    for match in _PLACE.finditer(template):
        text += template[at : match.start()]
        at = match.end()
        if match[1] is None:
            text += match[0][0]
        else:
            fixed.append(text)
            names.append(match[1])
            text = ""
    return (*fixed, text + template[at:]), tuple(names)


@dataclass(frozen=True)
class Pattern:
    """A message whose parts vary."""

    template: str
    fixed: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def weight(self) -> int:
        return sum(map(len, self.fixed))

    def values(self, text: str) -> dict[str, str] | None:
        """What varies, by its name, or None for a text that is not made from this message.

        A text that was cut at its end has to be like the message as far as it goes; what is missing is empty.
        The time grows with the length of the text, as each fixed part is sought once.
        """
        first, last = self.fixed[0], self.fixed[-1]
        if not text.startswith(first):
            return None
        cut = len(text) == MAX_MESSAGE and text.endswith("…") and not text.endswith(last)
        end = len(text) - (0 if cut else len(last))
        if end < len(first) or not (cut or text.endswith(last)):
            return None
        found: dict[str, str] = {}
        at = len(first)
        for name, fixed in zip(self.names[:-1], self.fixed[1:-1], strict=True):
            if fixed:
                stop = text.find(fixed, at, end)
            else:
                number = _NUMBER.match(text, at, end)
                stop = number.end() if number is not None else at
            if stop < 0:
                if not cut:
                    return None
                stop = end
            if found.setdefault(name, text[at:stop]) != text[at:stop]:
                return None
            at = min(stop + len(fixed), end)
        rest = text[at:end]
        return found if found.setdefault(self.names[-1], rest) == rest else None


class Patterns:
    """Many messages, among which the one that a text was made from is found: of several, that with the most letters."""

    def __init__(self, templates: Iterable[str]) -> None:
        self._beginning: dict[str, list[Pattern]] = defaultdict(list)
        self._ending: dict[str, list[Pattern]] = defaultdict(list)
        self._whole: dict[str, str] = {}
        for each in templates:
            fixed, names = split(each)
            if not names:
                self._whole[fixed[0]] = each
                continue
            pattern = Pattern(each, fixed, names)
            if fixed[0]:
                self._beginning[fixed[0][:_HEAD]].append(pattern)
            else:
                self._ending[fixed[-1][-_HEAD:]].append(pattern)

    def find(self, text: str) -> tuple[str, dict[str, str]] | None:
        """The message and what varies in it."""
        if text in self._whole:
            return self._whole[text], {}
        near = [each for long in range(1, _HEAD + 1) for each in self._beginning.get(text[:long], ())]
        near += [each for long in range(_HEAD + 1) for each in self._ending.get(text[len(text) - long :], ())]
        near.sort(key=lambda each: (-each.weight, each.template))
        for each in near:
            values = each.values(text)
            if values is not None:
                return each.template, values
        return None
