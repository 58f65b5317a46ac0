"""Small jobs have their files in memory; what does not fit there is done again on disk, in the same time."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import shutil
import subprocess
import tempfile
import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from engine.families.registry import CONVERTERS
from engine.sandbox.answers import Answer
from engine.sandbox.client import Zygote
from engine.sandbox.confinement import Confinement
from engine.sandbox.errors import NoRoom, OverTime
from engine.sandbox.footprint import MOST_ENTRIES
from engine.sandbox.job import Job
from engine.sandbox.limits import LIMITS, SMALL, in_memory, limits_for
from engine.sandbox.place import Place
from engine.toolkit.declaring import Converter
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.options import describe
from tests.sandbox.conftest import MakeZygote, good_job

ROOM = in_memory(LIMITS["text"])


@pytest.fixture
def tries(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """For each time that a child was asked to do a job, whether it was asked as for a small one."""
    found: list[str] = []
    ask = Job.ask

    def counted(job: Job, *given: Any, **named: Any) -> Any:
        found.append("small" if job.small else "large")
        return ask(job, *given, **named)

    monkeypatch.setattr(Job, "ask", counted)
    return found


@pytest.fixture
def narrow(tmp_path: Path) -> Iterator[Path]:
    """A place in memory with room for hardly more than one small job."""
    if os.geteuid():
        pytest.skip("only root can make one")
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={ROOM.scratch + (1 << 20)}", "none", tmp_path], check=True)
    yield tmp_path
    subprocess.run(["umount", "--lazy", tmp_path], check=True)


def folder_of(answer: Answer) -> str:
    with answer.output:
        return os.path.dirname(str(answer.detected["folder"]))


def test_a_small_job_is_done_in_memory_and_a_large_one_on_disk(zygote: Zygote, tries: list[str]) -> None:
    with tempfile.TemporaryFile() as source:
        for size, place in ((SMALL, 1), (SMALL + 1, 0)):
            source.truncate(size)
            source.seek(0)
            source.write(b"{}")
            source.flush()
            assert folder_of(zygote.convert("writes", {}, source.fileno())) == zygote.folders[place]
    assert tries == ["small", "large"]


@pytest.mark.parametrize(
    "options",
    [{"size": ROOM.output + 1}, {"size": ROOM.output - 1, "files": 3, "seconds": 1.0}],
    ids=["one file", "several files"],
)
def test_a_small_input_may_become_a_large_result(
    zygote: Zygote, source: BinaryIO, options: dict[str, Any], tries: list[str]
) -> None:
    answer = zygote.convert("writes", options, source.fileno())
    assert answer.size == options["size"]
    if "files" not in options:
        assert folder_of(answer) == zygote.folders[0]
        assert tries == ["small", "large"]


def test_both_tries_together_have_the_time_of_one_job(make_zygote: MakeZygote, source: BinaryIO) -> None:
    zygote = make_zygote(wall=1.5)
    good_job(zygote)
    with pytest.raises(OverTime):  # each try alone has time enough
        zygote.convert("writes", {"size": ROOM.output + 1, "seconds": 1.0}, source.fileno())
    good_job(zygote)


def test_a_result_that_a_converter_refuses_is_not_tried_again(
    zygote: Zygote, source: BinaryIO, tries: list[str]
) -> None:
    with pytest.raises(OverLimit):
        zygote.convert("too-much", {}, source.fileno())
    assert tries == ["small"]


def test_a_place_that_fills_up_is_left_for_the_disk(
    make_zygote: MakeZygote, source: BinaryIO, narrow: Path, tries: list[str]
) -> None:
    zygote = make_zygote(weakened={"memory": str(narrow)})
    options = {"size": ROOM.output // 2, "files": 4}
    assert folder_of(zygote.convert("writes", options, source.fileno())) == zygote.folders[0]
    assert tries == ["small", "large"]


def test_a_place_without_room_is_not_tried(
    make_zygote: MakeZygote, source: BinaryIO, narrow: Path, tries: list[str]
) -> None:
    zygote = make_zygote(weakened={"memory": str(narrow)})
    (narrow / "others").write_bytes(bytes(2 << 20))
    assert folder_of(zygote.convert("writes", {}, source.fileno())) == zygote.folders[0]
    (narrow / "others").unlink()
    assert folder_of(zygote.convert("writes", {}, source.fileno())) == zygote.folders[1]
    assert tries == ["small", "small"]


def test_without_a_place_in_memory_all_jobs_are_on_disk(make_zygote: MakeZygote, source: BinaryIO) -> None:
    zygote = make_zygote(weakened={"memory": "/nowhere"})
    answer = zygote.convert("writes", {"size": ROOM.output + 1}, source.fileno())
    assert answer.size == ROOM.output + 1
    assert [folder_of(answer)] == list(zygote.folders)


def test_a_place_that_was_taken_away_is_done_without(make_zygote: MakeZygote, source: BinaryIO) -> None:
    zygote = make_zygote()
    good_job(zygote)
    pid = zygote.pid
    shutil.rmtree(zygote.folders[1])
    for _ in range(3):
        assert folder_of(zygote.convert("writes", {}, source.fileno())) == zygote.folders[0]
    assert zygote.pid == pid


def place_at(folder: Path, *, memory: bool = False) -> Place:
    held = Confinement(
        landlock_abi=0, filter=None, readable=(), programs=(), limits=ROOM, users=None, keep_search=False, legible=False
    )
    return Place(str(folder), held, memory=memory)


def test_all_that_is_in_memory_bounds_what_a_job_there_can_hold(narrow: Path) -> None:
    there = place_at(narrow, memory=True)
    assert there.most_held() == 0
    hidden = (narrow / "hidden").open("w+b")
    hidden.write(bytes(3 << 20))
    hidden.flush()
    (narrow / "hidden").unlink()
    assert there.most_held() == 3 << 20
    with hidden:
        hidden.write(bytes(ROOM.scratch - (2 << 20)))
        hidden.flush()
        assert there.most_held() is None
    assert there.most_held() == 0


def test_many_files_and_a_place_that_is_a_disk_or_gone_are_no_bound(narrow: Path) -> None:
    assert place_at(narrow).most_held() is None
    assert place_at(narrow / "gone", memory=True).most_held() is None
    for number in range(MOST_ENTRIES + 1):
        (narrow / str(number)).touch()
    assert place_at(narrow, memory=True).most_held() is None


@pytest.mark.parametrize("unbounded", ["size=0", "nr_inodes=0"])
def test_a_memory_without_limits_is_no_bound(narrow: Path, unbounded: str) -> None:
    folder = narrow / "unbounded"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", unbounded, "none", folder], check=True)
    try:
        (folder / "file").touch()
        assert place_at(folder, memory=True).most_held() is None
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def test_a_place_that_is_gone_has_no_room(tmp_path: Path) -> None:
    there = place_at(tmp_path)
    assert not there.is_full()
    assert dataclasses.replace(there, folder=str(tmp_path / "gone")).is_full()


def test_jobs_without_any_room_are_told_so_and_go_on_when_there_is_some(
    make_zygote: MakeZygote, source: BinaryIO, narrow: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory and disk at once: it is neither the fault of the input nor the end of the zygote."""
    monkeypatch.setattr(tempfile, "tempdir", str(narrow))
    zygote = make_zygote(weakened={"memory": str(narrow)}, spares=1)
    good_job(zygote)
    pid = zygote.pid
    with (narrow / "others").open("wb", buffering=0) as others, contextlib.suppress(OSError):
        while others.write(bytes(4096)):
            pass
    for options in ({"size": 1_000_000}, {"size": 100_000, "files": 10}):
        with pytest.raises(NoRoom):
            zygote.convert("writes", options, source.fileno())
    (narrow / "others").unlink()
    assert zygote.convert("writes", {"size": 1_000_000}, source.fileno()).size == 1_000_000
    good_job(zygote)
    assert zygote.pid == pid


