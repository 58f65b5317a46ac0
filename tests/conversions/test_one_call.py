"""One call: the file as the answer, and the file as the whole body."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.utils import CaptureQueriesContext

from conversions.models import Conversion
from storage import files
from storage.models import StoredFile
from tests.conftest import Person
from tests.conversions.samples import PEOPLE, PEOPLE_CSV
from tests.conversions.test_convert import SLUG, nothing_happened, refused

AS_FILE = f"{SLUG}?download=1"


def body(answer: Any) -> bytes:
    assert answer.status_code == 201, answer.content
    return b"".join(answer.streaming_content)


def send(person: Person, address: str, content: bytes, content_type: str, **headers: str) -> Any:
    return person.client.generic(
        "POST",
        f"/api/v1/converter/{address}",
        content,
        content_type=content_type,
        headers={**person.headers, **{name.replace("_", "-"): value for name, value in headers.items()}},
    )


def test_the_response_can_be_the_file_itself(paying: Person) -> None:
    answer = paying.convert(AS_FILE, PEOPLE, "People list.json")
    assert body(answer) == PEOPLE_CSV
    record = paying.get(f"/converter/history/{answer['X-Conversion-Id']}").json()["data"]
    assert answer["Content-Type"] == "text/csv"
    assert answer["Content-Disposition"] == 'attachment; filename="People list.csv"'
    assert answer["Content-Length"] == str(len(PEOPLE_CSV))
    assert answer["ETag"] == f'"{hashlib.sha256(PEOPLE_CSV).hexdigest()}"'
    assert answer["Link"] == f'</api/v1/converter/history/{record["id"]}>; rel="describedby"'
    assert answer["Location"] == record["downloadUrl"]
    assert (answer["X-Warnings"], record["warnings"], record["credits"]) == ("0", [], 1)
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert paying.download(answer["Location"]) == PEOPLE_CSV


def test_a_guest_gets_the_file_and_no_link_to_a_record(guest: Person) -> None:
    answer = guest.convert(AS_FILE, PEOPLE)
    assert body(answer) == PEOPLE_CSV
    assert "Link" not in answer.headers
    assert guest.download(answer["Location"]) == PEOPLE_CSV
    assert guest.get("/converter/guest-quota").json()["data"]["used"] == 1


def test_warnings_are_counted_in_the_answer(guest: Person) -> None:
    answer = guest.convert("csv-to-json?download=1", "name\nJos\xe9 Mu\xf1oz\n".encode("latin-1"))
    warnings = Conversion.objects.get(pk=answer["X-Conversion-Id"]).warnings
    assert warnings
    assert answer["X-Warnings"] == str(len(warnings))


@pytest.mark.parametrize("accept", ["text/csv", "text/csv;q=0.5, text/html", "image/png, text/csv;header=present"])
def test_an_accept_that_names_the_type_of_the_result_asks_for_the_file(guest: Person, accept: str) -> None:
    assert body(guest.convert(SLUG, PEOPLE, headers={"Accept": accept})) == PEOPLE_CSV


@pytest.mark.parametrize(
    "accept", ["", "*/*", "text/*", "application/json", "text/csv, application/json", "text/csv;q=0", "image/png"]
)
def test_any_other_accept_asks_for_the_record(guest: Person, accept: str) -> None:
    answer = guest.convert(SLUG, PEOPLE, headers={"Accept": accept})
    assert (answer.status_code, answer.json()["data"]["slug"]) == (201, SLUG)


def test_the_query_takes_precedence_over_the_header(guest: Person) -> None:
    answer = guest.convert(f"{SLUG}?download=0", PEOPLE, headers={"Accept": "text/csv"})
    assert answer.json()["data"]["slug"] == SLUG
    assert b'"name"' in body(
        guest.convert("csv-to-json?download=1", PEOPLE_CSV, headers={"Accept": "application/json"})
    )
    refused(guest.convert(f"{SLUG}?download=yes", PEOPLE), 400, "VALIDATION_ERROR")


def test_errors_are_json(guest: Person) -> None:
    refused(guest.convert(AS_FILE, b"[1,", headers={"Accept": "text/csv"}), 422, "UNSUPPORTED_FORMAT")
    refused(guest.convert(AS_FILE, b"x", "a.nothing", headers={"Accept": "text/csv"}), 400, "UNSUPPORTED_FILE_TYPE")
    assert nothing_happened()


def test_the_file_comes_again_by_its_key_and_not_once_it_is_gone(program: Person) -> None:
    first = program.convert(AS_FILE, PEOPLE, headers={"Idempotency-Key": "k"})
    second = program.convert(AS_FILE, PEOPLE, headers={"Idempotency-Key": "k"})
    assert body(first) == body(second) == PEOPLE_CSV
    assert second["Idempotency-Replayed"] == "true"
    assert second["X-Conversion-Id"] == first["X-Conversion-Id"]
    files.delete(StoredFile.objects.get())
    refused(program.convert(AS_FILE, PEOPLE, headers={"Idempotency-Key": "k"}), 404, "NOT_FOUND")
    assert Conversion.objects.count() == 1


def test_the_file_costs_no_query_more_than_the_record(
    program: Person, django_assert_num_queries: Any, one_window: None
) -> None:
    from django.db import connection

    program.convert(SLUG, PEOPLE)
    with CaptureQueriesContext(connection) as record:
        program.convert(SLUG, PEOPLE)
    with django_assert_num_queries(len(record)):
        program.convert(AS_FILE, PEOPLE)


@pytest.mark.parametrize("content_type", ["application/json", "application/octet-stream", "text/plain", "x/y", ""])
def test_the_body_can_be_the_file(program: Person, content_type: str) -> None:
    data = send(program, SLUG, PEOPLE, content_type).json()["data"]
    assert (data["inputName"], data["outputName"]) == ("input.json", "input.csv")
    assert program.download(data["downloadUrl"]) == PEOPLE_CSV


def test_a_body_is_named_by_its_header_or_its_address(guest: Person) -> None:
    named = {"Content-Disposition": "attachment; filename*=UTF-8''Leute%20%C3%BCber.json"}
    assert send(guest, SLUG, PEOPLE, "application/json", **named).json()["data"]["outputName"] == "Leute über.csv"
    answer = send(guest, f"{SLUG}?filename=../people.json", PEOPLE, "text/csv")
    assert answer.json()["data"]["inputName"] == "people.json"
    refused(send(guest, f"{SLUG}?filename=people.csv", PEOPLE, "application/json"), 422, "UNSUPPORTED_FORMAT")
    refused(send(guest, f"{SLUG}?filename=people", PEOPLE, "application/json"), 400, "UNSUPPORTED_FILE_TYPE")


def test_options_can_be_in_the_query(guest: Person) -> None:
    answer = send(guest, f"{AS_FILE}&delimiter=%3B", PEOPLE, "application/json")
    assert body(answer) == PEOPLE_CSV.replace(b",", b";")
    assert body(guest.convert(f"{AS_FILE}&delimiter=%3B", PEOPLE)) == PEOPLE_CSV.replace(b",", b";")
    refused(send(guest, f"{SLUG}?delimiter=long", PEOPLE, "application/json"), 400, "VALIDATION_ERROR")
    refused(send(guest, f"{SLUG}?colour=red", PEOPLE, "application/json"), 400, "VALIDATION_ERROR")


def test_an_option_in_both_query_and_form_is_refused(guest: Person) -> None:
    refused(guest.convert(f"{SLUG}?delimiter=%3B", PEOPLE, delimiter=","), 400, "VALIDATION_ERROR")
    refused(guest.convert(SLUG, PEOPLE, filename="a.json"), 400, "VALIDATION_ERROR")
    assert nothing_happened()


def test_a_body_of_another_format_is_refused(guest: Person) -> None:
    refused(send(guest, SLUG, b"", "application/json"), 400, "NO_FILE")
    refused(send(guest, SLUG, b"delimiter=%3B", "application/x-www-form-urlencoded"), 400, "NO_FILE")
    refused(send(guest, "html-to-pdf", b"{}", "application/json"), 400, "NO_FILE")
    upload = SimpleUploadedFile("a.json", PEOPLE)
    refused(guest.client.post(f"/api/v1/converter/{SLUG}", {"file": [upload, upload]}), 400, "UNEXPECTED_FILE")
    assert nothing_happened()


def test_a_body_is_as_large_as_the_plan_allows(guest: Person) -> None:
    meta = refused(send(guest, SLUG, bytes(5_000_001), "application/json"), 413, "GUEST_FILE_TOO_LARGE")["meta"]
    assert (meta["limitBytes"], meta["receivedBytes"]) == (5_000_000, 5_000_001)
    assert nothing_happened()
