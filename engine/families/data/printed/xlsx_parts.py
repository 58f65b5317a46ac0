"""The parts of an xlsx workbook by relationship, parsed without entities (ECMA-376, parts 1 and 2)."""

from __future__ import annotations

import functools
import posixpath
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import unquote

from lxml import etree

from engine.toolkit.xml_elements import children

_PARSING = {
    "resolve_entities": False, "no_network": True, "load_dtd": False, "remove_comments": True, "remove_pis": True,
}  # fmt: skip


class Parts:
    """The parts of a workbook that was checked before. Names are found in any letter case, as Excel does."""

    def __init__(self, file: Path) -> None:
        self._file = zipfile.ZipFile(file)
        self._names = {each.replace("\\", "/").lstrip("/").lower(): each for each in self._file.namelist()}
        self._related: dict[str, dict[str, tuple[str, str]]] = {}
        # A picture or a chart may be on thousands of places.
        self.picture = functools.cache(self.read)
        self.chart = functools.cache(self.xml)

    def __enter__(self) -> Parts:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()

    def read(self, name: str) -> bytes:
        """The bytes of a part; empty if it is missing."""
        found = self._names.get(name.lower())
        return self._file.read(found) if found else b""

    def xml(self, name: str) -> Any:
        """The root of a part; None if it is missing or malformed."""
        data = self.read(name)
        if not data:
            return None
        try:
            return etree.fromstring(data, etree.XMLParser(**_PARSING, recover=True))
        except etree.XMLSyntaxError:
            return None

    def elements(self, name: str, tags: tuple[str, ...]) -> Iterator[Any]:
        """The elements of a part with one of these names, as they end; each is emptied after it was used."""
        found = self._names.get(name.lower())
        if not found:
            return
        with self._file.open(found) as file:
            wanted = [f"{{*}}{each}" for each in tags]
            try:
                for _, element in etree.iterparse(file, events=("end",), tag=wanted, **_PARSING, recover=True):
                    yield element
                    element.clear(keep_tail=False)
                    while element.getprevious() is not None:
                        del element.getparent()[0]
            except etree.XMLSyntaxError:
                return

    def relations(self, name: str) -> dict[str, tuple[str, str]]:
        """The kind and the part of each relationship of a part within the file, by id."""
        name = name.lower()
        if name not in self._related:
            folder, file = posixpath.split(name)
            found = {}
            for each in children(self.xml(posixpath.join(folder, "_rels", f"{file}.rels")), "Relationship"):
                target = unquote((each.get("Target") or "").replace("\\", "/"))
                if each.get("TargetMode") != "External" and target:
                    inside = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/").lower()
                    found[each.get("Id") or ""] = ((each.get("Type") or "").rpartition("/")[2], inside)
            self._related[name] = found
        return self._related[name]

    def related(self, name: str, kind: str) -> list[str]:
        """The parts of a kind that a part refers to."""
        return [target for each, target in self.relations(name).values() if each == kind]
