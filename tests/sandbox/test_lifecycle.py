"""The life of zygotes: they are replaced when they die or hang, and nothing that they started outlives them."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO

import pytest

from engine.sandbox import identity, janitor, job
from engine.sandbox.client import Zygote
from engine.sandbox.environment import ENVIRONMENT
from engine.sandbox.errors import Busy, Crashed, OverTime, Unavailable
from tests.processor import come_to_rest
from tests.sandbox.conftest import (
    MakeZygote,
    alive,
    children,
    eventually,
    good_job,
    has_input,
    has_tree,
    name_of,
    processes_of,
    read,
)  # fmt: skip

PROJECT = str(Path(__file__).resolve().parents[2])


def running(zygote: Zygote) -> int:
    """The process id of the zygote, which has done a job to its end."""
    done = good_job(zygote)
    assert eventually(lambda: not alive(done))
    assert zygote.pid is not None
    return zygote.pid


def settled(zygote: Zygote) -> list[int]:
    """The janitor and the one spare that waits for whoever comes next, once it is there."""
    pid = running(zygote)
    found: list[int] = []

    def complete() -> bool:
        found[:] = children(pid)
        return len(found) == 2

    assert eventually(complete)
    return found


def in_background(zygote: Zygote, slug: str, source: BinaryIO) -> tuple[threading.Thread, list[object]]:
    outcome: list[object] = []

    def work() -> None:
        try:
            outcome.append(read(zygote.convert(slug, {}, source.fileno())))
        except Exception as error:
            outcome.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    return thread, outcome


def kill_until_given_up(zygote: Zygote, thread: threading.Thread) -> None:
    """Kill the zygote, and each that follows it, until the job in the background is tried no more."""
    while thread.is_alive():
        if (pid := zygote.pid) is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        thread.join(0.05)


def open_files(pid: int) -> list[str]:
    return [os.readlink(f"/proc/{pid}/fd/{each}") for each in os.listdir(f"/proc/{pid}/fd")]


def test_zygote_knows_nothing_of_the_web_process(make_zygote: MakeZygote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "secret")
    pid = running(make_zygote())
    environment = Path(f"/proc/{pid}/environ").read_bytes().decode().strip("\0").split("\0")
    assert dict(each.split("=", 1) for each in environment) == ENVIRONMENT
    assert not any("sqlite" in each or "TCP" in each for each in open_files(pid))


def test_child_has_no_module_of_the_service(zygote: Zygote, source: BinaryIO) -> None:
    modules = read(zygote.convert("modules", {}, source.fileno())).decode().split()
    assert "engine" in modules
    outside = {"django", "rest_framework", "config", "conversions", "accounts", "storage", "sqlite3", "psycopg"}
    assert not outside & set(modules)


def test_spare_waits_confined_before_it_knows_its_job(make_zygote: MakeZygote) -> None:
    _, *spares = settled(make_zygote())

    def states() -> list[str]:
        return [Path(f"/proc/{each}/status").read_text() for each in spares]

    assert eventually(lambda: all("Seccomp:\t2" in each for each in states()))
    assert all("NoNewPrivs:\t1" in each for each in states())
    if os.geteuid() == 0:
        users = identity.users_of_children()
        assert users is not None
        for each in states():
            (line,) = [line for line in each.splitlines() if line.startswith("Uid:")]
            four = {int(word) for word in line.split()[1:]}
            assert len(four) == 1
            assert four.pop() in users


def test_dead_zygote_is_replaced(make_zygote: MakeZygote) -> None:
    zygote = make_zygote()
    first = running(zygote)
    folders = zygote.folders
    assert folders
    os.kill(first, signal.SIGKILL)
    assert running(zygote) != first
    assert eventually(lambda: not any(map(os.path.exists, folders)))


def test_hung_zygote_is_replaced(make_zygote: MakeZygote, monkeypatch: pytest.MonkeyPatch) -> None:
    zygote = make_zygote()
    first = running(zygote)
    monkeypatch.setattr(job, "ACKNOWLEDGE_WITHIN", 0.3)
    os.kill(first, signal.SIGSTOP)
    assert running(zygote) != first
    assert not alive(first)


def test_zygote_that_hangs_during_a_job_is_killed_soon_after_the_limit(
    make_zygote: MakeZygote, source: BinaryIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job, "_HANGS_AFTER", 0.2)
    zygote = make_zygote(wall=1, spares=1)
    first = running(zygote)
    settled(zygote)
    thread, outcome = in_background(zygote, "sleeps", source)
    assert eventually(lambda: len(children(first)) == 3)
    os.kill(first, signal.SIGSTOP)
    thread.join()
    assert isinstance(outcome[0], OverTime)
    assert eventually(lambda: not alive(first))
    good_job(zygote)


def test_zygote_that_is_only_late_with_a_kill_goes_on(
    make_zygote: MakeZygote, source: BinaryIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job, "_GRACE", -0.5)
    zygote = make_zygote(wall=1, spares=1)
    first = running(zygote)
    _, worker = settled(zygote)
    with pytest.raises(OverTime):
        zygote.convert("sleeps", {}, source.fileno())
    assert eventually(lambda: not alive(worker))
    assert running(zygote) == first


def test_job_of_a_spare_that_is_killed_before_it_takes_it_is_done_by_another(make_zygote: MakeZygote) -> None:
    zygote = make_zygote(spares=1)
    first = running(zygote)
    _, spare = settled(zygote)
    os.kill(spare, signal.SIGSTOP)
    outcome: list[int] = []
    thread = threading.Thread(target=lambda: outcome.append(good_job(zygote)))
    thread.start()
    # The job is with the spare, which can't take it, as soon as there is another spare.
    assert eventually(lambda: len(children(first)) == 3)
    os.kill(spare, signal.SIGKILL)
    thread.join()
    assert outcome
    assert outcome[0] != spare
    assert zygote.pid == first


def test_job_of_a_zygote_that_is_killed_once_is_done_by_the_next(make_zygote: MakeZygote, source: BinaryIO) -> None:
    zygote = make_zygote()
    first = running(zygote)
    thread, outcome = in_background(zygote, "naps", source)
    assert eventually(lambda: any(map(has_input, zygote.folders)))
    os.kill(first, signal.SIGKILL)
    thread.join()
    assert outcome == [b"rested"]
    assert zygote.pid != first


def test_job_of_zygotes_that_are_killed_is_given_up_as_no_fault_of_its_own_and_leaves_nothing(
    make_zygote: MakeZygote, source: BinaryIO
) -> None:
    zygote = make_zygote("office")
    first = running(zygote)
    folders = zygote.folders
    assert folders
    thread, outcome = in_background(zygote, "waits-for-pandoc", source)
    assert eventually(lambda: any(name_of(each) == "pandoc" for each in processes_of(first)))
    processes = processes_of(first)
    kill_until_given_up(zygote, thread)
    assert isinstance(outcome[0], Unavailable)
    assert eventually(lambda: not any(alive(each) for each in processes))
    assert eventually(lambda: not any(map(os.path.exists, folders)))
    good_job(zygote)


def test_job_of_a_killed_zygote_ends_though_its_janitor_does_nothing(make_zygote: MakeZygote, source: BinaryIO) -> None:
    zygote = make_zygote()
    first = running(zygote)
    janitor, *spares = settled(zygote)
    thread, _ = in_background(zygote, "sleeps", source)
    assert eventually(lambda: set(children(first)) - {janitor, *spares})  # another spare is made for the one that works
    processes = set(processes_of(first)) - {janitor}
    os.kill(janitor, signal.SIGSTOP)
    try:
        os.kill(first, signal.SIGKILL)
        assert eventually(lambda: not any(alive(each) for each in processes))
    finally:
        os.kill(janitor, signal.SIGCONT)
    kill_until_given_up(zygote, thread)


def test_dead_janitor_is_replaced_with_its_zygote(make_zygote: MakeZygote) -> None:
    zygote = make_zygote()
    first = running(zygote)
    os.kill(settled(zygote)[0], signal.SIGKILL)
    assert eventually(lambda: not alive(first))
    assert running(zygote) != first


def test_dead_spare_is_replaced(make_zygote: MakeZygote) -> None:
    zygote = make_zygote(spares=2)
    first = running(zygote)
    spares = settled(zygote)[1:]
    for spare in spares:
        os.kill(spare, signal.SIGKILL)
    assert eventually(lambda: not any(alive(spare) for spare in spares))
    good_job(zygote)
    assert zygote.pid == first


def test_killed_child_fails_its_job_alone(make_zygote: MakeZygote, source: BinaryIO) -> None:
    zygote = make_zygote(spares=1)
    first = running(zygote)
    _, worker = settled(zygote)
    thread, outcome = in_background(zygote, "begins", source)
    # A job that the killed one has not taken yet is another's.
    assert eventually(lambda: any(map(has_tree, zygote.folders)))
    os.kill(worker, signal.SIGKILL)
    thread.join()
    assert isinstance(outcome[0], Crashed)
    assert running(zygote) == first


def test_more_jobs_than_may_run_wait_in_line(make_zygote: MakeZygote, source: BinaryIO) -> None:
    zygote = make_zygote(jobs=2, spares=1)
    with ThreadPoolExecutor(7) as pool:
        results = pool.map(lambda _: read(zygote.convert("naps", {}, source.fileno())), range(7))
        assert list(results) == [b"rested"] * 7


def test_queued_jobs_use_no_processor_time_in_the_zygote(make_zygote: MakeZygote, source: BinaryIO) -> None:
    zygote = make_zygote(jobs=1)
    pid = running(zygote)
    threads = [in_background(zygote, "sleeps", source)[0] for _ in range(2)]
    assert come_to_rest([pid])
    for each in threads:
        kill_until_given_up(zygote, each)


def test_line_that_is_too_long_is_refused(make_zygote: MakeZygote, source: BinaryIO) -> None:
    zygote = make_zygote(jobs=1, wall=1.0, wait=1.0)
    running(zygote)
    threads = [in_background(zygote, "sleeps", source) for _ in range(4)]
    for thread, _ in threads:
        thread.join()
    assert {type(outcome[0]) for _, outcome in threads} == {OverTime, Busy}
    good_job(zygote)


def test_zygote_rests_when_no_job_comes_and_the_next_one_starts_another(make_zygote: MakeZygote) -> None:
    zygote = make_zygote(rest=1.0)
    first = running(zygote)
    processes, folders = [first, *processes_of(first)], zygote.folders
    assert eventually(lambda: not any(map(alive, processes)))
    assert eventually(lambda: not any(map(os.path.exists, folders)))
    assert running(zygote) != first


def test_zygote_with_a_job_does_not_rest(make_zygote: MakeZygote, source: BinaryIO) -> None:
    zygote = make_zygote(rest=0.2)
    given = {"size": 10, "seconds": 1.0}
    with zygote.convert("writes", given, source.fileno()).output as written:
        assert len(written.read()) == 10


def test_a_job_that_comes_as_its_zygote_begins_to_rest_is_done_by_the_next(make_zygote: MakeZygote) -> None:
    zygote = make_zygote(rest=0.02)
    assert len({good_job(zygote) for _ in range(5)}) == 5


def test_zygote_outlives_the_thread_that_started_it(make_zygote: MakeZygote) -> None:
    zygote = make_zygote()
    starter = threading.Thread(target=running, args=(zygote,))
    starter.start()
    starter.join()
    first = zygote.pid
    assert running(zygote) == first


CONVERT_FOREVER = """
import sys, tempfile
sys.path.insert(0, {project!r})
from engine.sandbox.client import Zygote
from engine.sandbox.limits import limits_for
zygote = Zygote("office", limits_for("office"), modules=("tests.sandbox.converters",))
zygote.canary()
print(zygote.pid, *zygote.folders, flush=True)
with tempfile.TemporaryFile() as source:
    source.write(b"{{}}")
    source.flush()
    zygote.convert("waits-for-pandoc", {{}}, source.fileno())
