"""What one job has of processes and memory it takes from no other: by its control group, or by its user."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from engine.sandbox import groups, identity
from engine.sandbox.client import Zygote
from engine.sandbox.errors import OverTime
from engine.sandbox.limits import PROCESSES_BEYOND, limits_for
from tests.sandbox.conftest import MakeZygote, alive, eventually, good_job, processes_of, read
from tests.sandbox.test_escape import ROOT
from tests.sandbox.test_lifecycle import in_background

PIDS = Path("/sys/fs/cgroup/pids")
"""The controller of version 1: what it has is called as in version 2, and does the same (cgroups(7))."""
WRITABLE_PIDS = os.access(PIDS / "cgroup.procs", os.W_OK)
FRIENDS = 20
"""Threads that an ordinary conversion may well start."""


@pytest.fixture
def group() -> Iterator[str]:
    """A control group of the test's own, that bounds the number of processes."""
    if not (ROOT and WRITABLE_PIDS):
        pytest.skip("there is no control group here that could be divided")
    made = PIDS / f"test-of-conversions-{os.getpid()}"
    made.mkdir()
    yield str(made)
    assert eventually(lambda: groups.remove(str(made)))


@pytest.fixture(params=["user", "cgroup", "cgroup of one user"])
def apart(request: pytest.FixtureRequest, make_zygote: MakeZygote) -> Iterator[Zygote]:
    """A zygote whose jobs are held apart in one of the ways."""
    if not ROOT:
        pytest.skip("only root has users to give")
    weakened: dict[str, object] = {}
    if request.param != "user":
        weakened["groups"] = request.getfixturevalue("group")
    if request.param == "cgroup of one user":
        weakened["child_uid"] = identity.NOBODY
    zygote = make_zygote(jobs=8, weakened=weakened)
    yield zygote
    zygote.close()  # before its group goes


def crowds(folders: tuple[str, ...]) -> list[Path]:
    return [each for folder in folders for each in Path(folder).glob("*/crowd")]


@contextlib.contextmanager
def taken_over(zygote: Zygote, source: BinaryIO, count: int) -> Iterator[list[int]]:
    """So many children that have started all the threads that they could get: how many each has."""

    def work() -> None:
        with contextlib.suppress(Exception):
            zygote.convert("crowds", {"seconds": 600}, source.fileno()).output.close()

    threads = [threading.Thread(target=work) for _ in range(count)]
    for each in threads:
        each.start()
    assert eventually(lambda: len([each for each in crowds(zygote.folders) if each.read_text()]) == count)
    try:
        yield [int(each.read_text()) for each in crowds(zygote.folders)]
    finally:
        assert zygote.pid is not None
        for child in processes_of(zygote.pid):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                if len(os.listdir(f"/proc/{child}/task")) > PROCESSES_BEYOND // 2:
                    os.kill(child, signal.SIGKILL)
        for each in threads:
            each.join()


def test_children_that_start_threads_until_they_are_refused_take_none_from_others(
    apart: Zygote, source: BinaryIO
) -> None:
    assert apart.canary().confined
    with taken_over(apart, source, 3) as taken:
        assert all(FRIENDS < each <= PROCESSES_BEYOND for each in taken), taken
        for _ in range(3):
            assert read(apart.convert("crowds", {"most": FRIENDS}, source.fileno())) == str(FRIENDS).encode()
    good_job(apart)


def test_it_is_said_what_holds_jobs_apart(apart: Zygote, request: pytest.FixtureRequest) -> None:
    way = request.node.callspec.params["apart"]
    assert apart.canary().isolation == way.partition(" ")[0]


@pytest.mark.skipif(not ROOT, reason="another user's jobs would do, but root's tests have those")
def test_jobs_of_one_user_without_groups_are_said_to_share(make_zygote: MakeZygote) -> None:
    report = make_zygote(weakened={"child_uid": identity.NOBODY}).canary()
    assert report.confined
    assert report.isolation == "shared"


@pytest.mark.skipif(not ROOT, reason="only root has users to give")
def test_each_job_has_a_user_of_its_own_whose_alone_its_files_are(make_zygote: MakeZygote, source: BinaryIO) -> None:
    zygote = make_zygote(jobs=8)
    with taken_over(zygote, source, 3):
        folders = [each.parent for each in crowds(zygote.folders)]
        owners = {each.stat().st_uid for each in folders}
        assert len(owners) == 3
        assert all(each.stat().st_mode & 0o077 == 0 for each in folders)
        assert all(file.stat().st_uid == each.stat().st_uid for each in folders for file in each.iterdir())


