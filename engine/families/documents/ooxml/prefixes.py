"""Normalise XML prefixes in Word documents for readers that rely on the usual ones."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from lxml import etree

from engine.families.documents.ooxml.package import Package
from engine.toolkit import archive

_OFFICE = "http://schemas.openxmlformats.org"
_USUAL = {
    "w": f"{_OFFICE}/wordprocessingml/2006/main",
    "r": f"{_OFFICE}/officeDocument/2006/relationships",
    "a": f"{_OFFICE}/drawingml/2006/main",
    "wp": f"{_OFFICE}/drawingml/2006/wordprocessingDrawing",
    "pic": f"{_OFFICE}/drawingml/2006/picture",
    "m": f"{_OFFICE}/officeDocument/2006/math",
    "mc": f"{_OFFICE}/markup-compatibility/2006",
    "c": f"{_OFFICE}/drawingml/2006/chart",
    "v": "urn:schemas-microsoft-com:vml",
    "o": "urn:schemas-microsoft-com:office:office",
}
_DECLARED = re.compile(rb"""xmlns(?::([\w.-]+))?\s*=\s*["']([^"'<]*)["']""")
_BY_ADDRESS = {address.encode(): prefix.encode() for prefix, address in _USUAL.items()}


def normalised(source: Path, target: Path) -> bool:
    """Write the docx `source` to `target` with the usual prefixes in all parts; return whether that was needed.

    Raises Unreadable for a malformed part, and OverLimit as Package does.
    """
    with Package(source) as package:
        others = [name for name in sorted(package.names) if name.endswith(".xml") and _is_other(package.read(name))]
        if not others:
            return False
        with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as made:
            for name in sorted(package.names):
                made.writestr(archive.entry(name), _renamed(package, name) if name in others else package.read(name))
    return True


def _is_other(data: bytes) -> bool:
    """Whether a part binds a known namespace to another prefix, or a usual prefix to another namespace."""
    found = _DECLARED.findall(data)
    return any(address == _USUAL["w"].encode() for _, address in found) and any(
        _BY_ADDRESS.get(address, prefix) != prefix for prefix, address in found
    )


def _renamed(package: Package, name: str) -> bytes:
    old = package.xml(name)
    taken = set(_USUAL.values())
    kept = {prefix: address for prefix, address in old.nsmap.items() if prefix not in _USUAL and address not in taken}
    root = etree.Element(old.tag, dict(old.attrib), nsmap={**kept, **_USUAL})
    root.text = old.text
    root.extend(list(old))
    made: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return made