def test_a_library_that_blames_the_input_is_not_believed_where_there_is_no_room(
    make_zygote: MakeZygote, source: BinaryIO, narrow: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(narrow))
    zygote = make_zygote(weakened={"memory": None}, spares=1)
    good_job(zygote)
    with pytest.raises(Unreadable):
        zygote.convert("unreadable", {}, source.fileno())
    with (narrow / "others").open("wb", buffering=0) as others, contextlib.suppress(OSError):
        while others.write(bytes(4096)):
            pass
    for slug, options in (("unreadable", {}), ("fails", {}), ("lies", {"lie": "full"})):
        seconds: list[float] = []
        with pytest.raises(NoRoom):
            zygote.convert(slug, options, source.fileno(), failed=seconds.append)
        assert sum(seconds) > 0


@pytest.mark.parametrize("unit", ["size", "nr_inodes"])
def test_a_place_without_room_for_another_file_or_byte_is_full(narrow: Path, unit: str) -> None:
    folder = narrow / "full"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m,nr_inodes=20", "none", folder], check=True)
    try:
        assert not place_at(folder).is_full()
        with contextlib.suppress(OSError):
            for number in range(20):
                (folder / str(number)).write_bytes(bytes(1 << 20 if unit == "size" else 0))
        assert place_at(folder).is_full()
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.mark.skipif(bool(os.geteuid()), reason="only root has folders that only root can enter")
@pytest.mark.parametrize("slug", ["markdown-to-rst", "wav-to-flac"])
def test_programs_read_a_large_job_beneath_a_folder_that_only_root_can_enter(
    slug: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    converter = CONVERTERS[slug]
    with (
        contextlib.closing(Zygote(converter.profile, limits_for(converter.profile), only=converter)) as own,
        tempfile.TemporaryFile() as source,
    ):
        if slug == "wav-to-flac":
            with wave.open(source, "wb") as sound:
                sound.setparams((1, 2, 48_000, 0, "NONE", ""))
                sound.writeframes(bytes(SMALL + 1))
        else:
            source.write(b"```\n" + b"words of a listing\n" * (SMALL // 18) + b"```\n")
        source.flush()
        answer = own.convert(slug, _defaults(converter), source.fileno())
        with answer.output:
            assert answer.size > 100
        assert own.folders[0].startswith(str(tmp_path))


def _defaults(converter: Converter) -> dict[str, Any]:
    return {each.name: each.default for each in describe(converter.options)}
