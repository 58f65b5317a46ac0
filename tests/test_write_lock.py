"""Writers to a SQLite file take turns, and none waits for one that is dead or stuck."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import write_lock
from write_lock import WriteLock

ROOT = Path(__file__).resolve().parents[1]
_HOLDS = """
import sys, time
from write_lock import WriteLock
with WriteLock(sys.argv[1]).hold():
    print("held", flush=True)
    sys.stdin.readline()
"""


def holder(database: Path) -> subprocess.Popen[str]:
    """Another process that has the turn until it is written to."""
    command = [sys.executable, "-c", _HOLDS, str(database)]
    other = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdout is not None
    assert other.stdout.readline() == "held\n"
    return other


def test_one_thread_at_a_time_holds_the_lock(tmp_path: Path) -> None:
    common, inside, most = WriteLock(str(tmp_path / "db")), 0, 0

    def write() -> None:
        nonlocal inside, most
        for _ in range(20):
            with common.hold():
                inside += 1
                most = max(most, inside)
                time.sleep(0.0001)
                inside -= 1

    threads = [threading.Thread(target=write) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert (inside, most) == (0, 1)


@pytest.mark.parametrize("ends", ["by itself", "killed"])
def test_a_writer_waits_for_another_process(ends: str, tmp_path: Path) -> None:
    other = holder(tmp_path / "db")
    took: list[bool] = []

    def take() -> None:
        with WriteLock(str(tmp_path / "db")).hold():
            took.append(other.poll() is not None)

    thread = threading.Thread(target=take)
    thread.start()
    asked = str(tmp_path / "db.turn")
    while not any(os.path.realpath(each) == asked for each in Path("/proc/self/fd").iterdir()):
        assert thread.is_alive()
    assert not took
    if ends == "killed":
        other.kill()
    else:
        other.communicate("\n")
    other.wait()
    thread.join()
    assert len(took) == 1


def test_a_stuck_writer_is_not_waited_for_forever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_lock, "TIMEOUT", 0.05)
    other = holder(tmp_path / "db")
    with WriteLock(str(tmp_path / "db")).hold():
        assert other.poll() is None
    other.communicate("\n")


def test_what_has_no_place_for_a_file_is_written_without_write_lock(tmp_path: Path) -> None:
    with WriteLock(str(tmp_path / "missing" / "db")).hold():
        assert list(tmp_path.iterdir()) == []
