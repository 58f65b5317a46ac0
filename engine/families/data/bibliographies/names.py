"""Read the names of people in BibTeX, split as BibTeX splits them (Tame the BeaST, chapter 11)."""

from __future__ import annotations

import re

from engine.families.data.bibliographies.items import Item
from engine.families.data.bibliographies.latex import decoded

_AND = re.compile(r"\sand(?=\s)", re.IGNORECASE)
_CONTROL = re.compile(r"\\(?:(i|j|oe?|ae|aa|l|ss)(?![A-Za-z])|(OE?|AE|AA|L)(?![A-Za-z])|[A-Za-z]+|.)", re.DOTALL)
"""A control sequence; the first two groups are letters of their own, small and large."""
_PART = re.compile(r"([A-Za-z-]+)\s*=\s*(.*)", re.DOTALL)
_EXTENDED = {"family": "family", "given": "given", "suffix": "suffix", "prefix": "dropping-particle"}


def people(value: str, unknown: list[str]) -> list[Item]:
    """The names in a field; commands of LaTeX that aren't known are added to `unknown`."""
    return [_name(each, unknown) for each in _names(value)]


def _names(value: str) -> list[str]:
    """The names separated by `and`, outside of braces."""
    parts, begin, depth, last = [], 0, 0, 0
    for match in _AND.finditer(value):
        depth += value.count("{", last, match.start()) - value.count("}", last, match.start())
        last = match.start()
        if depth <= 0:
            parts.append(value[begin : match.start()])
            begin = match.end()
    parts.append(value[begin:])
    return [each.strip() for each in parts if each.strip()]


def _outside(value: str, marks: str) -> list[str]:
    """The parts between these marks, outside of braces."""
    parts, begin, depth = [], 0, 0
    for at, each in enumerate(value):
        depth += (each == "{") - (each == "}")
        if depth <= 0 and each in marks:
            parts.append(value[begin:at])
            begin = at + 1
    return [*parts, value[begin:]]


def _name(value: str, unknown: list[str]) -> Item:
    parts = [each.strip() for each in _outside(value, ",")]
    found = _extended(parts)
    if found is None:
        found = _parts(parts)
    if "given" in found or "suffix" in found or "dropping-particle" in found:
        return {key: decoded(each, unknown) for key, each in found.items()}
    return {"literal": decoded(value, unknown)}


def _parts(parts: list[str]) -> Item:
    """A name as `First von Last`, `von Last, First` or `von Last, Jr, First`; further parts are of the first name."""
    words = [each for each in _outside(parts[0], " \t\n~") if each]
    small = [at for at, word in enumerate(words[:-1]) if _is_small(word)]
    if len(parts) == 1:
        first = small[0] if small else len(words) - 1
        given, suffix = " ".join(words[: max(first, 0)]), ""
    else:
        first = 0
        given, suffix = (parts[1], "") if len(parts) == 2 else (", ".join(parts[2:]), parts[1])
    cut = small[-1] + 1 if small else max(first, 0)
    found = {"family": " ".join(words[cut:]), "given": given, "non-dropping-particle": " ".join(words[first:cut]),
             "suffix": suffix}  # fmt: skip
    return {key: each for key, each in found.items() if each}


def _is_small(word: str) -> bool:
    """Whether the first letter outside of braces is small; an accent in braces, `{\\'e}`, counts as its letter."""
    at = depth = 0
    special = False
    while at < len(word):
        mark = word[at]
        at += 1
        if mark == "{":
            depth += 1
            if depth == 1 and (control := _CONTROL.match(word, at)):
                if control[1] or control[2]:
                    return bool(control[1])
                special, at = True, control.end()
        elif mark == "}":
            depth -= 1
            special = special and depth > 0
        elif (depth <= 0 or special) and (mark.isupper() or mark.islower()):
            return mark.islower()
    return False


def _extended(parts: list[str]) -> Item | None:
    """A name as `family=..., given=...` (BibLaTeX, section 3.4), None for any other; empty if it has further parts."""
    found: Item = {}
    for each in parts:
        match = _PART.fullmatch(each)
        if match is None:
            return None
        found[match[1].lower()] = match[2]
    useprefix = found.pop("useprefix", "false")
    if found.keys() - _EXTENDED.keys():
        return {}
    named = {_EXTENDED[key]: each for key, each in found.items()}
    if useprefix.lower() == "true" and "dropping-particle" in named:
        named["non-dropping-particle"] = named.pop("dropping-particle")
    return named
