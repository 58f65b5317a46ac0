"""What a job holds is counted whether or not it has a name, in every place and by every user, and can't be hidden."""

from __future__ import annotations

import errno
import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from engine.sandbox import footprint
from engine.sandbox.errors import OverOutput
from engine.sandbox.limits import SMALL
from tests.sandbox.conftest import MakeZygote, good_job, read
from tests.sandbox.test_escape import as_user

MB = 1_000_000
WAYS = ("named", "descriptors", "mapped", "fallocate")
USERS = {"root's": {}, "user's": {"launcher": as_user(65534), "child_uid": 65534}}


@pytest.fixture
def large(tmp_path: Path) -> Iterator[BinaryIO]:
    """An input that is worked on on disk."""
    with (tmp_path / "large").open("w+b") as file:
        file.write(b"{}" + b" " * SMALL)
        file.flush()
        yield file


def drop_to_user() -> None:
    if os.geteuid():
        pytest.skip("only root can become another user")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("user", USERS)
def test_files_count_in_whatever_way_they_are_held(
    make_zygote: MakeZygote, large: BinaryIO, way: str, user: str
) -> None:
    if USERS[user]:
        drop_to_user()
    zygote = make_zygote(scratch=40 * MB, output=20 * MB, spares=1, weakened=USERS[user])
    with pytest.raises(OverOutput):
        zygote.convert("hides", {"way": way, "files": 6, "size": 10 * MB, "seconds": 30}, large.fileno())
    good_job(zygote)


@pytest.mark.parametrize("way", ["named", "descriptors", "fallocate"])
def test_what_is_within_the_limit_may_be_held(make_zygote: MakeZygote, large: BinaryIO, way: str) -> None:
    zygote = make_zygote(scratch=80 * MB, output=20 * MB, spares=1)
    given = {"way": way, "files": 4, "size": 10 * MB, "seconds": 1.0}
    assert int(read(zygote.convert("hides", given, large.fileno()))) > 35 * MB


def test_what_a_small_job_holds_in_memory_counts_too(make_zygote: MakeZygote, source: BinaryIO) -> None:
    zygote = make_zygote(scratch=48 * MB, output=20 * MB, spares=1)
    with pytest.raises(OverOutput):
        zygote.convert("hides", {"files": 6, "size": 10 * MB, "seconds": 30}, source.fileno())
    good_job(zygote)


@pytest.mark.parametrize("profile", ["text", "office"])
def test_no_thread_has_descriptors_of_its_own(make_zygote: MakeZygote, source: BinaryIO, profile: Any) -> None:
    assert read(make_zygote(profile).convert("clones", {}, source.fileno())) == f"-1 {errno.EPERM}".encode()


def test_room_is_taken_by_writing_alone(make_zygote: MakeZygote, source: BinaryIO) -> None:
    assert read(make_zygote().convert("allocates", {}, source.fileno())) == b"-1 0"


def test_a_job_that_writes_as_fast_as_it_can_is_stopped_near_its_limit(
    make_zygote: MakeZygote, large: BinaryIO, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a disk of its own, so that what it takes can be read from the disk."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3g,mode=1777", "none", disk], capture_output=True
    ).returncode:
        pytest.skip("nothing can be mounted here")
    monkeypatch.setattr("tempfile.tempdir", str(disk))
    most, over = [0], threading.Event()

    def watch() -> None:
        while not over.wait(0.001):
            found = os.statvfs(disk)
            most.append((found.f_blocks - found.f_bfree) * found.f_frsize)

    watcher = threading.Thread(target=watch)
    try:
        zygote = make_zygote(scratch=300 * MB, output=50 * MB, spares=1, weakened={"memory": None})
        good_job(zygote)
        watcher.start()
        with pytest.raises(OverOutput):
            zygote.convert("hides", {"files": 60, "size": 40 * MB, "seconds": 30}, large.fileno())
        over.set()
        watcher.join()
        zygote.close()
        print(f"{max(most) / MB:.0f} MB were held at most of {300} MB allowed")
        assert max(most) < 1_500 * MB
    finally:
        over.set()
        subprocess.run(["umount", "--lazy", disk], check=True)


@pytest.mark.parametrize(("room", "seconds"), [(0, 0.02), (1_000 * MB, 0.125), (100_000 * MB, 0.5)])
def test_the_less_room_is_left_the_sooner_it_is_looked_again(room: int, seconds: float) -> None:
    assert footprint.next_check_after(room) == seconds
