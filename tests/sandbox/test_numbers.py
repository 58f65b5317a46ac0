"""Process ids are used again: what is killed is who was meant, and never who has the number by now."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from engine.sandbox import peers
from tests.sandbox import numbers
from tests.sandbox.conftest import MakeZygote, alive, eventually
from tests.sandbox.test_lifecycle import in_background, kill_until_given_up, settled

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root chooses the number of a process")


@contextlib.contextmanager
def bystander(number: int) -> Iterator[Callable[[], bool]]:
    """A process of nobody's concern that has this number, and whether it goes on."""
    command = [sys.executable, "-I", numbers.__file__, str(number)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            assert line == "there\n"
            yield lambda: goes_on(process, number)
        finally:
            process.kill()


def goes_on(process: subprocess.Popen[str], number: int) -> bool:
    """Whether a bystander still answers: a signal that kills it comes before the one that it answers."""
    assert process.stdout is not None
    with contextlib.suppress(ProcessLookupError):
        os.kill(number, signal.SIGUSR1)
    return process.stdout.readline() == "still\n"


def test_a_janitor_kills_no_process_that_has_the_number_of_a_dead_child(
    make_zygote: MakeZygote, source: BinaryIO
) -> None:
    zygote = make_zygote()
    janitor, child = settled(zygote)
    thread, _ = in_background(zygote, "sleeps", source)
    assert eventually(lambda: list(Path(os.readlink(f"/proc/{child}/cwd")).glob("input.*")))
    folders, first = zygote.folders, zygote.pid
    assert first is not None
    os.kill(janitor, signal.SIGSTOP)
    os.kill(first, signal.SIGKILL)
    try:
        # Whoever takes children over reaps them: the number is free then.
        assert eventually(lambda: not os.path.exists(f"/proc/{child}"))
        with bystander(child) as lives:
            os.kill(janitor, signal.SIGCONT)
            assert eventually(lambda: not any(map(os.path.exists, folders)))
            assert eventually(lambda: not alive(janitor))
            assert lives()
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(janitor, signal.SIGCONT)
        kill_until_given_up(zygote, thread)


LISTENER = """
import os, socket, sys
listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
listener.bind(sys.argv[1])
listener.listen()
print(os.getpid(), flush=True)
if os.fork():
    os._exit(0)
os.setsid()
print("held", flush=True)
sys.stdin.read()
"""


def test_a_listener_that_is_no_more_is_not_taken_for_who_has_its_number(tmp_path: Path) -> None:
    place = str(tmp_path / "here")
    with subprocess.Popen(
        [sys.executable, "-I", "-c", LISTENER, place], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        number = int(process.stdout.readline())
        assert process.stdout.readline() == "held\n"
        process.wait()
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection, bystander(number) as lives:
            connection.connect(place)
            peers.own(connection)
            with contextlib.suppress(OSError):
                peers.kill(connection)
            assert lives()


KILLER = """
import socket, sys
sys.path.insert(0, sys.argv[2])
from engine.sandbox import shared
from engine.sandbox.address import Address
shared._ANSWERS_WITHIN = 0.2
try:
    shared._connect(Address(sys.argv[1], "here"))
except OSError as error:
    print("refused", flush=True)
"""


def test_a_listener_of_another_pid_namespace_does_not_have_the_client_kill_itself(tmp_path: Path) -> None:
    """Its number is 0 here, which kill(2) takes for the whole group of the caller."""
    folder = tmp_path / "sandbox"
    folder.mkdir(0o700)
    project = str(Path(__file__).resolve().parents[2])
    listen = [sys.executable, "-I", "-c", LISTENER, str(folder / "here")]
    with subprocess.Popen(listen, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as listener:
        assert listener.stdout is not None
        listener.stdout.readline()
        listener.stdout.readline()
        client = f"{sys.executable} -c '{KILLER}' {folder} {project}; exit 0"  # a shell, or it would be the first there
        command = ["unshare", "--pid", "--fork", "sh", "-c", client]
        done = subprocess.run(command, capture_output=True, text=True, start_new_session=True)
    assert (done.returncode, done.stdout) == (0, "refused\n"), done
