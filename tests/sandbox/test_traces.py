"""Nothing of a job outlives it: however it ends, neither the next job nor the next client finds a word of it."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO

import pytest

from engine.sandbox import launch, shared
from engine.sandbox.address import Address
from engine.sandbox.client import Zygote, _Channel
from engine.sandbox.errors import Unavailable
from engine.sandbox.limits import MEMORY_FOLDER, limits_for
from tests.sandbox.conftest import alive, eventually, name_of, processes_of, supervisors

PROJECT = Path(__file__).resolve().parents[2]
ROOT = os.geteuid() == 0
MODULES = ("tests.sandbox.converters",)
IPC_KEY = 0x6D61726B
ENDS = ("result", "refusal", "panic", "failure", "wait")
"""How the converter that leaves its marks ends; it waits to be killed, or for its time to be over."""

SUPERVISOR = """
import sys
sys.path.insert(0, {project!r})
from engine.sandbox import supervisor
supervisor._ASKED["modules"] = list
supervisor.main({folder!r}, "here", linger=0.5, each=1)
"""

CLIENT = """
import sys
sys.path.insert(0, {project!r})
from engine.sandbox.address import Address
from tests.sandbox.test_traces import Client
client = Client(Address({folder!r}, "here"), {log!r}, wall=60)
client.canary()
with open({source!r}, "rb") as source:
    client.convert("marks", {{"end": "wait"}}, source.fileno())
"""


class Client(Zygote):
    """A client of a supervisor that lets zygotes import the converters of tests; `log` is a file."""

    def __init__(self, at: Address, log: str, **limits: float) -> None:
        super().__init__("text", limits_for("text", {"text": limits}), at=at)
        self._place, self._log = at, log
        self.had: set[str] = set()
        """The folders of all zygotes that it has had."""
        self.folder = os.path.realpath(tempfile.gettempdir())

    def _start(self) -> _Channel:
        plan = {
            "profile": self.profile, "limits": asdict(self.limits), "folder": self.folder, "modules": MODULES,
        }  # fmt: skip
        with open(self._log, "ab") as log:
            given = shared.ask(self._place, {"zygote": plan, "only": None}, log=log.fileno())
        channel = _Channel(given.channel, given.body, given)
        self.had.update(os.path.realpath(each) for each in channel.folders)
        return channel

    @property
    def logged(self) -> str:
        return Path(self._log).read_text()


class Household:
    """A supervisor of the test's own, its clients, and a mark that only the file of one job has."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mark = f"mark-{secrets.token_hex(16)}"
        self.address = Address(str(folder / "sandbox"), "here")
        self._clients: list[Client] = []
        with self.address.lock():
            code = SUPERVISOR.format(project=str(PROJECT), folder=self.address.folder)
            command = [sys.executable, "-I", "-c", code, self.address.folder]  # by which it is found
            subprocess.run(command, check=True, env=launch.environment(), cwd="/")

    def client(self, **limits: float) -> Client:
        log = self.folder / f"log-{len(self._clients)}"
        log.touch()
        self._clients.append(Client(self.address, str(log), **{"wall": 60, **limits}))
        return self._clients[-1]

    @contextlib.contextmanager
    def marked(self) -> Iterator[BinaryIO]:
        """The file of a job that writes its mark wherever it can."""
        with tempfile.NamedTemporaryFile(dir=self.folder) as file:
            file.write(f'{{"mark": "{self.mark}"}}'.encode())
            file.flush()
            yield file  # type: ignore[misc]

    @contextlib.contextmanager
    def empty(self) -> Iterator[BinaryIO]:
        with tempfile.TemporaryFile(dir=self.folder) as file:
            file.write(b"{}")
            file.flush()
            yield file

    def close(self) -> None:
        for each in self._clients:
            each.close()
        assert eventually(lambda: not supervisors(self.address.folder))


@pytest.fixture
def household() -> Iterator[Household]:
    # A short name that only this test has: what is searched for the mark is all that belongs to it.
    folder = Path(tempfile.mkdtemp())
    made = Household(folder)
    yield made
    made.close()
    shutil.rmtree(folder)


def run(client: Client, end: str, source: BinaryIO, *, within: float | None = None) -> None:
    with contextlib.suppress(Exception):
        client.convert("marks", {"end": end}, source.fileno(), within=within).output.close()


def at_work(client: Client, source: BinaryIO) -> tuple[threading.Thread, int]:
    """A job in the background that has left its marks and waits, and its process."""
    # What is lost is begun once more, in the time that is left.
    thread = threading.Thread(target=run, args=(client, "wait", source), kwargs={"within": 5.0})
    thread.start()
    return thread, marked_child(client)


def marked_child(client: Client) -> int:
    found: list[int] = []

    def there() -> bool:
        for folder in client.folders:
            found.extend(int(each.read_text()) for each in Path(folder).glob("*/marked") if each.read_text())
        return bool(found)

    assert eventually(there)
    return found[0]


def has_in_memory(pid: int, mark: str) -> bool:
    """Whether a text is anywhere in the memory of a process that can be written to, and so is not the program's."""
    wanted = mark.encode()
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory, open(f"/proc/{pid}/maps") as maps:
        for line in maps:
            span, rights, *_ = line.split()
            if not rights.startswith("rw"):
                continue
            first, last = (int(each, 16) for each in span.split("-"))
            memory.seek(first)
            with contextlib.suppress(OSError):
                if wanted in (memory.read(last - first) or b""):
                    return True
    return False


