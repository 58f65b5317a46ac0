"""Clients behind a proxy, which has all connections: turns, threads and space are shared by whom it names."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.server.worker import SHARE
from tests.config.plain_server import Answer, Server, answer
from tests.sandbox.conftest import eventually

ATTACKER, VICTIM = "198.51.100.7", "203.0.113.5"
THREADS = 2
MB = 1_000_000


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path, TRUSTED_PROXY_COUNT="1", THREADS=str(THREADS))
    yield server
    server.process.kill()
    server.process.wait()


def head(path: str, client: str, *, method: str = "GET", length: int = 0) -> bytes:
    return (
        f"{method} {path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: {client}\r\nContent-Length: {length}\r\n\r\n"
    ).encode()


def ask(sock: socket.socket, path: str, client: str) -> Answer:
    sock.sendall(head(path, client))
    return answer(sock)


def waiting(socks: list[socket.socket]) -> int:
    """How many have no answer yet."""
    found = 0
    for sock in socks:
        sock.settimeout(0)
        try:
            sock.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            found += 1
        sock.settimeout(20)
    return found


@pytest.mark.parametrize(
    "names",
    [
        [ATTACKER],
        [f"192.0.2.{number}, {ATTACKER}" for number in range(60)],
        [f"198.51.100.{number}" for number in range(60)],
        [f"198.51.{number}.1" for number in range(2 * THREADS)],
    ],
    ids=["one address", "forged beginnings", "one block", "more blocks than threads"],
)
def test_a_client_has_its_turn_before_what_others_have_waiting(server: Server, names: list[str]) -> None:
    with contextlib.ExitStack() as opened:
        socks = [opened.enter_context(server.connect()) for _ in range(60)]
        shared = socks.pop()
        assert ask(shared, "/", names[0]).status == 200
        for number, sock in enumerate(socks):
            sock.sendall(head("/slow", names[number % len(names)]))
        assert eventually(server.slow.exists)
        # Over a connection that has carried a request of theirs, as a proxy keeps and shares them.
        assert ask(shared, "/", VICTIM).status == 200
        assert waiting(socks) > len(socks) / 2


def test_no_client_has_more_than_its_share_of_the_conversion_threads(server: Server) -> None:
    threads = 16 * THREADS
    with contextlib.ExitStack() as opened:
        opened.callback(server.big.with_name("converted").touch)
        socks = [opened.enter_context(server.connect()) for _ in range(2 * threads)]
        for sock in socks:
            sock.sendall(head("/convert", ATTACKER))
        victim = opened.enter_context(server.connect())
        assert ask(victim, "/convert-now", VICTIM).status == 200
        assert waiting(socks) == len(socks)
        neighbour = opened.enter_context(server.connect())
        assert ask(neighbour, "/convert-now", "198.51.100.8").status == 200
        started = server.big.with_name("started").read_text().splitlines()
        assert started == [ATTACKER] * (threads // SHARE)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=96000000,mode=1777", "none", str(folder)]
    if subprocess.run(command, capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_client_finds_space_for_its_upload_beside_those_of_another(tmp_path: Path, disk: Path) -> None:
    server = Server(tmp_path, TRUSTED_PROXY_COUNT="1", TEMPORARY_DIR=str(disk))

    def free() -> int:
        found = os.statvfs(disk)
        return found.f_bavail * found.f_frsize

    with contextlib.ExitStack() as opened:
        opened.callback(server.process.wait)
        opened.callback(server.process.kill)
        for _ in range(20):
            sock, before = opened.enter_context(server.connect()), free()
            with contextlib.suppress(OSError):
                sock.sendall(head("/read", ATTACKER, method="POST", length=5 * MB) + bytes(4 * MB))
            # Either it is held, or refused for want of space.
            assert eventually(lambda sock=sock, before=before: before - free() > 3.5 * MB or not waiting([sock]))
        victim = opened.enter_context(server.connect())
        victim.sendall(head("/read", VICTIM, method="POST", length=5 * MB) + bytes(5 * MB))
        found = answer(victim)
        assert (found.status, found.body) == (200, b"%d" % (5 * MB))
