"""Films and sound of every kind to every other, each output looked at by ffmpeg itself; what would take too long."""

from __future__ import annotations

import io
import itertools
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from engine.families.media import estimate
from engine.families.media.streams import Stream
from engine.families.registry import CONVERTERS
from engine.toolkit.failures import OverLimit
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.families.media import files

MATRIX = [
    slug
    for slug, each in CONVERTERS.items()
    if each.profile == "media"
    and each.input.id in files.HOW
    and each.output.id not in ("srt", "vtt", "png", "jpg", "svg")
]


def run(slug: str, content: bytes, folder: Path, **options: Any) -> tuple[bytes, Warn]:
    converter = CONVERTERS[slug]
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(content)
    warn = Warn()
    converter.run(source, target, build(converter.options, options), warn)
    return target.read_bytes(), warn


LOSES = {"mov": {"track"}}
"""Tags that an output has no place for, and says so."""
MOST = {"amr": "mono", **dict.fromkeys(("mp3", "wma", "flv", "wmv", "mpg", "ts", "avi"), "stereo")}
"""The most channels that a sample's own codec has; all others have six."""
TAGGED = {"mp3", "m4a", "aac", "ogg", "opus", "flac", "wav", "aiff", "wma", "mp4", "mkv", "webm", "flv", "wmv"}
"""Inputs that keep all tags of the sample."""


def keeps(slug: str, layout: str, folder: Path) -> None:
    """Convert a sample with these channels, and compare what ffmpeg says of the two files."""
    converter = CONVERTERS[slug]
    source, target = converter.input.id, converter.output.id
    content = files.laid_out(source, layout)
    made, warn = run(slug, content, folder)
    before, after = files.probed(content, source), files.probed(made, target)
    assert after.codecs
    if target != "webp":  # it is decoded without times
        # ADTS can't say that the first frame of an encoder is none of the sound: an eighth of a second at 8,000 Hz.
        most = 0.14 if slug == "amr-to-aac" else 0.1
        assert abs(before.seconds - after.seconds) <= most, (before.said, after.said)
    if target in ("gif", "apng", "webp"):
        return
    kept = "stereo" if layout == "5.1" and target == "mp3" else layout
    assert [each.removesuffix("(side)") for each in after.layouts] == [kept], after.said
    assert ("SOUND_REDUCED" in {each.code for each in warn.warnings}) == (kept != layout)
    if kept == layout:
        heard, played = files.tones(made, target), files.LAYOUTS[layout][1]
        assert len(heard) == len(played)
        for found, wanted in zip(heard, played, strict=True):
            assert abs(found - wanted) <= max(8, wanted * 0.02) or (wanted == 60 and found < 130), heard
    if source in TAGGED:
        lost = LOSES.get(target, set())
        assert {name: after.tags.get(name) for name in files.TOLD if name not in lost} == {
            name: value for name, value in files.TOLD.items() if name not in lost
        }
        assert not lost or "METADATA_DROPPED" in {each.code for each in warn.warnings}


def layouts(slug: str) -> list[str]:
    source = CONVERTERS[slug].input.id
    most = MOST.get(source, "5.1")
    if source == "gif":
        return []
    return list(files.LAYOUTS)[: list(files.LAYOUTS).index(most) + 1]


@pytest.mark.soak
@pytest.mark.parametrize(("slug", "layout"), [(slug, layout) for slug in MATRIX for layout in layouts(slug)])
def test_every_pair_keeps_length_codecs_channels_and_tags(slug: str, layout: str, tmp_path: Path) -> None:
    keeps(slug, layout, tmp_path)


SOME = (
    "flac-to-mp3", "wav-to-m4a", "m4a-to-aac", "opus-to-ogg", "wav-to-ogg", "aac-to-opus", "aiff-to-flac", "ogg-to-wav",
    "opus-to-aiff", "mkv-to-mp4", "mp4-to-mov", "webm-to-mkv", "mp4-to-webm", "webm-to-mp3", "mov-to-flac",
)  # fmt: skip


@pytest.mark.parametrize(
    ("slug", "layout"), list(zip(SOME, itertools.cycle(["5.1", "stereo", "mono", "5.1"]), strict=False))
)
def test_a_pair_of_each_output_keeps_length_codecs_channels_and_tags(slug: str, layout: str, tmp_path: Path) -> None:
    keeps(slug, layout, tmp_path)


def test_what_can_not_end_in_time_is_refused_with_a_way_that_fits() -> None:
    stream = Stream(0, "video", "h264", width=3_840, height=2_160, rate=60.0)
    work = estimate.film(stream, 600, "h264", "medium", (3_840, 2_160), 60.0, 1)
    options = build(CONVERTERS["mov-to-mp4"].options, {"crf": 20})
    with pytest.raises(OverLimit) as refused:
        estimate.must_fit(work, seconds=600, height=2_160, copies=True, options=options)
    assert refused.value.reason == "too_long"
    assert "videoCodec=copy" in refused.value.suggestions
    assert "videoCodec=copy" in str(refused.value)
    assert "trimEnd=" in str(refused.value)
    small = replace(stream, width=640, height=360, rate=25.0)
    work = estimate.film(small, 60, "h264", "medium", (640, 360), 25.0, 1)
    estimate.must_fit(work, seconds=60, height=360, copies=True, options=options)


def test_progress_is_reported(tmp_path: Path) -> None:
    heard: list[tuple[int, int | None]] = []
    converter = CONVERTERS["wav-to-mp3"]
    source = tmp_path / "input.wav"
    source.write_bytes(files.made("wav", "-f", "lavfi", "-i", "sine=440:d=20"))
    warn = Warn(lambda progress: heard.append((progress.done, progress.total)))
    converter.run(source, tmp_path / "output.mp3", build(converter.options, {}), warn)
    assert heard[-1] == (20, 20)


