"""The runner: settings, the refusal where the sandbox is too weak, forks, and the system check."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from typing import Any, BinaryIO

import pytest

from conversions.checks import sandbox_check
from conversions.work import runner
from engine.families.registry import CONVERTERS
from engine.sandbox.canary import CanaryReport
from engine.sandbox.client import Zygote

JSON_TO_CSV = CONVERTERS["json-to-csv"]
HTML_TO_PDF = CONVERTERS["html-to-pdf"]
WEAK = CanaryReport("pdf", landlock=0, seccomp=True, possible=("read",))


@pytest.fixture
def rows() -> Iterator[BinaryIO]:
    with tempfile.TemporaryFile() as file:
        file.write(b'[{"a": 1}]')
        yield file


@pytest.fixture
def page() -> Iterator[BinaryIO]:
    with tempfile.TemporaryFile() as file:
        file.write(b"<p>One line</p>")
        yield file


@pytest.fixture
def weak(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    runner.shutdown()
    monkeypatch.setattr(Zygote, "canary", lambda self: WEAK)
    yield
    runner.shutdown()


def test_outcome_says_what_did_it_and_how_long(rows: BinaryIO) -> None:
    outcome = runner.convert(JSON_TO_CSV, rows, JSON_TO_CSV.options())
    with outcome.output:
        assert outcome.output.read().split() == [b"a", b"1"]
    assert outcome.engine == JSON_TO_CSV.engine.label
    assert outcome.format is JSON_TO_CSV.output
    assert outcome.duration_ms > 0


def test_limits_come_from_the_settings(rows: BinaryIO, settings: Any) -> None:
    settings.SANDBOX_LIMITS = {"text": {"output": 1, "wall": 7}}
    assert runner.wall_limit(JSON_TO_CSV) == 7
    with pytest.raises(runner.OverOutput):
        runner.convert(JSON_TO_CSV, rows, JSON_TO_CSV.options())


def test_defaults_hold_where_a_setting_is_absent(settings: Any) -> None:
    del settings.SANDBOX_LIMITS
    assert runner.wall_limit(JSON_TO_CSV) == 60


@pytest.mark.usefixtures("weak")
def test_parsers_at_risk_are_refused_where_the_sandbox_is_weak(page: BinaryIO, settings: Any) -> None:
    settings.DEBUG = False
    with pytest.raises(runner.Unavailable):
        runner.convert(HTML_TO_PDF, page, HTML_TO_PDF.options())


@pytest.mark.usefixtures("weak")
def test_weak_sandbox_is_enough_for_plain_data_and_for_development(
    rows: BinaryIO, page: BinaryIO, settings: Any
) -> None:
    settings.DEBUG = False
    runner.convert(JSON_TO_CSV, rows, JSON_TO_CSV.options()).output.close()
    settings.DEBUG = True
    runner.convert(HTML_TO_PDF, page, HTML_TO_PDF.options()).output.close()


def test_system_check_is_silent_where_the_sandbox_holds() -> None:
    assert sandbox_check(None) == []


@pytest.mark.usefixtures("weak")
@pytest.mark.parametrize(("debug", "found"), [(False, "conversions.E002"), (True, "conversions.W001")])
def test_system_check_names_a_weak_sandbox(debug: bool, found: str, settings: Any) -> None:
    settings.DEBUG = debug
    assert [each.id for each in sandbox_check(None)] == [found]


def test_system_check_names_a_sandbox_that_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    runner.shutdown()
    monkeypatch.setattr(Zygote, "canary", lambda self: CanaryReport("text", problem="no such thing"))
    assert [each.id for each in sandbox_check(None)] == ["conversions.E001"]


def test_canary_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    runner.shutdown()
    first = runner.canary()
    assert first.confined
    monkeypatch.setattr(Zygote, "canary", lambda self: WEAK)
    assert runner.canary() is first


def zygote_of_text() -> Zygote:
    return next(each for (profile, _), each in runner._zygotes.items() if profile == "text")


def test_forked_process_has_a_channel_of_its_own_to_the_same_zygote(rows: BinaryIO) -> None:
    runner.convert(JSON_TO_CSV, rows, JSON_TO_CSV.options()).output.close()
    mine = zygote_of_text().pid
    reading, writing = os.pipe()
    worker = os.fork()
    if not worker:
        try:
            assert not runner._zygotes
            runner.convert(JSON_TO_CSV, rows, JSON_TO_CSV.options()).output.close()
            os.write(writing, str(zygote_of_text().pid).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as answer:
        its = int(answer.read())
    os.waitpid(worker, 0)
    assert its == mine
    runner.convert(JSON_TO_CSV, rows, JSON_TO_CSV.options()).output.close()
    assert zygote_of_text().pid == mine


def test_zygotes_that_were_let_go_are_found_again(rows: BinaryIO) -> None:
    runner.convert(JSON_TO_CSV, rows, JSON_TO_CSV.options()).output.close()
    pid = zygote_of_text().pid
    runner.shutdown()
    runner.convert(JSON_TO_CSV, rows, JSON_TO_CSV.options()).output.close()
    assert zygote_of_text().pid == pid
