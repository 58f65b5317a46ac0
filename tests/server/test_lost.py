"""Conversions whose COMMIT was not answered, or whose process was stopped or killed."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from django.db import connection
from django.utils import timezone

from accounts.credits import leases
from accounts.models import CreditEntry, LimitOverride, User
from conversions.models import Conversion, IdempotencyKey
from conversions.work import statistics
from storage import files
from storage.models import StoredFile
from tests.conftest import FOLDER, Person, make_user, stored_bytes, with_key
from tests.conversions.samples import PEOPLE, PEOPLE_CSV
from tests.sandbox.conftest import sandbox_of
from tests.server.conftest import Server, database_url, start_server, wait_for
from tests.server.test_races import balanced, convert

ONCE = {"Idempotency-Key": "order-1"}
POSTGRESQL = pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite's answer can't be lost")


class Proxy:
    """Stands before PostgreSQL and fails, once, at the COMMIT of a transaction that records a file.

    "answer lost" passes the COMMIT on, waits until it is answered, and drops both connections before the answer; "not
    delivered" drops them before the COMMIT. With `down_after` nobody is let in any more until `down` is False.
    """

    def __init__(self, target: tuple[str, int]) -> None:
        self.target = target
        self.fault: str | None = None
        self.down = self.down_after = False
        self.faults = 0
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self.down:
                    client.close()
                else:
                    threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        server = socket.create_connection(self.target)
        self._open |= {client, server}
        cut, lost = threading.Event(), threading.Event()
        threading.Thread(target=self._answers, args=(server, client, cut, lost), daemon=True).start()
        records = False
        with suppress(OSError):
            while data := client.recv(1 << 16):
                records = records or b'INSERT INTO "storage_storedfile"' in data
                if self.fault and records and b"COMMIT" in data:
                    fault, self.fault = self.fault, None
                    self.down = self.down_after
                    self.faults += 1
                    if fault == "answer lost":
                        cut.set()
                        server.sendall(data)
                        lost.wait(20)
                    break
                server.sendall(data)
        for each in list(self._open) if self.down else (client, server):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._open -= {client, server}
        client.close()
        server.close()

    def _answers(
        self, server: socket.socket, client: socket.socket, cut: threading.Event, lost: threading.Event
    ) -> None:
        with suppress(OSError):
            while data := server.recv(1 << 16):
                if cut.is_set():
                    lost.set()
                else:
                    client.sendall(data)
        with suppress(OSError):
            client.shutdown(socket.SHUT_RDWR)


@pytest.fixture(scope="module")
def _behind_a_proxy(django_db_setup: None, django_db_blocker: pytest.FixtureRequest) -> Iterator[tuple[Server, Proxy]]:
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        url = urlsplit(database_url())
        proxy = Proxy((url.hostname or "127.0.0.1", url.port or 5432))
        login = url.netloc.rpartition("@")[0]
        address = url._replace(netloc=f"{login}@127.0.0.1:{proxy.port}").geturl()
        running = start_server(workers=1, DATABASE_URL=address)
    yield running, proxy
    running.stop(signal.SIGKILL)
    proxy.close()


@pytest.fixture
def behind(_behind_a_proxy: tuple[Server, Proxy], transactional_db: None) -> Iterator[tuple[Server, Proxy]]:
    """A server whose database is behind a proxy, with nothing in the database or the storage."""
    server, proxy = _behind_a_proxy
    shutil.rmtree(FOLDER / "files", ignore_errors=True)
    yield server, proxy
    proxy.fault, proxy.down, proxy.down_after = None, False, False


def charges() -> int:
    return CreditEntry.objects.filter(kind="conversion").count()


def download(server: Server, answer: httpx.Response, headers: dict[str, str]) -> bytes:
    return httpx.get(server.url + answer.json()["data"]["downloadUrl"], headers=headers, timeout=60).content


@POSTGRESQL
@pytest.mark.parametrize("extra", [{}, ONCE], ids=["without a key", "with a key"])
def test_a_result_whose_commit_was_not_answered_is_found(behind: tuple[Server, Proxy], extra: dict[str, str]) -> None:
    server, proxy = behind
    user = make_user("pro")
    headers = with_key(user).headers
    proxy.fault = "answer lost"
    answer = convert(server, headers, extra=extra)
    assert proxy.faults
    assert answer.status_code == 201
    assert download(server, answer, headers) == PEOPLE_CSV
    assert Conversion.objects.count() == StoredFile.objects.count() == charges() == stored_bytes() == 1
    assert balanced(user)
    if extra:
        again = convert(server, headers, extra=extra)
        assert again.headers["Idempotency-Replayed"] == "true"
        assert again.json() == answer.json()
        assert charges() == 1


@POSTGRESQL
@pytest.mark.parametrize("extra", [{}, ONCE], ids=["without a key", "with a key"])
def test_a_result_is_kept_where_the_database_is_gone_after_the_commit(
    behind: tuple[Server, Proxy], extra: dict[str, str]
) -> None:
    server, proxy = behind
    user = make_user("pro")
    headers = with_key(user).headers
    proxy.fault, proxy.down_after = "answer lost", True
    answer = convert(server, headers, extra=extra)
    assert (answer.status_code, answer.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
    proxy.down = False
    assert Conversion.objects.filter(status="completed").count() == charges() == 1
    assert balanced(user)
    file = StoredFile.objects.get()
    assert files.sweep(timezone.now() + files.ORPHAN_AGE * 2) == 0
    assert wait_for(lambda: fetch(server, f"/api/v1/files/{file.key}", headers) == (200, PEOPLE_CSV))
    if extra:
        again = convert(server, headers, extra=extra)
        assert (again.status_code, again.headers["Idempotency-Replayed"]) == (201, "true")
        assert download(server, again, headers) == PEOPLE_CSV
        assert charges() == 1


@POSTGRESQL
def test_a_commit_that_was_never_delivered_costs_nothing_and_the_sweep_takes_the_bytes(
    behind: tuple[Server, Proxy],
) -> None:
    server, proxy = behind
    user = make_user("pro")
    headers = with_key(user).headers
    proxy.fault = "not delivered"
    answer = convert(server, headers, extra=ONCE)
    assert proxy.faults
    assert (answer.status_code, answer.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
    assert int(answer.headers["Retry-After"]) >= 1
    assert not Conversion.objects.exists()
    assert not StoredFile.objects.exists()
    assert charges() == 0
    assert balanced(user)
    assert stored_bytes() == 1
    assert files.sweep() == 0
    assert files.sweep(timezone.now() + files.ORPHAN_AGE * 2) == 1
    assert stored_bytes() == 0
    assert not StoredFile.objects.exists()
    # Nobody renews the claim: the key is free when it has run out.
    row = IdempotencyKey.objects.get()
    assert row.claimed_until <= timezone.now() + timedelta(seconds=leases.LEASE_SECONDS)
    IdempotencyKey.objects.update(claimed_until=timezone.now())
    again = convert(server, headers, extra=ONCE)
    assert again.status_code == 201
    assert "Idempotency-Replayed" not in again.headers
    assert charges() == 1


@POSTGRESQL
def test_a_guest_s_result_whose_commit_was_not_answered_is_found(behind: tuple[Server, Proxy]) -> None:
    server, proxy = behind
    proxy.fault = "answer lost"
    answer = convert(server, {})
    assert proxy.faults
    assert answer.status_code == 201
    assert download(server, answer, {}) == PEOPLE_CSV
    assert Conversion.objects.count() == StoredFile.objects.count() == stored_bytes() == 1


@pytest.mark.django_db(transaction=True)
def test_a_commit_that_the_database_refuses_leaves_nothing(
    transactional_db: None, program: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row without its owner, which both databases find out at the COMMIT."""
    before, count = stored_bytes(), statistics.count

    def break_it(conversion: Conversion) -> None:
        count(conversion)
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO conversions_idempotencykey (owner_id, key, fingerprint, token, claimed_until, expires_at)"
                " VALUES (%s, 'x', '', '', %s, %s)",
                ["0" * 32, timezone.now(), timezone.now()],
            )

    monkeypatch.setattr(statistics, "count", break_it)
    program.client.raise_request_exception = False
    answer = program.convert("json-to-csv", PEOPLE, headers=ONCE)
    assert answer.status_code == 500
    assert not Conversion.objects.exists()
    assert not StoredFile.objects.exists()
    assert charges() == 0
    assert stored_bytes() == before
    monkeypatch.setattr(statistics, "count", count)
    answer = program.convert("json-to-csv", PEOPLE, headers=ONCE)
    assert answer.status_code == 201
    assert "Idempotency-Replayed" not in answer


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="a database in a file of our own")
@pytest.mark.django_db(transaction=True)
def test_a_full_disk_under_sqlite_leaves_nothing(transactional_db: None, program: Person) -> None:
    LimitOverride.objects.create(user=program.account, requests_per_minute=1000)
    program = with_key(User.objects.get(pk=program.account.pk))
    before = stored_bytes()
    program.get("/account")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")  # no room is left in the file by what tests before have deleted
        cursor.execute("PRAGMA page_count")
        (pages,) = cursor.fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages}")
    try:
        answers: list[Any] = []
        while len(answers) < 100 and (not answers or answers[-1].status_code == 201):
            answers.append(program.convert("json-to-csv", PEOPLE))
    finally:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA max_page_count = 4294967294")
    made = len(answers) - 1
    assert (answers[-1].status_code, answers[-1].json()["code"]) == (503, "SERVICE_UNAVAILABLE")
    assert Conversion.objects.count() == StoredFile.objects.count() == charges() == made
    assert stored_bytes() == before + made
    assert balanced(program.account)
    assert program.convert("json-to-csv", PEOPLE).status_code == 201


