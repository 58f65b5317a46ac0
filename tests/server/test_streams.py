"""Answers that are written while they are sent hold nothing that other requests need meanwhile."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import CreditEntry
from tests.conftest import make_user

ENTRIES = 2_500


def test_a_ledger_is_sent_on_after_its_connection_was_given_to_others(transactional_db: None) -> None:
    user = make_user("pro")
    first = CreditEntry.objects.get(user=user)
    CreditEntry.objects.bulk_create(
        CreditEntry(user=user, kind="grant", amount=0, balance=first.balance, reason=str(n), created_at=timezone.now())
        for n in range(ENTRIES)
    )  # fmt: skip
    client = Client()
    client.force_login(user)
    answer: Any = client.get("/usage/ledger.csv")
    lines = iter(answer.streaming_content)
    begun = [next(lines) for _ in range(3)]
    connection.close()
    rows = b"".join([*begun, *lines]).decode().splitlines()
    assert len(rows) == 1 + 1 + ENTRIES
    assert [row.split(",")[4] for row in rows[2:]] == [str(n) for n in range(ENTRIES)]
