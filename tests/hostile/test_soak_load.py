"""The service under slow clients, under a crowd for minutes, and under somebody who tries passwords."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import socket
import statistics
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx
import pytest

from accounts.models import Plan
from tests.conftest import make_user, with_key
from tests.conversions.samples import INVOICE, PEOPLE, PNG
from tests.hostile.figures import Report, scaled
from tests.hostile.processes import lasting, p
from tests.hostile.test_soak import rich
from tests.server.conftest import Server

pytestmark = [pytest.mark.soak, pytest.mark.alone]

ATTACKER = "127.0.0.2"
SLOW = 200
SLOW_SECONDS = 60
SLOW_GOAL = 1.0
CROWD = 16
WARM_SECONDS = 60
CROWD_SECONDS = 300
DRIFT_GOAL = 5.0
LOGINS = 100
LOGIN_SECONDS = 12
ADDRESSES = 250
LOGIN_ROUNDS = 3

GUESTS = 8
JOBS_EACH = 2
GUEST_SECONDS = 60
GUEST_GOALS = {"/healthz": 0.05, "/login": 0.3, "json-to-csv": 1.0, "html-to-pdf": 1.0}
FOR_A_MINUTE = {
    "json-to-yaml": b"[" + b",".join([b'{"id": 1, "name": "Ada Lovelace"}'] * 140_000) + b"]",
    "markdown-to-docx": b"A *word* and [a link](https://example.org).\n\n" * 100_000,
}
"""Ordinary files of less than 5 MB that take long, of two families."""

UPLOADS = {
    "json-to-csv": PEOPLE,
    "html-to-pdf": INVOICE,
    "png-to-jpg": PNG,
    "json-to-xlsx": PEOPLE,
    "json-to-yaml": PEOPLE,
}


def upload(client: httpx.Client, url: str, slug: str, headers: dict[str, str]) -> httpx.Response:
    file = (f"a.{slug.partition('-')[0]}", UPLOADS[slug])
    return client.post(f"{url}/api/v1/converter/{slug}", files={"file": file}, headers=headers, timeout=120)


@contextlib.contextmanager
def slow_connections(url: str, number: int) -> Iterator[None]:
    """Keep connections of one address open that send nothing or a byte now and then, or take nothing; for ever."""
    address = urlsplit(url)
    head = b"POST /api/v1/converter/json-to-csv HTTP/1.1\r\nHost: localhost\r\n"
    form = b"Content-Type: multipart/form-data; boundary=b\r\n"
    firsts = itertools.cycle(
        [
            b"",
            b"GET / HTTP/1.1\r\nX-",
            head + form + b"Content-Length: 4000000\r\n\r\n--b",
            head + form + b"Content-Length: 900\r\n\r\n--b",
            head + form + b"Transfer-Encoding: chunked\r\n\r\n5\r\n",
            b"GET /api/v1/converter/formats HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ]
    )
    held: list[tuple[socket.socket, bool]] = []
    stop = threading.Event()

    def opened() -> tuple[socket.socket, bool]:
        first = next(firsts)
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.settimeout(5)
        sock.bind((ATTACKER, 0))
        sock.connect((address.hostname, address.port))
        sock.sendall(first)
        sock.settimeout(0)
        return sock, bool(first) and not first.startswith(b"GET /api")

    def drip() -> None:
        while not stop.wait(0.5):
            for number, (sock, sends) in enumerate(held):
                try:
                    if sends:
                        sock.send(b"a")
                    elif not sock.recv(1, socket.MSG_PEEK):
                        raise ConnectionResetError
                except BlockingIOError:
                    continue
                except OSError:
                    sock.close()
                    with contextlib.suppress(OSError):
                        held[number] = opened()

    held.extend(opened() for _ in range(number))
    thread = threading.Thread(target=drip)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        for sock, _ in held:
            sock.close()


def test_others_are_served_while_200_are_slow(server: Server, report: Report) -> None:
    with report.part("slow clients") as part, httpx.Client() as client:
        _, headers = rich()
        for slug in UPLOADS:
            assert upload(client, server.url, slug, headers).status_code == 201
        seconds, statuses = [], Counter[int]()
        with slow_connections(server.url, SLOW):
            ends = time.monotonic() + scaled(SLOW_SECONDS, least=5)
            while time.monotonic() < ends:
                for slug in ("json-to-csv", "png-to-jpg", "html-to-pdf", ""):
                    started = time.perf_counter()
                    if slug:
                        answer = upload(client, server.url, slug, headers)
                    else:
                        answer = client.get(f"{server.url}/api/v1/account", headers=headers, timeout=120)
                    seconds.append(time.perf_counter() - started)
                    statuses[answer.status_code] += 1
        worst = p(99, seconds)
        part.say(
            f"{len(seconds)} requests of another address: p50 {p(50, seconds) * 1000:.0f} ms, "
            f"p99 {worst * 1000:.0f} ms; statuses {dict(statuses)}",
            held=worst < SLOW_GOAL and set(statuses) <= {200, 201},
        )
        assert set(statuses) <= {200, 201}


@dataclass
class Crowd:
    """What 16 clients saw; `untrue` counts answers 429 that don't say when to come back."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    untrue: int = 0
    broken: list[str] = field(default_factory=list)

    def note(self, answer: httpx.Response, seconds: float) -> None:
        self.statuses[answer.status_code] += 1
        self.seconds.append(seconds)
        if answer.status_code == 429 and int(answer.headers.get("Retry-After", 0)) < 1:
            self.untrue += 1
        if answer.status_code >= 500:
            self.broken.append(answer.text[:300])


