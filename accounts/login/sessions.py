"""Browser sessions in a table with account and device (Django's documented extension)."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db

from accounts.login.devices import DEVICE, ID, SINCE, BrowserSession


class SessionStore(db.SessionStore):
    """Django's store with another table. The class name is part of the signing salt: don't rename it."""

    @classmethod
    def get_model_class(cls) -> type[BrowserSession]:
        return BrowserSession

    def create_model_instance(self, data: Any) -> BrowserSession:
        row: Any = super().create_model_instance(data)
        row.user_id, row.login = data.get(SESSION_KEY), data.get(ID)
        row.device, row.started_at = data.get(DEVICE, ""), data.get(SINCE)
        return row  # type: ignore[no-any-return]
