"""One job: what goes in, what comes out, and every way in which it can fail."""

from __future__ import annotations

import io
import os
import socket
import tempfile
import threading
import time
from types import SimpleNamespace
from typing import BinaryIO

import pytest

from engine.sandbox.client import Zygote
from engine.sandbox.errors import Crashed, OverMemory, OverOutput, OverRoom, OverTime
from engine.sandbox.job import Job, Preempted
from engine.sandbox.limits import limits_for
from engine.sandbox.protocol import send_frame
from engine.toolkit.failures import InvalidOption, OverLimit, Unreadable
from engine.toolkit.warnings import Warning
from tests.sandbox.conftest import MakeZygote, eventually, good_job, read


def test_result_is_an_unnamed_file_at_its_beginning(zygote: Zygote, source: BinaryIO) -> None:
    answer = zygote.convert("echo", {"prefix": "ä\t"}, source.fileno())
    assert answer.output.tell() == 0
    assert os.fstat(answer.output.fileno()).st_nlink == 0
    assert answer.size == 11
    assert answer.format.id == "txt"
    assert read(answer) == 'ä\t{"a": 1}'.encode()


def test_warnings_and_what_was_detected_come_back(zygote: Zygote, source: BinaryIO) -> None:
    answer = zygote.convert("echo", {}, source.fileno())
    answer.output.close()
    assert answer.warnings == (Warning("NO_TEXT", "in True"),)
    assert answer.detected == {"delimiter": ";", "rows": 3}


def test_source_is_read_from_its_beginning_and_left_where_it_stood(zygote: Zygote, source: BinaryIO) -> None:
    source.seek(5)
    assert read(zygote.convert("echo", {}, source.fileno())) == b'{"a": 1}'
    assert source.tell() == 5


def test_large_source_arrives_whole(zygote: Zygote) -> None:
    block = os.urandom(1 << 20).hex().encode()
    with tempfile.TemporaryFile() as large:
        large.writelines([block] * 16)
        large.flush()
        answer = zygote.convert("echo", {}, large.fileno())
    assert answer.size == 32 << 20
    assert read(answer) == block * 16


def test_source_in_memory_arrives_whole(zygote: Zygote) -> None:
    with io.FileIO(os.memfd_create("source"), "r+b") as source:
        source.write(b"{}")
        assert read(zygote.convert("echo", {}, source.fileno())) == b"{}"


def test_long_options_arrive_whole(zygote: Zygote, source: BinaryIO) -> None:
    text = "ä" * 100_000
    assert read(zygote.convert("echo", {"prefix": text}, source.fileno())).startswith(text.encode())


def test_files_have_fixed_names_in_a_folder_of_their_own(zygote: Zygote, source: BinaryIO) -> None:
    assert read(zygote.convert("names", {}, source.fileno())) == b"input.json output.txt ['input.json']"


def test_other_format_that_was_written_is_said(zygote: Zygote, source: BinaryIO) -> None:
    answer = zygote.convert("zipped", {}, source.fileno())
    answer.output.close()
    assert answer.format.id == "zip"


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n"])
def test_content_of_another_format_is_unreadable(zygote: Zygote, content: bytes) -> None:
    with tempfile.TemporaryFile() as other:
        other.write(content)
        other.flush()
        with pytest.raises(Unreadable):
            zygote.convert("echo", {}, other.fileno())


def test_place_of_a_fault_comes_back(zygote: Zygote, source: BinaryIO) -> None:
    with pytest.raises(Unreadable, match="Line 3 is not JSON") as raised:
        zygote.convert("unreadable", {}, source.fileno())
    assert (raised.value.line, raised.value.column) == (3, 7)


def test_option_that_does_not_fit_comes_back(zygote: Zygote, source: BinaryIO) -> None:
    with pytest.raises(InvalidOption) as raised:
        zygote.convert("refused", {}, source.fileno())
    assert raised.value.option == "pageRange"


def test_limit_that_the_converter_sees_comes_back(zygote: Zygote, source: BinaryIO) -> None:
    with pytest.raises(OverLimit, match="columns") as raised:
        zygote.convert("too-much", {}, source.fileno())
    assert raised.value.reason == "output"


def test_too_deep_is_unreadable(zygote: Zygote, source: BinaryIO) -> None:
    with pytest.raises(Unreadable):
        zygote.convert("nested", {}, source.fileno())


@pytest.mark.parametrize(
    ("slug", "limits", "error"),
    [
        ("sleeps", {"wall": 0.3}, OverTime),
        ("spins", {"cpu": 1}, OverTime),
        ("hoards", {"memory": 300_000_000}, OverMemory),
        ("aborts-on-memory", {}, OverMemory),
        ("faults-behind", {}, OverMemory),
        ("floods", {"output": 3_000_000}, OverOutput),
        ("litters", {"scratch": 3_000_000, "output": 2_000_000}, OverOutput),
    ],
)
def test_job_over_a_limit_ends(
    slug: str, limits: dict[str, float], error: type[OverLimit], make_zygote: MakeZygote, source: BinaryIO
) -> None:
    zygote = make_zygote(**limits)
    with pytest.raises(error):
        zygote.convert(slug, {}, source.fileno())
    good_job(zygote)


def test_source_may_be_larger_than_the_output_may_be(make_zygote: MakeZygote) -> None:
    zygote = make_zygote(output=1000)
    with tempfile.TemporaryFile() as source:
        source.write(b" " * 100_000)
        source.flush()
        answer = zygote.convert("names", {}, source.fileno())
        answer.output.close()
        with pytest.raises(OverOutput):
            zygote.convert("echo", {}, source.fileno())


