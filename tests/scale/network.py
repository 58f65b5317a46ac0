"""What stands around several application servers, each in a process or thread that a test can take away."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from tests.ports import free_port, wait_for_port
from tests.server.conftest import ROOT

_PATHS = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/usr/sbin"
NGINX, RCLONE, REDIS = (shutil.which(name, path=_PATHS) for name in ("nginx", "rclone", "redis-server"))
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
"""Folders of nginx, which are the system's by default."""
ACCESS, SECRET = "access", "a-secret-of-some-length"


class Program:
    """A program that listens on a port of its own and can be killed and started again."""

    def __init__(self, command: Callable[[int], list[str]]) -> None:
        self.port = free_port()
        self._command = command(self.port)
        self.start()

    def start(self) -> None:
        # A group of its own: workers outlive a master that is killed, and go on listening.
        self.process = subprocess.Popen(
            self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0
        )
        wait_for_port(self.port)

    def kill(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def redis(folder: Path) -> Program:
    return Program(
        lambda port: [str(REDIS), "--bind", "127.0.0.1", "--port", str(port), "--save", "", "--dir", str(folder)]
    )


def s3(folder: Path) -> Program:
    (folder / "bucket").mkdir(parents=True)
    options = ["--config", "", "--cache-dir", f"{folder}-cache", "--vfs-cache-mode", "writes"]
    return Program(
        lambda port: [
            str(RCLONE), "serve", "s3", "--auth-key", f"{ACCESS},{SECRET}", "--addr", f"127.0.0.1:{port}",
            *options, str(folder),
        ]
    )  # fmt: skip


def balancer(folder: Path, ports: list[int], *, behind_another: bool = False) -> Program:
    """Debian's nginx with the configuration of the deployment, in front of these ports.

    Where it is `behind_another` proxy, which is any client then, X-Forwarded-For has the client's address.
    """
    folder.mkdir()
    places = "".join(f"{name}_temp_path {folder}/{name};" for name in TEMPORARY)
    servers = "\n".join(f"server 127.0.0.1:{port} max_fails=0;" for port in ports)

    def command(port: int) -> list[str]:
        text = (ROOT / "deploy" / "nginx.conf").read_text()
        for old, new in (
            ("server app:8000 max_fails=0;", servers),
            ("listen 8080;", f"listen 127.0.0.1:{port};"),
            ("http {", f"http {{ {places}"),
            ("worker_processes auto;", f"worker_processes 1; daemon off; pid {folder}/pid; user root root;"),
        ):
            assert old in text
            text = text.replace(old, new, 1)
        if behind_another:
            assert "# set_real_ip_from 192.0.2.1;" in text
            text = text.replace("# set_real_ip_from 192.0.2.1;", "set_real_ip_from 127.0.0.1;")
            text = text.replace("# real_ip_header", "real_ip_header")
        (folder / "nginx.conf").write_text(text)
        return [str(NGINX), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]

    return Program(command)


class Cable:
    """A TCP connection to somewhere else that can be pulled out and plugged in again."""

    def __init__(self, host: str, port: int) -> None:
        self.port = free_port()
        self._target = (host, port)
        self._open: list[socket.socket] = []
        self.plug()

    def plug(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def pull(self) -> None:
        for each in (self._listener, *self._open):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self._open.clear()

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.create_connection(self._target)
                self._open += (near, far)
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=ends, daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                target.sendall(data)
        for each in (source, target):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
