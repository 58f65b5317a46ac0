"""Conditional requests according to RFC 9110, for files and documents."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.test import Client, RequestFactory

from storage.conditions import entity_tag_of, judge
from storage.errors import PreconditionFailed

ETAG = '"abc"'
MODIFIED = datetime(2026, 1, 2, 3, 4, 5, 600_000, tzinfo=UTC)
DATE, BEFORE, AFTER = (f"Fri, 02 Jan 2026 03:04:0{second} GMT" for second in (5, 4, 6))


def wanted(method: str = "GET", **values: str) -> bool:
    request = RequestFactory().generic(method, "/", **{f"HTTP_{name.upper()}": value for name, value in values.items()})
    answer = judge(request, etag=ETAG, modified=MODIFIED)
    assert answer is None or answer.status_code == 304
    return answer is None


@pytest.mark.parametrize("value", [ETAG, f"W/{ETAG}", f'"x", {ETAG}', "*", f'"x,y",W/{ETAG}'])
def test_if_none_match_spares_the_bytes(value):
    assert wanted(if_none_match=value) is False
    assert wanted("HEAD", if_none_match=value) is False
    with pytest.raises(PreconditionFailed):
        wanted("DELETE", if_none_match=value)


@pytest.mark.parametrize("value", ['"x"', "abc", "", '"ab", "c"'])
def test_if_none_match_of_another_file(value):
    assert wanted(if_none_match=value) is True


@pytest.mark.parametrize(
    ("value", "holds"),
    [
        (ETAG, True),
        ("*", True),
        (f'"x", {ETAG}', True),
        (f"W/{ETAG}", False),
        ('"x"', False),
        ("abc", False),
        ("", False),
    ],
)
def test_if_match(value, holds):
    if holds:
        assert wanted(if_match=value) is True
    else:
        with pytest.raises(PreconditionFailed):
            wanted(if_match=value)


def test_dates():
    assert wanted(if_modified_since=DATE) is False
    assert wanted(if_modified_since=AFTER) is False
    assert wanted(if_modified_since=BEFORE) is True
    assert wanted(if_modified_since="yesterday") is True
    assert wanted("DELETE", if_modified_since=DATE) is True
    assert wanted(if_unmodified_since=DATE) is True
    with pytest.raises(PreconditionFailed):
        wanted(if_unmodified_since=BEFORE)


def test_an_entity_tag_takes_precedence_over_a_date():
    assert wanted(if_none_match='"x"', if_modified_since=AFTER) is True
    assert wanted(if_match=ETAG, if_unmodified_since=BEFORE) is True


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/converter/formats",
        pytest.param("/api/v1/schema", marks=pytest.mark.ci),
        "/api/v1/schema?part=csv",
    ],
)
def test_documents_take_conditions_as_files_do(client: Client, db: None, path: str) -> None:
    first = client.get(path)
    etag = first["ETag"]
    assert (first.status_code, etag[0], len(etag)) == (200, '"', 66)
    for header in (etag, f"W/{etag}", f'"x", {etag}', "*"):
        again = client.get(path, headers={"If-None-Match": header})
        assert (again.status_code, again["ETag"], again.content) == (304, etag, b"")
        assert again["Cache-Control"] == first["Cache-Control"]
    # A part of the tag is another tag.
    assert client.get(path, headers={"If-None-Match": f'"x{etag[1:]}'}).status_code == 200
    refused = client.get(path, headers={"If-Match": '"x"'})
    assert (refused.status_code, refused.json()["code"]) == (412, "PRECONDITION_FAILED")


def test_an_entity_tag_is_the_digest_of_the_bytes() -> None:
    assert entity_tag_of(b"") == '"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"'
