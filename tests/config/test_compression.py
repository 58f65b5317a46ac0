"""Text is compressed for clients that accept it; downloads, small responses and images are not."""

from __future__ import annotations

import gzip
from typing import Any

import brotli
import pytest
from django.test import Client

from config.compression import accepted
from tests.conftest import Person
from tests.conversions.samples import PEOPLE

BOTH = {"Accept-Encoding": "gzip, deflate, br"}


@pytest.mark.parametrize(
    ("header", "coding"),
    [
        ("", None), ("gzip", "gzip"), ("br", "br"), ("gzip, br", "br"), ("GZIP;q=1, br;q=0.5", "gzip"), ("*", "br"),
        ("*;q=0", None), ("br;q=0, *", "gzip"), ("br;q=x", None), ("identity, deflate", None), (";,;q=", None),
    ],
)  # fmt: skip
def test_the_best_coding_that_a_client_takes(header: str, coding: str | None) -> None:
    assert accepted(header) == coding


@pytest.mark.parametrize("path", ["/api/v1/converter/formats", "/api/v1/schema?part=service", "/static/convert.js"])
def test_what_is_public_is_the_same_in_each_coding(db: None, path: str) -> None:
    def content(**headers: str) -> tuple[Any, bytes]:
        answer: Any = Client().get(path, headers={name.replace("_", "-"): each for name, each in headers.items()})
        return answer, b"".join(answer) if answer.streaming else answer.content

    plain, whole = content()
    small, packed = content(**BOTH)
    assert small["Content-Encoding"] == "br"
    assert brotli.decompress(packed) == whole
    assert len(packed) < len(whole) / 2
    assert int(small["Content-Length"]) == len(packed)
    assert gzip.decompress(content(Accept_Encoding="gzip")[1]) == whole
    assert "Content-Encoding" not in plain
    assert "Accept-Encoding" in plain["Vary"]
    assert "Accept-Encoding" in small["Vary"]
    if plain.has_header("ETag") and not path.startswith("/static/"):
        assert small["ETag"] == f"W/{plain['ETag']}"
        for tag in (plain["ETag"], small["ETag"]):
            assert content(If_None_Match=tag, **BOTH)[0].status_code == 304


def test_a_page_for_one_person_has_another_length_each_time(guest: Person) -> None:
    pages = [guest.client.get("/login", headers=BOTH) for _ in range(20)]
    assert {each["Content-Encoding"] for each in pages} == {"gzip"}
    assert all(b"csrfmiddlewaretoken" in gzip.decompress(each.content) for each in pages)
    assert len({len(each.content) for each in pages}) > 1


def test_downloads_and_small_answers_are_sent_as_they_are(guest: Person) -> None:
    rows = b"[" + b",".join([PEOPLE.strip()[1:-1]] * 200) + b"]"
    record = guest.convert("json-to-csv", rows, headers=BOTH)
    assert "Content-Encoding" not in record
    file = guest.client.get(record.json()["data"]["downloadUrl"], headers=BOTH)
    assert "Content-Encoding" not in file
    assert int(file["Content-Length"]) > 2_000
