"""The pool of connections to PostgreSQL."""

from __future__ import annotations

import io
import json
import socketserver
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
import urllib3
from botocore.config import Config
from django.core.files.storage import default_storage
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from accounts.login import provider as openid
from accounts.models import User
from accounts.people import mails
from accounts.people.mails import Mail
from billing.models import CreditPack
from billing.providers.chosen import provider
from config.postgresql import base
from config.postgresql.connection import WebConnection
from remote_calls import remote_call
from storage import files
from storage.keys import new_key
from storage.models import StoredFile
from tests.conftest import make_user
from tests.http_server import http_server, serving

GIVEN_BACK = 30
"""More than a pool has connections, so that each of them is taken again."""


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no pool")
@pytest.mark.django_db(transaction=True)
def test_a_connection_returned_in_a_transaction_is_reused() -> None:
    for _ in range(GIVEN_BACK):
        connection.ensure_connection()
        assert connection.get_autocommit()
        connection.set_autocommit(False)
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        connection.close()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no pool")
@pytest.mark.django_db(transaction=True)
def test_a_connection_is_waited_for_while_the_database_answers_those_who_have_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All connections of the pool are in use for half as long again as the pool waits by itself."""
    monkeypatch.setattr(WebConnection, "limited", True)
    pool = connection.settings_dict["OPTIONS"]["pool"]
    connection.close()
    all_taken = threading.Barrier(pool["max_size"] + 1)

    def use() -> None:
        with connection.cursor() as cursor:
            all_taken.wait()
            for _ in range(int(pool["timeout"] * 15)):
                cursor.execute("SELECT pg_sleep(0.1)")
        connection.close()

    with ThreadPoolExecutor(pool["max_size"]) as threads:
        users = [threads.submit(use) for _ in range(pool["max_size"])]
        all_taken.wait()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            assert cursor.fetchone() == (1,)
        for each in users:
            each.result()


PATIENCE = 60.0
"""Seconds after which a test gives up."""
LETTERS = b"abc"


class Gate:
    """Holds the calls that reach another service until it is opened."""

    def __init__(self) -> None:
        self.arrived = threading.Semaphore(0)
        self.open = threading.Event()

    def pass_through(self) -> None:
        self.arrived.release()
        self.open.wait(PATIENCE * 4)


@pytest.fixture
def gate(transactional_db: None) -> Iterator[Gate]:
    found = Gate()
    make_user()
    yield found
    found.open.set()


@pytest.fixture
def origin(gate: Gate) -> Iterator[str]:
    """A provider of log-ins, a provider of payments and a storage in one, which answer once the gate is open."""

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            gate.pass_through()
            where = f"http://{self.headers['Host']}"
            content = b"" if self.command == "PUT" else LETTERS
            if self.path.endswith("openid-configuration"):
                ends = ("authorization_endpoint", "token_endpoint", "jwks_uri")
                content = json.dumps({"issuer": where, **{each: f"{where}/{each}" for each in ends}}).encode()
            elif self.path.startswith("/v1/"):
                content = json.dumps({"id": "cs_1", "object": "checkout.session", "url": f"{where}/pay"}).encode()
            with suppress(ConnectionError):
                self.send_response(200)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(content)

        do_GET = do_HEAD = do_POST = do_PUT = answer

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing."""

    with http_server(Handler) as found:
        yield found


