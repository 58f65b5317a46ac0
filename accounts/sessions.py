"""Sessions of browsers, in rows that name their account and device (Django's way to extend its own)."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db

from accounts.devices import DEVICE, ID, SINCE, BrowserSession


class SessionStore(db.SessionStore):
    """The stock one with another table. Its name is part of what signs a session, so that it has to stay."""

    @classmethod
    def get_model_class(cls) -> type[BrowserSession]:
        return BrowserSession

    def create_model_instance(self, data: Any) -> BrowserSession:
        row: Any = super().create_model_instance(data)
        row.user_id, row.login = data.get(SESSION_KEY), data.get(ID)
        row.device, row.started_at = data.get(DEVICE, ""), data.get(SINCE)
        return row  # type: ignore[no-any-return]
