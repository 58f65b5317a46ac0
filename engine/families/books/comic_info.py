"""Read, edit and write ComicInfo.xml, the metadata of a comic, preserving unknown elements."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import defusedxml.ElementTree
from defusedxml import DefusedXmlException

from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

NAME = "ComicInfo.xml"
MAX_BYTES = 1_000_000
_PEOPLE = {
    "Penciller": "pnc", "Inker": "ink", "Colorist": "clr", "Letterer": "lett", "CoverArtist": "cov", "Editor": "edt",
    "Translator": "trl",
}  # fmt: skip
"""Contributors other than the writer, by MARC relator code."""
_ORDER = (
    "Title", "Series", "Number", "Summary", "Year", "Month", "Day", "Writer", "Publisher", "Genre", "PageCount",
    "LanguageISO", "Manga",
)  # fmt: skip
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class ComicInfo:
    """A comic's fields by their ComicInfo 2.1 names, which may be mixed with unknown ones."""

    def __init__(self, root: Any = None) -> None:
        self._root = ElementTree.Element("ComicInfo") if root is None else root
        self.given = root is not None

    def get(self, name: str) -> str:
        """The text of a field, or an empty one."""
        return " ".join((self._root.findtext(name) or "").split())

    def put(self, name: str, value: str | None) -> None:
        """Set a field, unless the value is empty."""
        value = _UNWRITABLE.sub("", value or "").strip()
        if not value:
            return
        found = self._root.find(name)
        if found is None:
            found = ElementTree.SubElement(self._root, name)
        found.text = value

    def apply(self, options: Any) -> None:
        """Set the fields that the options give."""
        self.put("Title", options.title)
        self.put("Writer", options.author)
        self.put("LanguageISO", options.language)
        if options.direction == "rtl":
            self.put("Manga", "YesAndRightToLeft")
        elif options.direction == "ltr" and self.backwards:
            self.put("Manga", "No")

    @property
    def backwards(self) -> bool:
        """Whether it is read from right to left."""
        return self.get("Manga").lower() == "yesandrighttoleft"

    @property
    def title(self) -> str:
        """Its title, or the series and its number."""
        number = self.get("Number")
        return self.get("Title") or self.get("Series") + (f" #{number}" if self.get("Series") and number else "")

    @property
    def writers(self) -> list[str]:
        return [each.strip() for each in self.get("Writer").split(",") if each.strip()]

    @property
    def others(self) -> list[tuple[str, str]]:
        """All other contributors, each with their relator code."""
        return [
            (each.strip(), code) for name, code in _PEOPLE.items() for each in self.get(name).split(",") if each.strip()
        ]

    @property
    def subjects(self) -> list[str]:
        found = (each.strip() for name in ("Genre", "Tags") for each in self.get(name).split(","))
        return list(dict.fromkeys(filter(None, found)))

    @property
    def date(self) -> str:
        """The publication date, as far as it is known: 2024, 2024-05 or 2024-05-01."""
        parts = [self.get(name) for name in ("Year", "Month", "Day")]
        if not re.fullmatch("[0-9]{4}", parts[0]):
            return ""
        found = parts[0]
        for part in parts[1:]:
            if not re.fullmatch("[0-9]{1,2}", part):
                break
            found += f"-{int(part):02}"
        return found

    @property
    def language(self) -> str:
        found = self.get("LanguageISO")
        return found if re.fullmatch(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", found) else ""

    def beside(self, known: set[str]) -> list[str]:
        """The names of non-empty fields other than the `known` ones."""
        known = known | _PEOPLE.keys()
        return [each.tag for each in self._root if each.tag not in known and (len(each) or (each.text or "").strip())]

    def written(self, pages: int) -> bytes:
        """The XML file, for a comic with this number of pages."""
        self.put("PageCount", str(pages))
        if not self.given:
            self._root[:] = sorted(self._root, key=lambda each: _ORDER.index(each.tag))
        ElementTree.indent(self._root)
        body = ElementTree.tostring(self._root, encoding="unicode")
        return f'<?xml version="1.0" encoding="utf-8"?>\n{body}\n'.encode()


def read(data: bytes, warn: Warn) -> ComicInfo:
    """The fields of a file; none, with a warning, if it can't be read."""
    try:
        root = defusedxml.ElementTree.fromstring(data, forbid_dtd=True) if len(data) <= MAX_BYTES else None
    except (ElementTree.ParseError, DefusedXmlException, ValueError, LookupError):
        root = None
    if root is None or root.tag != "ComicInfo" or sum(1 for _ in root.iter()) > 10_000 or not _flat(root):
        warn("METADATA_DROPPED", say("{name} can't be read, so its details about the comic were left out.", name=NAME))
        return ComicInfo()
    return ComicInfo(root)


def _flat(root: Any) -> bool:
    """Whether nothing is nested deeper than in the schema."""
    return all(not len(below) for each in root for below in each)
