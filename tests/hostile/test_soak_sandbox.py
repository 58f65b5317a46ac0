"""What the sandbox costs: its overhead, the start of its zygotes and their memory."""

from __future__ import annotations

import contextlib
import functools
import statistics
import tempfile
import time

import pytest

from benchmarks.sandbox import CASES, REST
from conversions.families.registry import CONVERTERS
from conversions.sandbox.client import Zygote
from conversions.sandbox.limits import limits_for
from conversions.toolkit.declaring import Profile
from conversions.toolkit.options import describe
from tests.hostile.figures import Report, scaled
from tests.hostile.processes import memory

pytestmark = [pytest.mark.soak, pytest.mark.alone]

JOBS = 200
STARTS = 5
START_GOAL = 2.0
RESIDENT_GOALS: dict[Profile, float] = {"text": 20, "pdf": 100}
FAMILIES: tuple[Profile, ...] = ("text", "image", "pdf", "office")


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
            for _ in range(scaled(JOBS, least=20)):
                time.sleep(REST)
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
        said, held = [], True
        for profile in FAMILIES:
            with contextlib.closing(Zygote(profile, limits_for(profile))) as zygote:
                assert zygote.canary().confined
                time.sleep(0.5)
                assert zygote.pid is not None
                measure = functools.partial(memory, zygote.pid)
                resident = measure("Rss")
                said.append(
                    f"{profile} {resident:.0f} MB resident ({measure('Pss'):.0f} PSS, {measure('Private'):.0f} USS)"
                )
                held = held and resident <= RESIDENT_GOALS.get(profile, float("inf"))
        part.say("; ".join(said), held=held)
