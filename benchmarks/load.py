"""Requests over HTTP, one after the other or from several clients at once, with the time of each."""

from __future__ import annotations

import re
import statistics
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection


@dataclass(frozen=True)
class Call:
    """One request that can be sent again and again, and the status that it must be answered with."""

    method: str
    path: str
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int = 200


def upload(path: str, name: str, content: bytes, key: str) -> Call:
    head = f'--b\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
    headers = {"Content-Type": "multipart/form-data; boundary=b", "Authorization": f"Bearer {key}"}
    return Call("POST", path, head + content + b"\r\n--b--\r\n", headers, 201)


class Client:
    """One client with one connection that stays open."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=120)

    def send(self, call: Call) -> tuple[float, bytes]:
        """Return the milliseconds until the whole answer was there, and its body; raises RuntimeError."""
        started = time.perf_counter()
        self._connection.request(call.method, call.path, call.body, dict(call.headers))
        answer = self._connection.getresponse()
        body = answer.read()
        taken = (time.perf_counter() - started) * 1000
        if answer.status != call.status:
            raise RuntimeError(f"{call.path} answered {answer.status}: {body[:300]!r}")
        return taken, body


@dataclass(frozen=True)
class Spread:
    """Milliseconds."""

    p50: float
    p99: float


def spread(values: list[float]) -> Spread:
    ordered = sorted(values)
    return Spread(statistics.median(ordered), ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))])


def times(port: int, call: Call, *, number: int, warm: int = 5, pause: float = 0.0) -> list[float]:
    """The milliseconds of `number` requests of one client, one after the other with a pause of `pause` s between."""
    client = Client(port)
    found = []
    for _ in range(number + warm):
        time.sleep(pause)
        found.append(client.send(call)[0])
    return found[warm:]


def overheads(port: int, call: Call, *, number: int, warm: int = 10, pause: float = 0.0) -> tuple[list[float], float]:
    """As `times` for conversions: what each took beside the converter's own time, and that time in the middle, in ms.

    The converter's time is what the service's metrics say, as `durationMs` is in whole milliseconds.
    """
    times(port, call, number=1, warm=warm)
    seconds, jobs = _converted(port)
    taken = times(port, call, number=number, warm=0, pause=pause)
    more, all_jobs = _converted(port)
    own = (more - seconds) / (all_jobs - jobs) * 1000
    return [each - own for each in taken], own


def _converted(port: int) -> tuple[float, float]:
    """The seconds that converters have worked so far, and the number of their jobs."""
    _, body = Client(port).send(Call("GET", "/metrics"))
    found = {"sum": 0.0, "count": 0.0}
    for name, value in re.findall(r"^fileconv_conversion_seconds_(sum|count)\{.*\} (.*)$", body.decode(), re.MULTILINE):
        found[name] += float(value)
    return found["sum"], found["count"]


def throughput(port: int, call: Call, *, clients: int, seconds: float) -> float:
    """Requests a second of several clients that send one after the other, each on a connection of its own."""
    ends = time.perf_counter() + seconds
    counts, errors = [0] * clients, []

    def work(number: int) -> None:
        client = Client(port)
        try:
            while time.perf_counter() < ends:
                client.send(call)
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
