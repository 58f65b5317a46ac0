"""A package of Office Open XML (ECMA-376, part 2): its parts by their relationships, parsed with nothing expanded."""

from __future__ import annotations

import posixpath
import zipfile
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, TypeAlias
from urllib.parse import unquote

from lxml import etree

from conversions.toolkit import archive
from conversions.toolkit.failures import Unreadable

Element: TypeAlias = Any
"""An element of a part; lxml has no types."""

_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_STRICT = (
    (b"http://purl.oclc.org/ooxml/officeDocument/relationships", b"officeDocument/2006/relationships"),
    (b"http://purl.oclc.org/ooxml/officeDocument/math", b"officeDocument/2006/math"),
    (b"http://purl.oclc.org/ooxml/wordprocessingml/main", b"wordprocessingml/2006/main"),
    (b"http://purl.oclc.org/ooxml/presentationml/main", b"presentationml/2006/main"),
    (b"http://purl.oclc.org/ooxml/drawingml/", b"drawingml/2006/"),
)
"""The namespaces of the strict variant (part 1, annex A) and those that all else is written in."""


@dataclass(frozen=True)
class Relation:
    """What a part refers to: the last word of the relationship's type, and a part's name or an address outside."""

    kind: str
    target: str
    external: bool


class Package:
    """One file, checked before anything in it is parsed; raises Unreadable and OverLimit as that check does."""

    def __init__(self, path: Path) -> None:
        archive.preflight(path)
        self._parts = zipfile.ZipFile(path)
        self.names = frozenset(self._parts.namelist())
        self._relations: dict[str, dict[str, Relation]] = {}

    def __enter__(self) -> Package:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._parts.close()

    def read(self, name: str) -> bytes:
        """The bytes of a part. Raises Unreadable where there is no such part."""
        if name not in self.names:
            raise Unreadable(f"The file is damaged: its part {name[:80]} is missing.")
        return self._parts.read(name)

    def xml(self, name: str) -> Element:
        """The root of a part. Raises Unreadable for what is malformed, too deep, or declares entities."""
        data = self.read(name)
        for strict, usual in _STRICT:
            data = data.replace(strict, b"http://schemas.openxmlformats.org/" + usual)
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True,
            collect_ids=False,  # or an id that stands twice would be an error of XML
        )  # fmt: skip
        try:
            root = etree.fromstring(data, parser)
        except etree.XMLSyntaxError as error:
            line, column = error.position
            raise Unreadable(
                f"The file is damaged: its part {name[:80]} can't be parsed.", line=line or None, column=column or None
            ) from error
        declared = root.getroottree().docinfo.internalDTD
        if declared is not None and any(True for _ in declared.iterentities()):
            raise Unreadable(f"The file is damaged: its part {name[:80]} declares entities.")
        return root

    def relations(self, name: str) -> dict[str, Relation]:
        """What the part `name` (the package itself where it is empty) refers to, by the id of the relationship."""
        if name not in self._relations:
            folder, _, file = name.rpartition("/")
            rels = f"{folder}/_rels/{file}.rels".lstrip("/")
            found = {}
            if rels in self.names:
                for each in self.xml(rels).iter(_RELATION):
                    external = each.get("TargetMode") == "External"
                    target = each.get("Target") or ""
                    kind = (each.get("Type") or "").rpartition("/")[2]
                    found[each.get("Id") or ""] = Relation(
                        kind, target if external else _inside(folder, target), external
                    )
            self._relations[name] = found
        return self._relations[name]

    def related(self, name: str, kind: str) -> str | None:
        """The first part of a kind that the part `name` refers to and that is there."""
        return next(
            (
                each.target
                for each in self.relations(name).values()
                if each.kind == kind and not each.external and each.target in self.names
            ),
            None,
        )

    def main(self) -> str | None:
        """The part that the package is about (part 1, 11.3.10 and 13.3.6), whatever it is called."""
        return self.related("", "officeDocument")


def _inside(folder: str, target: str) -> str:
    """The name of a part from what a part in `folder` calls it; none leads out of the package."""
    path = unquote(target.partition("#")[0])
    joined = path if path.startswith("/") else f"/{folder}/{path}"
    return posixpath.normpath(joined).lstrip("/")
