"""Packages of Office Open XML (ECMA-376, part 2): parts, content types and relationships."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def relations(found: Iterable[tuple[str, str, str]]) -> str:
    """The relationships of a part: the id, kind and target of each."""
    made = "".join(
        f'<Relationship Id="{name}" Type="{OFFICE}/{kind}" Target="{target}"/>' for name, kind, target in found
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{made}</Relationships>'


def package(path: Path, overrides: str, parts: Mapping[str, str | bytes]) -> None:
    """Write a package of parts."""
    types = (
        f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
        'ContentType="application/xml"/>'
        f'<Default Extension="jpeg" ContentType="image/jpeg"/>{overrides}</Types>'
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("[Content_Types].xml", types)
        for name, data in parts.items():
            declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' if isinstance(data, str) else ""
            file.writestr(name, declaration + data if isinstance(data, str) else data)
