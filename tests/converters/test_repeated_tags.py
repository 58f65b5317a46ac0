"""Tags of FLAC and Ogg files: those with several values are named, and totals of tracks and discs stay."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest

from engine.families.media import vorbis_comments
from tests.converters.test_media import run
from tests.families.media import files

BOTH = (("ARTIST", "Ada"), ("artist", "Bea"), ("TITLE", "Hello"))
TOTALS = (("TRACKNUMBER", "3"), ("TRACKTOTAL", "12"), ("DISCNUMBER", "1"), ("TOTALDISCS", "2"))


def flac(*tags: tuple[str, str]) -> bytes:
    """A song whose tags are these."""
    texts = [f"{name}={value}".encode() for name, value in tags]
    own = struct.pack("<II", 0, len(texts)) + b"".join(struct.pack("<I", len(each)) + each for each in texts)
    data, at, head = files.sample("flac"), 4, 0
    made = data[:at]
    while not head & 0x80:  # the last block
        head, size = data[at], int.from_bytes(data[at + 1 : at + 4], "big")
        content = own if head & 0x7F == 4 else data[at + 4 : at + 4 + size]
        made += bytes([head]) + len(content).to_bytes(3, "big") + content
        at += 4 + size
    return made + data[at:]


def named(slug: str, content: bytes, folder: Path, **options: bool) -> list[str]:
    _, warn = run(slug, content, folder, **options)
    return [str(each.message) for each in warn.warnings if each.code == "VALUE_CONVERTED"]


@pytest.mark.parametrize("output", ["mp3", "m4a", "opus", "wav"])
def test_a_second_artist_is_named(output: str, tmp_path: Path) -> None:
    said = ["Further values of a tag, such as a second artist, follow the first after a semicolon: 1 (artist)."]
    assert named(f"flac-to-{output}", flac(*BOTH), tmp_path) == said
    assert files.probed((tmp_path / f"output.{output}").read_bytes(), output).tags["artist"] == "Ada;Bea"


def test_tags_with_one_value_each_are_not_named(tmp_path: Path) -> None:
    assert named("flac-to-mp3", flac(("ARTIST", "Ada;Bea"), ("TITLE", "Hello")), tmp_path) == []
    assert named("flac-to-mp3", flac(*BOTH), tmp_path, keepMetadata=False) == []


@pytest.mark.parametrize("output", ["mp3", "m4a", "aac", "aiff"])
def test_totals_of_tracks_and_discs_stay(output: str, tmp_path: Path) -> None:
    made, warn = run(f"flac-to-{output}", flac(*TOTALS), tmp_path)
    assert [each.code for each in warn.warnings] == []
    tags = files.probed(made, output).tags
    assert (tags["track"], tags["disc"]) == ("3/12", "1/2")
    assert not {"tracktotal", "totaldiscs"} & {*tags}


def test_a_total_without_a_number_stays_as_it_is(tmp_path: Path) -> None:
    made, _ = run("flac-to-mp3", flac(("TRACKTOTAL", "12")), tmp_path)
    assert files.probed(made, "mp3").tags["tracktotal"] == "12"


@pytest.mark.parametrize("extension", ["ogg", "opus"])
@pytest.mark.parametrize("length", [5, 255, 100_000])  # of several pages
def test_tags_of_ogg_are_read(extension: str, length: int, tmp_path: Path) -> None:
    long = "x" * length
    path = tmp_path / "a"
    path.write_bytes(files.made(extension, *files.TONE, "-metadata", f"comment={long}", "-metadata", "artist=Ada"))
    found = dict(vorbis_comments.read(path))
    assert (found.get("DESCRIPTION") or found["COMMENT"], found["ARTIST"]) == (long, "Ada")


def test_tags_of_flac_in_ogg_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(files.made("ogg", *files.TONE, *files.TAGS, "-c:a", "flac"))
    assert ("ARTIST", "Ada") in vorbis_comments.read(path)


@pytest.mark.parametrize("extension", ["flac", "ogg", "opus"])
def test_damaged_tags_are_read_as_far_as_they_go(extension: str, tmp_path: Path) -> None:
    whole, path, chance = files.sample(extension)[:2_000], tmp_path / "a", random.Random(1)
    for _ in range(300):
        data = bytearray(whole[: chance.randrange(4, len(whole))])
        for _ in range(chance.randrange(8)):
            data[chance.randrange(4, len(data))] = chance.randrange(256)
        path.write_bytes(bytes(data))
        assert all(isinstance(value, str) for _, value in vorbis_comments.read(path))
