"""gunicorn with the service's worker and an application without Django, and what its clients need."""

import contextlib
import http.client
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from functools import partial
from pathlib import Path

from tests.ports import free_port
from tests.processor import seconds_of

ROOT = Path(__file__).resolve().parents[2]
BIG_BYTES = 20_000_000
POST = b"POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n"


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Message
    body: bytes


class Server:
    def __init__(
        self,
        folder: Path,
        *,
        limit: int = 0,
        module: str = "tests.config.plain_app:application",
        settings: Path = ROOT / "config" / "gunicorn.py",
        **environment: str,
    ) -> None:
        self.port = free_port()
        self.big = folder / "big"
        self.big.write_bytes(os.urandom(BIG_BYTES))
        self.slow = folder / "slow"
        environment = {
            "WEB_CONCURRENCY": "1",
            "THREADS": "2",
            "TRUSTED_PROXY_COUNT": "0",
            "PREPARE_SANDBOX": "no",
        } | environment
        command = [sys.executable, "-m", "gunicorn", "-c", str(settings), module]
        self.log = folder / "log"
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **environment, "PORT": str(self.port), "BIG_FILE": str(self.big)},
            stderr=self.log.open("wb"),
            preexec_fn=partial(resource.setrlimit, resource.RLIMIT_NOFILE, (limit, limit)) if limit else None,
        )
        deadline = time.monotonic() + 20
        while not self._answers():
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.05)

    def _answers(self) -> bool:
        with contextlib.suppress(OSError):
            return self.get("/").status == 200
        return False

    def connect(self, source: str = "127.0.0.1", receive_buffer: int = 0) -> socket.socket:
        sock = socket.socket()
        if receive_buffer:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        sock.settimeout(20)
        sock.bind((source, 0))
        sock.connect(("127.0.0.1", self.port))
        return sock

    def is_open(self) -> bool:
        """Whether it takes connections."""
        # A connection that is made while the listener closes is reset.
        with contextlib.suppress(ConnectionRefusedError, ConnectionResetError):
            self.connect().close()
            return True
        return False

    def get(self, path: str) -> Answer:
        return self.request(b"GET " + path.encode() + b" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")

    def request(self, data: bytes, source: str = "127.0.0.1") -> Answer:
        with self.connect(source) as sock:
            sock.sendall(data)
            return answer(sock)

    def workers(self) -> list[int]:
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(each) for each in children.split()]

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """The workers do nothing meanwhile; clients still connect and send."""
        for each in self.workers():
            os.kill(each, signal.SIGSTOP)
        try:
            yield
        finally:
            for each in self.workers():
                os.kill(each, signal.SIGCONT)

    def processor_seconds(self) -> float:
        """What the workers have used so far."""
        return seconds_of(self.workers())

    def stop(self) -> int:
        self.process.terminate()
        # A worker that is just starting does not hear it, and is killed after half a minute.
        return self.process.wait(60)


def answer(sock: socket.socket) -> Answer:
    response = http.client.HTTPResponse(sock)
    response.begin()
    return Answer(response.status, response.headers, response.read())


def is_closed(sock: socket.socket) -> bool:
    try:
        while data := sock.recv(65536):
            del data
    except ConnectionResetError:
        pass
    return True
