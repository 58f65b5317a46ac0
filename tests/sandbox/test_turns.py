"""Turns: children of several payers that wait for few places, some of which block."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

import pytest

from engine.sandbox import job, protocol, verdicts
from engine.sandbox.client import Zygote
from engine.sandbox.errors import Busy, OverTime
from engine.sandbox.line import QUICK, JobOwner
from tests.sandbox.conftest import TOLD_WITHIN, MakeZygote, children, eventually, read

ONE, OTHER, THIRD = (JobOwner(name, name) for name in ("one", "other", "third"))


@pytest.fixture
def large() -> Iterator[BinaryIO]:
    """An input that nobody expects to be done soon."""
    with tempfile.TemporaryFile() as file:
        file.write(b'"' + bytes(QUICK).replace(b"\0", b" ") + b'"')
        file.flush()
        yield file


class Asked:
    """A conversion that somebody waits for; `outcome` is its result, or the error that it ended with."""

    def __init__(
        self,
        zygote: Zygote,
        slug: str,
        source: BinaryIO,
        owner: JobOwner,
        failed: Callable[[float], None] | None = None,
        **options: object,
    ) -> None:
        self.outcome: bytes | Exception | None = None
        self._call = lambda: read(zygote.convert(slug, options, source.fileno(), owner=owner, failed=failed))
        self._thread = threading.Thread(target=self._work)
        self._thread.start()

    def _work(self) -> None:
        try:
            self.outcome = self._call()
        except Exception as error:
            self.outcome = error

    def ended(self) -> bytes | Exception | None:
        self._thread.join()
        return self.outcome


def long_at_work(zygote: Zygote) -> list[int]:
    """The children that have been at work for long, the oldest first."""
    if zygote.pid is None:
        return []
    found = []
    for each in children(zygote.pid):
        with contextlib.suppress(ProcessLookupError):
            if os.getpriority(os.PRIO_PROCESS, each) == 19:
                found.append(each)
    return found


def blocked(zygote: Zygote, source: BinaryIO, owner: JobOwner, jobs: int) -> list[Asked]:
    """Have so many places occupied by children that do nothing until they are killed."""
    if os.getpriority(os.PRIO_PROCESS, 0) == 19:
        pytest.skip("nothing has a lower priority than this process")
    asked = [Asked(zygote, "sleeps", source, owner) for _ in range(jobs)]
    assert eventually(lambda: len(long_at_work(zygote)) == jobs)
    return asked


def end(zygote: Zygote) -> None:
    """Kill those that have been at work for long: a zygote's end would have their jobs begin anew, for a minute."""
    for each in long_at_work(zygote):
        with contextlib.suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)


def test_a_short_job_is_done_while_others_occupy_all_places(
    make_zygote: MakeZygote, source: BinaryIO, large: BinaryIO
) -> None:
    zygote = make_zygote(jobs=2)
    held = blocked(zygote, large, ONE, 2)
    assert read(zygote.convert("echo", {}, source.fileno(), owner=OTHER)) == b'{"a": 1}'
    end(zygote)
    assert all(isinstance(each.ended(), Exception) for each in held)


def test_a_short_job_does_not_wait_for_one_that_claimed_to_be_short(
    make_zygote: MakeZygote, source: BinaryIO, large: BinaryIO
) -> None:
    zygote = make_zygote(jobs=1, wait=2.0)
    held = [*blocked(zygote, large, ONE, 1), Asked(zygote, "sleeps", source, OTHER)]
    assert eventually(lambda: len(long_at_work(zygote)) == 2)
    assert read(zygote.convert("echo", {}, source.fileno(), owner=THIRD)) == b'{"a": 1}'
    assert isinstance(held[1].ended(), Busy)  # it waited for a place among the long ones
    end(zygote)
    held[0].ended()


def test_one_that_made_way_and_has_no_second_turn_has_taken_what_it_worked(
    make_zygote: MakeZygote, source: BinaryIO, large: BinaryIO
) -> None:
    zygote = make_zygote(jobs=1, wait=2.0)
    held, seconds = blocked(zygote, large, ONE, 1), list[float]()
    slow = Asked(zygote, "spins", source, OTHER, failed=seconds.append)
    assert eventually(lambda: len(long_at_work(zygote)) == 2)
    assert seconds == []
    assert read(zygote.convert("echo", {}, source.fileno(), owner=THIRD)) == b'{"a": 1}'
    assert isinstance(slow.ended(), Busy)
    assert len(seconds) == 1
    assert seconds[0] > 0
    never: list[float] = []
    with pytest.raises(Busy):
        zygote.convert("spins", {}, large.fileno(), owner=OTHER, failed=never.append)
    assert never == []
    end(zygote)
    held[0].ended()


def test_one_that_made_way_is_done_when_a_place_is_free(
    make_zygote: MakeZygote, source: BinaryIO, large: BinaryIO
) -> None:
    zygote = make_zygote(jobs=1)
    held = blocked(zygote, large, ONE, 1)
    slow = Asked(zygote, "writes", source, OTHER, size=6, seconds=3.0)
    assert eventually(lambda: len(long_at_work(zygote)) == 2)
    assert read(zygote.convert("echo", {}, source.fileno(), owner=THIRD)) == b'{"a": 1}'
    assert slow.outcome is None
    os.kill(long_at_work(zygote)[0], signal.SIGKILL)
    assert slow.ended() == bytes(6)
    held[0].ended()


