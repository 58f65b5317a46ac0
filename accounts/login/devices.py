"""Where an account is logged in: browsers by session, programs by refresh token; and ending each."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models, transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.module_loading import import_string

from accounts.login import tokens
from accounts.models import Login, User

ID, DEVICE, SINCE = "login_id", "login_device", "login_since"
"""Session key of the login's details."""
_MAX = 60

_PROGRAMS = (
    "Edg",
    "OPR",
    "Vivaldi",
    "SamsungBrowser",
    "Firefox",
    "Chrome",
    "Safari",
    "curl",
    "python-requests",
    "okhttp",
)
"""Browser names in the User-Agent, in the order to test: some name others too."""
_NAMES = {"Edg": "Edge", "OPR": "Opera", "SamsungBrowser": "Samsung Internet", "python-requests": "Python"}
_SYSTEMS = {
    "Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Windows", "CrOS": "ChromeOS",
    "Mac OS X": "macOS", "Linux": "Linux",
}  # fmt: skip


class BrowserSession(AbstractBaseSession):
    """A session with the details that its owner sees; `login` identifies it in forms, as the session key is secret."""

    user_id = models.UUIDField(null=True, db_index=True)
    login = models.UUIDField(null=True)
    device = models.CharField(max_length=_MAX, blank=True)
    started_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.device

    @classmethod
    def get_session_store_class(cls) -> Any:
        return import_string(f"{settings.SESSION_ENGINE}.SessionStore")


@dataclass(frozen=True)
class Device:
    """One login; `used_at` is the last token refresh of a program, None for a browser."""

    id: uuid.UUID
    name: str
    since: datetime | None
    used_at: datetime | None = None
    here: bool = False


def device_of(request: Any) -> str:
    """Describe a User-Agent, such as `Firefox on Linux`; empty if it is unknown."""
    agent = str(request.META.get("HTTP_USER_AGENT", ""))[:1000]
    program = next((each for each in _PROGRAMS if f"{each}/" in agent), "")
    system = next((name for mark, name in _SYSTEMS.items() if mark in agent), "")
    if not program:
        first = re.match(r"[A-Za-z][\w.-]*", agent)
        program = first[0] if first and first[0] != "Mozilla" else ""
    program = _NAMES.get(program, program)
    return (f"{program} on {system}" if program and system else program or system)[:_MAX]


def record(sender: Any, request: HttpRequest, **kwargs: Any) -> None:
    """Store in a new session the details that its owner sees; a receiver of user_logged_in."""
    request.session[ID] = str(uuid.uuid4())
    request.session[DEVICE] = device_of(request)
    request.session[SINCE] = timezone.now().isoformat()


def browsers(user: User, current: str | None) -> list[Device]:
    """The browsers in which an account is logged in, latest first; `current` is the caller's session key."""
    alive = BrowserSession.objects.filter(user_id=user.pk, expire_date__gt=timezone.now()).order_by("-started_at")
    right = user.get_session_auth_hash()
    return [
        Device(each.login, each.device, each.started_at, here=each.session_key == current)
        for each in alive
        if each.login and constant_time_compare(each.get_decoded().get(HASH_SESSION_KEY, ""), right)
    ]


def programs(user: User) -> list[Device]:
    """The API logins that can still be refreshed, latest first."""
    alive = Login.objects.filter(
        user=user, revoked_at=None, generation=user.generation, expires_at__gt=timezone.now()
    ).order_by("-created_at")
    return [Device(each.pk, each.device, each.created_at, each.rotated_at) for each in alive[:100]]


def end(user: User, login: uuid.UUID) -> bool:
    """End one login of the account; returns whether it existed."""
    ended, _ = BrowserSession.objects.filter(user_id=user.pk, login=login).delete()
    return bool(ended or Login.objects.filter(user=user, pk=login, revoked_at=None).update(revoked_at=timezone.now()))


def end_all(user: User) -> None:
    """End every login of the account, the caller's included."""
    with transaction.atomic():
        BrowserSession.objects.filter(user_id=user.pk).delete()
        tokens.revoke_all(user)
