"""Requests while a database, cache, storage or mail server accepts connections but never responds."""

from __future__ import annotations

import shutil
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from django.conf import settings
from django.db import connection

from config.postgresql import connection as postgresql
from config.postgresql.connection import WebConnection
from conversions.models import Conversion
from storage.models import StoredFile
from tests.conftest import FOLDER, make_user, with_key
from tests.conversions.samples import PEOPLE, PEOPLE_CSV
from tests.server.conftest import Server, database_url, start_server
from tests.server.test_lost import charges, download, wait_for
from tests.server.test_races import balanced, convert, together
from tests.server.valve import Valve

POSTGRESQL = pytest.mark.skipif(connection.vendor != "postgresql", reason="a database on the network")
SOON = 10
"""Seconds: the bound is three, on a machine that does nothing else."""


@pytest.fixture(scope="module")
def _behind_a_valve(django_db_setup: None, django_db_blocker: pytest.FixtureRequest) -> Iterator[tuple[Server, Valve]]:
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        url = urlsplit(database_url())
        valve = Valve((url.hostname or "127.0.0.1", url.port or 5432))
        address = url._replace(netloc=f"{url.netloc.rpartition('@')[0]}@127.0.0.1:{valve.port}").geturl()
        running = start_server(workers=1, threads=8, DATABASE_URL=address)
    yield running, valve
    running.stop(signal.SIGKILL)
    valve.close()


@pytest.fixture
def behind(_behind_a_valve: tuple[Server, Valve], transactional_db: None) -> Iterator[tuple[Server, Valve]]:
    """A server whose database is behind a valve, with nothing in the database or the storage."""
    server, valve = _behind_a_valve
    shutil.rmtree(FOLDER / "files", ignore_errors=True)
    yield server, valve
    valve.open()
    assert wait_for(lambda: httpx.get(f"{server.url}/readyz", timeout=60).status_code == 200)


def timed(method: str, url: str, **given: object) -> tuple[httpx.Response, float]:
    began = time.monotonic()
    return httpx.request(method, url, timeout=90, **given), time.monotonic() - began  # type: ignore[arg-type]


@POSTGRESQL
@pytest.mark.parametrize("connected", [True, False], ids=["in the middle", "from the start"])
def test_a_silent_database_is_named_soon_and_the_process_is_up(behind: tuple[Server, Valve], connected: bool) -> None:
    server, valve = behind
    headers, cookie = with_key(make_user("pro")).headers, {"Cookie": "sessionid=" + "0" * 32}
    assert httpx.get(f"{server.url}/api/v1/account", headers=headers, timeout=60).status_code == 200
    valve.shut()
    if not connected:
        valve.cut()
    with ThreadPoolExecutor() as pool:
        ready = pool.submit(timed, "GET", f"{server.url}/readyz")
        account = pool.submit(timed, "GET", f"{server.url}/api/v1/account", headers=headers)
        page = pool.submit(timed, "GET", f"{server.url}/login", headers=cookie)
        alive = pool.submit(timed, "GET", f"{server.url}/healthz", headers=cookie)
        for asked, status in ((ready, 503), (account, 503), (page, 503), (alive, 200)):
            answer, seconds = asked.result()
            assert (answer.status_code, seconds < SOON) == (status, True), answer.text
        assert ready.result()[0].json()["failing"] == ["database"]
        assert account.result()[0].json()["code"] == "SERVICE_UNAVAILABLE"
        assert "database" in account.result()[0].json()["message"]
        assert int(account.result()[0].headers["Retry-After"]) >= 1
        assert page.result()[0].headers["Content-Type"].startswith("text/html")
    valve.open()
    assert wait_for(lambda: httpx.get(f"{server.url}/readyz", timeout=60).status_code == 200)
    assert wait_for(lambda: convert(server, headers).status_code == 201)


@POSTGRESQL
def test_connections_that_a_restart_has_ended_cost_nobody_a_request(behind: tuple[Server, Valve]) -> None:
    server, valve = behind
    headers = with_key(make_user("pro")).headers
    together(8, lambda _: httpx.get(f"{server.url}/api/v1/account", headers=headers, timeout=60))
    valve.cut()
    assert httpx.get(f"{server.url}/api/v1/account", headers=headers, timeout=60).status_code == 200


@POSTGRESQL
def test_a_commit_that_is_never_answered_is_charged_once(behind: tuple[Server, Valve]) -> None:
    server, valve = behind
    user = make_user("pro")
    headers, once = with_key(user).headers, {"Idempotency-Key": "order-1"}
    valve.cut()  # what is sent on a connection is remembered from its beginning
    valve.shut_at = (b'INSERT INTO "storage_storedfile"', b"COMMIT")
    answer, seconds = timed(
        "POST", f"{server.url}/api/v1/converter/json-to-csv", files={"file": ("a.json", PEOPLE)},
        headers={**headers, **once},
    )  # fmt: skip
    assert valve.is_shut, answer.text
    assert (answer.status_code, answer.json()["code"], seconds < 2 * SOON) == (503, "SERVICE_UNAVAILABLE", True)
    valve.open()
    assert wait_for(lambda: Conversion.objects.filter(status="completed").exists())
    assert wait_for(lambda: httpx.get(f"{server.url}/readyz", timeout=60).status_code == 200)
    again = convert(server, headers, extra=once)
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (201, "true")
    assert download(server, again, headers) == PEOPLE_CSV
    assert Conversion.objects.count() == StoredFile.objects.count() == charges() == 1
    assert balanced(user)


