"""What the sandbox costs: its overhead, the start of its zygotes and their memory."""

from __future__ import annotations

import contextlib
import functools
import statistics
import tempfile
import time
from pathlib import Path

import pytest

from benchmarks.sandbox import CASES
from engine.families.registry import CONVERTERS
from engine.sandbox.client import Zygote
from engine.sandbox.limits import limits_for
from engine.toolkit.declaring import Profile
from engine.toolkit.options import describe
from tests.hostile.figures import Report, scaled
from tests.hostile.processes import memory
from tests.sandbox.conftest import children, eventually

pytestmark = [pytest.mark.soak, pytest.mark.alone]

JOBS = 200
STARTS = 5
START_GOAL = 2.0
RESIDENT_GOALS: dict[Profile, float] = {"text": 20, "pdf": 100}
FAMILIES: tuple[Profile, ...] = ("text", "image", "pdf", "office")


def idle(zygote: Zygote) -> set[int]:
    """The children of a zygote that are confined: ready for a job, or ending after one."""
    assert zygote.pid is not None
    return {each for each in children(zygote.pid) if "Seccomp:\t2" in _status(each)}


def _status(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/status").read_text()
    except OSError:  # it ended meanwhile
        return ""


@pytest.mark.parametrize("profile", [profile for profile, *_ in CASES])
def test_overhead_of_the_sandbox(profile: Profile, report: Report) -> None:
    with report.part(f"overhead {profile}") as part, contextlib.closing(Zygote(profile, limits_for(profile))) as zygote:
        _, slug, make, goal = next(each for each in CASES if each[0] == profile)
        values = {each.name: each.default for each in describe(CONVERTERS[slug].options)}
        assert zygote.canary().confined
        overheads, own = [], []
        with tempfile.TemporaryFile() as source:
            source.write(make())
            source.flush()
            before: set[int] = set()
            for _ in range(scaled(JOBS, least=20)):
                # As between two users' requests: the child of the last job has ended, and another is ready.
                assert eventually(lambda: (now := idle(zygote)) and (not before or before - now))  # noqa: B023
                before = idle(zygote)
                started = time.perf_counter()
                answer = zygote.convert(slug, values, source.fileno())
                answer.output.close()
                overheads.append((time.perf_counter() - started) * 1000 - answer.milliseconds)
                own.append(answer.milliseconds)
        middle = statistics.median(overheads)
        part.say(
            f"median {middle:.1f} ms of {len(overheads)} jobs (the quietest {min(overheads):.1f} ms), beside "
            f"{statistics.median(own):.1f} ms of the converter's own",
            held=middle <= goal,
        )


def test_start_of_zygotes(report: Report) -> None:
    with report.part("zygotes") as part:
        seconds: dict[str, float] = {}
        for profile in FAMILIES:
            tries = []
            for _ in range(scaled(STARTS, least=2)):
                with contextlib.closing(Zygote(profile, limits_for(profile))) as zygote:
                    started = time.perf_counter()
                    assert zygote.canary().confined
                    tries.append(time.perf_counter() - started)
            seconds[profile] = statistics.median(tries)
        part.say(
            "median with the first job: " + ", ".join(f"{each} {value:.2f} s" for each, value in seconds.items()),
            held=max(seconds.values()) <= START_GOAL,
        )


def test_memory_of_zygotes(report: Report) -> None:
    """Each zygote as it waits with its spares: what it maps, its share of that, and what is its alone."""
    with report.part("memory of zygotes") as part:
        lines, held = [], True
        for profile in FAMILIES:
            with contextlib.closing(Zygote(profile, limits_for(profile))) as zygote:
                assert zygote.canary().confined
                assert eventually(lambda: idle(zygote))
                assert zygote.pid is not None
                measure = functools.partial(memory, zygote.pid)
                resident = measure("Rss")
                lines.append(
                    f"{profile} {resident:.0f} MB resident ({measure('Pss'):.0f} PSS, {measure('Private'):.0f} USS)"
                )
                held = held and resident <= RESIDENT_GOALS.get(profile, float("inf"))
        part.say("; ".join(lines), held=held)
