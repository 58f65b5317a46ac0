"""Whatever tree a child leaves is removed, and neither its zygote nor a neighbour nor a later start is harmed by it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from engine.sandbox import footprint, janitor, trees
from engine.sandbox.errors import OverOutput
from engine.sandbox.limits import MEMORY_FOLDER
from tests.sandbox.conftest import MakeZygote, children, eventually, good_job, has_tree, read

DEEP = 20_000


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder in memory, where making thousands of others takes no time."""
    with tempfile.TemporaryDirectory(dir=MEMORY_FOLDER if os.path.isdir(MEMORY_FOLDER) else None) as folder:
        yield Path(folder)


def deepen(folder: Path, depth: int, name: bytes = b"d" * 200) -> None:
    """Make folders within folders, far beyond what a path can name."""
    os.makedirs(folder, exist_ok=True)
    here = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(name, dir_fd=here)
        below = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open(b"at the bottom", os.O_WRONLY | os.O_CREAT, dir_fd=here))
    os.close(here)


def test_a_tree_far_deeper_than_a_path_or_a_stack_is_removed(place: Path) -> None:
    deepen(place / "tree", DEEP)
    assert trees.remove(str(place / "tree"))
    assert os.listdir(place) == []
    opened = [os.readlink(each.path) for each in os.scandir("/proc/self/fd") if os.path.islink(each.path)]
    assert not [each for each in opened if each.startswith(str(place))]


def test_names_modes_and_numbers_don_t_matter(place: Path) -> None:
    tree = os.fsencode(place / "tree")
    os.mkdir(tree)
    for name in (b"\xff\xfe", b"a\nb", b" ", b"-rf", b"*", b"x" * 255, b"\xe2\x80\xae"):
        os.mkdir(tree + b"/" + name)
        Path(os.fsdecode(tree + b"/" + name + b"/file")).write_bytes(b"")
    for number in range(20_000):
        os.close(os.open(tree + b"/%d" % number, os.O_WRONLY | os.O_CREAT))
    os.mkfifo(tree + b"/pipe")
    for mode in (0o000, 0o500, 0o300):
        os.makedirs(tree + b"/closed/%o/inner" % mode)
        os.chmod(tree + b"/closed/%o" % mode, mode)
    assert trees.remove(os.fsdecode(tree))
    assert not os.path.lexists(tree)


def test_folders_that_are_closed_to_their_owner_are_removed_by_their_owner(tmp_path: Path) -> None:
    if os.geteuid():
        pytest.skip("only root can become another user; others have just run this in the test above")
    tmp_path.chmod(0o711)
    for folder in tmp_path.parents:
        if folder.stat().st_uid == 0 and not folder.stat().st_mode & 0o001:
            folder.chmod(folder.stat().st_mode | 0o011)
    tree = tmp_path / "owned"
    for mode in (0o000, 0o500, 0o300):
        (tree / f"{mode:o}" / "inner").mkdir(parents=True)
        (tree / f"{mode:o}" / "file").write_bytes(b"")
    for folder, _, files in os.walk(tree, topdown=False):
        for file in files:
            os.chown(os.path.join(folder, file), 65534, 65534)
        os.chown(folder, 65534, 65534)
        if os.path.basename(folder).isdigit():
            os.chmod(folder, int(os.path.basename(folder), 8))
    os.chown(tmp_path, 65534, 65534)
    child = os.fork()
    if not child:
        os.setgroups([])
        os.setresgid(65534, 65534, 65534)
        os.setresuid(65534, 65534, 65534)
        os._exit(0 if trees.remove(str(tree)) else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert not tree.exists()


def test_links_are_removed_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "folder").symlink_to(outside)
    (tree / "file").symlink_to(outside / "kept")
    (tree / "loop").symlink_to(tree)
    (tmp_path / "door").symlink_to(outside)
    assert trees.remove(str(tree))
    assert trees.remove(str(tmp_path / "door"))
    assert (outside / "kept").read_text() == "kept"
    assert sorted(os.listdir(tmp_path)) == ["outside"]


def test_what_is_mounted_in_a_tree_stays_and_the_rest_goes(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "mounted").mkdir(parents=True)
    (tree / "beside" / "more").mkdir(parents=True)
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "none", tree / "mounted"], capture_output=True
    ).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        (tree / "mounted" / "kept").write_text("kept")
        assert not trees.remove(str(tree))
        assert os.listdir(tree) == ["mounted"]
        assert (tree / "mounted" / "kept").read_text() == "kept"
    finally:
        subprocess.run(["umount", tree / "mounted"], check=True)
    assert trees.remove(str(tree))


def test_what_is_not_there_is_gone(tmp_path: Path) -> None:
    assert trees.remove(str(tmp_path / "nothing"))
    assert trees.remove(str(tmp_path / "nothing" / "at all"))


def test_abandoned_trees_are_swept_whatever_their_depth(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, lock = janitor.make_folder(str(place))
    deepen(Path(folder) / "job", 3_000)
    os.close(lock)
    monkeypatch.setattr(janitor, "_YOUNG", -1)
    janitor.sweep(str(place))
    assert os.listdir(place) == []


@pytest.mark.parametrize(
    "left",
    [{"depth": 1_500}, {"depth": 3, "mode": 0}, {"depth": 3, "mode": 0o300}, {"depth": 2, "width": 5_000}],
    ids=["deep", "closed", "unreadable", "wide"],
)
def test_a_tree_that_a_child_leaves_harms_nobody(
    make_zygote: MakeZygote, source: BinaryIO, left: dict[str, int]
) -> None:
    zygote = make_zygote(spares=1)
    good_job(zygote)
    pid = zygote.pid
    assert pid is not None
    keeper = children(pid)[0]
    with contextlib.suppress(OverOutput):  # where the machine is slow enough for it to be seen
        assert read(zygote.convert("nests", left, source.fileno())) == b"left"
    good_job(zygote)
    assert eventually(lambda: not any(has_tree(folder) for folder in zygote.folders))
    assert (zygote.pid, children(pid)[0]) == (pid, keeper)


def test_folders_go_with_their_zygote_whatever_is_in_them(make_zygote: MakeZygote, source: BinaryIO) -> None:
    zygote = make_zygote(spares=1)
    good_job(zygote)
    folders = zygote.folders
    deepen(Path(folders[-1]) / "left", 1_500)
    zygote.close()
    assert eventually(lambda: not any(map(os.path.lexists, folders)))


def test_a_job_may_not_make_more_folders_in_folders_than_can_be_counted(
    make_zygote: MakeZygote, source: BinaryIO
) -> None:
    zygote = make_zygote(spares=1)
    with pytest.raises(OverOutput):
        zygote.convert("nests", {"depth": 100, "seconds": 30}, source.fileno())
    good_job(zygote)


def test_more_files_than_can_be_counted_are_over_every_limit(place: Path) -> None:
    for number in range(footprint.MOST_ENTRIES + 1):
        os.close(os.open(place / str(number), os.O_WRONLY | os.O_CREAT))
    assert footprint.held(str(place), str(place), [], uid=None) == footprint.ENDLESS
    (place / "0").unlink()
    assert footprint.held(str(place), str(place), [], uid=None) == 0