@pytest.fixture
def logging_in(origin: str, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[[], bool]:
    """Somebody with the cookie of a session goes to the provider of log-ins."""
    settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID = origin, "fileconv"
    monkeypatch.setattr(openid, "_TIMEOUT", PATIENCE * 4)
    monkeypatch.setattr(openid, "_POOL", urllib3.PoolManager(maxsize=50, retries=False, timeout=PATIENCE * 4))
    return lambda: bool(browser().get("/login/openid")["Location"].startswith(origin))


@pytest.fixture
def paying_with_stripe(origin: str, settings: Any) -> Iterator[Callable[[], bool]]:
    stripe = pytest.importorskip("stripe", reason="stripe is not installed: make extras runs these tests")
    settings.STRIPE_SECRET_KEY, settings.STRIPE_API_BASE = "sk_test_1", origin
    provider.cache_clear()
    provider()._client._requestor._client._timeout = PATIENCE * 4  # type: ignore[attr-defined]
    assert stripe
    pack = CreditPack.objects.create(name="Small", credits=5, amount=500, provider_price="price_1")
    yield lambda: bool(browser().post(f"/plans/credits/{pack.pk}")["Location"] == f"{origin}/pay")
    provider.cache_clear()


@pytest.fixture
def storage(origin: str, settings: Any) -> None:
    options = {
        "bucket_name": "bucket",
        "endpoint_url": origin,
        "region_name": "us-east-1",
        "access_key": "access",
        "secret_key": "a-secret-of-some-length",
        "client_config": Config(
            s3={"addressing_style": "path"},
            read_timeout=PATIENCE * 4,
            retries={"total_max_attempts": 1},
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        ),
    }
    files = {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}
    settings.STORAGES = {**settings.STORAGES, "default": files}
    assert hasattr(default_storage, "bucket")


@pytest.fixture
def downloading(storage: None) -> Callable[[], bool]:
    row = StoredFile.objects.create(
        key=new_key("csv"), name="a.csv", content_type="text/csv", size=len(LETTERS), sha256="0" * 64, owner=None,
        expires_at=timezone.now() + timedelta(hours=1),
    )  # fmt: skip
    return lambda: b"".join(Client().get(f"/api/v1/files/{row.key}")) == LETTERS


@pytest.fixture
def storing(storage: None) -> Callable[[], bool]:
    def store() -> bool:
        assert User.objects.exists()
        return files.put(io.BytesIO(LETTERS), extension="csv").size == len(LETTERS)

    return store


@pytest.fixture
def mailing(gate: Gate, settings: Any) -> Iterator[Callable[[], bool]]:
    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            gate.pass_through()
            with suppress(ConnectionError):
                self.wfile.write(b"220 here\r\n")
                for line in self.rfile:
                    said = line.strip().upper()
                    answers = {b"DATA": b"354 go on\r\n", b"QUIT": b"221 bye\r\n"}
                    self.wfile.write(answers.get(said, b"250 yes\r\n"))
                    if said == b"DATA":
                        while self.rfile.readline() not in (b".\r\n", b""):
                            pass
                        self.wfile.write(b"250 yes\r\n")

    def send() -> bool:
        assert User.objects.exists()
        mails.send(Mail("ada@example.org", "Hello", ("Hello.",)))
        return True

    settings.EMAIL_BACKEND, settings.EMAIL_TIMEOUT = "django.core.mail.backends.smtp.EmailBackend", PATIENCE * 4
    with serving(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)) as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address
        yield send


def browser() -> Client:
    """One with a session of its own, of the only account."""
    found = Client()
    found.force_login(User.objects.get())
    return found


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no pool")
@pytest.mark.parametrize("call", ["logging_in", "paying_with_stripe", "downloading", "storing", "mailing"])
def test_calls_of_other_services_hold_no_connection_while_they_wait(
    call: str, gate: Gate, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More calls wait than the pool has connections, and a page that asks the database is shown meanwhile."""
    does = request.getfixturevalue(call)
    number = connection.settings_dict["OPTIONS"]["pool"]["max_size"] + 2
    # A busy machine may take long until the first call waits.
    monkeypatch.setattr(base, "BUSY", PATIENCE)
    monkeypatch.setattr(WebConnection, "is_answered", lambda: True)
    connection.close()

    def calling() -> bool:
        try:
            return bool(does())
        finally:
            connection.close()

    with ThreadPoolExecutor(number) as threads:
        waiting = [threads.submit(calling) for _ in range(number)]
        try:
            for _ in range(number):
                while not gate.arrived.acquire(timeout=1):
                    assert not any(each.done() for each in waiting), [each.result() for each in waiting if each.done()]
            assert Client().get("/plans").status_code == 200
        finally:
            connection.close()
            gate.open.set()
        assert all(each.result() for each in waiting)


def test_other_services_are_not_called_within_a_transaction(db: None) -> None:
    with transaction.atomic(), pytest.raises(RuntimeError), remote_call():
        pass
    with remote_call():
        assert User.objects.count() == 0


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no pool")
@pytest.mark.parametrize("path", ["/plans/manage", "/stop-looking", "/no/such/page"])
def test_a_form_of_somebody_logged_in_is_unavailable_while_all_connections_are_in_use(
    transactional_db: None, path: str
) -> None:
    make_user()
    person = browser()
    person.raise_request_exception = False
    number = connection.settings_dict["OPTIONS"]["pool"]["max_size"]
    connection.close()
    taken, over = threading.Barrier(number + 1), threading.Event()

    def use() -> None:
        connection.ensure_connection()
        taken.wait()
        over.wait(PATIENCE)
        connection.close()

    with ThreadPoolExecutor(number) as threads:
        for _ in range(number):
            threads.submit(use)
        taken.wait()
        try:
            answer = person.post(path)
        finally:
            over.set()
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) >= 1
    assert b"Not available at the moment" in answer.content
