"""Gzipped files: accepted wherever their formats are, decompressed within limits, detected by content."""

from __future__ import annotations

import bz2
import functools
import gzip
import json
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.families.registry import resolve
from engine.toolkit import gzipped
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.formats import CSV, NDJSON, PNG, by_filename
from engine.toolkit.warnings import Warn
from tests.conftest import Person
from tests.conversions.samples import PEOPLE, PEOPLE_CSV

LINES = b'{"id": 1, "name": "Ada"}\n{"id": 2, "name": "Gr\xc3\xa5ce", "tags": {"role": "admiral"}}\n'


@functools.cache
def bomb() -> bytes:
    """600 MB of zeros in 600 KB."""
    zeros, block = zlib.compressobj(9, wbits=31), bytes(1 << 20)
    return b"".join([*(zeros.compress(block) for _ in range(600)), zeros.flush()])


def test_an_extension_of_two_parts_is_known() -> None:
    assert by_filename("a.b.CSV.gz") is CSV
    assert by_filename("events.jsonl.GZ") is NDJSON
    assert by_filename("a.png.gz") is None
    assert by_filename("a.gz") is None
    assert by_filename("a.csv.png") is PNG
    converter = resolve("csv.gz-to-json")
    assert converter is not None
    assert converter.slug == "csv-to-json"


@pytest.mark.parametrize(
    ("name", "slug", "content", "result"),
    [
        ("people.json.gz", "json-to-csv", PEOPLE, "people.csv"),
        ("2026.people.ndjson.gz", "ndjson-to-csv", LINES, "2026.people.csv"),
        ("people.JSONL.GZ", "ndjson-to-csv", LINES, "people.csv"),
        ("people.json", "json-to-csv", PEOPLE, "people.csv"),
    ],
)
def test_a_gzipped_file_is_converted_and_named_like_an_uncompressed_one(
    guest: Person, name: str, slug: str, content: bytes, result: str
) -> None:
    answer = guest.convert(slug, gzip.compress(content), name)
    assert answer.status_code == 201, answer.json()
    data = answer.json()["data"]
    assert (data["outputName"], data["detected"]["compression"], data["warnings"]) == (result, "gzip", [])
    assert guest.download(data["downloadUrl"]) == PEOPLE_CSV


def test_a_packed_csv_has_its_encoding_detected_behind_the_packing(guest: Person) -> None:
    answer = guest.convert("csv-to-json", gzip.compress("a;b\r\nä;1\r\n".encode("utf-16")), "a.csv.gz")
    data = answer.json()["data"]
    assert data["detected"] == {"compression": "gzip", "encoding": "utf-16", "delimiter": ";"}
    assert json.loads(guest.download(data["downloadUrl"])) == [{"a": "ä", "b": "1"}]


def test_a_file_named_gz_that_is_not_compressed_is_read_unchanged(guest: Person) -> None:
    data = guest.convert("json-to-csv", PEOPLE, "people.json.gz").json()["data"]
    assert data["outputName"] == "people.csv"
    assert "compression" not in data["detected"]
    assert guest.download(data["downloadUrl"]) == PEOPLE_CSV


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(gzip.compress(gzip.compress(PEOPLE)), id="packed twice"),
        pytest.param(gzip.compress(b"\x89PNG\r\n\x1a\n"), id="a picture"),
        pytest.param(gzip.compress(b""), id="nothing"),
        pytest.param(gzip.compress(PEOPLE)[:-3], id="cut in its checksum"),
        pytest.param(gzip.compress(PEOPLE)[:30], id="cut in its data"),
        pytest.param(gzip.compress(PEOPLE)[:-8] + bytes(8), id="a wrong checksum"),
        pytest.param(gzip.compress(PEOPLE) + b"more", id="followed by something else"),
        pytest.param(bz2.compress(PEOPLE), id="packed with another program"),
    ],
)
def test_an_incomplete_gzip_file_is_refused(guest: Person, content: bytes) -> None:
    answer = guest.convert("json-to-csv", content, "people.json.gz")
    assert (answer.status_code, answer.json()["code"]) == (422, "UNSUPPORTED_FORMAT")


@pytest.mark.ci
def test_a_bomb_is_refused_by_the_service(guest: Person) -> None:
    answer = guest.convert("csv-to-json", bomb(), "bomb.csv.gz")
    assert (answer.status_code, answer.json()["code"]) == (422, "UNSUPPORTED_FORMAT")
    assert answer.json()["meta"]["reason"] == "output"


def _unpacked(folder: Path, data: bytes) -> bytes:
    path = folder / "input.csv"
    path.write_bytes(data)
    gzipped.unpack(path, Warn())
    return path.read_bytes()


@pytest.mark.parametrize(
    ("pack", "content"),
    [
        pytest.param(lambda data: gzip.compress(data), PEOPLE, id="one member"),
        pytest.param(
            lambda data: b"".join(gzip.compress(data[at : at + 7]) for at in range(0, len(data), 7)),
            PEOPLE * 2000,
            id="a member for every 7 bytes",
        ),
        pytest.param(lambda data: gzip.compress(data) + bytes(40_000), PEOPLE, id="zeros after the end"),
        pytest.param(lambda data: gzip.compress(b"") + gzip.compress(data), PEOPLE, id="an empty member first"),
        pytest.param(lambda data: gzip.compress(data), bytes(range(256)) * 20_000, id="several blocks"),
    ],
)
def test_all_of_a_packed_file_is_unpacked(pack: Callable[[bytes], bytes], content: bytes, tmp_path: Path) -> None:
    packed = pack(content)
    assert gzip.decompress(packed) == content
    assert _unpacked(tmp_path, packed) == content
    assert [each.name for each in tmp_path.iterdir()] == ["input.csv"]


def test_no_more_than_the_limit_is_ever_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gzipped, "MAX_BYTES", 1_000_000)
    assert len(_unpacked(tmp_path, gzip.compress(bytes(1_000_000)))) == 1_000_000
    with pytest.raises(OverLimit):
        _unpacked(tmp_path, bomb())
    assert sum(each.stat().st_size for each in tmp_path.iterdir()) < 1_000_000 + len(bomb())


def test_data_that_is_damaged_is_unreadable(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(PEOPLE * 100))
    packed[15] ^= 0xFF
    with pytest.raises(Unreadable):
        _unpacked(tmp_path, bytes(packed))
