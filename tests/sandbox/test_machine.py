"""What there is of a machine: limits of control groups in both versions, and jobs that wait while memory is short."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import BinaryIO

import pytest

from engine.sandbox import demand, limits, machine
from engine.sandbox.client import Zygote
from engine.sandbox.demand import Demand
from engine.sandbox.limits import LIMITS, limits_for
from engine.sandbox.line import QUICK, JobOwner
from engine.sandbox.peaks import Peaks
from tests.sandbox.conftest import MakeZygote, children, eventually, good_job, has_tree, read
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
    shortage = machine.Shortage()
    assert [shortage.must_wait(100 * MB) for _ in range(4)] == [False, False, True, True]
    assert shortage.must_wait(50 * MB, left=20 * MB)
    assert not shortage.must_wait(50 * MB)
    (group / "memory.pressure").write_text(PRESSED)
    assert machine.Shortage().must_wait(100 * MB)


def job_of(zygote: Zygote, payer: str, size: int) -> int:
    with tempfile.TemporaryFile() as file:
        file.truncate(size)
        return int(read(zygote.convert("who", {}, file.fileno(), owner=JobOwner(payer, payer))))


def test_short_jobs_pass_those_that_wait_for_memory(make_zygote: MakeZygote, source: BinaryIO) -> None:
    # Memory for two usual jobs; an ordinary one has to leave as much.
    zygote = make_zygote(wall=20, usual=int(machine.available() * 0.4))
    first, _ = in_background(zygote, "begins", source)
    assert eventually(lambda: any(map(has_tree, zygote.folders)))
    done: list[int] = []
    second = threading.Thread(target=lambda: done.append(job_of(zygote, "large", QUICK + 1)))
    second.start()
    second.join(1.0)
    assert not done
    assert job_of(zygote, "small", QUICK)
    assert not done
    assert first.is_alive()
    assert zygote.pid is not None
    for each in children(zygote.pid)[1:]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)
    first.join()
    second.join()
    assert done


def test_a_job_waits_for_as_much_memory_as_those_like_it_took() -> None:
    large, quick = (False, False), (True, True)
    known = Peaks(64 * MB, large=500 * MB)
    assert known.expected(large) == 500 * MB
    known.ended(large, 100 * MB)
    assert known.expected(large) == 450 * MB
    for peak in (100 * MB, 900 * MB, 100 * MB):
        known.ended(large, peak)
    assert known.expected(large) == 800 * MB
    assert known.expected(quick) == 64 * MB
    assert known.to_come([(large, 300 * MB), (large, 900 * MB), (quick, 10 * MB)]) == 554 * MB


# In a process of one thread, as a zygote is: the memory of others would change while it is measured.
_MEASURING = """
import os
from engine.sandbox import peaks
told, tell = os.pipe()
ask, asked = os.pipe()
child = os.fork()
if child == 0:
    held = b"x" * 80_000_000
    os.write(tell, b"x")
    os.read(ask, 1)
    os._exit(len(held) % 2)
os.read(told, 1)
now = peaks.held([child])
os.write(asked, b"x")
usage = os.wait4(child, 0)[2]
print(now, peaks.most(usage), peaks.held([child]))
"""


def test_the_memory_of_a_job_is_what_it_holds_beyond_its_parent() -> None:
    told = subprocess.run([sys.executable, "-c", _MEASURING], capture_output=True, text=True, check=True).stdout
    now, peak, ended = map(int, told.split())
    assert 70 * MB < now < 110 * MB
    assert 70 * MB < peak < 110 * MB
    assert ended == 0


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