def test_a_job_that_can_not_begin_soon_is_told_when_it_can(make_zygote: MakeZygote, large: BinaryIO) -> None:
    zygote = make_zygote(jobs=1, wall=30.0, wait=0.5)
    held = blocked(zygote, large, ONE, 1)
    with pytest.raises(Busy) as raised:
        zygote.convert("echo", {}, large.fileno(), owner=OTHER)
    assert 1.0 < raised.value.wait <= 30.0  # until the one at work is over its time
    assert held[0].outcome is None
    end(zygote)
    held[0].ended()


def test_long_work_has_the_lowest_priority_and_nothing_else_has(make_zygote: MakeZygote, large: BinaryIO) -> None:
    zygote = make_zygote(jobs=2)
    held = blocked(zygote, large, ONE, 1)
    assert zygote.pid is not None
    others = {zygote.pid, *children(zygote.pid)} - set(long_at_work(zygote))
    ours = os.getpriority(os.PRIO_PROCESS, 0)
    assert {os.getpriority(os.PRIO_PROCESS, each) for each in others} == {ours}
    end(zygote)
    held[0].ended()


def test_of_those_in_line_the_one_who_has_had_least_begins(make_zygote: MakeZygote, large: BinaryIO) -> None:
    zygote = make_zygote(jobs=1)
    held = blocked(zygote, large, ONE, 1)
    assert zygote.pid is not None
    asked = []
    for owner in (ONE, ONE, ONE, OTHER):
        before = sockets(zygote.pid)
        asked.append(Asked(zygote, "moment", large, owner))
        assert eventually(lambda before=before: sockets(zygote.pid) == before + 2)  # type: ignore[misc]
    os.kill(long_at_work(zygote)[0], signal.SIGKILL)
    held[0].ended()
    begun = [int(each.ended()) for each in asked]  # type: ignore[arg-type]
    assert min(begun) == begun[3]


def test_a_payer_of_more_weight_has_the_next_turn_sooner(make_zygote: MakeZygote, large: BinaryIO) -> None:
    zygote = make_zygote(jobs=1)
    held = blocked(zygote, large, THIRD, 1)
    heavy, asked = JobOwner("heavy", "heavy", 2), []
    for owner in (ONE, ONE, heavy, heavy):
        before = sockets(zygote.pid)
        asked.append(Asked(zygote, "moment", large, owner))
        assert eventually(lambda before=before: sockets(zygote.pid) == before + 2)  # type: ignore[misc]
    os.kill(long_at_work(zygote)[0], signal.SIGKILL)
    held[0].ended()
    begun = [int(each.ended()) for each in asked]  # type: ignore[arg-type]
    assert begun[3] < begun[1]


@pytest.mark.ci
def test_what_the_programs_of_a_job_take_counts_for_its_turn(
    make_zygote: MakeZygote, source: BinaryIO, large: BinaryIO
) -> None:
    zygote = make_zygote("office", jobs=1)
    for slug, seconds, owner in (("burns-in-pandoc", 6.0, ONE), ("spins", 1.0, OTHER)):
        with pytest.raises(OverTime):
            zygote.convert(slug, {}, source.fileno(), within=seconds, owner=owner)
    held = blocked(zygote, large, THIRD, 1)
    assert zygote.pid is not None
    asked = []
    for owner in (ONE, OTHER):
        before = sockets(zygote.pid)
        asked.append(Asked(zygote, "moment", large, owner))
        assert eventually(lambda before=before: sockets(zygote.pid) == before + 2)  # type: ignore[misc]
    os.kill(long_at_work(zygote)[0], signal.SIGKILL)
    held[0].ended()
    first, second = (int(each.ended()) for each in asked)  # type: ignore[arg-type]
    assert second < first


def sockets(pid: int | None) -> int:
    """What a process has open of them: two for each job in line."""
    names = [os.readlink(f"/proc/{pid}/fd/{each}") for each in os.listdir(f"/proc/{pid}/fd")]
    return sum(each.startswith("socket:") for each in names)


def test_a_refusal_that_comes_before_the_job_was_sent_harms_nobody(
    make_zygote: MakeZygote, large: BinaryIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    zygote = make_zygote(jobs=1, wait=0.5)
    held = blocked(zygote, large, ONE, 1)
    send, pid = protocol.send_frame, zygote.pid

    def late(channel: socket.socket, *given: Any) -> None:
        assert select.select([channel], [], [], TOLD_WITHIN)[0]  # its other end is closed
        send(channel, *given)

    monkeypatch.setattr(job, "send_frame", late)
    with pytest.raises(Busy):
        zygote.convert("echo", {}, large.fileno(), owner=OTHER)
    assert zygote.pid == pid
    assert held[0].outcome is None
    end(zygote)
    held[0].ended()


@pytest.mark.parametrize("told", [True, False])
def test_who_has_gone_has_hung_up_whether_or_not_they_read_what_they_were_told(told: bool) -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setblocking(False)
    with ours, theirs:
        assert not verdicts.hung_up(ours)
        if told:
            verdicts.send(ours, "queued")
        theirs.close()
        assert verdicts.hung_up(ours)
