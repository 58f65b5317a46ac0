"""Lanes: what others do is no reason to wait, for anything but a conversion, and for that not for long."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from accounts.models import LimitOverride, Plan
from tests.conftest import Person, make_user, with_key
from tests.conversions.samples import PEOPLE, PEOPLE_CSV
from tests.sandbox.conftest import sandbox_of
from tests.server.conftest import Server, start_server, wait_for
from tests.server.few_places import SANDBOX_LIMITS

SLOW = b"name\n" + b"Ada\n" * 4_000_000
"""Minutes of work as VCF: a child that is let go on in the midst of it does not end it while a test looks."""
SLOWLY = "/api/v1/converter/csv-to-vcf"
LONG = b"[" + b",".join([b'{"id": 1, "name": "Ada"}'] * 4_000) + b"]"
"""Little work, but more than is expected to be short."""
PLACES = int(SANDBOX_LIMITS["text"]["jobs"])
IN_LINE = 12
"""More than two workers have threads for pages."""
PATIENCE = 900.0
"""Seconds after which a test gives up; as long as a job may wait in line there."""
CONVERT = "/api/v1/converter/json-to-csv"


@dataclass
class Crowded:
    """A server of two workers whose ordinary places for texts are occupied by `children` that stand still, and more
    conversions wait in line, all of them one account's."""

    server: Server
    pool: ThreadPoolExecutor
    children: list[int] = field(default_factory=list)
    in_line: list[Future[httpx.Response]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def convert(self, headers: dict[str, str], content: bytes, path: str = CONVERT) -> Future[httpx.Response]:
        return self.pool.submit(convert, f"{self.server.url}{path}", headers, content)

    def jobs(self) -> int:
        """How many are at work or in line."""
        text = httpx.get(f"{self.server.url}/metrics", timeout=PATIENCE).text
        found = re.search(r'fileconv_sandbox_jobs\{family="text"\} (\d+)', text)
        return int(found[1]) if found else 0

    def hold(self) -> bool:
        """Have those children stand still that have a slow file; return whether these occupy all places."""
        for each in sandbox_of(self.server.process.pid)[1:]:
            if each not in self.children and has_slow_file(each) and stop(each):
                self.children.append(each)
        return len(self.children) == PLACES

    def hold_on(self) -> None:
        """Stop them again and again: the sandbox stops a child to weigh its files, and then lets it go on, whoever else
        has stopped it meanwhile."""
        while not self.over.wait(0.02):
            for each in list(self.children):
                stop(each)

    def release(self, number: int) -> None:
        """End some of those that stand still."""
        for _ in range(min(number, len(self.children))):
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.children.pop(0), signal.SIGKILL)


def convert(url: str, headers: dict[str, str], content: bytes) -> httpx.Response:
    name = "a.csv" if content is SLOW else "a.json"
    return httpx.post(url, files={"file": (name, content)}, headers=headers, timeout=PATIENCE)


def has_slow_file(pid: int) -> bool:
    """Whether a process is a child at work on a slow file: it has the whole of it in its folder, where it works."""
    try:
        return os.stat(f"/proc/{pid}/cwd/input.csv").st_size == len(SLOW)
    except OSError:
        return False


def stop(pid: int) -> bool:
    """Whether a process is there to be stopped."""
    try:
        os.kill(pid, signal.SIGSTOP)
    except ProcessLookupError:
        return False
    return True


def account() -> Person:
    user = make_user("pro")
    LimitOverride.objects.create(user=user, concurrent_jobs=100, requests_per_minute=10_000)
    return with_key(user)


@pytest.fixture
def crowded(transactional_db: None, request: Any) -> Iterator[Crowded]:
    """Those in line were sent to the path that a test names, or to the usual one."""
    server = start_server(DJANGO_SETTINGS_MODULE="tests.server.few_places")
    holder = account()
    try:
        with ThreadPoolExecutor(PLACES + IN_LINE + 8) as pool:
            found = Crowded(server, pool)
            # What a sandbox tries as it starts is not to be taken for a job.
            assert found.convert(holder.headers, PEOPLE).result().status_code == 201
            for _ in range(PLACES):
                found.convert(holder.headers, SLOW, SLOWLY)
            try:
                found.pool.submit(found.hold_on)
                assert wait_for(found.hold, seconds=PATIENCE)
                path = getattr(request, "param", CONVERT)
                found.in_line += [found.convert(holder.headers, LONG, path) for _ in range(IN_LINE)]
                assert wait_for(lambda: found.jobs() == PLACES + IN_LINE, seconds=PATIENCE)
                yield found
            finally:
                found.over.set()
                found.release(PLACES)
    finally:
        server.stop()


@pytest.mark.parametrize(
    "crowded", [CONVERT, f"{CONVERT}/", "/api/v1/%63onverter/json-to-csv"], indirect=True, ids=["plain", "slash", "%"]
)
def test_blocked_conversions_delay_nothing_but_conversions(crowded: Crowded) -> None:
    with httpx.Client(base_url=crowded.server.url, timeout=PATIENCE) as client:
        made = client.post(CONVERT, files={"file": ("a.json", PEOPLE)})
        assert made.status_code == 201
        assert client.get(made.json()["data"]["downloadUrl"]).content == PEOPLE_CSV
        for path in ("/healthz", "/readyz", "/metrics", "/", "/login", "/api/v1/converter/formats"):
            assert [client.get(path).status_code for _ in range(8)] == [200] * 8, path
        login = client.post("/api/v1/auth/login", json={"email": "nobody@example.org", "password": "wrong password"})
        assert login.status_code == 401
    assert not any(each.done() for each in crowded.in_line)
    crowded.release(PLACES)
    assert {each.result().status_code for each in crowded.in_line} == {201}


def test_each_guest_of_a_block_has_a_place_for_a_short_job(crowded: Crowded) -> None:
    Plan.objects.filter(code="guest").update(credits=100)
    for number in range(20, 24):
        transport = httpx.HTTPTransport(local_address=f"127.0.0.{number}")
        with httpx.Client(base_url=crowded.server.url, transport=transport, timeout=PATIENCE) as client:
            made = client.post(CONVERT, files={"file": ("a.json", PEOPLE)})
            assert made.status_code == 201


def test_the_payer_who_has_had_least_is_next_whichever_process_took_the_request(crowded: Crowded) -> None:
    modest = [crowded.convert(account().headers, LONG) for _ in range(2)]
    assert wait_for(lambda: crowded.jobs() == PLACES + IN_LINE + len(modest), seconds=PATIENCE)
    crowded.release(1)
    answers = [each.result().json()["data"]["createdAt"] for each in (*modest, *crowded.in_line)]
    assert max(answers[: len(modest)]) < sorted(answers[len(modest) :])[2]  # two workers store side by side
