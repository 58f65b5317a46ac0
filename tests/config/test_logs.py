"""Lines of the log: what the service writes for most of them is what the library would write."""

import io
import json
import logging
import sys
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import OperationalError
from django.test import Client
from pythonjsonlogger.json import JsonFormatter

from config import logs


def _record(message: str = "request", *arguments: Any, **extra: Any) -> logging.LogRecord:
    record = logging.LogRecord("service.requests", logging.INFO, __file__, 1, message, arguments, None)
    vars(record).update(extra)  # makeRecord refuses taskName, which records of Python 3.12 and later have already
    return record


class Slow(logs.Formatter):
    format = JsonFormatter.format


@pytest.mark.parametrize(
    "record",
    [
        _record(),
        _record("of %s there are %d", "ü", 3, method="GET", status=200, durationMs=1.5, ok=True),
        _record('a "quote"\n', route="api/v1/<str:slug>\u2028"),
        _record(account=None, many=[1, "2"], of={"a": 1}, kind=ValueError("x")),
        _record(request=object(), taskName="t", color_message="c"),
    ],
)
@pytest.mark.parametrize("request_id", ["", "an.id-1"])
def test_a_log_line_equals_the_library_s(record: logging.LogRecord, request_id: str) -> None:
    token = logs.request_id.set(request_id)
    try:
        line = logs.Formatter().format(record)
        assert line == Slow().format(record)
    finally:
        logs.request_id.reset(token)
    assert json.loads(line).get("requestId", "") == request_id


def test_an_exception_is_logged(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        raise KeyError("missing")
    except KeyError:
        record = _record()
        record.exc_info = sys.exc_info()
    assert "KeyError: 'missing'" in json.loads(logs.Formatter().format(record))["exc_info"]


def test_every_line_has_its_own_second() -> None:
    formatter = logs.Formatter()
    for moment in (1_800_000_000.5, 1_800_000_001.25, 1_800_000_000.999):
        record = _record()
        record.created, record.msecs = moment, moment % 1 * 1000
        assert formatter.format(record) == Slow().format(record)


@pytest.fixture
def console(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What the service writes to its log."""
    (handler,) = (each for each in logging.getLogger().handlers if isinstance(each.formatter, logs.Formatter))
    assert isinstance(handler, logging.StreamHandler)
    monkeypatch.setattr(handler, "stream", written := io.StringIO())
    return written


def test_no_line_has_the_key_of_a_file_or_a_code_that_was_mailed(
    db: None, console: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, key = "a-code-that-was-mailed", f"{'0f' * 16}.csv"
    assert Client(enforce_csrf_checks=True).post(f"/verify/{code}").status_code == 403
    for error, status in ((OperationalError("gone"), 503), (KeyError("ours"), 500)):
        monkeypatch.setattr("storage.views._find", Mock(side_effect=error))
        client = Client(raise_request_exception=False)
        assert client.get(f"/api/v1/files/{key}").status_code == status
    text = console.getvalue()
    assert "verify/<str:token>" in text
    assert text.count("files/") >= 3
    assert (code in text, key in text) == (False, False)