def test_a_crowd_for_minutes_breaks_nothing_and_leaks_nothing(own_server: Server, report: Report) -> None:
    with report.part("crowd") as part:
        Plan.objects.filter(code="guest").update(credits=1_000_000)
        many, few = rich()[1], with_key(make_user("starter")).headers
        crowd, stop = Crowd(), threading.Event()

        def one(number: int) -> None:
            # A quarter of the clients are guests, and a quarter a small plan: these come too often, and are told so.
            headers = ({}, few, many, many)[number % 4]
            with httpx.Client(transport=httpx.HTTPTransport(local_address=f"127.0.0.{number + 10}")) as client:
                for slug in itertools.cycle(UPLOADS):
                    if stop.is_set():
                        return
                    started = time.perf_counter()
                    answer = upload(client, own_server.url, slug, headers)
                    crowd.note(answer, time.perf_counter() - started)
                    if answer.status_code == 201:
                        place = answer.json()["data"]["downloadUrl"]
                        crowd.note(client.get(own_server.url + place, headers=headers, timeout=120), 0.0)
                    else:
                        stop.wait(0.2)

        with ThreadPoolExecutor(CROWD) as pool:
            running = [pool.submit(one, number) for number in range(CROWD)]
            try:
                stop.wait(scaled(WARM_SECONDS, least=5))
                first, last = _memory(own_server, scaled(CROWD_SECONDS, least=20))
            finally:
                stop.set()
            for each in running:
                each.result()
        drift = (last / first - 1) * 100
        part.say(
            f"{crowd.statuses.total()} answers: {dict(sorted(crowd.statuses.items()))}, "
            f"p50 {p(50, crowd.seconds) * 1000:.0f} ms, p99 {p(99, crowd.seconds) * 1000:.0f} ms; "
            f"{len(crowd.broken)} 5xx, {crowd.untrue} x 429 without Retry-After; memory of master, workers and "
            f"zygotes but mapped files {first:.0f} MB in the first fifth, {last:.0f} MB in the last: {drift:+.1f} %",
            held=not crowd.broken and not crowd.untrue and crowd.statuses[429] > 0 and drift < DRIFT_GOAL,
        )
        assert not crowd.broken, crowd.broken[:5]
        assert not crowd.untrue
        assert crowd.statuses[429]


