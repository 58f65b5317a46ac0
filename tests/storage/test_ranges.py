"""Byte ranges according to RFC 9110."""

from datetime import UTC, datetime

import pytest
from django.http.request import HttpHeaders

from storage.errors import RangeNotSatisfiable
from storage.ranges import Span, requested_span

ETAG = '"abc"'
MODIFIED = datetime(2026, 1, 2, 3, 4, 5, 600_000, tzinfo=UTC)
DATE, BEFORE, AFTER = (f"Fri, 02 Jan 2026 03:04:0{second} GMT" for second in (5, 4, 6))


def headers(**values: str) -> HttpHeaders:
    return HttpHeaders({f"HTTP_{name.upper()}": value for name, value in values.items()})


def span(value: str, size: int = 100, **others: str) -> Span | None:
    return requested_span(headers(range=value, **others), size=size, etag=ETAG, modified=MODIFIED)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("bytes=0-0", Span(0, 1)),
        ("bytes=0-99", Span(0, 100)),
        ("bytes=10-19", Span(10, 10)),
        ("bytes=90-", Span(90, 10)),
        ("bytes=90-1000", Span(90, 10)),
        ("bytes=0-" + "9" * 5_000, Span(0, 100)),
        ("bytes=-1", Span(99, 1)),
        ("bytes=-1000", Span(0, 100)),
        ("Bytes=0-0", Span(0, 1)),
        ("bytes= 0-0 ", Span(0, 1)),
        ("bytes=000-007", Span(0, 8)),
    ],
)
def test_a_single_range(value, expected):
    assert span(value) == expected


@pytest.mark.parametrize(
    "value",
    [
        "",
        "bytes",
        "bytes=",
        "bytes=-",
        "bytes=5-4",
        "bytes=a-b",
        "bytes=1",
        "items=0-1",
        "bytes=0-1,5-6",
        "bytes=٠-١",
        "bytes=--1",
    ],
)
def test_anything_but_a_single_range_gives_the_whole_file(value):
    assert span(value) is None


@pytest.mark.parametrize("value", ["bytes=100-", "bytes=100-200", "bytes=-0", "bytes=" + "9" * 5_000 + "-"])
def test_a_range_outside_the_file(value):
    with pytest.raises(RangeNotSatisfiable) as error:
        span(value)
    assert error.value.headers == {"Content-Range": "bytes */100"}


def test_an_empty_file_has_no_ranges():
    with pytest.raises(RangeNotSatisfiable):
        span("bytes=0-", size=0)
    assert span("bytes=-5", size=0) is None


@pytest.mark.parametrize(
    ("value", "holds"),
    [(ETAG, True), ('"other"', False), ('W/"abc"', False), (DATE, True), (BEFORE, False), (AFTER, False), ("x", False)],
)
def test_if_range(value, holds):
    assert span("bytes=0-0", if_range=value) == (Span(0, 1) if holds else None)
