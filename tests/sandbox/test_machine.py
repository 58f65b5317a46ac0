"""What there is of a machine: limits of control groups in both versions, and jobs that wait while memory is short."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from pathlib import Path
from typing import BinaryIO

import pytest

from engine.sandbox import demand, limits, machine
from engine.sandbox.demand import Demand
from engine.sandbox.limits import LIMITS, limits_for
from tests.sandbox.conftest import MakeZygote, children, eventually, good_job, has_tree
from tests.sandbox.test_lifecycle import in_background

MB = 1_000_000
CALM = "some avg10=3.00 avg60=50.00 avg300=50.00 total=1\nfull avg10=90.00 avg60=0.00 avg300=0.00 total=0\n"
PRESSED = CALM.replace("avg10=3.00", "avg10=60.00")
SECOND = {
    "memory.max": f"{512 * MB}\n", "memory.current": f"{300 * MB}\n",
    "memory.stat": f"anon 5\ninactive_file {50 * MB}\n", "cpu.max": "50000 100000\n",
}  # fmt: skip
FIRST = {
    "memory.limit_in_bytes": f"{512 * MB}\n", "memory.usage_in_bytes": f"{300 * MB}\n",
    "memory.stat": f"inactive_file 7\ntotal_inactive_file {50 * MB}\n",
    "cpu.cfs_quota_us": "50000\n", "cpu.cfs_period_us": "100000\n",
}  # fmt: skip
UNLIMITED = {"memory.max": "max\n", "memory.limit_in_bytes": "9223372036854771712\n", "cpu.max": "max 100000\n"}


@pytest.fixture
def group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A control group's folder that this process is in."""
    monkeypatch.setattr(machine, "_groups", lambda controller: iter([tmp_path, tmp_path / "gone"]))
    return tmp_path


def fill(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).write_text(text)


@pytest.mark.parametrize("files", [SECOND, FIRST])
def test_a_control_group_limits_what_there_is(group: Path, files: dict[str, str]) -> None:
    fill(group, files)
    assert machine.memory() == 512 * MB
    assert machine.available() == 262 * MB
    assert machine.processors() == 0.5


def test_where_there_is_no_limit_it_is_the_machine_s(group: Path) -> None:
    fill(group, UNLIMITED)
    assert machine.memory() > machine.available() > 0
    assert machine.processors() >= 1


def test_jobs_at_once_go_by_processors_and_memory(group: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = []
    for processors, memory in ((1, 1 << 40), (2, 1 << 40), (16, 1 << 40), (16, 512 * MB)):
        monkeypatch.setattr(machine, "processors", lambda processors=processors: processors)
        monkeypatch.setattr(machine, "memory", lambda memory=memory: memory)
        limits._on_this_machine.cache_clear()
        at_once.append([limits_for(profile).jobs for profile in ("text", "libreoffice")])
    assert limits_for("text", {"text": {"jobs": 3}}).jobs == 3
    limits._on_this_machine.cache_clear()
    assert at_once == [[8, 2], [8, 2], [64, 16], [4, 1]]
    assert LIMITS["text"].jobs == 8


def test_it_holds_back_as_many_as_do_not_fit(group: Path) -> None:
    fill(group, SECOND)
    (group / "memory.pressure").write_text(CALM)
    shortage = machine.Shortage(100 * MB)
    assert [shortage.must_wait() for _ in range(4)] == [False, False, True, True]
    (group / "memory.pressure").write_text(PRESSED)
    assert machine.Shortage(100 * MB).must_wait()


def test_jobs_wait_while_memory_is_short_but_for_one(make_zygote: MakeZygote, source: BinaryIO, tmp_path: Path) -> None:
    pressure = tmp_path / "pressure"
    pressure.write_text(PRESSED)
    zygote = make_zygote(weakened={"pressure": str(pressure)}, wall=20)
    good_job(zygote)
    first, _ = in_background(zygote, "begins", source)
    assert eventually(lambda: any(map(has_tree, zygote.folders)))
    done: list[int] = []
    second = threading.Thread(target=lambda: done.append(good_job(zygote)))
    second.start()
    second.join(0.6)
    assert not done
    pressure.write_text(CALM)
    second.join()
    assert done
    assert first.is_alive()
    assert zygote.pid is not None
    for each in children(zygote.pid)[1:]:  # with their zygote's end their jobs would begin anew
        with contextlib.suppress(ProcessLookupError):  # a spare child may have ended since
            os.kill(each, signal.SIGKILL)
    first.join()


def test_more_children_wait_where_jobs_come_fast_and_none_where_none_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    one = Demand(3)
    assert one.wanted() == 1
    wanted = []
    for found in (True, False, False, False, True):
        one.job_arrived(found=found)
        wanted.append(one.wanted())
    assert wanted == [1, 2, 3, 3, 3]
    monkeypatch.setattr(demand, "_CALM_AFTER", 0.0)
    assert one.changes_at() <= one._missed_at
    assert one.wanted() == 1
    monkeypatch.setattr(demand, "QUIET_AFTER", 0.0)
    assert one.wanted() == 0
    assert Demand(0).wanted() == 0
