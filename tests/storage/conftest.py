"""Stored files of the cast."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from storage import files
from storage.models import StoredFile

CONTENT = b"0123456789" * 1_000

Store = Callable[..., StoredFile]


@pytest.fixture
def store(db: None) -> Store:
    def store(owner: Any = None, content: bytes = CONTENT, name: str = "report.csv", hours: float = 1) -> StoredFile:
        stored = files.put(io.BytesIO(content), extension="csv")
        expires = timezone.now() + timedelta(hours=hours)
        row = files.row(stored, owner=owner, name=name, content_type="text/csv", expires_at=expires)
        row.save(force_insert=True)
        return row

    return store
