"""An Office Open XML package (ECMA-376, part 2): its parts by relationship, parsed without entities."""

from __future__ import annotations

import posixpath
import zipfile
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, TypeAlias
from urllib.parse import unquote

from lxml import etree

from engine.toolkit import archive
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say

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
"""The namespaces of the strict variant (part 1, annex A), mapped to the transitional ones."""


@dataclass(frozen=True)
class Relation:
    """A relationship: the last word of its type, and the part name or external address it targets."""

    kind: str
    target: str
    external: bool


class Package:
    """An opened file, checked before any part is parsed; raises Unreadable and OverLimit as that check does."""

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
        """The bytes of a part. Raises Unreadable if it is missing."""
        if name not in self.names:
            raise Unreadable(say("The file is damaged: its part {name} is missing.", name=name[:80]), reason="damaged")
        return self._parts.read(name)

    def xml(self, name: str) -> Element:
        """The root element of a part. Raises Unreadable if it is malformed, nested too deep or declares entities."""
        data = self.read(name)
        for strict, usual in _STRICT:
            data = data.replace(strict, b"http://schemas.openxmlformats.org/" + usual)
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True,
            collect_ids=False,  # otherwise a duplicate id would be an XML error
        )  # fmt: skip
        try:
            root = etree.fromstring(data, parser)
        except etree.XMLSyntaxError as error:
            line, column = error.position
            raise Unreadable(
                say("The file is damaged: its part {name} can't be parsed.", name=name[:80]),
                line=line or None,
                column=column or None,
                reason="damaged",
            ) from error
        declared = root.getroottree().docinfo.internalDTD
        if declared is not None and any(True for _ in declared.iterentities()):
            raise Unreadable(
                say("The file is damaged: its part {name} declares entities.", name=name[:80]),
                reason="unsupported_feature",
            )
        return root

    def relations(self, name: str) -> dict[str, Relation]:
        """The relationships of the part `name` (of the package itself if empty), by id."""
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
        """The first existing part of a kind that the part `name` refers to."""
        return next(
            (
                each.target
                for each in self.relations(name).values()
                if each.kind == kind and not each.external and each.target in self.names
            ),
            None,
        )

    def main(self) -> str | None:
        """The main document part (part 1, 11.3.10 and 13.3.6), whatever its name."""
        return self.related("", "officeDocument")


def _inside(folder: str, target: str) -> str:
    """The part name for a target relative to `folder`; it never leaves the package."""
    path = unquote(target.partition("#")[0])
    joined = path if path.startswith("/") else f"/{folder}/{path}"
    return posixpath.normpath(joined).lstrip("/")
