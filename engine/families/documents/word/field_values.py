"""The values of fields whose result is not stored in the file (ECMA-376, part 1, 17.16.5)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.field_formulas import COMPARED, calculated, pictured
from engine.families.documents.word.names import W
from engine.families.documents.word.number_formats import ordinal
from engine.families.documents.word.page_numbers import format_of
from engine.toolkit.messages import say
from engine.toolkit.vocabulary import most_frequent
from engine.toolkit.warnings import Warn

_WORD = re.compile(r'"((?:[^"\\]|\\.)*+)"|\u201c([^\u201d]*+)\u201d|(\S+)')
_LONGEST = 10_000
_MOST_OPEN = 50
"""The bookmarks around one text whose texts are known."""
UNSHOWN = frozenset((
    "SET", "ASK", "XE", "TC", "TA", "RD", "NEXT", "NEXTIF", "SKIPIF", "ADVANCE", "PRIVATE", "MACROBUTTON", "GOTOBUTTON",
    "FORMCHECKBOX", "FORMTEXT", "FORMDROPDOWN", "HYPERLINK", "PAGE", "NUMPAGES", "SECTIONPAGES", "PAGEREF", "SYMBOL",
    "EQ", "ADDIN", "DATA", "NOTEREF", "BIDIOUTLINE", "CONTROL", "EMBED", "LINK", "SHAPE", "AUTOTEXTLIST", "DDE",
    "DDEAUTO",
))  # fmt: skip
"""Fields that show nothing, that are read elsewhere, or whose objects are counted."""
_LISTS = {
    "numberdefault": ("{})", "lowerLetter:{})", "lowerRoman:{})", "({})", "lowerLetter:({})", "lowerRoman:({})", "{}.",
                      "lowerLetter:{}.", "lowerRoman:{}."),
    "outlinedefault": ("upperRoman:{}.", "upperLetter:{}.", "{}.", "lowerLetter:{})", "({})", "lowerLetter:({})",
                       "lowerRoman:({})", "lowerLetter:({})", "lowerRoman:({})"),
}  # fmt: skip
_CASES: Mapping[str, Callable[[str], str]] = {
    "upper": str.upper,
    "lower": str.lower,
    "caps": str.title,
    "firstcap": lambda text: text[:1].upper() + text[1:],
}


@dataclass
class FieldValues:
    """The values of the fields of a text, asked for in text order; `root` is the part with its bookmarks."""

    root: Element
    properties: dict[str, str] = field(default_factory=dict)
    """Document properties by their names in lower case."""
    missing: Counter[str] = field(default_factory=Counter)
    """The fields without a value, by name."""
    _sequences: Counter[str] = field(default_factory=Counter)
    _lists: dict[str, list[int]] = field(default_factory=dict)
    _set: dict[str, str] = field(default_factory=dict)
    _texts: dict[str, str] | None = None

    def of(self, instruction: str, stored: str | None, *, level: int = 0) -> str | None:
        """The value of a field, of which `stored` is the result; None if that is shown. `level` is the outline's.

        Numbers go on from a stored result. A field without a value is noted as missing.
        """
        words = _words(instruction)
        if not words:
            return None
        name = words[0].upper()
        value = self._value(name, words, instruction, stored, level)
        if stored is not None or name in UNSHOWN:
            return None
        if value is None:
            self.missing[name if re.fullmatch(r"[A-Z]{2,20}", name) else "="] += 1
            return None
        return _formatted(value, words)[:_LONGEST]

    def _value(self, name: str, words: list[str], instruction: str, stored: str | None, level: int) -> str | None:
        if name == "SEQ" and len(words) > 1:
            return self._sequence(words, stored)
        if name == "LISTNUM":
            return self._listed(words)
        if name.startswith("AUTONUM"):
            return self._automatic(name, level)
        if name == "SET" and len(words) > 2:
            self._set[words[1].lower()] = words[2][:_LONGEST]
            return None
        if stored is not None:
            return None
        if name == "QUOTE":
            return words[1] if len(words) > 1 else ""
        if name == "IF":
            return self._chosen(words)
        if name == "COMPARE" and len(words) > 3:
            return "1" if self._compares(words[1:4]) else "0"
        if name.startswith("="):
            return self._calculated(instruction, words)
        if name in ("TITLE", "AUTHOR", "SUBJECT", "KEYWORDS", "COMMENTS", "LASTSAVEDBY"):
            return self.properties.get(name.lower())
        if name in ("DOCPROPERTY", "INFO") and len(words) > 1:
            return self.properties.get(words[1].lower())
        if name == "MERGEFIELD" and len(words) > 1:
            return f"\u00ab{words[1]}\u00bb"
        if name == "REF" and len(words) > 1:
            return self._text(words[1])
        return self._text(words[0])

    def _sequence(self, words: list[str], stored: str | None) -> str | None:
        key = words[1].lower()
        again = next((words[at + 1] for at, each in enumerate(words[:-1]) if each.lower() == "\\r"), "")
        if again.isdecimal() and len(again) < 9:
            self._sequences[key] = int(again)
        elif "\\c" not in words:
            said = (stored or "").strip()
            self._sequences[key] = int(said) if said.isdecimal() and len(said) < 9 else self._sequences[key] + 1
        if "\\h" in words and "\\*" not in words:
            return ""
        return ordinal(self._sequences[key], format_of(words) or "decimal")

    def _listed(self, words: list[str]) -> str:
        name = words[1].lower() if len(words) > 1 and not words[1].startswith("\\") else "numberdefault"
        switches = {each.lower(): words[at + 1] for at, each in enumerate(words[:-1])}
        at = _small(switches.get("\\l"), 1, 9) - 1
        counts = self._lists.setdefault(name, [0] * 9)
        counts[at] = _small(switches.get("\\s"), counts[at] + 1, 99_999)
        counts[at + 1 :] = [0] * (8 - at)
        if name == "legaldefault":
            return ".".join(str(max(each, 1)) for each in counts[: at + 1]) + "."
        return _number(counts[at], _LISTS.get(name, _LISTS["numberdefault"])[at])

    def _automatic(self, name: str, level: int) -> str:
        counts = self._lists.setdefault("\\autonum", [0] * 10)
        level = min(max(level, 0), 9)
        counts[level] += 1
        counts[level + 1 :] = [0] * (9 - level)
        if name == "AUTONUMLGL":
            return ".".join(str(max(each, 1)) for each in counts[min(level, 1) : level + 1]) + "."
        if name == "AUTONUMOUT":
            return _number(counts[level], _LISTS["outlinedefault"][max(level - 1, 0)])
        return f"{counts[level]}."

    def _chosen(self, words: list[str]) -> str | None:
        if len(words) < 5:
            return None
        return words[4] if self._compares(words[1:4]) else words[5] if len(words) > 5 else ""

    def _compares(self, words: list[str]) -> bool:
        """Whether a comparison of two texts or numbers is true; a text that is compared may have wildcards."""
        one, sign, two = words
        left, right = (calculated(each, self._number) for each in (one, two))
        if left is not None and right is not None and sign in COMPARED:
            return COMPARED[sign](left, right)
        if sign in ("=", "<>"):
            pattern = "".join({"*": ".*", "?": "."}.get(each, re.escape(each)) for each in re.sub(r"\*+", "*", two))
            same = two.count("*") < 4 and re.fullmatch(pattern, one, re.DOTALL) is not None
            return same == (sign == "=")
        return {"<": one < two, ">": one > two, "<=": one <= two, ">=": one >= two}.get(sign, False)

    def _calculated(self, instruction: str, words: list[str]) -> str | None:
        text = instruction.strip()[1:]
        picture = next((words[at + 1] for at, each in enumerate(words[:-1]) if each == "\\#"), "")
        value = calculated(re.split(r"\\[#*]", text)[0], self._number)
        return None if value is None else pictured(value, picture)

    def _number(self, name: str) -> float | None:
        text = self._text(name)
        return None if text is None else calculated(text, lambda _: None)

    def _text(self, name: str) -> str | None:
        """The text of a bookmark, or of a value that a field has set."""
        if name.lower() in self._set:
            return self._set[name.lower()]
        if self._texts is None:
            self._texts = _bookmarks(self.root)
        return self._texts.get(name.lower())


def report(missing: Counter[str], warn: Warn) -> None:
    """Warn of fields without a value, the most frequent first."""
    if shown := most_frequent(missing):
        warn(
            "CONTENT_DROPPED",
            say("Fields without a stored result were left out: {count} ({shown}).", count=missing.total(), shown=shown),
        )


def _words(instruction: str) -> list[str]:
    found = []
    for match in _WORD.finditer(instruction[:_LONGEST]):
        quoted, curled, plain = match.groups()
        found.append(plain if plain is not None else (quoted or curled or "").replace('\\"', '"'))
    return found


def _formatted(value: str, words: list[str]) -> str:
    """A value in the case that the field asks for (17.16.4.3)."""
    switch = next((words[at + 1].lower() for at, each in enumerate(words[:-1]) if each == "\\*"), "")
    if switch in _CASES:
        return _CASES[switch](value)
    format = format_of(words)
    return ordinal(int(value), format) if format and value.isdecimal() and len(value) < 9 else value


def _number(number: int, pattern: str) -> str:
    format, _, shape = pattern.rpartition(":")
    return shape.format(ordinal(number, format or "decimal"))


def _small(text: str | None, otherwise: int, most: int) -> int:
    return min(max(int(text), 1), most) if text and text.isdecimal() and len(text) < 9 else otherwise


def _bookmarks(root: Element) -> dict[str, str]:
    """The texts of the bookmarks of a part by their names in lower case."""
    found: dict[str, list[str]] = {}
    names: dict[str, str] = {}
    open_: dict[str, list[str]] = {}
    for each in root.iter(W + "bookmarkStart", W + "bookmarkEnd", W + "t", W + "tab", W + "p"):
        number = each.get(W + "id") or ""
        if each.tag == W + "bookmarkStart" and len(open_) < _MOST_OPEN:
            names[number] = (each.get(W + "name") or "").lower()
            open_[number] = found.setdefault(names[number], [])
        elif each.tag == W + "bookmarkEnd":
            open_.pop(number, None)
        elif each.tag == W + "t":
            for texts in open_.values():
                texts.append((each.text or "")[:_LONGEST])
        else:
            for texts in open_.values():
                if texts:
                    texts.append(" ")
    return {name: "".join(texts)[:_LONGEST].strip() for name, texts in found.items()}
