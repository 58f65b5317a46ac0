"""The metafiles (EMF, WMF) in documents as SVG."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections import Counter
from pathlib import Path

from engine.toolkit.warnings import Kind, Warn

_ENDINGS = (".emf", ".wmf", ".emz", ".wmz")
_REFERRING = (".rels", "content.xml", "styles.xml")
_NAME = re.compile(rb"""(?<=["/])[^"/<>]{1,200}\.(?:emf|wmf|emz|wmz)(?=")""", re.IGNORECASE)
_SVG_TYPE = b'<Default Extension="svg" ContentType="image/svg+xml"/>'


def drawn(data: bytes, found: Counter[Kind]) -> bytes | None:
    """A metafile as SVG, what it lacks counted; None for other data, and for one that can't be drawn."""
    from engine.toolkit.metafiles import embedded

    made = embedded.drawn(data, found)
    return None if made is None else made.svg


def replaced(source: Path, target: Path, warn: Warn) -> bool:
    """Write the docx or odt `source` to `target` with SVG for its metafiles; False if it has none that can be drawn."""
    found: Counter[Kind] = Counter()
    with zipfile.ZipFile(source) as parts:
        names = set(parts.namelist())
        made: dict[str, bytes] = {}
        for name in sorted(names):
            if name.lower().endswith(_ENDINGS) and (svg := drawn(parts.read(name), found)) is not None:
                made[name] = svg
        if not made:
            return False
        renamed = {posixpath.basename(name).encode(): posixpath.basename(_free(name, names)).encode() for name in made}
        with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as copy:
            for entry in parts.infolist():
                name = entry.filename
                content = made[name] if name in made else parts.read(entry)
                if name.endswith(_REFERRING):
                    content = _NAME.sub(lambda match: renamed.get(match[0], match[0]), content)
                elif name == "[Content_Types].xml" and b'Extension="svg"' not in content:
                    content = re.sub(rb"(<Types\b[^<>]*>)", rb"\1" + _SVG_TYPE, content, count=1)
                copy.writestr(zipfile.ZipInfo(_free(name, names) if name in made else name), content)
    for kind, count in found.items():
        warn.tally(kind, count)
    return True


def _free(name: str, names: set[str]) -> str:
    """The name of the SVG, which no other part has."""
    free = f"{name}.svg"
    while free in names:
        free = f"{name}.{len(free)}.svg"
    return free
