"""Mails about orders do not reach the next test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from accounts.people.outbox import OUTBOX


@pytest.fixture(autouse=True)
def _no_late_mail() -> Iterator[None]:
    yield
    OUTBOX.flush(5)
