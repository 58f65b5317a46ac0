"""Ports for programs that a test starts."""

from __future__ import annotations

import itertools
import os
import random
import socket
import time

_PER_WORKER = 1_000
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 12
_FIRST = 18_000 + _PER_WORKER * _WORKER
_NEXT = itertools.cycle(random.sample(range(_FIRST, _FIRST + _PER_WORKER), _PER_WORKER))


def free_port() -> int:
    """A port that nobody has, of those that this process of the suite hands out in turns.

    None is of the range from which the system takes the near ends of connections: whoever asks such a port again and
    again, until somebody listens there, is connected with itself one day, and reads its own request for the answer.
    """
    for port in itertools.islice(_NEXT, _PER_WORKER):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")


def wait_for_port(port: int) -> None:
    """Until somebody listens there, for at most 20 seconds."""
    deadline = time.monotonic() + 20
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.02)
