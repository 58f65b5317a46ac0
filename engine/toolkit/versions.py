"""Read the format version a file declares, from its first bytes or one part of its package."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from engine.toolkit.formats import Format

_READ = 1 << 16
_XML = re.compile(rb"""\A(?:\xef\xbb\xbf)?\s*<\?xml[^>]*?\bversion\s*=\s*["']([0-9.]{1,8})["']""")
_SVG = re.compile(rb"""<(?:\w+:)?svg\b[^<>]*?\sversion\s*=\s*["']([0-9.]{1,8})["']""")
_DOCTYPE = re.compile(rb"""<!doctype\s+html(?:\s+public\s+["'][^"']*?//dtd\s+(x?html\s+[0-9.]{1,8}))?""", re.IGNORECASE)
_OPEN_DOCUMENT = re.compile(rb"""\boffice:version\s*=\s*["']([0-9.]{1,8})["']""")
_APPLICATION = re.compile(rb"<(?:\w+:)?AppVersion>([0-9.]{1,16})<")
_BOOK = re.compile(rb"""<(?:\w+:)?package\b[^<>]*?\sversion\s*=\s*["']([0-9.]{1,8})["']""")
_CARD = re.compile(rb"^VERSION(?:;[^:\r\n]*)?:([0-9.]{1,8})\s*$", re.IGNORECASE | re.MULTILINE)

_PATTERNS: dict[str, re.Pattern[bytes]] = {
    "pdf": re.compile(rb"%PDF-([0-9]\.[0-9])"),
    "gif": re.compile(rb"\AGIF(8[79]a)"),
    "jpg": re.compile(rb"\A\xff\xd8\xff.{3}((?:JFIF|Exif)(?=\0))", re.DOTALL),
    "rtf": re.compile(rb"\A\{\\rtf([0-9]{1,2})"),
    "sqlite": re.compile(rb"\ASQLite format ([0-9])"),
    "yaml": re.compile(rb"^%YAML ([0-9.]{1,8})", re.MULTILINE),
    "webp": re.compile(rb"\ARIFF.{4}WEBP(VP8[LX ])", re.DOTALL),
    "vcf": _CARD,
    "ics": _CARD,
    "xml": _XML,
    "svg": _SVG,
}
_PARTS: dict[str, tuple[str, re.Pattern[bytes]]] = {
    **dict.fromkeys(("docx", "xlsx", "xlsm", "xlsb", "pptx"), ("docProps/app.xml", _APPLICATION)),
    **dict.fromkeys(("odt", "ods", "odp", "odg"), ("meta.xml", _OPEN_DOCUMENT)),
    "epub": (".opf", _BOOK),
}
"""Packaged formats: the suffix of the part that declares the version, and the pattern to find it."""

_BITMAPS = {12: "2", 40: "3", 108: "4", 124: "5"}
"""A BMP's version follows from the length of its second header."""


def version_of(format: Format, path: Path) -> str | None:
    """The version a file declares, such as `1.7` for a PDF; None if it declares none."""
    if format.id in _PARTS:
        return _of_package(path, *_PARTS[format.id])
    with path.open("rb") as file:
        head = file.read(_READ)
    if format.id == "html":
        found = _DOCTYPE.search(head)
        return None if found is None else _text(found[1] or b"5")
    if format.id == "bmp":
        return _BITMAPS.get(int.from_bytes(head[14:18], "little"))
    if format.id == "tiff":
        return "BigTIFF" if b"+" in head[:4] else "6.0"
    pattern = _PATTERNS.get(format.id)
    found = pattern.search(head) if pattern else None
    return None if found is None else _text(found[1])


def _of_package(path: Path, end: str, pattern: re.Pattern[bytes]) -> str | None:
    try:
        with zipfile.ZipFile(path) as package:
            name = next((each for each in package.namelist() if each.endswith(end)), None)
            if name is None:
                return None
            with package.open(name) as part:
                found = pattern.search(part.read(_READ))
    # Damage is the converter's to report: it knows the place. An encrypted part raises RuntimeError.
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, EOFError, ValueError):
        return None
    return None if found is None else _text(found[1])


def _text(found: bytes) -> str:
    return " ".join(found.decode("ascii", "replace").split())
