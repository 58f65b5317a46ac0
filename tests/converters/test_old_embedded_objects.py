"""Objects embedded in Word, PowerPoint and Excel files of 97 to 2003 are named by number where the file is drawn."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from engine.families.libreoffice import compound as opened
from engine.families.libreoffice import parts
from engine.toolkit.formats import DOC, PPT, Format
from engine.toolkit.warnings import Warn
from tests.families.mail.vectors import compound

_STATE = "\x03ObjInfo"
_WORD = {"WordDocument": struct.pack("<HH", 0xA5EC, 0x00C1).ljust(1_000, b"\0"), "0Table": b"\0"}


def _record(kind: int, inside: bytes = b"") -> bytes:
    return struct.pack("<HHI", 0xF, kind, len(inside)) + inside


def _slides(*objects: int) -> dict[str, bytes]:
    """A presentation that was saved twice, and before with one more object."""
    saved = [_record(0x03E8, _record(0x0409, b"".join(map(_record, each)))) for each in ((0x0FCC, *objects), objects)]
    return {"Current User": bytes(20), "PowerPoint Document": b"".join(saved)}


_FILES: dict[str, tuple[Format, dict[str, bytes], int]] = {
    "word": (DOC, _WORD | {"ObjectPool/_1/Package": b"x", "ObjectPool/_2/Workbook": b"x"}, 2),
    "word, with a link": (DOC, _WORD | {f"ObjectPool/_1/{_STATE}": b"\x10\0", "ObjectPool/_2/a": b"x"}, 1),
    "word, with a control": (DOC, _WORD | {f"ObjectPool/_1/{_STATE}": b"\0\x10"}, 0),
    "word, with an icon": (DOC, _WORD | {f"ObjectPool/_1/{_STATE}": b"\x40\0"}, 1),
    "word, without any": (DOC, _WORD, 0),
    "slides": (PPT, _slides(0x0FCC, 0x0FCC), 2),
    "slides, with a link and a control": (PPT, _slides(0x0FCE, 0x0FEE), 0),
}


def _told(warn: Warn) -> list[str]:
    return [str(each.message) for each in warn.warnings]


def _named(count: int) -> list[str]:
    return [f"Embedded objects became their preview pictures, if they have any: {count}."] if count else []


@pytest.mark.parametrize("which", _FILES)
def test_objects_in_old_files_are_named_if_they_are_drawn(which: str, tmp_path: Path) -> None:
    format, streams, count = _FILES[which]
    source = tmp_path / f"input.{format.id}"
    source.write_bytes(compound(streams))
    for drawn in (True, False):
        warn = Warn()
        parts.inspect(source, format, warn, drawn=drawn)
        assert _told(warn) == _named(count if drawn else 0)


def test_objects_in_old_workbooks_are_named(tmp_path: Path) -> None:
    source, warn = tmp_path / "input.xls", Warn()
    source.write_bytes(compound({"Workbook": b"x", "MBD0018D4CE/Package": b"x", "LNK0018D4CF/a": b"x", "MBD/b": b"x"}))
    opened.name_objects(source, warn)
    assert _told(warn) == _named(1)
