"""The supervisor: one for all processes that find it, no harm to one by another, and nothing left of it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

import pytest

from engine.families.registry import CONVERTERS
from engine.sandbox import address, installed, peers, shared
from engine.sandbox.address import Address
from engine.sandbox.client import Zygote
from engine.sandbox.errors import Unavailable
from engine.sandbox.limits import TOGETHER, limits_for
from engine.toolkit.declaring import Profile
from tests.processor import come_to_rest
from tests.sandbox.conftest import alive, eventually, processes_of, read, supervisors
from tests.sandbox.test_escape import ORDINARY_UID, ROOT, as_user

PROJECT = Path(__file__).resolve().parents[2]
MakeClient = Callable[..., Zygote]

CLIENT = """
import sys, tempfile
sys.path.insert(0, {project!r})
from engine.sandbox.address import Address
from engine.sandbox.client import Zygote
from engine.sandbox import shared
from engine.sandbox.limits import TOGETHER, limits_for
shared.LINGER = 0.3
zygote = Zygote("text", limits_for("text"), at=Address({folder!r}, "here"))
with tempfile.TemporaryFile() as source:
    source.write(b'[{{"a": 1}}]')
    source.flush()
    zygote.convert("json-to-csv", {{}}, source.fileno()).output.close()
    print(zygote.pid, flush=True)
    if {work}:
        source.seek(0)
        source.truncate()
        source.write(b"[" + b'{{"a": 1}},' * 2_000_000 + b"1]")
        source.flush()
        zygote.convert("json-to-yaml", {{}}, source.fileno())
    sys.stdin.read()
"""


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Iterator[Address]:
    """An address of the test's own."""
    monkeypatch.setattr(shared, "LINGER", 0.3)
    place = Address(os.path.join(tempfile.mkdtemp(), "sandbox"), "here")
    yield place
    assert eventually(lambda: not supervisors(place.folder)), "it outlives its clients"
    shutil.rmtree(os.path.dirname(place.folder))


@pytest.fixture
def client(here: Address) -> Iterator[MakeClient]:
    made: list[Zygote] = []

    def make(profile: Profile = "text", *, limits: Mapping[str, float] | None = None, **more: object) -> Zygote:
        made.append(Zygote(profile, limits_for(profile, {profile: limits or {}}), at=here, **more))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def rows() -> Iterator[BinaryIO]:
    with tempfile.TemporaryFile() as file:
        file.write(b'[{"a": 1}]')
        file.flush()
        yield file


@pytest.fixture
def page() -> Iterator[BinaryIO]:
    with tempfile.TemporaryFile() as file:
        file.write(b"<h1>Invoice</h1><p>One line of it.</p>")
        file.flush()
        yield file


@pytest.fixture
def slow() -> Iterator[BinaryIO]:
    """What takes so long that a test has done before what it is about."""
    with tempfile.TemporaryFile() as file:
        file.write(b"[" + b'{"a": 1},' * 2_000_000 + b"1]")
        file.flush()
        yield file


def convert(zygote: Zygote, rows: BinaryIO) -> int:
    """Assert that it converts; gives the process id of the zygote."""
    assert read(zygote.convert("json-to-csv", {}, rows.fileno())).split() == [b"a", b"1"]
    assert zygote.pid is not None
    return zygote.pid


def at_work(zygote: Zygote, source: BinaryIO, *, beside: int = 0) -> tuple[threading.Thread, list[object], int]:
    """A job in the background that has begun, what becomes of it, and the process that does it."""
    outcome: list[object] = []

    def work() -> None:
        try:
            outcome.append(read(zygote.convert("json-to-yaml", {}, source.fileno())))
        except Exception as error:
            outcome.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    return thread, outcome, worker_of(zygote.folders[0], beside=beside)


def worker_of(folder: str, *, beside: int = 0) -> int:
    """The child that has a file open for its job in the folder for jobs of any size."""
    found: list[int] = []

    def begun() -> bool:
        for each in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                if (
                    int(each) != beside
                    and os.readlink(f"/proc/{each}/cwd").startswith(folder)
                    and any(
                        "/input." in os.readlink(f"/proc/{each}/fd/{name}") for name in os.listdir(f"/proc/{each}/fd")
                    )
                ):
                    found.append(int(each))
        return bool(found)

    assert eventually(begun)
    return found[0]


def in_process(here: Address, *, work: bool = False) -> tuple[subprocess.Popen[str], int]:
    """A client that is a process of its own, and the zygote that it has."""
    code = CLIENT.format(project=str(PROJECT), folder=here.folder, work=work)
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    return process, int(process.stdout.readline())


