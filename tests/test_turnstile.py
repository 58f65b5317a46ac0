"""Who shares the machine during a soak, and who has it alone."""

from __future__ import annotations

import multiprocessing
import time
from multiprocessing.queues import SimpleQueue
from pathlib import Path

from tests.turnstile import turn

_PROCESSES = multiprocessing.get_context("spawn")


def _take(turns: list[bool], door: Path, times: SimpleQueue[tuple[bool, float, float]], start: float) -> None:
    time.sleep(max(0.0, start - time.time()))
    for alone in turns:
        with turn(alone=alone, door=door):
            began = time.time()
            time.sleep(0.2)
            times.put((alone, began, time.time()))


def _turns_of(folder: Path, *each: list[bool]) -> list[tuple[bool, float, float]]:
    """Of each turn that some processes take: whether it was alone, when it began and when it ended."""
    times = _PROCESSES.SimpleQueue()
    door = folder / "door"
    door.touch()
    start = time.time() + 2
    processes = [
        _PROCESSES.Process(target=_take, args=(turns, door, times, start + number * 0.1))
        for number, turns in enumerate(each)
    ]
    for process in processes:
        process.start()
    found = [times.get() for turns in each for _ in turns]
    for process in processes:
        process.join()
        assert process.exitcode == 0
    return sorted(found, key=lambda one: one[1])


def test_whoever_is_alone_is_so_and_the_others_are_side_by_side(tmp_path):
    found = _turns_of(tmp_path, [False, False, True, False], [False, True, False, False])
    for alone, began, ended in found:
        beside = [one for one in found if one[1] < ended and one[2] > began]
        assert len(beside) == 1 or not any(one[0] for one in beside), alone
    assert any(one[1] < other[2] and other[1] < one[2] for one in found for other in found if one is not other)


def test_whoever_waits_to_be_alone_is_not_passed_by_those_who_share(tmp_path):
    """Two who always overlap would keep a third one out for as long as they have turns."""
    found = _turns_of(tmp_path, [False] * 8, [False] * 8, [False, True])
    assert not all(one[0] is False for one in found[:-1])
