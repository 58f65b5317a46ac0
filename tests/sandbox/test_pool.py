"""The pool: which of the children that wait is given a job."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from conversions.sandbox.demand import Demand
from conversions.sandbox.pool import Pool, _Child

NOTHING: Any = None


def child(pid: int, *, killed: str | None = None) -> _Child:
    return _Child(pid, socket.socket(), NOTHING, "", -1, killed=killed)


def pool_of(*idle: _Child) -> Pool:
    pool = Pool("text", *[NOTHING] * 8)
    pool.demand = Demand(2)
    pool.idle.extend(idle)
    return pool


def test_a_child_that_was_killed_is_given_no_job() -> None:
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