@pytest.mark.parametrize("target", ["mp4", "mkv"])
def test_a_part_is_played_again_and_sound_that_is_copied_begins_with_it(target: str, tmp_path: Path) -> None:
    film = files.film_of_two_seconds()
    looped, _ = run(f"mp4-to-{target}", film, tmp_path, trimStart=0.5, trimEnd=1.3, loop=3)
    assert abs(files.probed(looped, target).seconds - 2.4) <= 0.15
    begun, _ = run(f"mp4-to-{target}", film, tmp_path, trimStart=1.5)
    assert abs(files.probed(begun, target).seconds - 0.5) <= 0.1
    copied, _ = run(f"mp4-to-{target}", film, tmp_path, trimStart=1.5, audioCodec="copy")
    assert abs(files.probed(copied, target).seconds - 0.5) <= 0.1


def test_a_film_of_a_size_has_sound_of_a_size(tmp_path: Path) -> None:
    made, warn = run("mp4-to-mp4", files.film_of_two_seconds(), tmp_path, targetSize=0.05)
    assert len(made) <= 50_000
    assert "SIZE_MISSED" not in {each.code for each in warn.warnings}
    assert int(re.findall(r"Audio: .* (\d+) kb/s", files.probed(made, "mp4").said)[0]) < 64


@pytest.mark.parametrize("source", ["webm", "flv", "mp4"])
def test_sound_that_ends_before_its_film_is_whole_and_a_cut_film_is_not(source: str, tmp_path: Path) -> None:
    pictures, tone = ("-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=2"), ("-f", "lavfi", "-i", "sine=440:d=1.4")
    film = files.made(source, *pictures, *tone, *files.HOW[source][len(files.PICTURES) + len(files.TONE) :])
    _, warn = run(f"{source}-to-wav", film, tmp_path)
    assert "MEDIA_SHORTENED" not in {each.code for each in warn.warnings}
    if source != "mp4":  # whose table of contents is at its end
        _, warn = run(f"{source}-to-wav", film[: len(film) // 2], tmp_path)
        assert "MEDIA_SHORTENED" in {each.code for each in warn.warnings}


def test_sixteen_bits_stay_sixteen_where_the_loudness_is_changed(tmp_path: Path) -> None:
    made, _ = run("wav-to-flac", files.made("wav", *files.TONE), tmp_path, normalize=True)
    assert ", s16" in files.probed(made, "flac").said


def test_a_cover_of_megabytes_comes_back_byte_for_byte_from_each_output_that_has_a_place_for_it(tmp_path: Path) -> None:
    drawn = io.BytesIO()
    Image.frombytes("RGB", (900, 900), random.Random(1).randbytes(900 * 900 * 3)).save(drawn, "png")
    cover = ("-i", "cover.png", "-map", "0", "-map", "1", "-c:v", "copy", "-disposition:v", "attached_pic")
    song, source = files.made("flac", *files.TONE, *cover, *files.TAGS, cover_png=drawn.getvalue()), "flac"
    for target in ("ogg", "mp3", "opus", "m4a", "aiff", "flac"):
        song, _ = run(f"{source}-to-{target}", song, tmp_path)
        source = target
        assert files.probed(song, target).tags["title"] == "Hello"
        assert files.cover(song, target) == drawn.getvalue(), target
    plain, _ = run("flac-to-ogg", song, tmp_path, keepMetadata=False)
    assert "attached pic" not in files.probed(plain, "ogg").said


def test_names_that_matroska_spells_in_capitals_are_no_tags_of_the_author(tmp_path: Path) -> None:
    film = files.made("mp4", *files.PICTURES, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-metadata", "title=T")
    (tmp_path / "film.mp4").write_bytes(film)
    files.ffmpeg("-i", "film.mp4", "-c", "copy", "film.mkv", folder=tmp_path)
    _, warn = run("mkv-to-mp4", (tmp_path / "film.mkv").read_bytes(), tmp_path)
    assert "METADATA_DROPPED" not in {each.code for each in warn.warnings}


@pytest.mark.parametrize("target", ["mp3", "flac"])
def test_what_an_mp4_says_of_its_own_format_is_no_tag_of_the_result(target: str, tmp_path: Path) -> None:
    song, _ = run(f"m4a-to-{target}", files.made("m4a", *files.TONE, *files.TAGS), tmp_path)
    assert files.probed(song, target).tags["title"] == "Hello"
    assert b"brand" not in song
    assert b"minor_version" not in song


def _ended_early(content: bytes, samples: int) -> bytes:
    """An Ogg file whose last page says that it ends so many samples after the start (RFC 3533, 6)."""
    at = content.rindex(b"OggS")
    page = bytearray(content[at:])
    page[6:14] = samples.to_bytes(8, "little")
    page[22:26] = bytes(4)
    checksum = 0
    for byte in page:
        checksum ^= byte << 24
        for _ in range(8):
            checksum = (checksum << 1 ^ (0x04C11DB7 if checksum >> 31 else 0)) & 0xFFFFFFFF
    page[22:26] = checksum.to_bytes(4, "little")
    return content[:at] + bytes(page)


def test_a_short_sound_that_ends_before_its_last_packet_is_short(tmp_path: Path) -> None:
    tone = files.made("ogg", "-f", "lavfi", "-i", "sine=440:duration=0.05", "-c:a", "libvorbis")
    data, _ = run("ogg-to-wav", _ended_early(tone, 200), tmp_path)
    assert 0 < len(data) < 20_000
