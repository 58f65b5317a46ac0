"""The client's side of the supervisor: find or start it, and ask it for a channel to a zygote."""

from __future__ import annotations

import contextlib
import json
import math
import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.sandbox import launch, machine, peers
from engine.sandbox.address import HELLO, Address
from engine.sandbox.protocol import MAX_MESSAGE, parse

LINGER = 10.0
"""Seconds a supervisor stays without clients, so that a restart or the next command finds it."""
EACH = max(1, math.ceil(machine.processors() / 6))
"""The most zygotes of a kind: one can hand over jobs for six processors."""
_TRIES = 10
_BETWEEN = 0.05
_ANSWERS_WITHIN = 20.0
_STARTS_WITHIN = 90.0


@dataclass(frozen=True)
class Grant:
    """A supervisor's answer: a channel to a zygote, the zygote's own answer, and the connection to the supervisor,
    which must stay open while the channel is in use."""

    channel: socket.socket
    body: Mapping[str, Any]
    connection: socket.socket

    def report_hang(self) -> None:
        """Report that the zygote hangs: the supervisor checks, and kills it if so."""
        with contextlib.suppress(OSError):
            self.connection.send(json.dumps({"hangs": self.body["pid"]}).encode())


def ask(address: Address, request: Mapping[str, Any], *, log: int) -> Grant:
    """Ask the supervisor at an address for a channel, starting one if there is none.

    The output of children that do these jobs goes to the descriptor `log`. Raises OSError, and Malformed for an invalid
    answer.
    """
    connection = _connect(address)
    try:
        connection.settimeout(_STARTS_WITHIN)
        socket.send_fds(connection, [json.dumps(request).encode()], [log])
        message, descriptors, _, _ = socket.recv_fds(connection, MAX_MESSAGE, 1, socket.MSG_CMSG_CLOEXEC)
        body = parse(message)
        if errors := body.get("stderr"):
            with contextlib.suppress(OSError):
                os.write(log, str(errors).encode(errors="replace"))
        if "error" in body or len(descriptors) != 1:
            raise ConnectionError(body.get("error", "no channel was given"))
        return Grant(socket.socket(fileno=descriptors[0]), body, connection)
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
            peers.own(connection)
            connection.settimeout(_ANSWERS_WITHIN)
            greeting = connection.recv(MAX_MESSAGE)
        except TimeoutError:
            with connection, contextlib.suppress(ProcessLookupError):
                peers.kill(connection)  # it hangs, and while it lives no other supervisor can take its place
        except ConnectionError:  # it was about to end
            connection.close()
            time.sleep(_BETWEEN)
        except BaseException:
            connection.close()
            raise
        else:
            if greeting == HELLO:
                return connection
            connection.close()
            time.sleep(_BETWEEN)
    raise ConnectionError("the supervisor does not answer")


def _start(address: Address) -> None:
    """Start a supervisor unless another process just has; raises OSError on failure."""
    address = address.now()
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
