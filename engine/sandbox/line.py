"""Queue jobs fairly between payers, and keep room for short ones."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")

LONG_AFTER = 0.5
"""Seconds of work after which a job counts as long, and yields to all others.

Nine in ten conversions of files up to QUICK bytes take less than 0.2 s on two busy processors, and must not be delayed
noticeably by long ones.
"""
QUICK = 64 * 1024
"""Jobs with inputs of up to this many bytes are expected to be short."""
_HALF_LIFE = 60.0
_AT_LEAST = 1.0
"""Seconds a job counts for from its start: of two payers, the one with fewer running jobs is next."""
MOST_WEIGHT = 100
_REMEMBERED = 4096
_NEGLIGIBLE = 0.01


@dataclass(frozen=True)
class JobOwner:
    """The payer of a job, as two opaque keys.

    `block` groups payers that may be one person, such as guests at neighbouring addresses. Work counts by its seconds
    divided by `weight`: with a weight of 2, a payer gets twice the work before others are next.
    """

    block: object
    payer: object
    weight: int = 1


@dataclass(eq=False)
class Work:
    """A job running since `began`, until `deadline` at the latest.

    In a `reserved` place it may have to make way, at `leaves`. It is `slowed` once it counts as long.
    """

    owner: JobOwner
    began: float
    deadline: float
    reserved: bool
    leaves: bool = False
    slowed: bool = False


@dataclass(frozen=True, eq=False)
class Waiting(Generic[T]):
    """A job queued at `since`; a `quick` one is expected to be short."""

    one: T
    owner: JobOwner
    quick: bool
    since: float


@dataclass(frozen=True)
class Wait:
    """Seconds until a job can start: at the usual pace, and after which a new one would start at once."""

    expected: float
    longest: float


class Line(Generic[T]):
    """At most `places` jobs run at once; the rest queue, and the payer with the least recent work is next, as weighed.

    A quarter as many additional places are reserved for jobs that are expected to be short, of payers with no running
    job. A job there that turns out to be long is queued again when another needs the place. So a short job waits for a
    moment only, whatever others do.
    """

    def __init__(self, places: int, *, wall: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.at_work: list[Work] = []
        self.waiting: list[Waiting[T]] = []
        self._places = places
        self._reserved = max(1, places // 4)
        self._wall = wall
        self._clock = clock
        self._shares = _Shares(clock)
        self._usual = 1.0

    def join(self, one: T, owner: JobOwner, *, quick: bool) -> Waiting[T]:
        found = Waiting(one, owner, quick, self._clock())
        self.waiting.append(found)
        return found

    def leave(self, found: Waiting[T]) -> None:
        self.waiting.remove(found)

    def next(self, *, only_reserved: bool = False) -> tuple[Waiting[T], bool] | None:
        """The next job that may start, if any, and whether in a reserved place."""
        ordinary = sum(not each.reserved for each in self.at_work)
        if not self.waiting:
            self._keep_places(self._places - ordinary)
            return None
        if ordinary < self._places and not only_reserved:
            return self._in_turn()[0], False
        passing = self._passing() if len(self.at_work) - ordinary < self._reserved else []
        return (passing[0], True) if passing else None

    def begin(self, found: Waiting[T], *, seconds: float, reserved: bool) -> Work:
        """Start a queued job, for at most this many seconds."""
        self.waiting.remove(found)
        now = self._clock()
        work = Work(found.owner, now, now + seconds, reserved)
        self.at_work.append(work)
        return work

    def end(self, work: Work, *, processor: float) -> None:
        """Record that a job has ended and took this many seconds of processor time."""
        self.at_work.remove(work)
        self._usual += ((self._clock() - work.began) - self._usual) / 8
        for key in {work.owner.block, work.owner.payer}:
            self._shares.add(key, processor / work.owner.weight)

    def to_preempt(self) -> Work | None:
        """A long job in a reserved place that another job needs."""
        leaving = sum(each.leaves for each in self.at_work)
        long = [each for each in self.at_work if each.reserved and not each.leaves and self._is_long(each)]
        if not long or len(self._passing()) <= leaving:
            return None
        found = min(long, key=lambda each: each.began)
        found.leaves = True
        return found

    def grown_long(self) -> list[Work]:
        """Running jobs that have become long since the last call."""
        found = [each for each in self.at_work if not each.slowed and self._is_long(each)]
        for each in found:
            each.slowed = True
        return found

    def last(self) -> Waiting[T]:
        """The last one in the queue."""
        return self._in_turn()[-1]

    def wait_of(self, found: Waiting[T]) -> Wait:
        """Estimate how long a queued job will wait."""
        ahead = self._in_turn().index(found)
        now, held = self._clock(), [each for each in self.at_work if not each.reserved] or self.at_work
        if not held:
            return Wait(self._usual, self._wall)
        rounds, place = divmod(ahead, len(held))
        # Assume that each running job is half done, as nothing more is known.
        usual = sorted(min(each.deadline - now, max(self._usual, now - each.began)) for each in held)
        longest = sorted(each.deadline - now for each in held)
        expected = usual[place] + rounds * self._usual
        if found in (passing := self._passing()):
            expected = min(expected, LONG_AFTER * (1 + passing.index(found) // self._reserved))
        # Everything queued or running will be gone by the time the longest job must end.
        return Wait(max(0.0, expected), self._wall if rounds else max(0.0, longest[place]))

    def _keep_places(self, free: int) -> None:
        """If the queue is empty, let long jobs in reserved places keep them as ordinary places, while there are any."""
        for each in self.at_work:
            if free > 0 and each.reserved and not each.leaves and self._is_long(each):
                each.reserved = False
                free -= 1

    def _is_long(self, work: Work) -> bool:
        return self._clock() >= work.began + LONG_AFTER

    def _passes(self, found: Waiting[T]) -> bool:
        """Whether a reserved place is available to a queued job."""
        return found.quick and all(each.owner.payer != found.owner.payer for each in self.at_work)

    def _passing(self) -> list[Waiting[T]]:
        """The jobs that qualify for a reserved place, in order: one of each payer."""
        first: dict[object, Waiting[T]] = {}
        for each in self._in_turn():
            if self._passes(each):
                first.setdefault(each.owner.payer, each)
        return list(first.values())

    def _in_turn(self) -> list[Waiting[T]]:
        """The queue in the order in which its jobs would start now.

        Blocks by recent work, and payers within a block likewise; each queued job adds to what the next of the same
        block or payer counts with.
        """
        if len(self.waiting) < 2:
            return list(self.waiting)
        of_block: dict[object, list[tuple[float, Waiting[T]]]] = {}
        of_payer: dict[object, float] = {}
        for each in self.waiting:
            ahead = of_payer.get(each.owner.payer, 0.0)
            of_payer[each.owner.payer] = ahead + _AT_LEAST / each.owner.weight
            had = self._had(each.owner.payer) + ahead
            of_block.setdefault(each.owner.block, []).append((had, each))
        found: list[tuple[float, Waiting[T]]] = []
        for block, theirs in of_block.items():
            had = self._had(block)
            for _, each in sorted(theirs, key=lambda each: each[0]):
                found.append((had, each))
                had += _AT_LEAST / each.owner.weight
        return [each for _, each in sorted(found, key=lambda each: (each[0], each[1].since))]

    def _had(self, key: object) -> float:
        """Seconds of recent work of a block or a payer, as weighed, including running jobs."""
        now = self._clock()
        working = (each for each in self.at_work if key in (each.owner.block, each.owner.payer))
        return self._shares.seconds_of(key) + sum(
            max(_AT_LEAST, now - each.began) / each.owner.weight for each in working
        )


@dataclass
class _Shares:
    """Seconds of processor time of each, as weighed, halved every minute."""

    clock: Callable[[], float]
    _had: dict[object, tuple[float, float]] = field(default_factory=dict)

    def add(self, key: object, seconds: float) -> None:
        self._had[key] = (self.seconds_of(key) + seconds, self.clock())
        if len(self._had) > _REMEMBERED:
            self._had = {each: had for each, had in self._had.items() if self.seconds_of(each) > _NEGLIGIBLE}

    def seconds_of(self, key: object) -> float:
        seconds, at = self._had.get(key, (0.0, 0.0))
        return seconds * math.pow(0.5, (self.clock() - at) / _HALF_LIFE) if seconds else 0.0
