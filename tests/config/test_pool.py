"""The pool of connections to PostgreSQL."""

from __future__ import annotations

import pytest
from django.db import connection

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