"""


@pytest.mark.parametrize("ended_by", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_outlives_a_killed_web_process(ended_by: signal.Signals) -> None:
    web = subprocess.Popen(
        [sys.executable, "-c", CONVERT_FOREVER.format(project=PROJECT)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert web.stdout is not None
    with web.stdout:
        pid, *folders = web.stdout.readline().split()
        assert eventually(lambda: any(name_of(each) == "pandoc" for each in processes_of(int(pid))))
        processes = [int(pid), *processes_of(int(pid))]
        web.send_signal(ended_by)
        web.wait()
    assert eventually(lambda: not any(alive(each) for each in processes))
    assert eventually(lambda: not any(map(os.path.exists, folders)))


def test_job_is_killed_when_its_caller_goes_away(
    make_zygote: MakeZygote, source: BinaryIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(self: job.Job, reader: object, channel: object, verdict: socket.socket, *_: object) -> None:
        assert verdict.recv(64) == b"started"
        raise InterruptedError

    zygote = make_zygote(spares=1)
    _, worker = settled(zygote)
    monkeypatch.setattr(job.Job, "_await", gone)
    with pytest.raises(InterruptedError):
        zygote.convert("sleeps", {}, source.fileno())
    monkeypatch.undo()
    assert eventually(lambda: not alive(worker))
    good_job(zygote)


def test_program_of_the_family_runs(make_zygote: MakeZygote, source: BinaryIO) -> None:
    assert b"<hr" in read(make_zygote("office").convert("runs-pandoc", {}, source.fileno()))


def test_program_does_not_run_in_other_families(zygote: Zygote, source: BinaryIO) -> None:
    with pytest.raises(Crashed):
        zygote.convert("runs-pandoc", {}, source.fileno())


@pytest.mark.parametrize(("slug", "wall"), [("waits-for-pandoc", 1.0), ("leaves-pandoc-behind", 60.0)])
def test_program_ends_with_its_job(slug: str, wall: float, make_zygote: MakeZygote, source: BinaryIO) -> None:
    zygote = make_zygote("office", wall=wall)
    pid = running(zygote)
    thread, _ = in_background(zygote, slug, source)
    thread.join()
    assert eventually(lambda: not any(name_of(each) == "pandoc" for each in processes_of(pid)))


def test_folders_of_dead_zygotes_are_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    abandoned, lock = janitor.make_folder(str(tmp_path))
    os.close(lock)
    used, lock = janitor.make_folder(str(tmp_path))
    (tmp_path / "other").mkdir()
    janitor.sweep(str(tmp_path))
    assert sorted(os.listdir(tmp_path)) == sorted([os.path.basename(abandoned), os.path.basename(used), "other"])
    monkeypatch.setattr(janitor, "_YOUNG", -1)
    janitor.sweep(str(tmp_path))
    assert sorted(os.listdir(tmp_path)) == sorted([os.path.basename(used), "other"])
    os.close(lock)


def test_zygote_that_can_not_start_is_unavailable(make_zygote: MakeZygote, source: BinaryIO) -> None:
    zygote = make_zygote(weakened={"launcher": ("false",)})
    with pytest.raises(Unavailable):
        zygote.convert("echo", {}, source.fileno())
    assert zygote.canary().problem is not None


@pytest.mark.parametrize(
    ("weakened", "possible"),
    [
        ({"abi_at_most": 0}, {"read"}),
        ({"filtered": False}, {"udp", "unix", "fork"}),
        ({"abi_at_most": 0, "filtered": False}, {"read", "write", "tcp", "udp", "unix", "fork", "exec"}),
        ({"abi_at_most": 1}, set()),
    ],
)
def test_canary_says_what_a_weaker_sandbox_lets_through(
    weakened: dict[str, object], possible: set[str], make_zygote: MakeZygote
) -> None:
    report = make_zygote(weakened=weakened).canary()
    assert report.problem is None
    assert report.confined == (not possible)
    assert possible <= set(report.possible)
