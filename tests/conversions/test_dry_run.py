"""A dry run reports what a conversion would do, and does none of it."""

from __future__ import annotations

import io
import sqlite3
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from conversions.work import dry_run, runner
from engine.families.registry import CONVERTERS
from engine.toolkit.formats import FORMATS
from engine.toolkit.options import build
from engine.toolkit.versions import version_of
from tests.conftest import Person
from tests.conversions.samples import INVOICE, PEOPLE, PEOPLE_CSV
from tests.conversions.test_convert import SLUG, nothing_happened, refused
from tests.converters.vectors import VECTORS
from tests.families.media import files as media_files


def test_a_dry_run_reports_what_would_happen_and_charges_nothing(paying: Person) -> None:
    before = paying.account.credits
    answer = paying.convert("html-to-pdf?dryRun=1", INVOICE, pageSize="A4")
    assert answer.status_code == 200
    data = answer.json()["data"]
    assert (data["slug"], data["dryRun"], data["credits"], data["complete"]) == ("html-to-pdf", True, 2, True)
    assert (data["detected"]["format"], data["detected"]["version"]) == ("html", "5")
    assert data["options"]["pageSize"] == "A4"
    assert data["options"]["orientation"] == "auto"
    assert 0 < data["predictedSeconds"] < 60
    assert data["outputBytes"] > 500
    assert int(answer["RateLimit-Remaining"]) < int(answer["RateLimit-Limit"])
    paying.account.refresh_from_db()
    assert paying.account.credits == before
    assert nothing_happened()


def test_a_dry_run_keeps_the_guest_s_quota_and_has_the_conversion_s_warnings(guest: Person) -> None:
    data = guest.convert("csv-to-json?dryRun=1", "name\nJos\xe9 Mu\xf1oz\n".encode("latin-1")).json()["data"]
    assert [each["code"] for each in data["warnings"]] == ["ENCODING_GUESSED"]
    assert (data["credits"], data["detected"]["format"]) == (0, "csv")
    assert guest.get("/converter/guest-quota").json()["data"]["used"] == 0


def test_a_dry_run_is_refused_if_the_conversion_would_be(guest: Person) -> None:
    refused(guest.convert(f"{SLUG}?dryRun=1", b"[1,"), 422, "UNSUPPORTED_FORMAT")
    refused(guest.convert(f"{SLUG}?dryRun=1", PEOPLE, delimiter="ab"), 400, "VALIDATION_ERROR")
    refused(guest.convert(f"{SLUG}?dryRun=yes", PEOPLE), 400, "VALIDATION_ERROR")
    assert nothing_happened()


def test_a_long_conversion_is_predicted_from_recent_ones(paying: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    assert paying.convert(SLUG, PEOPLE).status_code == 201
    convert = runner.convert

    def slow(*given: Any, within: float | None = None, **more: Any) -> runner.Outcome:
        if within is not None:
            assert within == dry_run.MOMENT
            raise runner.OverTime
        return convert(*given, **more)

    monkeypatch.setattr(runner, "convert", slow)
    data = paying.convert(f"{SLUG}?dryRun=1", PEOPLE).json()["data"]
    assert (data["complete"], data["detected"]) == (False, {"format": "json"})
    assert "outputBytes" not in data
    assert 0 <= data["predictedSeconds"] <= 60


def test_dry_run_zero_converts_normally(guest: Person) -> None:
    assert guest.convert(f"{SLUG}?dryRun=0", PEOPLE).status_code == 201


def _book(part: str, text: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as package:
        package.writestr(part, text)
    return made.getvalue()


def _picture(format: str) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (2, 2)).save(made, format)
    return made.getvalue()


def _database() -> bytes:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE a (b)")
    return bytes(connection.serialize())


@pytest.mark.parametrize(
    ("id", "content", "version"),
    [
        ("pdf", b"%PDF-1.7\n", "1.7"),
        ("gif", _picture("GIF"), "87a"),
        ("jpg", _picture("JPEG"), "JFIF"),
        ("bmp", _picture("BMP"), "3"),
        ("tiff", _picture("TIFF"), "6.0"),
        ("webp", _picture("WEBP"), "VP8"),
        ("rtf", b"{\\rtf1\\ansi}", "1"),
        ("vcf", b"BEGIN:VCARD\r\nVERSION:4.0\r\n", "4.0"),
        ("xml", b'<?xml version="1.1"?><a/>', "1.1"),
        ("svg", b'<svg xmlns="http://www.w3.org/2000/svg" version="1.1"/>', "1.1"),
        ("html", b"<!DOCTYPE html><p>", "5"),
        ("html", b'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">', "HTML 4.01"),
        ("sqlite", _database(), "3"),
        ("odt", _book("meta.xml", '<office:document-meta office:version="1.3"/>'), "1.3"),
        ("docx", _book("docProps/app.xml", "<Properties><AppVersion>16.0000</AppVersion></Properties>"), "16.0000"),
        ("epub", _book("OEBPS/content.opf", '<package xmlns="x" version="3.0"/>'), "3.0"),
        ("docx", b"PK\x03\x04 damaged", None),
        ("csv", PEOPLE_CSV, None),
    ],
)
def test_a_file_s_version_is_what_it_says_of_itself(
    id: str, content: bytes, version: str | None, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(content)
    assert version_of(FORMATS[id], tmp_path / "file") == version


def test_the_time_for_a_video_is_predicted_from_its_sample_table(paying: Person) -> None:
    before = paying.account.credits
    data = paying.convert("mov-to-webm?dryRun=1", media_files.long_film()).json()["data"]
    assert (data["complete"], data["credits"], data["detected"]["format"]) == (False, 2, "mov")
    assert 20 < data["predictedSeconds"] <= 80
    assert "predictedSeconds" not in data["detected"]
    copied = paying.convert("mp4-to-mkv?dryRun=1", media_files.sample("mp4")).json()["data"]
    assert copied["complete"]
    assert copied["predictedSeconds"] < data["predictedSeconds"]
    assert "predictedSeconds" not in copied["detected"]
    paying.account.refresh_from_db()
    assert paying.account.credits == before


@pytest.mark.parametrize(("slug", "rate"), [("ttf-to-woff2", 3.5), ("ttf-to-otf", 3.2), ("ttf-to-woff", 0.0)])
def test_the_time_for_a_font_is_predicted_from_its_size(slug: str, rate: float) -> None:
    converter = CONVERTERS[slug]
    content = next(each.source() for each in VECTORS if each.slug == slug and each.kind == "ordinary")
    with tempfile.TemporaryFile() as source:
        source.write(content)
        found = runner.convert(converter, source, build(converter.options, {}), detect_only=True)
    found.output.close()
    assert found.detected["predictedSeconds"] == round(rate * len(content) / 1e6, 3)
