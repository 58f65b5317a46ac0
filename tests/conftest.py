"""The cast of every test, by role, and what the databases of tests need."""

from __future__ import annotations

import gc
import importlib
import json
import math
import os
import shutil
import tempfile
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.cache import cache
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management.commands import flush
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.postgresql.base import DatabaseWrapper as PostgreSQL
from django.db.backends.sqlite3.base import DatabaseWrapper as SQLite
from django.test import Client, override_settings
from whitenoise.middleware import WhiteNoiseMiddleware

from accounts.credits import ledger
from accounts.login import tokens
from accounts.models import Plan, User
from accounts.people.outbox import OUTBOX
from apikeys.models import ApiKey, Scope
from backoffice import announcements
from conversions import changes
from conversions.work import offer
from engine.families import registry
from languages import catalogue
from tests.turnstile import turn

pytest_plugins = ("tests.tiers",)

PASSWORD = "correct horse battery staple"
_HASH = ""

# The test client's own host.
settings.SITE_URL = "http://testserver"

# Each process of the suite has a cache, a temporary folder and files of its own.
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
FOLDER = Path(tempfile.mkdtemp(prefix=f"suite-{WORKER}-"))
settings.FILE_UPLOAD_TEMP_DIR = str(FOLDER)
settings.TEMPORARY_DIR = FOLDER
settings.STORAGES["default"]["OPTIONS"]["location"] = str(FOLDER / "files")
if settings.REDIS_URL:
    _base, _, _number = settings.REDIS_URL.rpartition("/")
    settings.CACHES["default"]["LOCATION"] = f"{_base}/{int(_number) + int(WORKER[2:])}"
else:
    settings.CACHES["default"]["LOCATION"] = str(FOLDER / "cache.sqlite3")


# What the built-in engines don't draw completely is left as it is, whether or not LibreOffice is installed.
settings.OFFICE_PDF_ENGINE = "own"
registry.choose("own")

# What translators have written is compiled before anything is said; nothing is done where that has been.
catalogue.compile_all()


_TAKE_TURNS = pytest.StashKey[bool]()


# Nothing that collecting tests makes goes away again: to look through it for garbage takes a quarter of the time, and
# what is frozen is not looked through by the tests either.
gc.disable()


def pytest_collection_finish(session: pytest.Session) -> None:
    gc.freeze()
    gc.enable()
    session.config.stash[_TAKE_TURNS] = any(each.get_closest_marker("alone") for each in session.items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Let a test that is to be alone be so, where there is one in this run."""
    if not item.config.stash[_TAKE_TURNS]:
        return (yield)
    with turn(alone=item.get_closest_marker("alone") is not None):
        return (yield)


def pytest_sessionfinish(session: pytest.Session) -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)


@dataclass(frozen=True)
class Person:
    """Somebody who calls the API with one kind of credentials."""

    user: User | None
    headers: dict[str, str]
    client: Client

    @property
    def account(self) -> User:
        assert self.user is not None
        return self.user

    def download(self, url: str) -> bytes:
        """The bytes behind a download URL."""
        answer: Any = self.client.get(url, headers=self.headers)
        assert answer.status_code == 200, answer
        return b"".join(answer.streaming_content)

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        content: dict[str, Any] = {}
        if body is not None:
            content = {"data": json.dumps(body), "content_type": "application/json"}
        return self.client.generic(method, f"/api/v1{path}", headers={**self.headers, **given}, **content)

    def get(self, path: str, **headers: str) -> Any:
        return self.request("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.request("POST", path, {} if body is None else body, **headers)

    def convert(
        self, slug: str, content: bytes, name: str | None = None, headers: dict[str, str] | None = None, **options: Any
    ) -> Any:
        """POST one file as a browser would; `name` is `input.<extension of the slug>` unless given."""
        upload = SimpleUploadedFile(name or f"input.{slug.partition('-')[0]}", content)
        return self.client.post(
            f"/api/v1/converter/{slug}", {"file": upload, **options}, headers={**self.headers, **(headers or {})}
        )


def make_user(plan: str = "free", email: str | None = None, *, offered: bool = True, **fields: Any) -> User:
    """An account whose password is PASSWORD; hashed once, because that is slow by design.

    A database of before there were prices has nothing `offered`.
    """
    global _HASH
    _HASH = _HASH or make_password(PASSWORD)
    user = User(email=email or f"{uuid.uuid4().hex[:12]}@example.org", plan=Plan.objects.get(code=plan), **fields)
    user.password = _HASH
    user.save(force_insert=True)
    ledger.top_up(user)
    if offered:
        offer.current()  # read once by each process, so that it is no test's query
    return user


def with_token(user: User) -> Person:
    return Person(user, {"Authorization": f"Bearer {tokens.issue(user).access}"}, Client())


def with_key(user: User, *scopes: str) -> Person:
    _, secret = ApiKey.issue(user, name="tests", scopes=scopes or (Scope.CONVERT,))
    return Person(user, {"Authorization": f"Bearer {secret}"}, Client())


def stored_bytes() -> int:
    """How many files there are in the local storage, known or not."""
    return sum(each.is_file() for each in Path(default_storage.path("")).rglob("*"))


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """A commit of PostgreSQL's does not wait for the disk: what is tested may go with the machine."""
    database = connections[DEFAULT_DB_ALIAS]
    if isinstance(database, PostgreSQL):
        with django_db_blocker.unblock():
            name = database.ops.quote_name(database.settings_dict["NAME"])
            with database.cursor() as cursor:
                cursor.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
            database.close()
            database.close_pool()  # the next one begins with what was set


@pytest.fixture
def guest(db: None) -> Person:
    offer.current()
    return Person(None, {}, Client())


@pytest.fixture
def free(db: None) -> Person:
    """An account on the Free plan, with an access token."""
    return with_token(make_user("free", "free@example.org"))


@pytest.fixture
def paying(db: None) -> Person:
    """An account on Pro, with an access token."""
    return with_token(make_user("pro", "paying@example.org"))


@pytest.fixture
def program(paying: Person) -> Person:
    """The paying account, with an API key."""
    return with_key(paying.account)


@pytest.fixture
def other(db: None) -> Person:
    """Another paying account, with an access token."""
    return with_token(make_user("pro", "other@example.org"))


@pytest.fixture
def staff(db: None) -> Client:
    """A superuser, logged in to the admin."""
    client = Client()
    client.force_login(make_user("free", "staff@example.org", is_staff=True, is_superuser=True))
    return client


@pytest.fixture(autouse=True)
def _fresh_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is kept of other tests, and known is that nothing is announced, which no page asks for anew."""
    cache.clear()
    monkeypatch.setattr(announcements, "_known", ())
    monkeypatch.setattr(announcements, "_asked_at", math.inf)


@pytest.fixture(autouse=True)
def _no_late_mail() -> Iterator[None]:
    """The mails of a test do not reach the next one."""
    yield
    OUTBOX.flush(5)


@pytest.fixture
def one_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """No minute of a rate limit ends while the test runs."""
    ends = int(time.time()) + 59
    monkeypatch.setattr("django_ratelimit.core._get_window", lambda value, period: ends)


@pytest.fixture(autouse=True)
def _at_home(request: pytest.FixtureRequest) -> Iterator[None]:
    """Links lead to the server of the test, where it has one."""
    if "live_server" not in request.fixturenames:
        yield
        return
    with override_settings(SITE_URL=request.getfixturevalue("live_server").url):
        yield


class Clock:
    """The wall clock of this process as it was set by hand; clocks that nobody can set go on as they do."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._ahead = timedelta()
        real_time, clock = time.time, self

        class Shifted(datetime):
            @classmethod
            def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]
                return datetime.now(tz) + clock._ahead

        monkeypatch.setattr(time, "time", lambda: real_time() + self._ahead.total_seconds())
        monkeypatch.setattr("django.utils.timezone.now", lambda: Shifted.now(UTC))
        for module in ("jwt.api_jwt", "rest_framework_simplejwt.utils"):
            monkeypatch.setattr(f"{module}.datetime", Shifted)

    def set(self, **ahead: float) -> None:
        """Set the clock so far ahead of the true time, in the units of timedelta."""
        self._ahead = timedelta(**ahead)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


