"""The pool of connections to PostgreSQL."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from config.postgresql.connection import WebConnection

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
