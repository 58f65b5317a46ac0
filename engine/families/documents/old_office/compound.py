"""Open the compound file of a Word or PowerPoint document of 97 to 2003 ([MS-CFB]), checked for its kind."""

from __future__ import annotations

import codecs
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import olefile

from engine.toolkit import office_macros
from engine.toolkit.failures import Unreadable
from engine.toolkit.formats import DOC, Format
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_MAIN = {
    "worddocument": say("a Word document (.doc)"),
    "powerpoint document": say("a PowerPoint presentation (.ppt)"),
    "workbook": say("an Excel workbook (.xls)"),
    "book": say("an Excel workbook (.xls)"),
    "__properties_version1.0": say("an Outlook message (.msg)"),
}
PROTECTED = say("The file is protected by a password. Remove the password and try again.")
_DAMAGED = say("The file is damaged: it can't be read. Save or download it again.")
_BROKEN = (OSError, ValueError, struct.error, IndexError, KeyError, RecursionError, TypeError, OverflowError)
_MACROS = frozenset({"macros", "_vba_project_cur"})
_SLIDES_95 = "pp40"
"""The stream of PowerPoint 95."""
_PART = 200_000_000
"""The most bytes of one stream; a file is never larger than the service accepts."""


class Compound:
    """The streams of one file by name."""

    def __init__(self, file: olefile.OleFileIO) -> None:
        self._file = file
        self.names = frozenset("/".join(each).lower() for each in file.listdir(streams=True, storages=True))

    def stream(self, name: str) -> bytes:
        """The bytes of a stream; none if there is no such stream. Names are the same in any case ([MS-CFB], 2.6.4)."""
        if not self._file.exists(name) or self._file.get_type(name) != olefile.STGTY_STREAM:
            return b""
        if self._file.get_size(name) > _PART:
            raise Unreadable(_DAMAGED, reason="damaged")
        data: bytes = self._file.openstream(name).read()
        return data

    def encoding(self) -> str | None:
        """The encoding of one byte for a letter that the properties of the file name; None if they name none."""
        page = self._file.get_metadata().codepage
        named = page & 0xFFFF if isinstance(page, int) else 0
        return _encoding(named) if named not in (0, 1200, 65_001) else None

    def names_of_itself(self) -> tuple[str, str]:
        """The title and the author that the file says it has ([MS-OLEPS])."""
        told = self._file.get_metadata()
        encoding = _encoding(told.codepage & 0xFFFF if isinstance(told.codepage, int) else 0)
        found = []
        for each in (told.title, told.author):
            text = each.decode(encoding, "replace") if isinstance(each, bytes) else str(each or "")
            found.append("".join(letter for letter in text.split("\0")[0] if letter.isprintable())[:500])
        return found[0], found[1]


def _encoding(page: int) -> str:
    name = {65_001: "utf-8", 10_000: "mac-roman"}.get(page, f"cp{page}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"


@contextmanager
def opened(source: Path, format: Format, warn: Warn) -> Iterator[Compound]:
    """Open a file of a format, DOC or PPT, and name its macros.

    Raises Unreadable for a file that is damaged, protected or of another kind, also for damage that is found while it
    is open.
    """
    try:
        # A short file given as bytes would be taken for a path.
        with olefile.OleFileIO(BytesIO(source.read_bytes())) as file:
            found = Compound(file)
            _check(found, format)
            warn.tally(office_macros.MACROS, len(_MACROS & found.names))
            yield found
    except _BROKEN as error:
        raise Unreadable(_DAMAGED, reason="damaged") from error


def _check(found: Compound, format: Format) -> None:
    main = "worddocument" if format is DOC else "powerpoint document"
    if main in found.names:
        return
    if _SLIDES_95 in found.names:
        raise Unreadable(
            "The file was made with a version before PowerPoint 97. Save it as .pptx and try again.",
            reason="unsupported_feature",
        )
    if "encryptedpackage" in found.names:
        raise Unreadable(PROTECTED, reason="password")
    other = next((name for stream, name in _MAIN.items() if stream in found.names), None)
    told = say(": it is {other}", other=other) if other else ""
    raise Unreadable(say("The file is not {name}{told}.", name=format.name, told=told), reason="format")
