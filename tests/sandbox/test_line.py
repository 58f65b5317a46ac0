"""The line: whose job begins next, who makes way, and how long a job has to wait."""

from __future__ import annotations

from itertools import pairwise

from engine.sandbox.line import LONG_AFTER, JobOwner, Line, Work


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Place:
    """A line of names, as a pool uses it: whoever may begin is at work at once."""

    def __init__(self, places: int) -> None:
        self.clock = Clock()
        self.line: Line[str] = Line(places, wall=60.0, clock=self.clock)
        self.work: dict[str, Work] = {}

    def join(self, name: str, payer: str, *, block: str = "", quick: bool = False, weight: int = 1) -> None:
        self.line.join(name, JobOwner(block or payer, payer, weight), quick=quick)

    def begin(self) -> list[str]:
        """The names of those that may begin, in their order."""
        begun = []
        while found := self.line.next():
            waiting, reserved = found
            self.work[waiting.one] = self.line.begin(waiting, seconds=60.0, reserved=reserved)
            begun.append(waiting.one)
        return begun

    def end(self, name: str, *, processor: float = 0.0) -> None:
        self.line.end(self.work.pop(name), processor=processor)

    def occupied(self) -> None:
        """Have a long job of a payer of its own in each place."""
        number = 0
        while not self.line.waiting:
            self.join(f"held {number}", f"holder {number}")
            self.begin()
            number += 1
        self.line.leave(self.line.waiting[0])
        self.clock.now += 2 * LONG_AFTER


def test_payers_have_their_turns_however_many_jobs_one_has_in_line() -> None:
    place = Place(1)
    for number in range(4):
        place.join(f"greedy {number}", "greedy")
    place.join("modest", "modest")
    place.join("third", "third")
    order = []
    while place.line.waiting:
        order += place.begin()
        place.clock.now += 1.0
        place.end(order[-1], processor=1.0)
    assert order == ["greedy 0", "modest", "third", "greedy 1", "greedy 2", "greedy 3"]


def test_who_has_had_least_of_late_is_next() -> None:
    place = Place(1)
    for name, seconds in (("heavy", 30.0), ("light", 1.0)):
        place.join(name, name)
        place.begin()
        place.end(name, processor=seconds)
    place.join("now", "somebody")
    place.begin()
    for name in ("heavy", "light", "fresh"):
        place.join(name, name)
    place.end("now")
    assert place.begin() == ["fresh"]
    place.end("fresh")
    assert place.begin() == ["light"]


def test_who_pays_for_more_weight_has_so_many_times_the_work() -> None:
    place = Place(1)
    for number in range(60):
        place.join(f"heavy {number}", "heavy", weight=3)
        place.join(f"light {number}", "light")
    order = []
    for _ in range(40):
        order += place.begin()
        place.end(order[-1], processor=2.0)
    assert sum(each.startswith("heavy") for each in order) == 30
    # Nor does the light one wait for long: about three of the other's are before each of theirs.
    turns = [number for number, each in enumerate(order) if each.startswith("light")]
    assert max(later - sooner for sooner, later in pairwise(turns)) <= 5


def test_jobs_of_more_weight_that_wait_have_more_turns_before_anything_is_measured() -> None:
    place = Place(1)
    for number in range(4):
        place.join(f"heavy {number}", "heavy", weight=2)
        place.join(f"light {number}", "light")
    assert [each.one for each in place.line._in_turn()][:6] == [
        "heavy 0", "light 0", "heavy 1", "heavy 2", "light 1", "heavy 3",
    ]  # fmt: skip


def test_what_a_payer_has_had_is_forgotten() -> None:
    place = Place(1)
    place.join("first", "heavy")
    place.begin()
    place.end("first", processor=60.0)
    place.clock.now += 3600
    place.join("other", "light")
    place.begin()
    place.end("other", processor=1.0)
    place.join("now", "somebody")
    place.begin()
    place.join("light", "light")
    place.join("heavy", "heavy")
    place.end("now")
    assert place.begin() == ["heavy"]


