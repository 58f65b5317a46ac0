"""Nothing that hostile code in a child tries gets it out: as root and not, with and without Landlock's newer rules."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest

from engine.sandbox import launch, shared
from engine.sandbox.address import Address
from engine.sandbox.client import Zygote, _Channel
from engine.sandbox.errors import Crashed
from engine.sandbox.identity import NOBODY
from engine.sandbox.limits import MEMORY_FOLDER, Limits, limits_for
from engine.toolkit.declaring import Profile
from tests.sandbox.attempts import ATTEMPTS, STARTS_PROGRAMS, Context

PROJECT = Path(__file__).resolve().parents[2]
ROOT = os.geteuid() == 0
ORDINARY_UID = 1000
HARMLESS_WITHOUT_SANDBOX = {
    # Not tried without one: they would do what they say, or succeed by the machine's own configuration only.
    "leave_process_group", "become_root", "find_secret_in_environment", "open_inherited_descriptors", "change_root",
    "mount_something", "reboot", "unshare_mounts", "signal_everyone", "signal_parent", "trace_parent", "add_own_filter",
    "connect_through_job_channel", "call_as_32_bit", "call_as_x32", "type_into_terminal", "write_over_interpreter",
    "run_own_file", "run_from_error_log", "signal_by_file_owner",
    "make_channel_of_supervisors_kind", "send_to_supervisor_on_job_channel", "take_channels_of_zygote",
}  # fmt: skip


@dataclass(frozen=True)
class Mode:
    """Who runs the zygote, which family it serves, the newest Landlock version it may use, where jobs are, whether it
    is a fork of a supervisor, and what it served before."""

    root: bool
    profile: Profile
    abi: int | None
    memory: str | None
    forked: bool = False
    grown_from: Profile | None = None

    def __str__(self) -> str:
        who, where = "root" if self.root else "user", "disk" if self.memory is None else "memory"
        newest = "newest" if self.abi is None else f"abi{self.abi}"
        how = f"-grown-from-{self.grown_from}" if self.grown_from else "-forked" if self.forked else ""
        return f"{who}-{self.profile}-{newest}-{where}{how}"

    @property
    def uid(self) -> int:
        return NOBODY if self.root else ORDINARY_UID if ROOT else os.geteuid()


KINDS: tuple[tuple[Profile, int | None, str | None], ...] = (
    ("text", None, MEMORY_FOLDER), ("text", 2, None), ("text", 1, MEMORY_FOLDER),
    ("office", None, MEMORY_FOLDER), ("office", 2, None),
    ("libreoffice", None, None), ("libreoffice", 2, MEMORY_FOLDER),
    ("ocr", None, MEMORY_FOLDER),
    ("media", None, MEMORY_FOLDER),
)  # fmt: skip
MODES = [Mode(root, *kind) for root in (True, False) for kind in KINDS if ROOT or not root]
# Its children are held as those of other families are; what is its own is the subject of test_launcher.
MODES = [each for each in MODES if each.profile != "media" or each.root is ROOT]

MODES += [
    Mode(ROOT, "text", None, MEMORY_FOLDER, forked=True),
    # Of the same process come children that may start programs.
    Mode(ROOT, "pdf", None, MEMORY_FOLDER, forked=True, grown_from="office"),
]

GROWN = MODES[-1]
PLAIN = Mode(False, "text", 1, MEMORY_FOLDER)
WHOLE = (GROWN, PLAIN)
"""Modes in which all attempts are made: as the service runs, and where the kernel helps the least."""


def _traits(mode: Mode) -> set[tuple[str, object]]:
    return set(vars(mode).items())


def _pairwise(number: int) -> list[Mode]:
    """Other modes for an attempt, so that it meets each trait of any mode: the first by turns, then what adds most."""
    others = [each for each in MODES if each not in WHOLE]
    start = number % len(others)
    others = others[start:] + others[:start]
    chosen = others[:1]
    while missing := set().union(*map(_traits, MODES)) - set().union(*map(_traits, (*WHOLE, *chosen))):
        chosen.append(max(others, key=lambda each: len(_traits(each) & missing)))
    return chosen


CHOSEN = {name: (*WHOLE, *_pairwise(number)) for number, name in enumerate(ATTEMPTS)}


def _is_chosen(confined: Mode, name: str) -> bool:
    return confined in CHOSEN[name]


SUPERVISOR = """
import sys
sys.path.insert(0, {project!r})
from engine.sandbox import supervisor
supervisor._ASKED |= {{"modules": list, "users": (list, type(None))}}
supervisor.main({folder!r}, "here", linger=0.5, each=1)
"""


class OfSupervisor(Zygote):
    """A zygote that was forked from a supervisor which, unlike that of a service, lets it import further modules.

    It serves another profile first where it is to be `grown_from` that.
    """

    def __init__(self, profile: Profile, limits: Limits, *, grown_from: Profile | None = None, **more: Any) -> None:
        super().__init__(profile, limits, **more)
        self._first = grown_from
        self._before: list[shared.Grant] = []

    def close(self) -> None:
        super().close()
        while self._before:
            given = self._before.pop()
            given.channel.close()
            given.connection.close()

    def _start(self) -> _Channel:
        folder = tempfile.mkdtemp(prefix="supervisor-")
        place = Address(folder, "here")
        with place.lock():
            code = SUPERVISOR.format(project=str(PROJECT), folder=folder)
            subprocess.run([sys.executable, "-I", "-c", code], check=True, env=launch.environment(), cwd="/")
        given = []
        with open(os.devnull, "wb") as log:
            for profile in filter(None, (self._first, self.profile)):
                limits = self.limits if profile == self.profile else limits_for(profile)
                plan = {
                    "profile": profile, "limits": asdict(limits), "folder": tempfile.gettempdir(),
                    "modules": ["tests.sandbox.attempts"], "users": [NOBODY, NOBODY + 1] if ROOT else None,
                }  # fmt: skip
                given.append(shared.ask(place, {"zygote": plan, "only": None}, log=log.fileno()))
        assert len({each.body["pid"] for each in given}) == 1
        *self._before, last = given
        shutil.rmtree(folder)  # nobody else is to find it, and it ends without
        return _Channel(last.channel, last.body, last)


def as_user(uid: int) -> tuple[str, ...]:
    """A command that runs another as an ordinary user, who can nevertheless enter the folder of root's interpreter."""
    if os.geteuid() == uid:
        return ()
    search = ("--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search")
    return ("setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", *search)


