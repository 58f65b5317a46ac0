"""Lyrics at the end of an MP3 are no sound, and are named where they are left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import convert
from tests.families.media import files

TAG = b"TAG" + b"A song".ljust(124, b"\0") + b"\xff"
WORDS = b"[00:01]Sing a song of sixpence\r\n" * 100
NAMED = "METADATA_DROPPED Lyrics at the end of the file (Lyrics3) were left out."


def _version_2(*fields: tuple[bytes, bytes]) -> bytes:
    body = b"LYRICSBEGIN" + b"".join(name + b"%05d" % len(value) + value for name, value in fields)
    return body + b"%06d" % len(body) + b"LYRICS200"


def _converted(folder: Path, end: bytes, output: str) -> tuple[bytes, list[str]]:
    source, target = folder / "song.mp3", folder / f"song.{output}"
    source.write_bytes(files.sample("mp3") + end)
    warnings = convert(source, target, sandbox=False).warnings
    return target.read_bytes(), [f"{each.code} {each.message}" for each in warnings]


@pytest.mark.parametrize("output", ["wav", "flac", "m4a"])
@pytest.mark.parametrize(
    ("lyrics", "named"),
    [
        (b"LYRICSBEGIN" + WORDS + b"LYRICSEND", True),
        (_version_2((b"IND", b"10"), (b"LYR", WORDS), (b"EAL", b"An album")), True),
        (_version_2((b"CRC", b"8C21D9A0"), (b"IND", b"000")), False),
    ],
    ids=["version 1", "version 2", "without words"],
)
def test_lyrics_are_no_damaged_sound(tmp_path: Path, lyrics: bytes, named: bool, output: str) -> None:
    expected, before = _converted(tmp_path, TAG, output)
    found, warnings = _converted(tmp_path, lyrics + TAG, output)

    assert found == expected
    assert warnings == ([NAMED] if named else []) + before


@pytest.mark.parametrize(
    "end",
    [b"LYRICS200", b"999999LYRICS200", b"LYRICSEND", b"000020LYRICS200" + TAG, b"LYRICSBEGIN000005LYRICS200" + TAG],
)
def test_the_end_of_lyrics_alone_takes_nothing_away(tmp_path: Path, end: bytes) -> None:
    _, warnings = _converted(tmp_path, end, "wav")

    assert NAMED not in warnings
    assert not [each for each in warnings if "MEDIA_SHORTENED" in each]