def _memory(server: Server, seconds: int) -> tuple[float, float]:
    """The median memory of a server in the first and the last fifth of the time, in MB."""
    samples, ends = [], time.monotonic() + seconds
    while time.monotonic() < ends:
        samples.append(lasting(server.process.pid))
        time.sleep(1)
    fifth = max(1, len(samples) // 5)
    return statistics.median(samples[:fifth]), statistics.median(samples[-fifth:])


def test_others_are_served_while_eight_guests_are_hostile(server: Server, report: Report) -> None:
    with report.part("hostile guests") as part, httpx.Client(timeout=120) as client:
        Plan.objects.filter(code="guest").update(credits=1_000_000)
        _, headers = rich()
        for slug in UPLOADS:
            assert upload(client, server.url, slug, headers).status_code == 201
        seconds: dict[str, list[float]] = {each: [] for each in GUEST_GOALS}
        statuses = Counter[int]()
        with hostile_guests(server.url) as theirs:
            ends = time.monotonic() + scaled(GUEST_SECONDS, least=10)
            for what in itertools.cycle(GUEST_GOALS):
                if time.monotonic() > ends:
                    break
                started = time.perf_counter()
                if what.startswith("/"):
                    answer = client.get(f"{server.url}{what}")
                else:
                    answer = upload(client, server.url, what, headers)
                seconds[what].append(time.perf_counter() - started)
                statuses[answer.status_code] += 1
                time.sleep(0.02)
        worst = {what: p(99, found) for what, found in seconds.items()}
        part.say(
            ", ".join(
                f"{what} p50 {p(50, seconds[what]) * 1000:.0f} ms, p99 {worst[what] * 1000:.0f} ms" for what in worst
            )
            + f"; statuses {dict(statuses)}; of the hostile {dict(sorted(theirs.items()))}",
            held=all(worst[what] <= goal for what, goal in GUEST_GOALS.items()) and set(statuses) <= {200, 201},
        )
        assert set(statuses) <= {200, 201}
        assert set(theirs) <= {201, 422, 429, 503}


@contextlib.contextmanager
def hostile_guests(url: str) -> Iterator[Counter[int]]:
    """Keep conversions under way that take as long as they may, for guests at addresses of their own."""
    stop, statuses = threading.Event(), Counter[int]()

    def one(number: int) -> None:
        transport = httpx.HTTPTransport(local_address=f"127.0.0.{20 + number // JOBS_EACH}")
        slug = list(FOR_A_MINUTE)[number % len(FOR_A_MINUTE)]
        file = (f"a.{slug.partition('-')[0]}", FOR_A_MINUTE[slug])
        with httpx.Client(transport=transport, timeout=120) as client:
            while not stop.is_set():
                answer = client.post(f"{url}/api/v1/converter/{slug}", files={"file": file})
                statuses[answer.status_code] += 1
                if answer.status_code in (429, 503):
                    stop.wait(1)

    with ThreadPoolExecutor(GUESTS * JOBS_EACH) as pool:
        for number in range(GUESTS * JOBS_EACH):
            pool.submit(one, number)
        try:
            stop.wait(5)  # until all of them are at work
            yield statuses
        finally:
            stop.set()


def test_bad_logins_do_not_slow_conversions_down(server: Server, report: Report) -> None:
    with report.part("bad logins") as part, httpx.Client() as client:
        _, headers = rich()
        make_user("free", "victim@example.org")
        for _ in range(20):
            upload(client, server.url, "json-to-csv", headers)
        quiet: list[float] = []
        attacked: list[float] = []
        statuses = Counter[int]()
        for number in range(LOGIN_ROUNDS):
            quiet += _conversions(client, server.url, headers)
            with _bad_logins(server.url, number, statuses):
                attacked += _conversions(client, server.url, headers)
        ratio = p(95, attacked) / p(95, quiet)
        part.say(
            f"{statuses.total()} bad logins by as many emails and {ADDRESSES} addresses: "
            f"{dict(sorted(statuses.items()))}; "
            f"conversions' p95 {p(95, quiet) * 1000:.0f} ms without them, {p(95, attacked) * 1000:.0f} ms with them: "
            f"x{ratio:.2f}",
            held=ratio < 2 and max(statuses) < 500,
        )
        assert set(statuses) <= {401, 429}


def _conversions(client: httpx.Client, url: str, headers: dict[str, str]) -> list[float]:
    found, ends = [], time.monotonic() + scaled(LOGIN_SECONDS, least=4)
    while time.monotonic() < ends:
        started = time.perf_counter()
        assert upload(client, url, "json-to-csv", headers).status_code == 201
        found.append(time.perf_counter() - started)
        time.sleep(0.02)
    return found


@contextlib.contextmanager
def _bad_logins(url: str, number: int, statuses: Counter[int]) -> Iterator[None]:
    """100 logins a second with wrong passwords, whether or not the ones before have been answered."""
    stop, address = threading.Event(), urlsplit(url)
    assert address.hostname is not None

    def login(count: int) -> None:
        if stop.is_set():
            return
        body = json.dumps({"email": f"{number}-{count}@example.org", "password": "wrong password"})
        source = (f"127.0.1.{count % ADDRESSES + 1}", 0)
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60, source_address=source)
        with contextlib.closing(connection), contextlib.suppress(OSError, http.client.HTTPException):
            connection.request("POST", "/api/v1/auth/login", body, {"Content-Type": "application/json"})
            statuses[connection.getresponse().status] += 1

    def send(pool: ThreadPoolExecutor) -> None:
        started = time.monotonic()
        for count in itertools.count():
            if stop.wait(max(0.0, started + count / LOGINS - time.monotonic())):
                return
            pool.submit(login, count)

    with ThreadPoolExecutor(64) as pool:
        sender = threading.Thread(target=send, args=(pool,))
        sender.start()
        try:
            yield
        finally:
            stop.set()
            sender.join()
