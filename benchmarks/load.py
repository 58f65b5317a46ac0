"""Send requests over HTTP, one after the other or from several clients at once, and time each."""

from __future__ import annotations

import re
import socket
import statistics
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Call:
    """A request that can be sent any number of times, and the expected status of its answer."""

    method: str
    path: str
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int = 200

    @cached_property
    def request(self) -> bytes:
        """The bytes to send."""
        lines = [f"{self.method} {self.path} HTTP/1.1", "Host: 127.0.0.1"]
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        lines += [f"Content-Length: {len(self.body)}"] if self.body is not None else []
        return "\r\n".join(lines).encode() + _END + (self.body or b"")


def upload(path: str, name: str, content: bytes, key: str) -> Call:
    head = f'--b\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
    headers = {"Content-Type": "multipart/form-data; boundary=b", "Authorization": f"Bearer {key}"}
    return Call("POST", path, head + content + b"\r\n--b--\r\n", headers, 201)


class Client:
    """One client with one persistent connection.

    It does little more than the socket: the time a library takes to parse response headers is not the service's.
    """

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=120)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, call: Call) -> tuple[float, bytes]:
        """Return the milliseconds until the answer was complete, and its body; raises RuntimeError."""
        request, answer = call.request, bytearray()
        started = time.perf_counter()
        self._socket.sendall(request)
        while not _whole(answer):
            piece = self._socket.recv(1 << 18)
            if not piece:
                raise RuntimeError(f"{call.path}: the connection was closed")
            answer += piece
        taken = (time.perf_counter() - started) * 1000
        head, _, body = bytes(answer).partition(_END)
        if int(head.split(b" ", 2)[1]) != call.status:
            raise RuntimeError(f"{call.path} answered {head[:40]!r}: {body[:300]!r}")
        return taken, body


def _whole(answer: bytearray) -> bool:
    """Whether an answer with a length, or in chunks, is complete; chunks are not decoded (RFC 9112, 6)."""
    end = answer.find(_END)
    if end < 0:
        return False
    length = _LENGTH.search(answer, 0, end)
    return len(answer) >= end + len(_END) + int(length[1]) if length else answer.endswith(b"\r\n0" + _END)


@dataclass(frozen=True)
class Spread:
    """Percentiles in milliseconds."""

    p50: float
    p99: float


def spread(values: list[float]) -> Spread:
    ordered = sorted(values)
    return Spread(statistics.median(ordered), ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))])


def times(port: int, call: Call, *, number: int, warm: int = 5, pause: float = 0.0) -> list[float]:
    """The milliseconds of `number` requests by one client, one after the other with `pause` seconds between them."""
    client = Client(port)
    found = []
    for _ in range(number + warm):
        time.sleep(pause)
        found.append(client.send(call)[0])
    return found[warm:]


def overheads(port: int, call: Call, *, number: int, warm: int = 10, pause: float = 0.0) -> tuple[list[float], float]:
    """Like `times`, for conversions: the overhead of each, and the converter's own average time, in milliseconds.

    The converter's time is taken from the service's metrics, as `durationMs` is in whole milliseconds.
    """
    times(port, call, number=1, warm=warm)
    seconds, jobs = _converted(port)
    taken = times(port, call, number=number, warm=0, pause=pause)
    more, all_jobs = _converted(port)
    own = (more - seconds) / (all_jobs - jobs) * 1000
    return [each - own for each in taken], own


def _converted(port: int) -> tuple[float, float]:
    """The total seconds of converters so far, and the number of their jobs."""
    _, body = Client(port).send(Call("GET", "/metrics"))
    found = {"sum": 0.0, "count": 0.0}
    for name, value in re.findall(r"^fileconv_conversion_seconds_(sum|count)\{.*\} (.*)$", body.decode(), re.MULTILINE):
        found[name] += float(value)
    return found["sum"], found["count"]


def throughput(port: int, *calls: Call, clients: int, seconds: float) -> float:
    """Requests per second of several clients that each send one after the other on their own connection.

    If there are several calls, clients use them in turn.
    """
    ends = time.perf_counter() + seconds
    counts, errors = [0] * clients, []

    def work(number: int) -> None:
        client = Client(port)
        try:
            while time.perf_counter() < ends:
                client.send(calls[number % len(calls)])
                counts[number] += 1
        except (RuntimeError, OSError) as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(clients)]
    started = time.perf_counter()
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    if errors:
        raise RuntimeError(str(errors[0]))
    return sum(counts) / (time.perf_counter() - started)