@contextlib.contextmanager
def surroundings(uid: int, parent: int, folder: Path) -> Iterator[Context]:
    """Things to attack that the file modes would give to `uid`; `folder` is where the jobs' folders are."""
    place = Path(tempfile.mkdtemp(prefix="surroundings-"))
    library = PROJECT / "engine" / "sandbox" / "__pycache__" / f"owned-{os.getpid()}-{uid}.txt"
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, place)
        place.chmod(0o755)
        neighbour = folder / "neighbour"
        neighbour.mkdir()
        library.parent.mkdir(exist_ok=True)
        stack.callback(library.unlink, missing_ok=True)
        for path in (place / "secret", place / "db.sqlite3", neighbour / "input.json", library):
            path.write_text("content")
            path.chmod(0o666)
            os.chown(path, uid, uid)
        for path in (neighbour, place):
            os.chown(path, uid, uid)
        victim = subprocess.Popen([*as_user(uid), "sleep", "1000"], env={"SECRET_KEY": "hidden"})
        stack.callback(victim.wait)
        stack.callback(victim.kill)
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        unix = stack.enter_context(socket.socket(socket.AF_UNIX))
        unix.bind(str(place / "socket"))
        (place / "socket").chmod(0o777)
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind(f"\0{place.name}")
        (place / "sandbox").mkdir()
        supervisor = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
        supervisor.bind(str(place / "sandbox" / "socket"))
        for path in (place / "sandbox", place / "sandbox" / "socket"):
            path.chmod(0o777)
            os.chown(path, uid, uid)
        for listener in (unix, abstract, supervisor):
            listener.listen(50)
        yield Context(
            secret=str(place / "secret"),
            database=str(place / "db.sqlite3"),
            library=str(library),
            neighbour=str(neighbour),
            parent=parent,
            victim=victim.pid,
            tcp=tcp.getsockname()[1],
            udp=udp.getsockname()[1],
            unix=str(place / "socket"),
            supervisor=str(place / "sandbox" / "socket"),
            abstract=place.name,
            settings=str(PROJECT / "config" / "settings.py"),
        )