_stock_flush = SQLite.ops_class.sql_flush
_OF_MODELS = ("django_content_type", "auth_permission")
"""Tables that tell of the models, which no test changes: emptied, they would be filled anew by a hundred queries."""


def _flush(operations: Any, style: Any, tables: Any, **options: Any) -> list[str]:
    """Emptying a test's tables deletes ledger entries, which SQLite's trigger refuses: it steps aside meanwhile."""
    with operations.connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = cursor.fetchall()
    statements = _stock_flush(operations, style, [each for each in tables if each not in _OF_MODELS], **options)
    return [*(f"DROP TRIGGER {name}" for name, _ in triggers), *statements, *(sql for _, sql in triggers)]


def _delete(operations: Any, style: Any, tables: Any, **options: Any) -> list[str]:
    """Delete what is in those tables of PostgreSQL that hold anything; to truncate all of them takes half a second."""
    assert not options.get("reset_sequences")
    names = [operations.quote_name(each) for each in tables if each not in _OF_MODELS]
    with operations.connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(f"(SELECT '{each}' FROM {each} LIMIT 1)" for each in names))
        deletions = [f"DELETE FROM {name}" for (name,) in cursor.fetchall()]
    # No trigger: neither foreign keys, whose order would have to be found, nor the ledger's, which refuses.
    return ["SET LOCAL session_replication_role = replica", *deletions] if deletions else []


SQLite.ops_class.sql_flush = _flush
PostgreSQL.ops_class.sql_flush = _delete
flush.emit_post_migrate_signal = lambda *given, **named: None  # type: ignore[attr-defined]


_list_static = WhiteNoiseMiddleware.add_files_from_finders
_static: dict[str, Any] = {}


def _list_once(served: WhiteNoiseMiddleware) -> None:
    """Each client of a test has middleware of its own; what there is to serve is found and measured by the first."""
    if not _static:
        _list_static(served)
        _static.update(served.files)
    served.files = dict(_static)


WhiteNoiseMiddleware.add_files_from_finders = _list_once


@pytest.fixture(autouse=True)
def _plans_after_flush(request: pytest.FixtureRequest) -> None:
    """A transactional test leaves empty tables behind: the rows that migrations install are put back."""
    asked = request.node.get_closest_marker("django_db") is not None
    if asked or {"db", "transactional_db", "live_server"} & set(request.fixturenames):
        request.getfixturevalue("transactional_db" if "transactional_db" in request.fixturenames else "db")
        if not Plan.objects.exists():
            for name in (
                "0002_plans",
                "0009_support_group",
                "0016_support_notes",
                "0025_failed_seconds",
                "0026_room_and_weight",
            ):
                importlib.import_module(f"accounts.migrations.{name}").install(apps, None)
            importlib.import_module("conversions.migrations.0007_offer").install(apps, None)
            importlib.import_module("billing.migrations.0002_prices").install(apps, None)
            changes.forget()


@pytest.fixture(autouse=True)
def _offer_of_its_own() -> Iterator[None]:
    """What a test changes of what is offered is gone after it; so is what was read of it."""
    before = changes.here()
    yield
    if changes.here() != before:
        changes.forget()