def test_a_group_goes_with_its_job_and_all_of_them_with_the_zygote(
    group: str, make_zygote: MakeZygote, source: BinaryIO
) -> None:
    zygote = make_zygote("office", wall=1.0, jobs=4, weakened={"groups": group})
    done = good_job(zygote)
    assert eventually(lambda: not alive(done))
    (own,) = [each for each in Path(group).iterdir() if each.is_dir()]
    with pytest.raises(OverTime):
        zygote.convert("waits-for-pandoc", {}, source.fileno())
    good_job(zygote)

    def of_spares_alone() -> bool:
        good_job(zygote)  # what a dying process kept is removed as the next one is made
        return len([each for each in own.iterdir() if each.is_dir()]) <= 3

    assert eventually(of_spares_alone)
    assert zygote.pid is not None
    os.kill(zygote.pid, signal.SIGKILL)
    assert eventually(lambda: not own.exists())


def test_all_processes_of_a_job_are_in_its_group(group: str, make_zygote: MakeZygote, source: BinaryIO) -> None:
    zygote = make_zygote("office", jobs=4, weakened={"groups": group})
    good_job(zygote)
    thread, _ = in_background(zygote, "waits-for-pandoc", source)

    def crowded() -> list[list[str]]:
        found = [each.read_text().split() for each in Path(group).glob("*/*/cgroup.procs")]
        return [each for each in found if len(each) > 1]

    assert eventually(crowded)
    ((child, program),) = crowded()
    os.kill(int(child), signal.SIGKILL)
    thread.join()
    assert eventually(lambda: not alive(int(program)))


def test_bounds_of_a_job_are_written_to_its_group(tmp_path: Path) -> None:
    """The files that a kernel with version 2 makes: here they are files of their own."""
    limits = limits_for("pdf")
    made = groups.Groups(str(tmp_path))
    group = made.make(limits, in_memory=False)
    for name in ("pids.max", "memory.max", "memory.swap.max", "memory.oom.group", "memory.events"):
        Path(group, name).write_text("oom 1\noom_kill 2\n" if name == "memory.events" else "")
    made._bound(group, limits, in_memory=False)
    assert Path(group, "pids.max").read_text() == str(PROCESSES_BEYOND)
    assert int(Path(group, "memory.max").read_text()) >= limits.memory
    assert Path(group, "memory.swap.max").read_text() == "0"
    assert Path(group, "memory.oom.group").read_text() == "1"
    assert made.end(group)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree of groups in which a service has one of its own, in one that was handed over to it."""
    (tmp_path / "unit" / "service").mkdir(parents=True)
    for each in (tmp_path, tmp_path / "unit"):
        (each / "cgroup.controllers").write_text("cpu memory pids\n")
        for name in ("cgroup.procs", "cgroup.subtree_control"):
            (each / name).touch()
    try:
        os.setxattr(tmp_path / "unit", "user.delegate", b"1")
    except OSError:
        pytest.skip("this file system has no attributes")
    return tmp_path


def test_the_delegated_group_above_is_found(tree: Path) -> None:
    assert groups.delegated_group(str(tree), "/unit/service") == str(tree / "unit")


@pytest.mark.parametrize("own", ["", "/", "/unit", "/other/service"])
def test_a_group_that_was_not_delegated_is_not_used(tree: Path, own: str) -> None:
    (tree / "other" / "service").mkdir(parents=True)
    (tree / "other" / "cgroup.controllers").write_text("cpu memory pids\n")
    assert groups.delegated_group(str(tree), own) is None


def test_a_group_without_the_controllers_is_none(tree: Path) -> None:
    (tree / "unit" / "cgroup.controllers").write_text("cpu\n")
    assert groups.delegated_group(str(tree), "/unit/service") is None


@pytest.mark.parametrize("name", ["cgroup.procs", "cgroup.subtree_control"])
def test_a_group_that_no_process_can_be_moved_in_is_none(tree: Path, name: str) -> None:
    (tree / "unit" / name).unlink()
    assert groups.delegated_group(str(tree), "/unit/service") is None


@pytest.mark.skipif(not ROOT, reason="only root has users to give")
def test_users_are_drawn_of_those_that_nobody_has() -> None:
    few = identity._FEW[:2]
    assert {identity.draw(few) for _ in range(50)} == set(few)
    many = identity.users_of_children()
    assert many is not None
    assert len({identity.draw(many) for _ in range(50)}) == 50