def attempt(zygote: Zygote, context: Context, name: str) -> str:
    """Let a child try to escape in one way and return what it says of it."""
    with tempfile.TemporaryFile() as source:
        source.write(b"{}")
        source.flush()
        try:
            answer = zygote.convert("attempt", {"name": name, "context": json.dumps(asdict(context))}, source.fileno())
        except Crashed:
            return "refused: the kernel killed it for the attempt"
        with answer.output as output:
            return output.read().decode()


@pytest.fixture(scope="module", params=MODES, ids=str)
def confined(request: pytest.FixtureRequest) -> Iterator[tuple[Mode, Zygote, Context]]:
    mode: Mode = request.param
    made = functools.partial(OfSupervisor, grown_from=mode.grown_from) if mode.forked else Zygote
    zygote = made(
        mode.profile,
        limits_for(mode.profile, {mode.profile: {"wall": 20}}),
        modules=("tests.sandbox.attempts",),
        launcher=() if mode.root else as_user(mode.uid),
        child_uid=mode.uid,
        abi_at_most=mode.abi,
        memory=mode.memory,
    )
    report = zygote.canary()
    assert report.confined, report
    assert report.seccomp
    assert mode.abi is None or report.landlock == mode.abi
    assert zygote.pid is not None
    assert len(zygote.folders) == (1 if mode.memory is None else 2)
    with contextlib.closing(zygote), surroundings(mode.uid, zygote.pid, Path(zygote.folders[-1])) as context:
        yield mode, zygote, context
        untouched = (context.secret, context.database, context.library, f"{context.neighbour}/input.json")
        assert [Path(each).read_text() for each in untouched] == ["content"] * 4
        assert os.listdir(context.neighbour) == ["input.json"]
        state = Path("/proc", str(context.victim), "status").read_text().splitlines()[2]
        assert state.startswith(("State:\tS", "State:\tR")), "it was stopped or killed"


@pytest.mark.full_unless(chosen=_is_chosen)
@pytest.mark.parametrize("name", ATTEMPTS)
def test_attempt_is_refused(name: str, confined: tuple[Mode, Zygote, Context]) -> None:
    mode, zygote, context = confined
    if mode.profile == "office" and name in STARTS_PROGRAMS:
        pytest.skip("children of this family start programs")
    outcome = attempt(zygote, context, name)
    assert outcome.startswith("refused"), outcome


@pytest.fixture(scope="module")
def unconfined(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(os.geteuid(), os.getpid(), tmp_path_factory.mktemp("jobs")) as context:
        yield context


@pytest.mark.ci
@pytest.mark.skipif(not ROOT, reason="an ordinary user is refused much of it without a sandbox too")
@pytest.mark.parametrize("name", sorted(ATTEMPTS.keys() - HARMLESS_WITHOUT_SANDBOX))
def test_attempt_would_work_without_the_sandbox(name: str, unconfined: Context, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.sandbox.attempts", name, json.dumps(asdict(unconfined))]
    path = {"PYTHONPATH": str(PROJECT)}
    outcome = subprocess.run(command, cwd=tmp_path, env=path, capture_output=True, text=True, timeout=30).stdout
    if "ENOSYS" in outcome or "Function not implemented" in outcome or "not supported" in outcome:
        pytest.skip("this kernel has no such call")
    assert outcome == "escaped"


def test_every_attempt_meets_every_trait_of_the_modes_and_every_mode_several_attempts() -> None:
    assert len(ATTEMPTS) >= 35
    traits = set().union(*map(_traits, MODES))
    assert all(set().union(*map(_traits, modes)) == traits for modes in CHOSEN.values())
    met = Counter(mode for modes in CHOSEN.values() for mode in modes)
    assert min(met[each] for each in MODES) >= 5
    assert {met[each] for each in WHOLE} == {len(ATTEMPTS)}
