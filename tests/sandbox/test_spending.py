"""What a failed job has taken of the processor: measured by the zygote, whatever the child says."""

from __future__ import annotations

import os
import signal
import socket
import threading
from typing import BinaryIO

import pytest

from engine.sandbox.client import Zygote
from engine.sandbox.errors import Crashed, OverTime
from engine.sandbox.job import Job
from engine.toolkit.failures import InvalidOption, Unreadable
from tests.sandbox.conftest import MakeZygote, eventually, good_job, has_tree
from tests.sandbox.converters import A_WHILE

LITTLE = 0.5
"""Seconds of processor that no job takes which fails at once, on however slow a machine."""


def spent(
    zygote: Zygote,
    slug: str,
    source: BinaryIO,
    kind: type[Exception],
    within: float | None = None,
    **options: object,
) -> float:
    seconds: list[float] = []
    with pytest.raises(kind):
        zygote.convert(slug, options, source.fileno(), within=within, failed=seconds.append)
    assert len(seconds) == 1
    return seconds[0]


def test_a_job_that_works_until_it_is_killed_has_taken_that(zygote: Zygote, source: BinaryIO) -> None:
    assert 0.1 < spent(zygote, "spins", source, OverTime, within=2) < 2.5


@pytest.mark.parametrize(
    ("slug", "kind"),
    [("unreadable", Unreadable), ("refused", InvalidOption), ("segfaults", Crashed), ("fails", Crashed)],
)
def test_a_job_that_fails_at_once_has_taken_hardly_anything(
    zygote: Zygote, source: BinaryIO, slug: str, kind: type[Exception]
) -> None:
    assert 0 <= spent(zygote, slug, source, kind) < LITTLE


def test_time_in_which_a_job_waits_is_not_taken(zygote: Zygote, source: BinaryIO) -> None:
    assert spent(zygote, "sleeps", source, OverTime, within=2) < LITTLE


def test_time_in_which_the_zygote_gets_no_processor_is_not_taken(
    make_zygote: MakeZygote, source: BinaryIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    zygote = make_zygote()
    good_job(zygote)
    pid, await_end = zygote.pid, Job._ended
    assert pid is not None

    def stop_when_begun() -> None:
        eventually(lambda: any(map(has_tree, zygote.folders)))
        os.kill(pid, signal.SIGSTOP)

    def awake(job: Job, verdict: socket.socket) -> tuple[str, float]:
        os.kill(pid, signal.SIGCONT)
        return await_end(job, verdict)

    monkeypatch.setattr(Job, "_ended", awake)
    monkeypatch.setattr("engine.sandbox.job._ENDS_WITHIN", 20.0)
    stopping = threading.Thread(target=stop_when_begun)
    stopping.start()
    try:
        assert spent(zygote, "begins", source, OverTime, within=3) < LITTLE
    finally:
        stopping.join()
        os.kill(pid, signal.SIGCONT)


def test_a_job_that_says_it_has_failed_and_works_on_is_ended_and_counted(zygote: Zygote, source: BinaryIO) -> None:
    assert spent(zygote, "fails-and-goes-on", source, Unreadable) > 0.5


def test_a_job_that_claims_a_full_disk_is_not_believed_and_counted(zygote: Zygote, source: BinaryIO) -> None:
    assert spent(zygote, "lies", source, Crashed, lie="full") >= A_WHILE * 0.9


def test_free_work_counts_what_was_measured_whatever_the_job_says(zygote: Zygote, source: BinaryIO) -> None:
    seconds: list[float] = []
    options = {"lie": "little"}  # a millisecond
    zygote.convert("lies", options, source.fileno(), failed=seconds.append, unpaid=True).output.close()
    assert len(seconds) == 1
    assert seconds[0] >= A_WHILE * 0.9


def test_a_result_comes_with_what_its_job_has_taken_apart_from_the_time_that_passed(
    zygote: Zygote, source: BinaryIO
) -> None:
    answer = zygote.convert("writes", {"seconds": 2.0}, source.fileno())
    answer.output.close()
    assert answer.milliseconds >= 2000
    assert 0 < answer.processor_milliseconds < LITTLE * 1000


@pytest.mark.ci
def test_programs_that_a_job_has_started_count(make_zygote: MakeZygote, source: BinaryIO) -> None:
    zygote = make_zygote("office")
    waiting = spent(zygote, "waits-for-pandoc", source, OverTime, within=3)
    assert spent(zygote, "burns-in-pandoc", source, OverTime, within=6) > waiting + 0.3


def test_a_job_that_is_done_counts_nothing(zygote: Zygote, source: BinaryIO) -> None:
    seconds: list[float] = []
    zygote.convert("echo", {}, source.fileno(), failed=seconds.append).output.close()
    assert seconds == []
