"""What the WSGI application holds while it waits for a client."""

import pytest
from django.db import connection

from remote_calls import give_back_connections


@pytest.mark.parametrize(("age", "kept"), [(0, False), (None, True)])
def test_a_pooled_connection_is_returned(transactional_db, monkeypatch, age, kept):
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", age)
    connection.ensure_connection()
    give_back_connections()
    assert (connection.connection is not None) is kept
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def test_not_in_the_middle_of_a_transaction(db, monkeypatch):
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)
    give_back_connections()
    assert connection.connection is not None
