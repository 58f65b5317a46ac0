"""The authentication backend: by email in any spelling, with everything a request needs in one query."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest

from accounts.credits import known_devices, throttling
from accounts.login.hashers import MAX_PASSWORD
from accounts.models import User


class EmailBackend(ModelBackend):
    """Sets `request.restorable` to a deactivated account if its password is right, so that it can be restored.

    An account whose address is unconfirmed is treated as missing: otherwise whoever signs up with another's address
    could find out by logging in whether there was an account before. Only the page that confirms it lets them in.
    """

    _request: HttpRequest | None = None
    _confirming = False

    def user_can_authenticate(self, user: Any) -> bool:
        if self._request is not None and user.is_restorable:
            self._request.restorable = user  # type: ignore[attr-defined]
        confirmed = self._confirming or not user.must_confirm_email
        return super().user_can_authenticate(user) and not user.is_organisation and confirmed

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        *,
        confirming: bool = False,
        **kwargs: Any,
    ) -> User | None:
        """The active account with this email and password, or None after about the same time.

        All log-ins pass here, and each is counted as an attempt before anything is hashed. Raises TooManyRequests.
        """
        email = User.objects.known_email(username or kwargs.get("email") or "")
        throttling.check_login(request, email)
        if password is not None and len(password) > MAX_PASSWORD:
            return None
        self._request, self._confirming = request, confirming
        user = super().authenticate(request, username=email, password=password)
        if not isinstance(user, User):
            return None
        if request is not None:
            known_devices.remember_address(request, email)
        return user

    def get_user(self, user_id: Any) -> User | None:
        user = User.objects.select_related("plan", "override").filter(pk=user_id).first()
        return user if user is not None and self.user_can_authenticate(user) else None
