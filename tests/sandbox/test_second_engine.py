"""What the second engine is asked for, what its failures mean, and what stands then."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from engine.sandbox import second_engine
from engine.sandbox.answers import Answer
from engine.sandbox.errors import Busy, Crashed, OverMemory, OverTime
from engine.toolkit.declaring import Converter
from engine.toolkit.failures import InvalidOption, OverLimit, Unreadable
from engine.toolkit.formats import PDF
from engine.toolkit.options import Value
from engine.toolkit.warnings import Warn
from tests.converters.engines import OWN

DOCX = OWN["docx-to-pdf"]
SECOND = dataclasses.replace(OWN.get("pptx-to-pdf", DOCX), profile="libreoffice")
BOTH = dataclasses.replace(OWN.get("pptx-to-pdf", DOCX), otherwise=SECOND)
WALL = 60.0
Reply = Callable[[], Answer]


def made(*, undrawn: bool = False, seconds: float = 1.0) -> Answer:
    return Answer(io.BytesIO(b"%PDF"), 4, PDF, (), {}, seconds * 1000, seconds * 500, undrawn)


def failing(error: Exception) -> Reply:
    def fail() -> Answer:
        raise error

    return fail


class Asked:
    """Stands for the sandbox: gives each engine's reply, and keeps what it was asked for."""

    def __init__(self, first: Reply, second: Reply = made) -> None:
        self.replies = {"office": first, "libreoffice": second}
        self.profiles: list[str] = []
        self.values: list[dict[str, Value]] = []
        self.within: list[float | None] = []

    def __call__(self, converter: Converter, values: dict[str, Value], within: float | None) -> Answer:
        self.profiles.append(converter.profile)
        self.values.append(values)
        self.within.append(within)
        return self.replies[converter.profile]()

    def convert(self, within: float | None = None, **options: Any) -> tuple[Converter, Answer]:
        return second_engine.convert(BOTH, BOTH.options(**options), self, wall=WALL, within=within)


def test_a_complete_result_of_the_first_engine_is_the_only_work() -> None:
    asked = Asked(made)
    used, answer = asked.convert()
    assert (used.profile, asked.profiles, asked.within) == ("office", ["office"], [None])
    assert not answer.output.closed


def test_an_incomplete_result_is_replaced_by_that_of_the_second_engine_in_the_time_left() -> None:
    first = made(undrawn=True, seconds=2)
    asked = Asked(lambda: first)
    used, answer = asked.convert()
    assert (used.profile, asked.profiles) == ("libreoffice", ["office", "libreoffice"])
    assert first.output.closed
    assert (answer.milliseconds, answer.processor_milliseconds) == (3000, 1500)
    assert 0 < (asked.within[1] or 0) < WALL


def test_no_time_is_added_for_the_second_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(lambda: made(undrawn=True))
    with monkeypatch.context() as patched:
        now = iter((0.0, WALL + 1))
        patched.setattr(second_engine, "time", SimpleNamespace(monotonic=lambda: next(now)))
        used, answer = asked.convert()
    assert (used.profile, asked.profiles) == ("office", ["office"])
    assert not answer.output.closed


@pytest.mark.parametrize(
    "error", [Unreadable("damaged"), OverLimit("limit", "too many"), Crashed("9"), Busy(3), InvalidOption("a", "b")]
)
def test_an_incomplete_result_stands_if_the_second_engine_fails(error: Exception) -> None:
    used, answer = Asked(lambda: made(undrawn=True), failing(error)).convert()
    assert used.profile == "office"
    assert not answer.output.closed


def test_in_less_time_than_a_job_has_it_is_not_known_what_would_have_been_made() -> None:
    first = made(undrawn=True)
    with pytest.raises(OverTime):
        Asked(lambda: first, failing(OverTime())).convert(within=2.0)
    assert first.output.closed


@pytest.mark.parametrize(
    "error", [Unreadable("damaged"), Unreadable("locked", reason="password"), InvalidOption("a", "b"), Busy(3)]
)
def test_what_is_wrong_with_the_file_or_the_machine_is_said_at_once(error: Exception) -> None:
    asked = Asked(failing(error))
    with pytest.raises(type(error)):
        asked.convert()
    assert asked.profiles == ["office"]


@pytest.mark.parametrize("error", [Crashed("9"), OverMemory(), Unreadable("old", reason="unsupported_feature")])
def test_what_the_first_engine_can_not_do_the_second_one_does(error: Exception) -> None:
    used, answer = Asked(failing(error)).convert()
    assert used.profile == "libreoffice"
    assert not answer.output.closed


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (Crashed("9"), Unreadable("damaged"), Unreadable),
        (OverMemory(), Crashed("9"), OverMemory),
        (OverMemory(), Busy(3), OverMemory),
        (Unreadable("old", reason="unsupported_feature"), OverMemory(), Unreadable),
    ],
)
def test_if_both_fail_the_reason_is_the_first_ones_unless_it_is_a_bug(
    first: Exception, second: Exception, expected: type[Exception]
) -> None:
    with pytest.raises(expected):
        Asked(failing(first), failing(second)).convert()


@pytest.mark.skipif("pptx-to-pdf" not in OWN, reason="only PlutoPrint draws slides")
def test_the_second_engine_gets_the_options_that_were_chosen() -> None:
    asked = Asked(lambda: made(undrawn=True))
    asked.convert(pages="1", notes=True, hidden_slides=False)
    assert asked.values == [{"pages": "1", "notes": True, "hiddenSlides": False}, {"pages": "1", "notes": True}]


def test_options_that_the_second_engine_lacks_leave_the_file_to_the_first() -> None:
    both = dataclasses.replace(DOCX, otherwise=SECOND)
    asked = Asked(lambda: made(undrawn=True))
    used, _ = second_engine.convert(both, DOCX.options(margin="1cm"), asked, wall=WALL)
    assert (used.profile, asked.profiles) == ("office", ["office"])


def test_notes_and_macros_are_not_what_pages_lack() -> None:
    warn = Warn()
    warn("COMMENTS_DROPPED", "Comments.")
    warn("SCRIPT_REMOVED", "Macros.")
    warn("FONT_SUBSTITUTED", "Fonts.")
    warn("CONTENT_DROPPED", "Speaker notes.", drawn=True)
    assert not warn.undrawn
    warn("CONTENT_DROPPED", "Shapes.")
    assert warn.undrawn
