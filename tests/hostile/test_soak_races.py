"""The races at their full numbers: tokens, credits, idempotency keys and rates."""

from __future__ import annotations

import functools
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from accounts.credits import ledger
from accounts.login import tokens
from conversions.models import Conversion
from tests.conftest import make_user
from tests.hostile.figures import Report, scaled
from tests.hostile.test_soak import rich
from tests.server.conftest import Server, start_server
from tests.server.test_races import balanced, convert, together

pytestmark = pytest.mark.soak

RATE = 100


def test_refresh_tokens_have_one_winner(server: Server, report: Report) -> None:
    with report.part("refresh") as part:
        user, winners = make_user(), Counter[int]()
        for _ in range(scaled(100)):
            answers = together(
                16, functools.partial(_refresh, server.url, {"refreshToken": tokens.issue(user).refresh})
            )
            winners[sum(each.status_code == 200 for each in answers)] += 1
        part.say(f"{winners.total()} rounds, by winners: {dict(winners)}", held=set(winners) == {1})
        assert set(winners) == {1}


def _refresh(url: str, body: dict[str, str], number: int) -> httpx.Response:
    return httpx.post(f"{url}/api/v1/auth/refresh", json=body, timeout=60)


def test_credits_are_never_overdrawn(server: Server, report: Report) -> None:
    with report.part("credits") as part:
        charged, true = Counter[int](), True
        for _ in range(scaled(20)):
            user, headers = rich()
            ledger.charge(user, user.credits - 50, reference=Conversion().id, reason="earlier")
            with ThreadPoolExecutor(32) as pool:
                counted = Counter(pool.map(lambda _, headers=headers: convert(server, headers).status_code, range(200)))
            charged[counted[201]] += 1
            true = true and counted[201] + counted[402] == 200 and balanced(user)
        part.say(
            f"{charged.total()} rounds, by what was charged: {dict(charged)}; balance = ledger: {true}",
            held=set(charged) == {50} and true,
        )
        assert set(charged) == {50}
        assert true


def test_one_idempotency_key_is_one_run(server: Server, report: Report) -> None:
    with report.part("idempotency") as part:
        _, headers = rich()
        together(50, lambda _: convert(server, headers, extra={"Idempotency-Key": "once"}))
        runs = Conversion.objects.count()
        part.say(f"{runs} run", held=runs == 1)
        assert runs == 1


def test_the_rate_is_exact_over_four_processes(transactional_db: None, report: Report) -> None:
    with report.part("rate") as part:
        server = start_server(workers=4)
        try:
            # A minute that ends in between begins a new count: then the round tells nothing.
            for _ in range(4):
                _, headers = rich(requests_per_minute=RATE)
                started = time.monotonic()
                left = int(convert(server, headers).headers["RateLimit-Reset"])
                with ThreadPoolExecutor(32) as pool:
                    answers = list(pool.map(lambda _, headers=headers: convert(server, headers), range(3 * RATE - 1)))
                if time.monotonic() - started < left - 1:
                    break
        finally:
            server.stop()
        passed = 1 + sum(each.status_code == 201 for each in answers)
        refused = [each for each in answers if each.status_code == 429]
        every_one_waits = all(int(each.headers["Retry-After"]) >= 1 for each in refused)
        part.say(
            f"{passed} passed, {len(refused)} x 429, each with Retry-After: {every_one_waits}",
            held=passed == RATE and every_one_waits,
        )
        assert passed == RATE
        assert len(refused) == 2 * RATE
        assert every_one_waits