# Processes that are stopped or killed


@pytest.fixture
def lonely(transactional_db: None) -> Iterator[Server]:
    """A server of one worker, over an empty store."""
    shutil.rmtree(FOLDER / "files", ignore_errors=True)
    running = start_server(workers=1)
    yield running
    for each in [*running.workers(), *sandbox_of(running.process.pid)]:
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGCONT)
    running.stop(signal.SIGTERM)


def fetch(server: Server, path: str, headers: dict[str, str]) -> tuple[int, bytes]:
    answer = httpx.get(server.url + path, headers=headers, timeout=60)
    return answer.status_code, answer.content


def begun(user: User) -> bool:
    return IdempotencyKey.objects.filter(owner=user, conversion=None).exists()


def claimed_until(user: User) -> datetime:
    found: datetime = IdempotencyKey.objects.values_list("claimed_until", flat=True).get(owner=user)
    return found


def test_a_worker_that_was_stopped_for_long_does_not_charge_again(lonely: Server, program: Person) -> None:
    user, headers = program.account, program.headers
    assert convert(lonely, headers).status_code == 201
    (worker,) = lonely.workers()
    sandbox = sandbox_of(worker)
    assert sandbox
    for each in sandbox:
        with contextlib.suppress(ProcessLookupError):  # what sweeps leftovers ends by itself
            os.kill(each, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as pool:
        late = pool.submit(convert, lonely, headers, extra=ONCE)
        assert wait_for(lambda: begun(user))
        os.kill(worker, signal.SIGSTOP)
        # As if it had been stopped for as long as a claim lives: nobody renews it meanwhile.
        IdempotencyKey.objects.update(claimed_until=timezone.now())
        first = program.convert("json-to-csv", PEOPLE, headers=ONCE)
        assert first.status_code == 201
        assert "Idempotency-Replayed" not in first
        for each in [*sandbox, worker]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(each, signal.SIGCONT)
        answer = late.result()
    assert (answer.status_code, answer.json()["code"]) == (429, "TOO_MANY_REQUESTS")
    assert Conversion.objects.count() == charges() == StoredFile.objects.count() == 2
    assert balanced(user)
    again = convert(lonely, headers, extra=ONCE)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.json() == first.json()


def test_a_killed_worker_s_slot_and_key_are_free_within_ten_seconds(lonely: Server, program: Person) -> None:
    user = program.account
    LimitOverride.objects.create(user=user, concurrent_jobs=1)
    headers = program.headers
    assert convert(lonely, headers).status_code == 201
    (worker,) = lonely.workers()
    sandbox = sandbox_of(worker)
    for each in sandbox:
        os.kill(each, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as pool:
        lost = pool.submit(convert, lonely, headers, extra=ONCE)
        assert wait_for(lambda: begun(user))
        # Renewed at least once, so that what follows is the whole life of a lease.
        claimed = claimed_until(user)
        assert wait_for(lambda: claimed_until(user) > claimed)
        os.kill(worker, signal.SIGKILL)
        killed = time.monotonic()
        for each in sandbox:
            os.kill(each, signal.SIGCONT)
        with pytest.raises(httpx.TransportError):
            lost.result()
    assert wait_for(lambda: lonely.workers() not in ([], [worker]))
    # Another slot and another key are not free: the one of the dead process is what is waited for.
    answers: list[httpx.Response] = []
    while not answers or answers[-1].status_code == 429:
        assert time.monotonic() - killed < 30
        answers.append(convert(lonely, headers, extra=ONCE))
        if answers[-1].status_code == 429:
            assert 1 <= int(answers[-1].headers["Retry-After"]) <= 10
            time.sleep(0.2)
    assert answers[-1].status_code == 201
    assert leases.LEASE_SECONDS <= 10
    assert time.monotonic() - killed < leases.LEASE_SECONDS + 5
    assert charges() == 2
    assert balanced(user)
