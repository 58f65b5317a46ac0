"""Bytes that are not quite HTTP, over real sockets: the API's own words or no answer, and the server goes on."""

from __future__ import annotations

import socket
import statistics
import time
from urllib.parse import urlsplit

import httpx
import pytest

from accounts.models import Plan
from tests.hostile.figures import Report, scaled
from tests.hostile.oddities import ODDITIES, declared, exchange, mutations, wrong
from tests.sandbox.conftest import eventually
from tests.server.conftest import Server

MUTATIONS = 3_000
DECLARATIONS = 200
WORKERS = 2
REFUSED_WITHIN = 0.05


def goes_on(server: Server) -> bool:
    return httpx.get(f"{server.url}/healthz", timeout=20).status_code == 200


def test_what_is_not_quite_http_is_answered_or_closed_and_the_server_goes_on(server: Server) -> None:
    Plan.objects.filter(code="guest").update(credits=10_000, requests_per_minute=1_000_000)
    problems = {}
    for each in ODDITIES:
        problem = wrong(each, exchange(server.url, each))
        if problem:
            problems[each.name] = problem
    assert not problems
    assert goes_on(server)


@pytest.mark.soak
def test_mutated_requests_do_no_harm(server: Server, report: Report) -> None:
    Plan.objects.filter(code="guest").update(credits=1_000_000, requests_per_minute=1_000_000)
    with report.part("raw HTTP") as part:
        assert eventually(lambda: len(server.workers()) == WORKERS)
        before, problems, statuses, number = server.workers(), {}, set(), scaled(MUTATIONS)
        for each in (*ODDITIES, *mutations(number, seed=1)):
            found = exchange(server.url, each)
            statuses |= {reply.status for reply in found}
            problem = wrong(each, found)
            if problem:
                problems[each.name] = (problem, each.data[:300])
        lives = goes_on(server) and server.workers() == before
        part.say(
            f"{len(ODDITIES)} oddities and {number} mutated requests: statuses {sorted(statuses)}, "
            f"{len(problems)} wrong answers, the workers {'live' if lives else 'DIED'}",
            held=not problems and lives,
        )
        assert not problems
        assert lives


@pytest.mark.soak
@pytest.mark.alone
def test_ten_gigabytes_declared_are_refused_at_once(server: Server, report: Report) -> None:
    with report.part("declared") as part:
        Plan.objects.filter(code="guest").update(requests_per_minute=1_000_000)
        seconds = []
        for _ in range(scaled(DECLARATIONS, least=20)):
            started = time.perf_counter()
            assert first_status(server.url) == 413
            seconds.append(time.perf_counter() - started)
            time.sleep(0.01)
        median, worst = statistics.median(seconds), sorted(seconds)[int(len(seconds) * 0.99)]
        part.say(
            f"{len(seconds)} times 413; median {median * 1000:.1f} ms, p99 {worst * 1000:.1f} ms",
            held=worst < REFUSED_WITHIN,
        )


def first_status(url: str) -> int:
    """The status of the first answer to 10 GB that are only declared."""
    address = urlsplit(url)
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        connection.sendall(declared())
        return int(connection.recv(1 << 16).split(b" ", 2)[1])
