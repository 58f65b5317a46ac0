"""Conversions in another language: the words of answers and pages, what is kept, and what programs read of a page."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import translation

from accounts.templatetags.quantities import hours, milliseconds, signed, size, thousands
from conversions.errors import ConverterFailed
from conversions.models import Conversion
from conversions.work import runner
from tests.conftest import Person, make_user

GERMAN = {"HTTP_ACCEPT_LANGUAGE": "de"}


@pytest.fixture
def crashing(monkeypatch: pytest.MonkeyPatch) -> None:
    def convert(*args: object, **named: object) -> None:
        raise runner.Crashed("late")

    monkeypatch.setattr(runner, "convert", convert)


@pytest.mark.usefixtures("crashing")
def test_a_failed_conversion_is_kept_in_english_whoever_has_asked_for_it(free: Person) -> None:
    answer = free.client.post(
        "/api/v1/converter/json-to-csv?filename=a.json", b"[]", "application/json", **free.headers, **GERMAN
    )
    with translation.override("de"):
        german = str(ConverterFailed.default_detail)
    english = str(ConverterFailed.default_detail)
    assert german != english
    assert answer.json()["message"] == german
    assert Conversion.objects.get().error_message == english


def test_an_error_of_the_upload_follows_the_header_and_its_code_does_not(guest: Person) -> None:
    def answer(**headers: str) -> dict[str, str]:
        found = guest.client.post("/api/v1/converter/json-to-csv?filename=a.docx", b"[]", "application/json", **headers)
        assert found.status_code == 422
        body: dict[str, str] = found.json()
        return body

    german, english = answer(**GERMAN), answer()
    assert german["code"] == english["code"] == "UNSUPPORTED_FORMAT"
    assert german["message"] != english["message"]
    assert english["message"].startswith("'a.docx' is Word")


def test_numbers_follow_the_language() -> None:
    def shown() -> list[str]:
        return [size(4_210), size(1_000_000), thousands(12_345), signed(-12_345), milliseconds(1_300), hours(168)]

    assert shown() == ["4.2 kB", "1 MB", "12,345", "−12,345", "1.3 s", "7 days"]
    with translation.override("de"):
        assert shown() == ["4,2 kB", "1 MB", "12.345", "−12.345", "1,3 s", "7 Tage"]


def test_a_chart_has_numbers_that_browsers_read_in_every_language(free: Person) -> None:
    free.client.force_login(make_user("pro", "chart@example.org"))
    free.client.post("/convert/json-to-csv", {"file": SimpleUploadedFile("a.json", b'[{"a": 1}]')})
    page = free.client.get("/usage?days=90", **GERMAN).content.decode()
    values = re.findall(r' (?:x|y|width|height|viewBox|d)="([^"]*)"', page)
    assert any("." in each for each in values)
    assert not [each for each in values if re.search(r"\d,\d", each)]


def test_a_page_of_the_reference_tells_options_in_the_language(guest: Person) -> None:
    english = guest.client.get("/docs/json-to-csv").content.decode()
    german = guest.client.get("/docs/json-to-csv", **GERMAN).content.decode()
    for text in ("Maximum number of rows.", "Write the column names as the first row."):
        assert text in english
        assert text not in german
    assert "<code>rowPath</code>" in german
