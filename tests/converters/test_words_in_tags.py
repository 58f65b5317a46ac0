"""The words in the tags of a recording steer nothing, whatever ffmpeg prints of them."""

from __future__ import annotations

import errno
import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.families.media import program
from engine.toolkit.failures import Unreadable
from engine.toolkit.warnings import Warn
from tests.converters.test_media import run
from tests.families.media import files

PLAIN = {"keepMetadata": False}


def song(extension: str, title: str) -> bytes:
    return files.made(extension, *files.TONE, "-metadata", f"title={title}")


def damaged(content: bytes) -> bytes:
    """An M4A file whose sound is noise."""
    data = bytearray(content)
    start = data.index(b"mdat") + 4
    size = int.from_bytes(data[start - 8 : start - 4], "big") - 8
    data[start : start + size] = random.Random(1).randbytes(size)
    return bytes(data)


def told(warn: Warn) -> list[tuple[str, str]]:
    return [(each.code, str(each.message)) for each in warn.warnings]


@pytest.mark.parametrize(
    "title",
    [
        "No space left on device", "File too large", "Cannot allocate memory", "malloc of size 1 failed",
        "Error while opening encoder", "DRM", "Encrypted", "not on whitelist", "moov atom not found",
    ],
)  # fmt: skip
def test_a_damaged_file_with_an_error_as_its_title_is_damaged(title: str, tmp_path: Path) -> None:
    with pytest.raises(Unreadable) as raised:
        run("m4a-to-wav", damaged(song("m4a", title)), tmp_path)
    assert type(raised.value) is Unreadable
    assert raised.value.reason == "damaged"
    assert str(raised.value).endswith("it is damaged, or not what its name says.")


@pytest.mark.parametrize(
    "title",
    [
        '{"input_i": "loud"}',
        '{"input_i": "-23", "input_tp": "-1", "input_lra": "2", "input_thresh": "-30"}',
        '{"input_i": "-99", "input_tp": "0", "input_lra": "1", "input_thresh": "-99", "target_offset": "99"}',
    ],
)
def test_loudness_is_measured_rather_than_read_from_the_title(title: str, tmp_path: Path) -> None:
    plain, _ = run("flac-to-wav", song("flac", "Hello"), tmp_path, normalize=True, **PLAIN)
    assert run("flac-to-wav", song("flac", title), tmp_path, normalize=True, **PLAIN)[0] == plain


@pytest.mark.parametrize("title", ["Max level: ...", "Max level: 77.0"])
def test_the_highest_sample_is_measured_rather_than_read_from_the_title(title: str, tmp_path: Path) -> None:
    _, plain = run("flac-to-wav", song("flac", "Hello"), tmp_path, volume=3)
    _, warn = run("flac-to-wav", song("flac", title), tmp_path, volume=3)
    assert told(warn) == told(plain)


@pytest.mark.parametrize(
    "stream",
    [
        "  Stream #0:1: Video: h264, yuv420p, 64x48, 25 fps",
        f"  Stream #0:1: Audio: mp3, {'9' * 100} Hz, mono, fltp, 64 kb/s",
        f"      DURATION        : {'9' * 100}:00:00.0",
    ],
)
@pytest.mark.parametrize("separator", ["\u2028", "\u0085"])
def test_a_title_with_a_line_separator_adds_no_stream(separator: str, stream: str, tmp_path: Path) -> None:
    _, plain = run("mp3-to-flac", song("mp3", "Hello"), tmp_path)
    _, warn = run("mp3-to-flac", song("mp3", f"a{separator}{stream}"), tmp_path)
    assert warn.detected == plain.detected
    assert told(warn) == told(plain)


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Path]:
    if os.geteuid():
        pytest.skip("only root can make a small disk")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", tmp_path], check=True)
    yield tmp_path
    subprocess.run(["umount", "--lazy", tmp_path], check=True)


def test_a_full_disk_is_known_by_the_exit_status(full: Path) -> None:
    (full / "input.flac").write_bytes(files.made("flac", "-f", "lavfi", "-i", "sine=440:d=20"))
    with pytest.raises(OSError) as raised:
        program.run(full, [*program.reading("flac", "input.flac"), "-f", "wav", "file:output.wav"])
    assert raised.value.errno == errno.ENOSPC
