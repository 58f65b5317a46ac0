"""The pool: which of the children that wait is given a job."""

from __future__ import annotations

import errno
import os
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.sandbox.children import Child
from engine.sandbox.demand import Demand
from engine.sandbox.job_requests import JobRequest, parse
from engine.sandbox.limits import limits_for
from engine.sandbox.line import JobOwner
from engine.sandbox.place import Place
from engine.sandbox.pool import Pool

NOTHING: Any = None


def child(pid: int, *, killed: str | None = None) -> Child:
    return Child(pid, socket.socket(), NOTHING, "", -1, killed=killed)


def pool_of(*idle: Child) -> Pool:
    pool = Pool("text", limits_for("text"), *[NOTHING] * 7)
    pool.demand = Demand(2)
    pool.idle.extend(idle)
    return pool


def test_a_killed_child_gets_no_job() -> None:
    dying, alive = child(1, killed="closing"), child(2)
    pool = pool_of(dying, alive)
    assert pool.child_for(NOTHING) is alive
    assert list(pool.idle) == [dying]  # until it is buried


def test_a_new_one_is_made_where_all_were_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    dying, fresh = child(1, killed="closing"), child(2)
    pool = pool_of(dying)
    monkeypatch.setattr(pool, "spare", lambda: pool.idle.append(fresh))
    assert pool.child_for(NOTHING) is fresh
    assert list(pool.idle) == [dying]


def test_a_child_that_could_not_be_made_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pool = pool_of()
    monkeypatch.setattr(pool, "process_limit", lambda place: 100)
    confinement: Any = SimpleNamespace(uid=None)
    monkeypatch.setattr(Place, "of_one", lambda place: place)

    def full(*given: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "mkdir", full)
    before = os.listdir("/proc/self/fd")
    for _ in range(3):
        with pytest.raises(OSError, match="No space"):
            pool.spawn(Place(str(tmp_path), confinement))
    assert len(os.listdir("/proc/self/fd")) == len(before)


def no_process() -> int:
    raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")


def test_a_child_that_could_not_be_forked_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pool = pool_of()
    monkeypatch.setattr(pool, "process_limit", lambda place: 100)
    monkeypatch.setattr(Place, "of_one", lambda place: place)
    confinement: Any = SimpleNamespace(uid=None, ruleset=lambda folder: None)
    pool.fork = no_process
    before = os.listdir("/proc/self/fd")
    for _ in range(3):
        with pytest.raises(BlockingIOError):
            pool.spawn(Place(str(tmp_path), confinement))
    assert len(os.listdir("/proc/self/fd")) == len(before)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("number", [errno.EAGAIN, errno.ENOMEM])
def test_a_job_without_a_process_fails_alone(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    pool = pool_of()

    def spawn(place: Place) -> Child:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(pool, "spawn", spawn)
    ours, verdict = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    job = JobRequest(
        NOTHING, socket.socket(), verdict, small=True, wall=1.0, quick=True, owner=JobOwner("block", "payer")
    )
    with ours:
        pool.dispatch(pool.line.join(job, job.owner, quick=True), reserved=False)
        assert ours.recv(64) == b"full"
    assert not pool.line.waiting
    pool.tick()  # tries to keep an idle child
    assert not pool.idle


@pytest.mark.parametrize("weight", [b"0", b"-1", b"101", b"1e9", b"nan", b"\xb2", b"x", b"", b"2 2"])
def test_a_weight_that_no_plan_has_is_no_request(weight: bytes) -> None:
    sockets = socket.socketpair()
    numbers = [each.fileno() for each in sockets]
    assert parse(NOTHING, b"small quick 1.0 block payer " + weight, numbers, longest=1.0) is None
    numbers = [each.detach() for each in sockets]
    found = parse(NOTHING, b"small quick 1.0 block payer 100", numbers, longest=1.0)
    assert found is not None
    assert found.owner == JobOwner(b"block", b"payer", 100)
    found.close()
