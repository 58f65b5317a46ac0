"""How Django logs people in: by email in any letter case, with what every request needs in one query."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest

from accounts import throttling
from accounts.hashers import MAX_PASSWORD
from accounts.models import User, normal_email


class EmailBackend(ModelBackend):
    """Of an account whose owner has left, the right password is noted as `request.leaving`: it can be had back."""

    _request: HttpRequest | None = None

    def user_can_authenticate(self, user: Any) -> bool:
        if self._request is not None and user.is_leaving:
            self._request.leaving = user  # type: ignore[attr-defined]
        return super().user_can_authenticate(user) and not user.is_organisation

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> User | None:
        """The active account with this email and password, or None after about the same time.

        Every door asks here, and each time is an attempt to log in, counted before anything is hashed. Raises
        TooManyRequests.
        """
        email = normal_email(username or kwargs.get("email") or "")
        throttling.check_login(request, email)
        if password is not None and len(password) > MAX_PASSWORD:
            return None
        self._request = request
        user = super().authenticate(request, username=email, password=password)
        return user if isinstance(user, User) else None

    def get_user(self, user_id: Any) -> User | None:
        user = User.objects.select_related("plan", "override").filter(pk=user_id).first()
        return user if user is not None and self.user_can_authenticate(user) else None
