"""Repair workbooks that programs open and the library rejects: parts in UTF-16, missing sheet parts or types."""

from __future__ import annotations

import lzma
import re
import zipfile
import zlib
from pathlib import Path

from engine.families.data.workbooks.facts import attributes
from engine.toolkit import archive

_MARKS = (b"\xff\xfe", b"\xfe\xff")
_DECLARED = re.compile(r"(<\?xml[^<>]*?encoding\s*=\s*)[\"'][^\"']*[\"']")
_SHEET = re.compile(r"<(?:\w+:)?sheet\s[^<>]*?(?:/>|>\s*</(?:\w+:)?sheet>)")
_MAIN, _TYPE, _CONTENT = "xl/workbook.xml", "mimetype", "content.xml"
_SPREADSHEET = b"application/vnd.oasis.opendocument.spreadsheet"
_MOST = 10_000_000
"""Bytes of the list of sheets that are inspected before the file is checked."""


def repaired(source: Path) -> tuple[Path, list[str]]:
    """Return the file, or a copy that the library opens, and the names of sheets without a part in the file.

    Raises Unreadable and OverLimit as `archive.preflight` does, if a copy is needed.
    """
    try:
        with zipfile.ZipFile(source) as book:
            wide, lost = _faults(book)
            typeless = _TYPE not in book.NameToInfo and _CONTENT in book.NameToInfo
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, RuntimeError, OSError, ValueError, EOFError):
        return source, []  # the check that follows reports the fault
    if not (wide or lost or typeless):
        return source, []
    archive.preflight(source, max_ratio=None)
    copy = source.with_name(f"repaired{source.suffix}")
    with zipfile.ZipFile(source) as book, zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED) as target:
        if typeless:
            target.writestr(zipfile.ZipInfo(_TYPE), _SPREADSHEET)
        for name in book.namelist():
            data = book.read(name)
            if name in wide or (name == _MAIN and lost):
                data = _SHEET.sub(_kept, _text(data)).encode() if name == _MAIN else _text(data).encode()
            target.writestr(name, data)
    return copy, lost


def _faults(book: zipfile.ZipFile) -> tuple[set[str], list[str]]:
    """The parts in UTF-16, and the names of sheets without a part."""
    wide = set()
    for each in book.infolist():
        if each.filename.endswith((".xml", ".rels")):
            with book.open(each) as part:
                if part.read(2) in _MARKS:
                    wide.add(each.filename)
    lost: list[str] = []
    if _MAIN in book.NameToInfo and book.getinfo(_MAIN).file_size <= _MOST:
        tags = _SHEET.findall(_text(book.read(_MAIN)))
        lost = [attributes(tag).get("name", "") for tag in tags if not _kept_part(tag)]
        if len(lost) == len(tags):
            lost = []
    return wide, lost


def _kept_part(tag: str) -> bool:
    return any(key.endswith(":id") for key in attributes(tag))


def _kept(tag: re.Match[str]) -> str:
    return tag[0] if _kept_part(tag[0]) else ""


def _text(data: bytes) -> str:
    if data[:2] not in _MARKS:
        return data.decode("utf-8", "replace")
    return _DECLARED.sub(r'\1"UTF-8"', data.decode("utf-16", "replace"), count=1)