def end(*processes: subprocess.Popen[str]) -> None:
    for each in processes:
        each.kill()
        each.wait()
        for stream in (each.stdin, each.stdout):
            if stream is not None:
                stream.close()


def test_all_clients_have_the_same_zygote(client: MakeClient, here: Address, rows: BinaryIO) -> None:
    process, its = in_process(here)
    assert convert(client(), rows) == convert(client(), rows) == its
    end(process)
    assert convert(client(), rows) == its


def test_eight_that_start_at_once_start_one(here: Address) -> None:
    code = CLIENT.format(project=str(PROJECT), folder=here.folder, work=False)
    processes = [
        subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(8)
    ]
    zygotes = {int(each.stdout.readline()) for each in processes if each.stdout is not None}
    assert len(zygotes) == 1
    assert len(supervisors(here.folder)) == 1
    end(*processes)


def test_many_clients_of_a_large_machine_share_several_zygotes(
    client: MakeClient, rows: BinaryIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "EACH", 2)
    zygotes = [convert(client(), rows) for _ in range(14)]
    assert len(set(zygotes[:6])) == 1
    assert len(set(zygotes)) == 2
    assert zygotes.count(zygotes[0]) == 7


def test_clients_of_profiles_that_go_together_are_counted_apart(
    client: MakeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "EACH", 2)
    clients = [client(profile) for profile in ("image", "pdf") for _ in range(4)]
    assert all(each.canary().confined for each in clients)
    assert len({each.pid for each in clients}) == 1


def test_a_profile_that_rests_takes_no_time_of_its_zygote_while_another_stays(client: MakeClient) -> None:
    resting, staying = client("image", limits={"rest": 0.2}), client("pdf")
    assert all(each.canary().confined for each in (resting, staying))
    assert staying.pid is not None
    assert resting.pid == staying.pid
    assert come_to_rest([staying.pid])


def test_a_killed_client_takes_its_job_along_and_no_other(
    client: MakeClient, here: Address, rows: BinaryIO, slow: BinaryIO
) -> None:
    mine = client()
    pid = convert(mine, rows)
    process, its = in_process(here, work=True)
    assert its == pid
    working = worker_of(mine.folders[0])
    thread, outcome, own = at_work(mine, slow, beside=working)
    end(process)
    assert eventually(lambda: not alive(working))
    assert alive(own)
    assert convert(mine, rows) == pid
    assert not outcome
    os.kill(own, signal.SIGKILL)
    thread.join()


def test_jobs_of_a_killed_supervisor_are_done_by_the_next(
    client: MakeClient, here: Address, rows: BinaryIO, slow: BinaryIO
) -> None:
    zygote = client()
    convert(zygote, rows)
    folders = zygote.folders
    thread, outcome, _ = at_work(zygote, slow)
    (first,) = supervisors(here.folder)
    processes = [first, *processes_of(first)]
    os.kill(first, signal.SIGKILL)
    thread.join()
    assert isinstance(outcome[0], bytes)
    convert(zygote, rows)
    assert eventually(lambda: not any(map(alive, processes)))
    assert eventually(lambda: not any(map(os.path.exists, folders)))
    assert supervisors(here.folder) != [first]


def test_a_killed_zygote_takes_its_jobs_along_and_no_other_zygote(
    client: MakeClient, here: Address, rows: BinaryIO, slow: BinaryIO
) -> None:
    text, image = client(), client("image")
    assert image.canary().confined
    other, pid = image.pid, convert(text, rows)
    thread, outcome, working = at_work(text, slow)
    os.kill(pid, signal.SIGKILL)
    thread.join()
    assert isinstance(outcome[0], bytes)
    assert not alive(working)
    assert convert(text, rows) != pid
    assert image.canary().confined
    assert image.pid == other


def limits_of_memory(pids: Iterable[int]) -> set[int]:
    """The address space that each of these processes may have; one that has ended, or has only just begun, has none."""
    found = set()
    for pid in pids:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            lines = Path(f"/proc/{pid}/limits").read_text().splitlines()
            limits = [each.split()[3] for each in lines if "address space" in each]
            found |= {int(each) for each in limits if each != "unlimited"}
    return found


def address_space(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[0]) * os.sysconf("SC_PAGESIZE")


@pytest.mark.parametrize("profile", TOGETHER)
def test_address_space_of_a_profile_alone_is_as_it_is_said_to_be(client: MakeClient, profile: Profile) -> None:
    zygote = client(profile)
    assert zygote.canary().confined
    assert zygote.pid is not None
    assert address_space(zygote.pid) == pytest.approx(TOGETHER[profile], abs=30_000_000)