@pytest.fixture
def valve(transactional_db: None) -> Iterator[Valve]:
    """Before the tests' own database."""
    url = urlsplit(database_url())
    found = Valve((url.hostname or "127.0.0.1", url.port or 5432))
    yield found
    found.close()


def connect(valve: Valve) -> Any:
    url = urlsplit(database_url())
    return WebConnection.connect(
        url._replace(netloc=f"{url.netloc.rpartition('@')[0]}@127.0.0.1:{valve.port}").geturl()
    )


@POSTGRESQL
def test_a_statement_that_takes_long_is_waited_for(valve: Valve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WebConnection, "limited", True)
    monkeypatch.setattr(postgresql, "ALERT", 0.05)
    with connect(valve) as open_one:
        assert open_one.cursor().execute("SELECT 'done' FROM pg_sleep(1)").fetchone() == ("done",)


@POSTGRESQL
@pytest.mark.parametrize(("limited", "bound"), [(True, "1min"), (False, "0")], ids=["web", "management"])
def test_only_the_web_service_gives_up_a_silent_server(
    valve: Valve, monkeypatch: pytest.MonkeyPatch, limited: bool, bound: str
) -> None:
    monkeypatch.setattr(WebConnection, "limited", limited)
    monkeypatch.setattr(WebConnection, "_silent_until", WebConnection._silent_until)  # forgotten after the test
    with connect(valve) as open_one, ThreadPoolExecutor() as pool:
        cursor = open_one.cursor()
        assert cursor.execute("SHOW statement_timeout").fetchone() == (bound,)
        valve.shut()
        asked = pool.submit(cursor.execute, "SELECT 'done'")
        if limited:
            with pytest.raises(psycopg.OperationalError):
                asked.result()
            assert open_one.closed
        else:
            with pytest.raises(TimeoutError):
                asked.result(postgresql.ALERT + postgresql.PROBE + 1)
            valve.open()
            assert asked.result().fetchone() == ("done",)


@pytest.mark.skipif(not settings.REDIS_URL, reason="needs Redis")
def test_a_silent_cache_is_named_soon_and_accounts_go_on(transactional_db: None) -> None:
    found = urlsplit(settings.CACHES["default"]["LOCATION"])
    valve = Valve((found.hostname or "127.0.0.1", found.port or 6379))
    address = found._replace(netloc=f"127.0.0.1:{valve.port}").geturl()
    server = start_server(workers=1, threads=8, REDIS_URL=address)
    try:
        headers = with_key(make_user("pro")).headers
        assert convert(server, headers).status_code == 201
        valve.shut()
        with ThreadPoolExecutor() as pool:
            ready = pool.submit(timed, "GET", f"{server.url}/readyz")
            alive = pool.submit(timed, "GET", f"{server.url}/healthz")
            job = pool.submit(
                timed, "POST", f"{server.url}/api/v1/converter/json-to-csv", files={"file": ("a.json", PEOPLE)},
                headers=headers,
            )  # fmt: skip
            for asked, status in ((ready, 503), (alive, 200), (job, 201)):
                answer, seconds = asked.result()
                assert (answer.status_code, seconds < SOON) == (status, True), answer.text
        assert ready.result()[0].json()["failing"] == ["cache"]
        valve.open()
        assert wait_for(lambda: httpx.get(f"{server.url}/readyz", timeout=60).status_code == 200)
    finally:
        server.stop(signal.SIGKILL)
        valve.close()


def test_a_silent_storage_is_named_soon(transactional_db: None) -> None:
    valve = Valve(("127.0.0.1", 9))
    valve.shut()
    server = start_server(
        workers=1, threads=8, S3_BUCKET="files", S3_ENDPOINT_URL=f"http://127.0.0.1:{valve.port}",
        S3_ACCESS_KEY="access", S3_SECRET_KEY="secret",
    )  # fmt: skip
    try:
        with ThreadPoolExecutor() as pool:
            ready = pool.submit(timed, "GET", f"{server.url}/readyz")
            job = pool.submit(
                timed, "POST", f"{server.url}/api/v1/converter/json-to-csv", files={"file": ("a.json", PEOPLE)}
            )  # fmt: skip
            assert ready.result()[0].json()["failing"] == ["storage"]
            assert ready.result()[1] < SOON
            answer, seconds = job.result()
            assert answer.status_code >= 500
            assert seconds < 6 * SOON
    finally:
        server.stop(signal.SIGKILL)
        valve.close()