def test_a_block_of_many_payers_has_the_turns_of_one() -> None:
    place = Place(1)
    for number in range(5):
        place.join(f"crowd {number}", f"crowd {number}", block="crowd")
    place.join("alone", "alone")
    order = []
    for _ in range(3):
        order += place.begin()
        place.clock.now += 1.0
        place.end(order[-1], processor=1.0)
    assert order == ["crowd 0", "alone", "crowd 1"]


def test_within_a_block_payers_have_their_turns() -> None:
    place = Place(1)
    for number in range(3):
        place.join(f"greedy {number}", "greedy", block="block")
    place.join("modest", "modest", block="block")
    order = []
    for _ in range(2):
        order += place.begin()
        place.clock.now += 1.0
        place.end(order[-1], processor=1.0)
    assert order == ["greedy 0", "modest"]


def test_a_short_job_passes_long_ones_that_wait() -> None:
    place = Place(4)
    place.occupied()
    place.join("long", "one")
    place.join("short", "other", quick=True)
    assert place.begin() == ["short"]


def test_a_payer_at_work_has_no_reserved_place() -> None:
    place = Place(4)
    place.occupied()
    place.join("short", "holder 0", quick=True)
    assert place.begin() == []
    place.join("another", "other", quick=True)
    place.join("a second", "other", quick=True)
    assert place.begin() == ["another"]


def test_one_that_turns_out_to_be_long_makes_way_for_the_next_short_one() -> None:
    place = Place(4)
    place.occupied()
    place.join("claims to be short", "one", quick=True)
    place.begin()
    place.join("short", "other", quick=True)
    assert place.line.to_preempt() is None  # it may be short yet
    place.clock.now += LONG_AFTER
    assert place.line.to_preempt() is place.work["claims to be short"]
    assert place.line.to_preempt() is None  # one is enough
    place.end("claims to be short")
    place.join("claims to be short", "one")
    assert place.begin() == ["short"]


def test_nobody_makes_way_where_nobody_short_waits() -> None:
    place = Place(4)
    place.occupied()
    place.join("claims to be short", "one", quick=True)
    place.begin()
    place.clock.now += LONG_AFTER
    place.join("long", "other")
    place.join("of one at work", "one", quick=True)
    assert place.begin() == []
    assert place.line.to_preempt() is None


def test_a_long_one_keeps_its_place_when_another_becomes_free_and_nobody_waits() -> None:
    place = Place(4)
    place.occupied()
    place.join("claims to be short", "one", quick=True)
    place.begin()
    place.clock.now += LONG_AFTER
    place.end("held 0")
    assert place.begin() == []
    place.join("long", "other")
    assert place.begin() == []  # the place is taken
    place.join("short", "third", quick=True)
    assert place.begin() == ["short"]


def test_jobs_grow_long_once() -> None:
    place = Place(2)
    place.join("a", "one")
    place.begin()
    assert place.line.grown_long() == []
    place.clock.now += LONG_AFTER
    assert place.line.grown_long() == [place.work["a"]]
    assert place.line.grown_long() == []


def test_the_wait_is_until_those_ahead_are_done_and_at_most_until_their_deadlines() -> None:
    place = Place(1)
    place.join("now", "somebody")
    place.begin()
    place.clock.now += 20.0
    place.join("next", "one")
    place.join("after", "other")
    first, second = (place.line.wait_of(each) for each in place.line.waiting)
    assert (first.expected, first.longest) == (20.0, 40.0)
    assert (second.expected, second.longest) == (21.0, 60.0)


def test_a_short_job_expects_to_wait_for_a_moment() -> None:
    place = Place(4)
    place.occupied()
    place.clock.now += 20.0
    place.join("a", "one", quick=True)
    place.begin()
    place.join("b", "other", quick=True)
    place.join("long", "third")
    short, long = (place.line.wait_of(each) for each in place.line.waiting)
    assert short.expected == LONG_AFTER
    assert long.expected > 20.0


def test_last_is_the_last_of_who_has_most_in_line() -> None:
    place = Place(1)
    place.join("now", "somebody")
    place.begin()
    for number in range(3):
        place.join(f"greedy {number}", "greedy")
    place.join("modest", "modest")
    assert place.line.last().one == "greedy 2"
