"""Sharing: the client's side of the supervisor, which it finds or starts, and asks for a channel to a zygote."""

from __future__ import annotations

import contextlib
import json
import math
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from conversions.sandbox import launch, machine, peers
from conversions.sandbox.address import HELLO, Address
from conversions.sandbox.protocol import MAX_MESSAGE, parse

LINGER = 10.0
"""Seconds for which a supervisor stays that has no client: a restart finds it, and so does the next command."""
EACH = max(1, math.ceil(machine.processors() / 6))
"""Zygotes of a kind that may be there: one can hand over what six processors do."""
_TRIES = 10
_BETWEEN = 0.05
_ANSWERS_WITHIN = 20.0
_STARTS_WITHIN = 90.0


@dataclass(frozen=True)
class Given:
    """What a supervisor answered: a channel to a zygote, what that said of itself, and the connection to the
    supervisor, which is to be open for as long as the channel is in use."""

    channel: socket.socket
    body: Mapping[str, Any]
    connection: socket.socket

    def doubt(self) -> None:
        """Say that the zygote hangs: the supervisor looks, and kills it if it does."""
        with contextlib.suppress(OSError):
            self.connection.send(json.dumps({"hangs": self.body["pid"]}).encode())


def ask(address: Address, request: Mapping[str, Any], *, log: int) -> Given:
    """Ask the supervisor at an address, which is started where there is none, for a channel.

    What children say that do the jobs goes to the descriptor `log`. Raises OSError, and Malformed for an answer that no
    supervisor gives.
    """
    connection = _connect(address)
    try:
        connection.settimeout(_STARTS_WITHIN)
        socket.send_fds(connection, [json.dumps(request).encode()], [log])
        message, descriptors, _, _ = socket.recv_fds(connection, MAX_MESSAGE, 1, socket.MSG_CMSG_CLOEXEC)
        body = parse(message)
        if said := body.get("said"):
            with contextlib.suppress(OSError):
                os.write(log, str(said).encode(errors="replace"))
        if "error" in body or len(descriptors) != 1:
            raise ConnectionError(body.get("error", "no channel was given"))
        return Given(socket.socket(fileno=descriptors[0]), body, connection)
    except BaseException:
        connection.close()
        raise


def _connect(address: Address) -> socket.socket:
    for _ in range(_TRIES):
        try:
            connection = address.connect()
        except (FileNotFoundError, ConnectionRefusedError):
            _start(address)
            continue
        try:
            pid = peers.own(connection)
            connection.settimeout(_ANSWERS_WITHIN)
            said = connection.recv(MAX_MESSAGE)
        except TimeoutError:
            connection.close()
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)  # it hangs, and as long as it lives nobody else can be at its place
        except ConnectionError:  # it was about to end
            connection.close()
            time.sleep(_BETWEEN)
        except BaseException:
            connection.close()
            raise
        else:
            if said == HELLO:
                return connection
            connection.close()
            time.sleep(_BETWEEN)
    raise ConnectionError("the supervisor does not answer")


def _start(address: Address) -> None:
    """Start a supervisor, unless another process has done so meanwhile; raises OSError where none can be."""
    with address.lock():
        with contextlib.suppress(FileNotFoundError, ConnectionRefusedError):
            address.connect().close()
            return
        process = subprocess.Popen(
            [sys.executable, "-I", launch.PROGRAM, address.folder, address.name, str(LINGER), str(EACH)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env=launch.environment(),
            cwd="/",
            start_new_session=True,
        )
        try:
            status = process.wait(_STARTS_WITHIN)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
        if status:
            raise ConnectionError("the supervisor does not start")
