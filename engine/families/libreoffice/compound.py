"""Inspect Word and PowerPoint 97-2003 compound files: type, encryption and content."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import olefile

from engine.families.libreoffice import old_objects
from engine.toolkit import office_macros, office_objects
from engine.toolkit.failures import Unreadable
from engine.toolkit.formats import DOC, Format
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_MAIN = {"WordDocument": "a Word document (.doc)", "PowerPoint Document": "a PowerPoint presentation (.ppt)"}
_OTHERS = {
    "Workbook": "an Excel workbook (.xls)",
    "Book": "an Excel workbook (.xls)",
    "__properties_version1.0": "an Outlook message (.msg)",
}
_WORD, _FIRST_97 = 0xA5EC, 0x00C1
"""The signature of a Word file, and the first version of the format that is supported ([MS-DOC], 2.5.2)."""
_WORD_95, _COMMENTS_95 = 0xA5DC, 0x44
"""The signature of a file of Word 6 and 95, and where it has the length of its comments."""

_ENCRYPTED, _SECOND_TABLE = 0x0100, 0x0200
_COMMENTS_LENGTH, _FONTS_PLACE = 0x00BE, 0x0112
_COMMENT = 34
"""The bytes that each comment adds to the list of comments: a position and an ATRDPre10 ([MS-DOC], 2.9.5)."""

_FONT_NAME = 40
"""The offset of the name in a font entry ([MS-DOC], 2.9.87)."""

_LOCKED_SLIDES = 0xF3D1C4DF
"""The token of an encrypted presentation ([MS-PPT], 2.3.2)."""

_SLIDE_FONT = re.compile(rb"\xb7\x0f\x44\x00\x00\x00(.{64})", re.DOTALL)
"""The header of a FontEntityAtom and the name in it ([MS-PPT], 2.9.9)."""

_EVERYWHERE = frozenset({"Symbol"})
"""Fonts that the programs list in every file, used or not."""

_LINKS = (b"INCLUDEPICTURE", "INCLUDEPICTURE".encode("utf-16-le"))


def inspect(source: Path, format: Format, warn: Warn, *, drawn: bool) -> tuple[str, ...]:
    """Check the file, warn of content that a PDF can't show, and return the names of the fonts it uses.

    Embedded objects are named if the file is `drawn`.

    Raises Unreadable for a file that is damaged, protected or of another kind.
    """
    try:
        with olefile.OleFileIO(source.read_bytes()) as file:
            found = {each[0] for each in file.listdir()}
            _check_kind(found, format)
            warn.tally(office_macros.MACROS, len(found & {"Macros", "_VBA_PROJECT_CUR"}))
            names = _word(file, warn) if format is DOC else _slides(file)
            if drawn:
                warn.tally(office_objects.PREVIEWED, old_objects.count(file))
            return tuple(sorted(set(filter(None, names)) - _EVERYWHERE))
    except (OSError, ValueError, struct.error, IndexError, RecursionError) as error:
        raise Unreadable(
            "The file is damaged: it can't be read. Save or download it again.", reason="damaged"
        ) from error


def is_word_95(source: Path) -> bool:
    """Whether a file that was checked before is of Word 6 or 95."""
    with olefile.OleFileIO(source.read_bytes()) as file:
        return bytes(file.openstream("WordDocument").read(2)) == _WORD_95.to_bytes(2, "little")


def name_objects(source: Path, warn: Warn) -> None:
    """Warn of the objects that are embedded in a workbook, which was checked before."""
    with olefile.OleFileIO(source.read_bytes()) as file:
        warn.tally(office_objects.PREVIEWED, old_objects.count(file))


def _check_kind(found: set[str], format: Format) -> None:
    main = "WordDocument" if format is DOC else "PowerPoint Document"
    if main in found:
        return
    if "EncryptedPackage" in found:
        raise Unreadable("The file is protected by a password. Remove the password and try again.", reason="password")
    other = next((name for stream, name in (_MAIN | _OTHERS).items() if stream in found), None)
    other_kind = say(": it is {other}", other=other) if other else ""
    raise Unreadable(say("The file is not {name}{told}.", name=format.name, told=other_kind), reason="format")


def _word(file: olefile.OleFileIO, warn: Warn) -> list[str]:
    head = file.openstream("WordDocument").read()
    mark, version = struct.unpack_from("<HH", head, 0)
    (flags,) = struct.unpack_from("<H", head, 0x0A)
    if mark != _WORD_95 and (mark != _WORD or version < _FIRST_97):
        raise Unreadable(
            "The file was made with a version before Word 6. Save it as .docx and try again.",
            reason="unsupported_feature",
        )
    if flags & _ENCRYPTED:
        raise Unreadable("The file is protected by a password. Remove the password and try again.", reason="password")
    if mark == _WORD_95:
        if any(struct.unpack_from("<I", head, _COMMENTS_95)):
            warn("COMMENTS_DROPPED", "Comments were left out.")
        if any(each in head for each in _LINKS):
            warn("REMOTE_RESOURCE_BLOCKED", "References to other files or websites were not loaded.")
        return []
    (length,) = struct.unpack_from("<I", head, _COMMENTS_LENGTH)
    if length > _COMMENT:
        warn("COMMENTS_DROPPED", say("{length} comments were left out.", length=(length - 4) // _COMMENT))
    if any(mark in head for mark in _LINKS):
        warn("REMOTE_RESOURCE_BLOCKED", "References to other files or websites were not loaded.")
    place, length = struct.unpack_from("<II", head, _FONTS_PLACE)
    table = file.openstream("1Table" if flags & _SECOND_TABLE else "0Table").read()[place : place + length]
    names, at = [], 4
    while at < len(table):
        size = table[at] + 1
        names.append(_name(table[at + _FONT_NAME : at + size]))
        at += size
    return names


def _slides(file: olefile.OleFileIO) -> list[str]:
    if not file.exists("Current User"):
        raise Unreadable("The file is damaged: a part of it is missing.", reason="damaged")
    user = file.openstream("Current User").read()
    (token,) = struct.unpack_from("<I", user, 12)
    if token == _LOCKED_SLIDES:
        raise Unreadable("The file is protected by a password. Remove the password and try again.", reason="password")
    data = file.openstream("PowerPoint Document").read()
    return [_name(each) for each in _SLIDE_FONT.findall(data)[:500]]


def _name(data: bytes) -> str:
    text = data[: len(data) // 2 * 2].decode("utf-16-le", "replace").split("\0")[0]
    return text[:100] if text.isprintable() else ""