def test_profiles_that_go_together_have_one_zygote_and_each_its_own_rights(
    client: MakeClient, page: BinaryIO, rows: BinaryIO
) -> None:
    pdf, office, text = client("pdf"), client("office"), client()
    assert pdf.canary().possible == ()
    pid = pdf.pid
    assert pid is not None
    done: list[bytes] = []
    grown = threading.Thread(target=lambda: done.append(read(office.convert("html-to-docx", {}, page.fileno()))))
    grown.start()
    while grown.is_alive():
        assert read(pdf.convert("html-to-pdf", {}, page.fileno())).startswith(b"%PDF")
    assert done[0].startswith(b"PK")
    assert pdf.pid == office.pid == pid != convert(text, rows)
    assert not {*pdf.folders} & {*office.folders}
    assert pdf.canary().possible == ()  # pandoc may be run, but not here
    assert office.canary().possible == ()
    # As much room as each would have alone.
    room = sorted(each.limits.memory + address_space(pid) - TOGETHER[each.profile] for each in (pdf, office))

    def limits() -> list[int]:
        return sorted(limits_of_memory(processes_of(pid)[1:]))

    assert eventually(lambda: len(limits()) == 2)
    assert limits() == pytest.approx(room, abs=5_000_000)


def test_one_that_ends_as_it_grows_is_followed_by_two(client: MakeClient, here: Address) -> None:
    pdf, office = client("pdf"), client("office")
    assert pdf.canary().confined
    first = pdf.pid
    assert first is not None
    (supervisor,) = supervisors(here.folder)
    open_files = len(os.listdir(f"/proc/{supervisor}/fd"))
    os.kill(first, signal.SIGSTOP)
    grown = threading.Thread(target=office.canary)
    grown.start()
    # It has the client and its log, for which it makes the zygote grow.
    assert eventually(lambda: len(os.listdir(f"/proc/{supervisor}/fd")) >= open_files + 2)
    os.kill(first, signal.SIGKILL)
    grown.join()
    assert office.canary().confined
    assert pdf.canary().confined
    assert len({first, pdf.pid, office.pid}) == 3


