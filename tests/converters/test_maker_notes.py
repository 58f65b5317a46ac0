"""The notes of a camera's maker in Exif data stay where the offsets in them lead, and directories in it stay whole."""

from __future__ import annotations

import io
import struct
import warnings
from pathlib import Path

import pytest
from PIL import ExifTags, Image

from engine import convert
from tests.families.images import files as pictures

LENS = b"70-200mm f/2.8 APO\0"
_AT = 200


def _directory(entries: list[tuple[int, int, int, int]]) -> bytes:
    return struct.pack("<H", len(entries)) + b"".join(struct.pack("<HHII", *each) for each in entries) + bytes(4)


def _exif(*, tied: bool = True, made_longer: int = 0) -> bytes:
    """Exif data with notes at an offset of 200, whose lens is at an offset from the start of the data or of the notes.

    `made_longer` bytes of software come behind them, which other programs write in front.
    """
    lens = 18 + (_AT if tied else 0)
    notes = _directory([(0x20, 2, len(LENS), lens)]) + LENS
    behind = _AT + len(notes)
    main = _directory(
        [(0x112, 3, 1, 1), (0x213, 3, 1, 1)] * 2 + [(0x131, 2, made_longer, behind)] * bool(made_longer)
        + [(0x8769, 4, 1, 110)]
    )  # fmt: skip
    details = _directory([(0x927C, 7, len(notes), _AT), (0xA005, 4, 1, 160)])
    across = _directory([(1, 2, 4, int.from_bytes(b"R03\0", "little"))])
    data = bytearray(b"II*\0\x08\0\0\0" + main)
    for place, part in ((110, details), (160, across), (_AT, notes), (behind, b"x" * made_longer)):
        data = data.ljust(place, b"\0")[:place] + part + data[place + len(part) :]
    return b"Exif\0\0" + bytes(data)


def _converted(
    folder: Path, output: str, data: bytes, *, source: str = "jpg", **options: int
) -> tuple[bytes, list[str]]:
    """The result, and the warnings."""
    (folder / f"input.{source}").write_bytes(data)
    done = convert(folder / f"input.{source}", folder / f"output.{output}", sandbox=False, **options)
    return done.path.read_bytes(), [f"{each.code}: {each.message}" for each in done.warnings]


def _exif_of(data: bytes) -> bytes:
    with Image.open(io.BytesIO(data)) as image:
        found: bytes = image.info["exif"]
        return found.removeprefix(b"Exif\0\0")


def _photo(exif: bytes) -> bytes:
    return pictures.saved(pictures.photo_image(), "jpg", exif=exif)


def _notes_at(data: bytes) -> int:
    """Where the notes are, read from their entry."""
    entry = next(at for at in range(0, len(data), 2) if data[at : at + 2] == b"\x7c\x92")
    return int(struct.unpack_from("<I", data, entry + 8)[0])


@pytest.mark.parametrize("made_longer", [0, 500])
@pytest.mark.parametrize("output", ["png", "webp", "avif", "jpg"])
def test_notes_stay_where_their_offsets_lead(output: str, made_longer: int, tmp_path: Path) -> None:
    result, warned = _converted(tmp_path, output, _photo(_exif(made_longer=made_longer)))
    assert warned == []
    assert _notes_at(_exif_of(result)) == _AT
    assert _exif_of(result)[_AT + 18 :].startswith(LENS)


def test_a_picture_with_more_than_8_bits_keeps_its_notes(tmp_path: Path) -> None:
    deep = pictures.saved(Image.new("I;16", (8, 8), 4_001), "png", exif=_exif())
    result, warned = _converted(tmp_path, "png", deep, source="png", width=4)
    assert warned == []
    assert _exif_of(result)[_AT + 18 :].startswith(LENS)


@pytest.mark.parametrize("tied", [True, False])
def test_notes_that_had_to_move_are_named_if_their_offsets_led_elsewhere(tied: bool, tmp_path: Path) -> None:
    _, warned = _converted(tmp_path, "tiff", _photo(_exif(tied=tied)))
    expected = "METADATA_DROPPED: EXIF fields are missing from the result: 1 (“maker notes at 200”)."
    assert warned == [expected] * tied


@pytest.mark.parametrize("output", ["png", "webp", "jpg", "tiff"])
def test_the_directory_of_interoperability_is_kept(output: str, tmp_path: Path) -> None:
    result, _ = _converted(tmp_path, output, _photo(_exif(tied=False)))
    with warnings.catch_warnings(), Image.open(io.BytesIO(result)) as image:
        warnings.simplefilter("error")
        assert image.getexif().get_ifd(ExifTags.IFD.Interop)[1] == "R03"
