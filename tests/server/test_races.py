"""Rules that must hold however many ask at once: real requests to several workers, on a real database."""

from __future__ import annotations

import functools
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import httpx
import pytest
from django.core.files.storage import default_storage
from django.db import connection
from django.db.models import Sum
from django.utils import timezone

from accounts.credits import ledger
from accounts.login import tokens
from accounts.models import CreditEntry, GuestDay, LimitOverride, Login, Plan, SpentToken, User
from apikeys.models import ApiKey
from conversions.models import Conversion, Usage
from conversions.work.account_deletion import delete_account
from storage.keys import path_of
from storage.models import StoredFile
from tests.conftest import make_user, stored_bytes, with_key, with_token
from tests.conversions.samples import INVOICE, PEOPLE
from tests.server.conftest import Server, start_server, wait_for

CONVERT = "/api/v1/converter/json-to-csv"


def together(count: int, call: Callable[[int], Any]) -> list[Any]:
    """Call `count` times at the same moment, each in a thread of its own."""
    barrier = threading.Barrier(count)

    def one(number: int) -> Any:
        barrier.wait()
        return call(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


def convert(server: Server, headers: dict[str, str], **more: Any) -> httpx.Response:
    return httpx.post(
        server.url + CONVERT,
        files={"file": ("a.json", PEOPLE)},
        headers={**headers, **more.pop("extra", {})},
        timeout=60,
    )


def balanced(user: User) -> bool:
    """Whether the account's balance is the sum of its ledger entries."""
    total = CreditEntry.objects.filter(user=user).aggregate(total=Sum("amount"))["total"]
    return bool(User.objects.get(pk=user.pk).credits == total >= 0)


def test_eight_parallel_refreshes_of_one_token_give_one_pair(server: Server) -> None:
    user = make_user()
    for _ in range(3):
        body = {"refreshToken": tokens.issue(user).refresh}
        post = functools.partial(httpx.post, f"{server.url}/api/v1/auth/refresh", json=body, timeout=60)
        answers = together(8, functools.partial(_ignoring_its_number, post))
        assert Counter(each.status_code for each in answers) == {200: 1, 401: 7}


def test_retries_after_a_refresh_do_not_end_the_login(server: Server) -> None:
    """Two tabs of one browser: both answers are late, and whoever won goes on."""
    user = make_user()
    first = tokens.issue(user).refresh

    def refresh(text: str) -> httpx.Response:
        return httpx.post(f"{server.url}/api/v1/auth/refresh", json={"refreshToken": text}, timeout=60)

    for _ in range(3):
        answers = together(6, lambda _, text=first: refresh(text))  # type: ignore[misc]
        answers += together(6, lambda _, text=first: refresh(text))  # type: ignore[misc]
        assert Counter(each.status_code for each in answers) == {200: 1, 401: 11}
        winner = next(each for each in answers if each.status_code == 200).json()["data"]
        headers = {"Authorization": f"Bearer {winner['accessToken']}"}
        assert httpx.get(f"{server.url}/api/v1/account", headers=headers, timeout=60).status_code == 200
        first = winner["refreshToken"]


def test_a_reuse_after_the_retry_window_ends_the_login(server: Server) -> None:
    user = make_user()
    stolen = tokens.issue(user)
    winner = tokens.rotate(stolen.refresh)
    SpentToken.objects.update(used_at=timezone.now() - timedelta(seconds=11))
    url = f"{server.url}/api/v1/auth/refresh"
    answers = together(6, lambda _: httpx.post(url, json={"refreshToken": stolen.refresh}, timeout=60))
    assert Counter(each.status_code for each in answers) == {401: 6}
    assert httpx.post(url, json={"refreshToken": winner.refresh}, timeout=60).status_code == 401
    assert Login.objects.filter(user=user, revoked_at=None).count() == 0


def _ignoring_its_number(call: Callable[[], Any], number: int) -> Any:
    return call()


def test_ten_parallel_creations_never_pass_the_allowance_of_keys(server: Server) -> None:
    user = make_user("starter")
    headers = with_token(user).headers
    answers = together(
        10,
        lambda number: httpx.post(
            f"{server.url}/api/v1/integrations/api-keys", json={"name": str(number)}, headers=headers, timeout=60
        ),
    )
    assert Counter(each.status_code for each in answers) == {201: 3, 403: 7}
    assert ApiKey.objects.active().count() == 3


def test_twenty_parallel_conversions_on_five_credits_give_five_files(server: Server) -> None:
    user = make_user("pro")
    LimitOverride.objects.create(user=user, concurrent_jobs=100)
    ledger.charge(user, user.credits - 5, reference=Conversion().id, reason="earlier")
    headers = with_key(user).headers
    answers = together(20, lambda _: convert(server, headers))
    assert Counter(each.status_code for each in answers) == {201: 5, 402: 15}
    assert StoredFile.objects.count() == Conversion.objects.filter(status="completed").count() == 5
    folders = default_storage.listdir("")[0]
    assert sum(len(default_storage.listdir(each)[1]) for each in folders) == 5
    assert balanced(user)
    assert User.objects.get(pk=user.pk).credits == 0


def test_parallel_guests_never_pass_the_quota(server: Server) -> None:
    Plan.objects.filter(code="guest").update(credits=3, concurrent_jobs=100)
    answers = together(12, lambda _: convert(server, {}))
    assert Counter(each.status_code for each in answers) == {201: 3, 403: 9}
    assert GuestDay.objects.get().used == StoredFile.objects.count() == 3


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has no pool of connections")
def test_guests_who_wait_for_a_connection_keep_nobody_waiting_who_has_one(transactional_db: None) -> None:
    """Three connections for sixteen threads: each guest's plan is read while others are in the midst of their work."""
    Plan.objects.filter(code="guest").update(credits=1000, concurrent_jobs=100, requests_per_minute=1000)
    server = start_server(workers=1, threads=1)
    try:
        convert(server, {})
        for _ in range(5):
            answers = together(16, lambda _: convert(server, {}))
            assert Counter(each.status_code for each in answers) == {201: 16}
    finally:
        server.stop()


def test_the_rate_is_exact_over_all_workers(server: Server) -> None:
    while True:
        user = make_user("pro")
        LimitOverride.objects.create(user=user, requests_per_minute=15, concurrent_jobs=100)
        headers = with_key(user).headers
        answers = together(24, lambda _, headers=headers: convert(server, headers))
        left = [int(each.headers["RateLimit-Reset"]) for each in answers]
        if max(left) - min(left) < 30:
            break
        # A minute has ended in between, and a second one counts the rest: somebody else's ends at another time.
    assert Counter(each.status_code for each in answers) == {201: 15, 429: 9}


def test_jobs_at_once_are_never_more_than_the_plan_allows(server: Server) -> None:
    user = make_user("pro")
    LimitOverride.objects.create(user=user, concurrent_jobs=2)
    headers = with_key(user).headers
    page = INVOICE.replace(b"</body>", b"<p>Some words to lay out.</p>" * 300 + b"</body>")

    def one(_: int) -> httpx.Response:
        url = f"{server.url}/api/v1/converter/html-to-pdf"
        return httpx.post(url, files={"file": ("a.html", page)}, headers=headers, timeout=60)

    peak: list[int] = []
    done = threading.Event()

    def watch() -> None:
        while not done.is_set():
            answer = httpx.get(f"{server.url}/api/v1/account", headers=headers, timeout=60)
            peak.append(answer.json()["data"]["usage"]["jobs"]["running"])

    watcher = threading.Thread(target=watch)
    watcher.start()
    answers = together(6, one)
    done.set()
    watcher.join()
    counted = Counter(each.status_code for each in answers)
    assert counted[201] >= 2
    assert counted[201] + counted[429] == 6
    assert max(peak) <= 2
    assert all(int(each.headers["Retry-After"]) >= 1 for each in answers if each.status_code == 429)


def test_one_idempotency_key_many_times_at_once_is_one_conversion(server: Server) -> None:
    user = make_user("pro")
    LimitOverride.objects.create(user=user, concurrent_jobs=100)
    headers = with_key(user).headers
    answers = together(12, lambda _: convert(server, headers, extra={"Idempotency-Key": "once"}))
    assert set(Counter(each.status_code for each in answers)) <= {201, 429}
    assert Conversion.objects.count() == CreditEntry.objects.filter(kind="conversion").count() == 1


def test_the_first_use_in_a_month_tops_up_once(server: Server) -> None:
    user = make_user("free")
    headers = with_token(user).headers
    User.objects.update(period="2020-01-01")
    together(8, lambda _: httpx.get(f"{server.url}/api/v1/account", headers=headers, timeout=60))
    assert balanced(user)
    assert User.objects.get(pk=user.pk).credits == 100


@pytest.mark.parametrize("content", [PEOPLE, b'[{"id": 1,,}]'], ids=["that works", "that fails"])
def test_a_job_whose_account_is_closed_while_it_runs_leaves_nothing(server: Server, content: bytes) -> None:
    """The account is closed in this process at any moment of the jobs' lives, before their last step or after it."""
    seen: Counter[int] = Counter()
    for number in range(8):
        user = make_user("pro")
        LimitOverride.objects.create(user=user, concurrent_jobs=100)
        headers = with_key(user).headers
        answered = threading.Event()

        def work(_: int, headers: dict[str, str] = headers, answered: threading.Event = answered) -> list[int]:
            statuses = []
            while 401 not in statuses:
                answer = httpx.post(
                    server.url + CONVERT, files={"file": ("private.json", content)}, headers=headers, timeout=60
                )
                statuses.append(answer.status_code)
                answered.set()
                if answer.status_code == 401:
                    assert answer.json()["code"] == "UNAUTHORIZED"
            return statuses

        with ThreadPoolExecutor(4) as pool:
            running = [pool.submit(work, each) for each in range(4)]
            answered.wait(60)
            delete_account(user)
            for each in running:
                seen.update(each.result())
        assert not StoredFile.objects.filter(owner=user).exists(), number
        assert not Conversion.objects.filter(owner=user).exclude(input_name="", error_message="").exists()
        assert balanced(user)
        recorded = Conversion.objects.filter(owner=user).count()
        assert (
            Usage.objects.filter(owner=user, span="month").aggregate(total=Sum("conversions"))["total"] == recorded > 0
        )
    assert set(seen) == {201 if content == PEOPLE else 422, 401}
    assert stored_bytes() == 0


def test_a_worker_that_is_killed_loses_nothing_and_its_slots_free_themselves(server: Server) -> None:
    user = make_user("pro")
    headers = with_key(user).headers
    stop = threading.Event()

    def work(_: int) -> None:
        while not stop.is_set():
            try:
                convert(server, headers)
            except httpx.TransportError:
                time.sleep(0.05)

    with ThreadPoolExecutor(4) as pool:
        running = [pool.submit(work, number) for number in range(4)]
        for _ in range(4):
            before = Conversion.objects.count()
            assert wait_for(lambda before=before: Conversion.objects.count() > before)
            os.kill(server.workers()[0], signal.SIGKILL)
        stop.set()
        for each in running:
            each.result()
    assert balanced(user)
    completed = Conversion.objects.filter(status="completed")
    assert completed.count() == CreditEntry.objects.filter(kind="conversion").count() == StoredFile.objects.count() > 0
    for key in completed.values_list("file_key", flat=True):
        assert default_storage.exists(path_of(key))
