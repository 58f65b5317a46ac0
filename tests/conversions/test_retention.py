"""Retention of results: the plan's, a shorter one by request, or until the first download."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from accounts.models import User
from storage.models import Removal, StoredFile
from tests.conftest import Person, make_user, stored_bytes, with_token
from tests.conversions.samples import PEOPLE, PEOPLE_CSV
from tests.conversions.test_convert import refused


def convert(person: Person, query: str) -> Any:
    upload = SimpleUploadedFile("people.json", PEOPLE)
    path = f"/api/v1/converter/json-to-csv?{query}"
    return person.client.post(path, {"file": upload}, headers=person.headers)


def test_a_request_can_shorten_the_retention(paying: Person) -> None:
    shown = convert(paying, "retention=2").json()["data"]
    kept = datetime.fromisoformat(shown["expiresAt"]) - datetime.fromisoformat(shown["createdAt"])
    assert kept == timedelta(hours=2)
    assert paying.download(shown["downloadUrl"]) == paying.download(shown["downloadUrl"]) == PEOPLE_CSV


@pytest.mark.parametrize("wrong", ["73", "-1", "1.5", "x", "", "²"])
def test_retention_longer_than_the_plan_s_is_refused(paying: Person, wrong: str) -> None:
    answer = convert(paying, f"retention={wrong}")
    refused(answer, 400, "VALIDATION_ERROR")
    assert answer.json()["details"][0]["field"] == "retention"
    assert not StoredFile.objects.exists()


def test_the_first_download_deletes_the_file(paying: Person) -> None:
    before = stored_bytes()
    url = convert(paying, "retention=0").json()["data"]["downloadUrl"]
    assert stored_bytes() == before + 1
    assert paying.client.head(url, headers=paying.headers).status_code == 200
    part: Any = paying.client.get(url, headers={**paying.headers, "Range": "bytes=0-3"})
    assert (part.status_code, b"".join(part.streaming_content)) == (200, PEOPLE_CSV)
    refused(paying.client.get(url, headers=paying.headers), 404, "NOT_FOUND")
    assert stored_bytes() == before
    assert Removal.objects.filter(pk=url.rpartition("/")[2]).exists()


def test_a_file_that_is_the_answer_is_gone_with_it(paying: Person) -> None:
    before = stored_bytes()
    answer = convert(paying, "retention=0&download=1")
    assert (answer.status_code, b"".join(answer.streaming_content)) == (201, PEOPLE_CSV)
    refused(paying.client.get(answer["Location"], headers=paying.headers), 404, "NOT_FOUND")
    assert stored_bytes() == before


def test_of_many_concurrent_downloads_one_gets_the_whole_file(live_server: Any) -> None:
    person, before = with_token(make_user("pro")), stored_bytes()
    rows = [{"id": number, "x": random.random()} for number in range(20_000)]
    for _ in range(3):
        with httpx.Client(base_url=live_server.url, headers=person.headers, timeout=60) as client:
            made = client.post(
                "/api/v1/converter/json-to-csv?retention=0", files={"file": ("a.json", json.dumps(rows).encode())}
            )
            shown = made.json()["data"]
            with ThreadPoolExecutor(6) as pool:
                answers = list(pool.map(lambda _, url=shown["downloadUrl"]: client.get(url), range(12)))
        whole = [each for each in answers if each.status_code == 200]
        assert [len(each.content) for each in whole] == [shown["outputBytes"]]
        assert {each.status_code for each in answers} <= {200, 404, 429}
    assert stored_bytes() == before


def test_a_preview_does_not_consume_a_one_time_file(paying: Person) -> None:
    shown = paying.convert("json-to-xlsx?retention=0", PEOPLE).json()["data"]
    client = Client()
    client.force_login(paying.account)
    key = shown["downloadUrl"].rpartition("/")[2]
    assert client.get(f"/glimpse/{key}").status_code == 404
    assert len(paying.download(shown["downloadUrl"])) == shown["outputBytes"]


def mcp(person: Person, address: str, **more: Any) -> Any:
    call = {"name": "convert", "arguments": {"slug": "csv-to-json", "file": address, **more}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    answer = person.client.post("/mcp", body, content_type="application/json", headers=person.headers)
    return answer.json()["result"]


def test_an_agent_reading_a_one_time_file_consumes_it(paying: Person) -> None:
    url = convert(paying, "retention=0").json()["data"]["downloadUrl"]
    first = mcp(paying, url)
    assert first["isError"] is False
    refused(paying.client.get(url, headers=paying.headers), 404, "NOT_FOUND")
    assert mcp(paying, url)["structuredContent"]["code"] == "NOT_FOUND"


def test_an_interrupted_response_keeps_the_file(transactional_db: None, paying: Person) -> None:
    url = convert(paying, "retention=0").json()["data"]["downloadUrl"]
    answer: Any = paying.client.get(url, headers=paying.headers)
    refused(paying.client.get(url, headers=paying.headers), 429, "TOO_MANY_REQUESTS")
    assert mcp(paying, url)["structuredContent"]["code"] == "TOO_MANY_REQUESTS"
    answer.close()
    assert paying.download(url) == PEOPLE_CSV
    refused(paying.client.get(url, headers=paying.headers), 404, "NOT_FOUND")


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"slug": "xlsx-to-json"}, "UNSUPPORTED_FORMAT"),
        ({"filename": "a.nothing"}, "UNSUPPORTED_FILE_TYPE"),
        ({"options": {"nonsense": 1}}, "VALIDATION_ERROR"),
        ({}, "PAYMENT_REQUIRED"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_a_tool_that_is_refused_before_the_work_leaves_the_file(
    paying: Person, more: dict[str, Any], code: str
) -> None:
    url = convert(paying, "retention=0").json()["data"]["downloadUrl"]
    if code == "PAYMENT_REQUIRED":
        User.objects.update(monthly_credits=0)
    assert mcp(paying, url, **more)["structuredContent"]["code"] == code
    assert paying.download(url) == PEOPLE_CSV


def test_an_expired_claim_deletes_nothing(paying: Person) -> None:
    url = convert(paying, "retention=0").json()["data"]["downloadUrl"]
    late: Any = paying.client.get(url, headers=paying.headers)
    StoredFile.objects.update(claimed_until=timezone.now())
    second: Any = paying.client.get(url, headers=paying.headers)
    assert b"".join(late.streaming_content) == PEOPLE_CSV  # it was of one piece; a further one would not have come
    assert StoredFile.objects.exists()
    assert b"".join(second.streaming_content) == PEOPLE_CSV
    assert not StoredFile.objects.exists()


def test_a_page_shows_what_is_kept_and_deletes_all_of_it(paying: Person, other: Person) -> None:
    theirs = convert(other, "").json()["data"]["downloadUrl"]
    before = stored_bytes()
    for query in ("", "retention=1", "retention=0"):
        convert(paying, query)
    client = Client()
    client.force_login(paying.account)
    page = client.get("/kept").content.decode()
    assert "3 files" in page
    assert "or its first download" in page
    assert "3 files deleted" in client.post("/kept", follow=True).content.decode()
    assert "You have no stored files" in client.get("/kept").content.decode()
    assert other.download(theirs) == PEOPLE_CSV
    assert stored_bytes() == before
    assert Client().get("/kept").status_code == 302
