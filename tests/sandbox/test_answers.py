"""Answers of children that may be hostile: every field is checked before it is believed."""

from __future__ import annotations

import math
import os
import socket
import tempfile
from collections.abc import Iterator
from typing import Any

import pytest

from engine.sandbox.answers import read_answer
from engine.sandbox.errors import Crashed, EstimatedTooLong, OverMemory, OverOutput, OverTime
from engine.sandbox.protocol import MAX_FRAME, FrameReader, Malformed, send_frame
from engine.toolkit.failures import InvalidOption, OverLimit, Unreadable

GOOD: dict[str, Any] = {
    "format": "csv",
    "warnings": [],
    "detected": {},
    "milliseconds": 1.5,
    "processor_milliseconds": 1.5,
    "undrawn": False,
}


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    first, second = socket.socketpair()
    with first, second:
        yield first, second


def reader_with(pair: tuple[socket.socket, socket.socket], body: dict[str, Any], content: bytes) -> FrameReader:
    ours, theirs = pair
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.flush()
        send_frame(theirs, body, [file.fileno()])
    reader = FrameReader(ours)
    while reader.pump() is None:
        pass
    return reader


def read(reader: FrameReader, body: dict[str, Any], most: int = 100) -> Any:
    return read_answer(body, reader, owners=range(os.geteuid(), os.geteuid() + 1), most=most)


def test_good_answer_is_opened_anew(pair: tuple[socket.socket, socket.socket]) -> None:
    body = {**GOOD, "warnings": [["NO_TEXT", ["page 3", {}]]], "detected": {"delimiter": ";", "rows": 3, "share": 0.5}}
    answer = read(reader_with(pair, body, b"abc"), body)
    with answer.output:
        assert answer.output.read() == b"abc"
    assert answer.size == 3


def test_a_fact_may_be_a_message(pair: tuple[socket.socket, socket.socket]) -> None:
    body = {**GOOD, "detected": {"compared": ["{count} rows", {"count": 1200}]}}
    answer = read(reader_with(pair, body, b"abc"), body)
    answer.output.close()
    fact = answer.detected["compared"]
    assert (fact, fact.template, fact.values) == ("1,200 rows", "{count} rows", {"count": 1200})


@pytest.mark.parametrize(
    "change",
    [
        {"format": "exe"}, {"format": 1}, {"format": ["csv"]}, {"format": None},
        {"warnings": [["UNKNOWN_CODE", ["x", {}]]]}, {"warnings": [["NO_TEXT", ["x" * 501, {}]]]}, {"warnings": {}},
        {"warnings": [["NO_TEXT"]]}, {"warnings": [["NO_TEXT", ["x", {}]]] * 52}, {"warnings": [[[], ["x", {}]]]},
        {"warnings": ["NO_TEXT"]}, {"detected": []}, {"detected": {"a": {}}}, {"detected": {"a": "x" * 501}},
        {"detected": {"a": math.inf}}, {"detected": {"a": 10**400}}, {"detected": {str(n): 1 for n in range(51)}},
        {"detected": {"a": None}}, {"detected": {"a": []}}, {"detected": {"a": ["{b}", {}]}},
        {"detected": {"a": ["x" * 501, {}]}}, {"milliseconds": math.nan}, {"milliseconds": -1.0}, {"milliseconds": "1"},
        {"milliseconds": True}, {"milliseconds": 1e300}, {"milliseconds": math.inf}, {"milliseconds": 10**20},
        {"milliseconds": 1}, {"milliseconds": None}, {"milliseconds": [1.0]}, {"processor_milliseconds": -1.0},
        {"processor_milliseconds": math.nan}, {"processor_milliseconds": None},
        {"error": "whatever"}, {"error": "\x1b[2J"}, {"error": None},
        {"error": 5}, {"error": "unreadable"},
        {"error": "unreadable", "message": ["x", {}], "line": 1, "column": 1},
        {"error": "unreadable", "message": ["x", {}], "reason": "bored", "line": 1, "column": 1},
        {"error": "unreadable", "message": ["x", {}], "reason": ["format"], "line": 1, "column": 1},
        {"error": "option", "message": ["x", {}]},
        {"error": "too_long", "message": ["x", {}]},
        {"error": "too_long", "message": ["x", {}], "suggestions": ["y"] * 11},
        {"error": "too_long", "message": ["x", {}], "suggestions": ["y" * 101]},
        {"error": "too_long", "message": ["x", {}], "suggestions": [1]},
        {"error": "unreadable", "message": ["x", {}], "reason": "damaged", "line": -1, "column": 1},
        {"error": "unreadable", "message": ["x", {}], "reason": "damaged", "line": True, "column": 1},
        {"error": "unreadable", "message": ["x", {}], "reason": "damaged", "line": "1", "column": 1},
        {"error": "unreadable", "message": ["x", {}] * 2001, "reason": "damaged", "line": 1, "column": 1},
        {"error": "memory", "message": []}, {"error": "limit"},
    ],
)  # fmt: skip
def test_field_of_another_shape_is_malformed(pair: tuple[socket.socket, socket.socket], change: dict[str, Any]) -> None:
    reader = reader_with(pair, GOOD, b"abc")
    with pytest.raises(Malformed):
        read(reader, {**GOOD, **change})
    reader.close()


@pytest.mark.parametrize("missing", GOOD)
def test_missing_field_is_malformed(pair: tuple[socket.socket, socket.socket], missing: str) -> None:
    reader = reader_with(pair, GOOD, b"abc")
    with pytest.raises(Malformed):
        read(reader, {name: value for name, value in GOOD.items() if name != missing})
    reader.close()


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"error": "unreadable", "message": ["x", {}], "reason": "damaged", "line": None, "column": None}, Unreadable),
        ({"error": "depth"}, Unreadable),
        ({"error": "option", "option": "pageRange", "message": ["x", {}]}, InvalidOption),
        ({"error": "timeout"}, OverTime),
        ({"error": "memory", "message": ["x", {}]}, OverMemory),
        ({"error": "output"}, OverOutput),
        ({"error": "limit", "message": ["x", {}]}, OverLimit),
        ({"error": "too_long", "message": ["x", {}], "suggestions": ["height=480"]}, EstimatedTooLong),
        ({"error": "crashed"}, Crashed),
    ],
)
def test_errors_keep_their_kind(
    pair: tuple[socket.socket, socket.socket], body: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        read(FrameReader(pair[0]), body)


def test_file_of_another_user_is_malformed(pair: tuple[socket.socket, socket.socket]) -> None:
    with pytest.raises(Malformed):
        read_answer(GOOD, reader_with(pair, GOOD, b"abc"), owners=range(os.geteuid() + 1, os.geteuid() + 9), most=100)


def test_file_over_the_limit_is_over_output(pair: tuple[socket.socket, socket.socket]) -> None:
    with pytest.raises(OverOutput):
        read(reader_with(pair, GOOD, b"abc"), GOOD, most=2)


def test_file_that_still_has_a_name_is_malformed(pair: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = pair
    with tempfile.NamedTemporaryFile() as file:
        send_frame(theirs, GOOD, [file.fileno()])
        reader = FrameReader(ours)
        while reader.pump() is None:
            pass
        with pytest.raises(Malformed):
            read(reader, GOOD)


def test_frame_over_the_cap_is_not_sent(pair: tuple[socket.socket, socket.socket]) -> None:
    with pytest.raises(ValueError):
        send_frame(pair[0], {"message": ["x", {}] * MAX_FRAME})