def test_it_is_found_by_the_next_client_and_ends_when_none_comes(
    client: MakeClient, here: Address, rows: BinaryIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    zygote = client()
    pid = convert(zygote, rows)
    folders = zygote.folders
    zygote.close()
    assert convert(zygote, rows) == pid
    zygote.close()
    assert eventually(lambda: not supervisors(here.folder))
    assert eventually(lambda: not alive(pid))
    assert eventually(lambda: not any(map(os.path.exists, folders)))
    assert os.listdir(here.folder) == ["lock"]


def test_a_zygote_without_a_client_ends_though_others_have_theirs(client: MakeClient, rows: BinaryIO) -> None:
    text, image = client(), client("image")
    assert image.canary().confined
    pid, left = convert(text, rows), image.pid
    assert left is not None
    image.close()
    assert eventually(lambda: not alive(left))
    assert convert(text, rows) == pid


def test_a_supervisor_that_hangs_is_replaced(
    client: MakeClient, here: Address, rows: BinaryIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    convert(client(), rows)
    (first,) = supervisors(here.folder)
    os.kill(first, signal.SIGSTOP)
    monkeypatch.setattr(shared, "_ANSWERS_WITHIN", 1.0)
    convert(client(), rows)
    assert not alive(first)


def test_a_zygote_that_is_said_to_hang_goes_on_if_it_does_not(client: MakeClient, rows: BinaryIO) -> None:
    accused, witness = client(), client()
    pid = convert(accused, rows)
    assert convert(witness, rows) == pid
    channel = accused._running()
    accused._replace(channel)
    assert convert(accused, rows) == convert(witness, rows) == pid


def test_a_zygote_that_hangs_is_replaced(client: MakeClient, rows: BinaryIO, monkeypatch: pytest.MonkeyPatch) -> None:
    zygote = client()
    pid = convert(zygote, rows)
    monkeypatch.setattr("engine.sandbox.job.ACKNOWLEDGE_WITHIN", 0.3)
    os.kill(pid, signal.SIGSTOP)
    assert convert(zygote, rows) != pid
    assert not alive(pid)


def test_a_zygote_that_ends_as_it_is_said_to_hang_takes_no_other_along(
    client: MakeClient, here: Address, rows: BinaryIO
) -> None:
    text, image = client(), client("image")
    assert image.canary().confined
    other, pid = image.pid, convert(text, rows)
    (supervisor,) = supervisors(here.folder)
    os.kill(supervisor, signal.SIGSTOP)
    os.kill(pid, signal.SIGSTOP)
    text._replace(text._running())
    os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: not alive(pid))
    os.kill(supervisor, signal.SIGCONT)
    assert convert(text, rows) != pid
    assert image.canary().confined
    assert image.pid == other


@pytest.mark.parametrize(
    ("message", "sockets"), [(b"small", 2), (b"small nan", 2), (b"small 1", 1), (b"small 1", 0), (b"\xff" * 64, 2)]
)
def test_a_client_that_says_nonsense_harms_no_other(
    client: MakeClient, rows: BinaryIO, message: bytes, sockets: int
) -> None:
    good, bad = client(), client()
    pid = convert(good, rows)
    convert(bad, rows)
    control = bad._running().control
    with contextlib.ExitStack() as stack:
        ends = [each for _ in range(sockets) for each in socket.socketpair()]
        for each in ends:
            stack.enter_context(each)
        socket.send_fds(control, [message], [each.fileno() for each in ends[:sockets]])
        assert control.recv(1) == b""
    assert convert(good, rows) == convert(bad, rows) == pid


@pytest.mark.parametrize(
    "asked",
    [
        {"zygote": {"profile": "text", "limits": {}, "folder": "/tmp", "filtered": False}},
        {"zygote": {"profile": "text", "limits": {}, "folder": "/tmp", "modules": ["os"]}},
        {"zygote": []},
        [],
    ],
)
def test_nobody_is_given_a_weaker_sandbox(client: MakeClient, here: Address, rows: BinaryIO, asked: object) -> None:
    pid = convert(client(), rows)
    with here.connect() as connection, open(os.devnull, "wb") as log:
        connection.settimeout(20)
        connection.recv(64)
        socket.send_fds(connection, [json.dumps(asked).encode()], [log.fileno()])
        assert connection.recv(64) == b""
    assert convert(client(), rows) == pid


def test_a_command_uses_the_zygote_of_a_service_and_starts_a_smaller_one_where_there_is_none(
    client: MakeClient, rows: BinaryIO
) -> None:
    only = {"only": CONVERTERS["json-to-csv"]}
    small, again = client(**only), client(**only)
    pid = convert(small, rows)
    assert convert(again, rows) == pid
    service = convert(client(), rows)
    assert service != pid
    assert convert(client(**only), rows) == service


@pytest.mark.skipif(not ROOT, reason="only root can be two users")
def test_another_user_is_refused_by_both(client: MakeClient, here: Address, rows: BinaryIO, tmp_path: Path) -> None:
    pid = convert(client(), rows)
    for folder in (os.path.dirname(here.folder), here.folder):
        os.chmod(folder, 0o711)  # as far as folders go, everybody may come in
    os.chmod(here.path, 0o777)
    code = (
        "import socket, sys; s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET); s.connect(sys.argv[1]);"
        "s.settimeout(20); print(s.recv(64))"
    )
    command = [*as_user(ORDINARY_UID), sys.executable, "-I", "-c", code, here.path]
    assert subprocess.run(command, capture_output=True, text=True).stdout.strip() == "b''"
    with pytest.raises(PermissionError):
        here.connect()
    os.chmod(here.folder, 0o700)
    assert convert(client(), rows) == pid

    theirs = Address(str(tmp_path / "theirs"), "here")
    os.mkdir(theirs.folder, 0o700)
    code = (
        "import socket, sys; s = socket.socket(fileno=int(sys.argv[1])); s.listen(); print(flush=True);"
        "s.accept()[0].send(b'here'); sys.stdin.read()"
    )
    with theirs.bind() as listener:
        stranger = subprocess.Popen(
            [*as_user(ORDINARY_UID), sys.executable, "-I", "-c", code, str(listener.fileno())],
            pass_fds=[listener.fileno()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
    assert stranger.stdout is not None
    stranger.stdout.readline()
    zygote = Zygote("text", limits_for("text"), at=theirs)
    with pytest.raises(Unavailable) as raised:
        convert(zygote, rows)
    assert isinstance(raised.value.__cause__, peers.OtherUser)
    end(stranger)


LOOK = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
for pid in map(int, sys.argv[1:]):
    for name in ("mem", "environ", "maps"):
        try:
            os.open(f"/proc/{pid}/{name}", os.O_RDONLY)
            print(pid, name)
        except PermissionError:
            pass
    try:
        os.readlink(f"/proc/{pid}/fd/0")
        print(pid, "fd")
    except PermissionError:
        pass
    if libc.ptrace(16, pid, 0, 0) == 0:
        print(pid, "ptrace")
"""


@pytest.mark.skipif(not ROOT, reason="another process of the test's user would do, but has to be told apart from root")
def test_no_process_of_its_user_can_look_into_it(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    place = tempfile.mkdtemp()
    os.chown(place, ORDINARY_UID, ORDINARY_UID)
    code = CLIENT.format(project=str(PROJECT), folder=os.path.join(place, "sandbox"), work=False)
    code = f"import os; os.environ['TMPDIR'] = {place!r}\n" + code
    # Only what the interpreter's place needs; what the kernel asks of a tracer is not among it.
    process = subprocess.Popen(
        [*as_user(ORDINARY_UID), sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    zygote = int(process.stdout.readline())
    janitor, *_ = processes_of(zygote)
    (supervisor,) = supervisors(os.path.join(place, "sandbox"))
    look = [*as_user(ORDINARY_UID), sys.executable, "-I", "-c", LOOK, *map(str, (supervisor, zygote, janitor))]
    assert subprocess.run(look, capture_output=True, text=True, check=True).stdout == ""
    end(process)
    os.kill(supervisor, signal.SIGKILL)
    assert eventually(lambda: not alive(zygote))
    shutil.rmtree(place)


def test_other_code_has_another_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in installed._FOLDERS:
        (tmp_path / name / "inner").mkdir(parents=True)
        (tmp_path / name / "inner" / "module.py").write_text("1")
    monkeypatch.setattr(installed, "_PACKAGE", str(tmp_path))
    before = installed.address(tmp_path)
    assert installed.address(tmp_path).path == before.path
    (tmp_path / "toolkit" / "inner" / "module.py").write_text("2")
    changed = installed.address(tmp_path)
    monkeypatch.setenv("HTML_PDF_ENGINE", "another")
    assert len({before.name, changed.name, installed.address(tmp_path).name}) == 3
    assert before.folder == changed.folder


@pytest.mark.parametrize("made", ["by another user", "for all", "as a link", "as a file"])
def test_a_name_that_another_user_has_taken_stops_nobody(
    made: str, here: Address, rows: BinaryIO, tmp_path: Path
) -> None:
    taken = tmp_path / "taken"
    match made:
        case "by another user":
            if not ROOT:
                pytest.skip("only root can be two users")
            taken.mkdir(0o700)
            os.chown(taken, ORDINARY_UID, ORDINARY_UID)
        case "for all":
            taken.mkdir()
            taken.chmod(0o777)
        case "as a link":
            taken.symlink_to(tmp_path, target_is_directory=True)
        case "as a file":
            taken.touch()
    service, command = (
        Zygote("text", limits_for("text"), at=Address(str(taken), "here", otherwise=here.folder)) for _ in range(2)
    )
    with contextlib.closing(service), contextlib.closing(command):
        assert convert(service, rows) == convert(command, rows)
        assert len(supervisors(here.folder)) == 1
    assert sorted(os.listdir(tmp_path)) == ["taken"]


def test_a_name_that_is_taken_while_a_service_runs_stops_nobody(here: Address, rows: BinaryIO, tmp_path: Path) -> None:
    """The folder of temporary files was cleared, and somebody was faster."""
    own = tmp_path / "own"
    at = Address(str(own), "here", otherwise=here.folder)
    with contextlib.closing(Zygote("text", limits_for("text"), at=at)) as zygote:
        first = convert(zygote, rows)
        shutil.rmtree(own)
        own.touch()
        os.kill(first, signal.SIGKILL)
        assert convert(zygote, rows) != first
        assert len(supervisors(here.folder)) == 1


def test_a_service_and_its_commands_have_a_folder_of_their_own_beside_that_of_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    usual = installed.address(tmp_path / "data").folder
    assert os.path.dirname(usual) == str(tmp_path / "temporary")
    Path(usual).touch()
    assert os.path.dirname(installed.address(tmp_path / "data").folder) == str(tmp_path / "data")


def test_sockets_of_the_dead_are_swept_and_no_others(here: Address, client: MakeClient, rows: BinaryIO) -> None:
    convert(client(), rows)
    dead, living = Address(here.folder, "dead"), Address(here.folder, "living")
    with dead.lock():
        dead.bind().close()
        with living.bind() as listener:
            listener.listen()
            here.sweep()
    assert sorted(os.listdir(here.folder)) == ["here", "living", address._LOCK]
