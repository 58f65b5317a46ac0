"""The files of an archive that a person put there, in natural order."""

from __future__ import annotations

import zipfile
from collections.abc import Container

from engine.toolkit import natural_order
from engine.toolkit.formats import HEAD_BYTES, Format, by_filename

_OF_SYSTEMS = ("thumbs.db", "desktop.ini")


def members(opened: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """The files in natural order, without those that operating systems create."""
    return sorted(filter(_is_from_a_person, opened.infolist()), key=lambda each: natural_order.key(each.filename))


def of_formats(
    opened: zipfile.ZipFile, formats: Container[Format]
) -> tuple[list[tuple[zipfile.ZipInfo, Format]], list[str]]:
    """The files whose names and first bytes match one of these formats, and the names of the others."""
    found, others = [], []
    for entry in members(opened):
        format = by_filename(entry.filename)
        with opened.open(entry) as file:
            taken = format is not None and format in formats and format.recognises(file.read(HEAD_BYTES))
        if format is not None and taken:
            found.append((entry, format))
        else:
            others.append(entry.filename)
    return found, others


def _is_from_a_person(entry: zipfile.ZipInfo) -> bool:
    name = entry.filename.rpartition("/")[2]
    hidden = name.startswith(".") or entry.filename.startswith("__MACOSX/") or name.lower() in _OF_SYSTEMS
    return not entry.is_dir() and not hidden