@pytest.mark.parametrize("slug", ["segfaults", "fails", "exits", "writes-nothing", "links", "unknown"])
def test_fault_of_a_converter_is_a_crash_without_its_words(slug: str, zygote: Zygote, source: BinaryIO) -> None:
    with pytest.raises(Crashed) as raised:
        zygote.convert(slug, {}, source.fileno())
    assert "secret" not in str(raised.value)
    good_job(zygote)


def test_a_crash_says_its_signal_and_its_process(zygote: Zygote, source: BinaryIO) -> None:
    with pytest.raises(Crashed, match=r"crashed:SIGSEGV:\d+"):
        zygote.convert("segfaults", {}, source.fileno())


@pytest.mark.parametrize(
    "lie",
    ["library", "folder", "pipe", "socket", "device", "none", "many", "huge", "short", "garbage", "deep", "full"],
)
def test_answer_that_no_honest_child_gives_is_a_crash(lie: str, zygote: Zygote, source: BinaryIO) -> None:
    good_job(zygote)  # which starts it, where no test before has
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(Crashed):
        zygote.convert("lies", {"lie": lie}, source.fileno())
    assert len(os.listdir("/proc/self/fd")) == before
    good_job(zygote)


def test_second_answer_is_not_read(zygote: Zygote, source: BinaryIO) -> None:
    answer = zygote.convert("lies", {"lie": "twice"}, source.fileno())
    assert read(answer) == b"result"


def test_folder_is_gone_after_the_job(zygote: Zygote, source: BinaryIO) -> None:
    zygote.convert("echo", {}, source.fileno()).output.close()
    assert len(zygote.folders) == 2
    jobs = [os.path.join(folder, each) for folder in zygote.folders for each in os.listdir(folder)]
    assert eventually(lambda: not any(os.path.exists(each) and os.listdir(each) for each in jobs))


def test_limit_that_does_not_exist_is_refused() -> None:
    with pytest.raises(TypeError):
        limits_for("text", {"text": {"wal": 3}})


def test_one_that_made_way_has_all_of_its_time_from_when_it_begins_again(
    source: BinaryIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    zygote = Zygote("text", limits_for("text", {"text": {"wall": 60.0}}))
    monkeypatch.setattr(zygote, "_running", lambda: SimpleNamespace(control=None))
    asked = list[tuple[bool, bool, int]]()
    ends: list[tuple[float, Exception]] = [(50.0, Preempted()), (20.0, OverRoom()), (1.0, Unreadable("It is damaged."))]

    def ask(job: Job, control: object, **given: object) -> None:
        asked.append((job.small, job.quick, round(job.wall)))
        seconds, error = ends[len(asked) - 1]
        job.began = time.monotonic() - seconds
        raise error

    monkeypatch.setattr(Job, "ask", ask)
    with pytest.raises(Unreadable):
        zygote.convert("echo", {}, source.fileno())
    assert asked == [(True, True, 60), (True, False, 60), (False, False, 40)]


def test_a_result_that_takes_long_to_count_is_there(zygote: Zygote) -> None:
    with tempfile.TemporaryFile() as file:
        file.write(b"<!--" * 100_000)  # quadratic time: minutes
        file.flush()
        answer = zygote.convert("soon", {}, file.fileno())
    assert read(answer) == b"done"
    assert "words" in str(answer.detected["notCounted"]).split(", ")


@pytest.mark.parametrize("way", ["fault", "exit", "output", "hang", "frame"])
def test_a_result_is_there_however_its_counting_ends(way: str, make_zygote: MakeZygote) -> None:
    zygote = make_zygote(wall=2)
    with tempfile.TemporaryFile() as file:
        file.write(b"text")
        file.flush()
        answer = zygote.convert("counted-badly", {"way": way}, file.fileno())
    assert read(answer) == b"done"
    assert "words" in str(answer.detected["notCounted"]).split(", ")
    good_job(zygote)


@pytest.mark.parametrize("verdict", [b"full 0.1", b"timeout 0.1", b"later 0.1", b"crashed:SIGSEGV:7 0.1", b""])
def test_a_result_is_there_whatever_the_zygote_says_of_a_child_that_counts(verdict: bytes) -> None:
    def do_job() -> None:
        _, (first, second), _, _ = socket.recv_fds(theirs, 256, 2)
        with socket.socket(fileno=first) as channel, socket.socket(fileno=second) as verdicts:
            verdicts.send(b"started")
            send_frame(channel, {"uncounted": True})
            if verdict:
                verdicts.send(verdict)

    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        zygote = threading.Thread(target=do_job)
        zygote.start()
        answer, reader = Job({}, None, 5.0).ask(ours, queued_for=1.0, hangs=lambda: None)
        zygote.join()
    reader.close()
    assert answer == {"uncounted": True}


def test_an_inspected_file_is_not_counted(make_zygote: MakeZygote) -> None:
    zygote = make_zygote(wall=2)
    with tempfile.TemporaryFile() as file:
        file.write(b"text")
        file.flush()
        answer = zygote.convert("counted-badly", {"way": "hang"}, file.fileno(), detect_only=True)
    assert "notCounted" not in answer.detected
    assert not answer.warnings


def test_unpaid_work_includes_a_counting_that_does_not_end(make_zygote: MakeZygote) -> None:
    spent = list[float]()
    with tempfile.TemporaryFile() as file:
        file.write(b"text")
        file.flush()
        zygote = make_zygote(wall=2)
        zygote.convert("counted-badly", {"way": "work"}, file.fileno(), failed=spent.append, unpaid=True)
    assert sum(spent) > 0.1  # the conversion itself takes a hundredth