def has_mark(file: Path, mark: str) -> bool:
    """Whether a text is in the name of a file, or in what it begins with, which may be another's, and large."""
    if mark in file.name:
        return True
    with contextlib.suppress(OSError), file.open("rb") as opened:
        return mark.encode() in opened.read(1_000_000)
    return False


def traces(household: Household, before: set[str]) -> list[str]:
    """Where the mark still is: files, names of files, memory of what goes on, and what it has open.

    In folders of the household any file is one; other zygotes of this machine may have theirs, without the mark.
    """
    mark, found = household.mark, []
    ours = set().union(*(each.had for each in household._clients))
    for place in {os.path.realpath(tempfile.gettempdir()), MEMORY_FOLDER, "/tmp"}:
        for name in set(os.listdir(place)) - before:
            path = Path(place, name)
            if path == household.folder or not name.startswith("conversions-"):
                continue
            with contextlib.suppress(OSError):
                files = [each for each in (path, *path.rglob("*")) if each.is_file()]
                found += [str(each) for each in files if str(path) in ours or has_mark(each, mark)]
    (supervisor,) = supervisors(household.address.folder)
    for pid in (supervisor, *processes_of(supervisor)):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
            if has_in_memory(pid, mark):
                found.append(f"memory of {'the supervisor' if pid == supervisor else pid}, {name_of(pid)}")
            for each in os.listdir(f"/proc/{pid}/fd"):
                opened = f"/proc/{pid}/fd/{each}"
                own = os.readlink(opened).startswith(str(household.folder))  # where clients are told of their jobs
                if not own and os.path.isfile(opened) and mark.encode() in Path(opened).read_bytes():
                    found.append(os.readlink(opened))
    for kind in ("shm", "msg", "sem"):
        lines = Path(f"/proc/sysvipc/{kind}").read_text().splitlines()
        found += [f"{kind} {line}" for line in lines if line.split()[0] == str(IPC_KEY)]
    return found


@pytest.mark.skipif(not ROOT, reason="nobody else can look into the memory of a zygote")
@pytest.mark.parametrize("way", [*ENDS[:-1], "timeout", "killed child", "killed client", "client that left"])
def test_nothing_of_a_job_is_left_however_it_ends(way: str, household: Household) -> None:
    before = set(os.listdir(MEMORY_FOLDER)) | set(os.listdir("/tmp")) | set(os.listdir(tempfile.gettempdir()))
    witness = household.client()
    assert witness.canary().confined
    zygote = witness.pid
    assert zygote is not None
    open_before = len(os.listdir(f"/proc/{zygote}/fd"))
    with household.marked() as source:
        if way in ENDS:
            client = household.client()
            run(client, way, source)
        elif way == "killed client":
            log = household.folder / "killed"
            code = CLIENT.format(
                project=str(PROJECT), folder=household.address.folder, log=str(log), source=source.name
            )
            process = subprocess.Popen([sys.executable, "-c", code], env={"TMPDIR": tempfile.gettempdir()})
            child = marked_child(witness)
            process.kill()
            process.wait()
            assert eventually(lambda: not alive(child))
        else:
            client = household.client(wall=1) if way == "timeout" else household.client()
            assert client.canary().confined
            thread, child = at_work(client, source)
            if way == "killed child":
                os.kill(child, signal.SIGKILL)
            elif way == "client that left":
                client.close()
                os.kill(child, signal.SIGABRT)
            thread.join()
            assert eventually(lambda: not alive(child))
        assert not any(household.mark in each for each in processes_with(household))
    after = household.client()
    assert after.canary().confined
    if way != "timeout":
        assert after.pid == zygote
    with household.empty() as source:
        run(after, "nothing", source)
    found: list[str] = []

    def clean() -> bool:
        found[:] = traces(household, before)
        return not found

    assert eventually(clean), found
    assert household.mark not in after.logged
    assert household.mark not in witness.logged
    for each in household._clients:
        each.close()
    last = household.client()
    assert last.canary().confined
    assert household.mark not in last.logged
    if last.pid == zygote:
        assert eventually(lambda: len(os.listdir(f"/proc/{zygote}/fd")) <= open_before)


def processes_with(household: Household) -> list[str]:
    """The names and environments of all that belongs to the supervisor."""
    assert eventually(lambda: len(supervisors(household.address.folder)) == 1)  # one that came too late ends
    (supervisor,) = supervisors(household.address.folder)
    found = []
    for pid in processes_of(supervisor):
        with contextlib.suppress(OSError):
            found.append(Path(f"/proc/{pid}/comm").read_text() + Path(f"/proc/{pid}/environ").read_text())
    return found


def test_who_has_the_job_is_told_what_went_wrong_and_no_more_than_its_end(household: Household) -> None:
    client, other = household.client(), household.client()
    assert other.canary().confined
    with household.marked() as source:
        run(client, "panic", source)
    assert eventually(lambda: household.mark in client.logged)
    assert len(client.logged) < 12_000
    assert other.logged == ""


def test_who_asks_is_told_why_a_zygote_does_not_start(household: Household) -> None:
    client = household.client()
    client.folder = str(household.folder / "missing")
    with household.empty() as source, pytest.raises(Unavailable):
        client.convert("marks", {"end": "nothing"}, source.fileno())
    assert "FileNotFoundError" in client.logged
