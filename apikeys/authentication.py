"""Who is asking: an `fc_` key by its hash, else a JWT, else the web front end's session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, QueryDict
from django.utils.datastructures import MultiValueDict
from rest_framework.authentication import BaseAuthentication, CSRFCheck
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts import ledger, limits, tokens
from accounts.errors import InvalidCredentials
from accounts.models import User
from apikeys.errors import ApiKeysRequirePaidPlan
from apikeys.models import ApiKey
from apikeys.secrets import PREFIX

if TYPE_CHECKING:
    from rest_framework.views import APIView


JWT_ONLY: Any = [{"accessToken": []}]
"""How the OpenAPI document says that a route takes no key."""


class Credentials(BaseAuthentication):
    """Authenticates a request; `request.auth` is the ApiKey, the text of the JWT, or `"session"`.

    A credential that is sent but bad raises InvalidCredentials on every route: nobody falls back to being a guest.
    """

    def authenticate(self, request: Request) -> tuple[User, Any] | None:
        header = request.META.get("HTTP_AUTHORIZATION")
        if header is None:
            return self._session(request._request)
        scheme, _, token = header.strip().partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token or " " in token:
            raise InvalidCredentials("Send credentials as `Authorization: Bearer <token>`.")
        user, auth = self._key(token) if token.startswith(PREFIX) else (tokens.user_for(token), token)
        ledger.top_up(user)
        return user, auth

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"

    def _key(self, secret: str) -> tuple[User, ApiKey]:
        key = ApiKey.for_secret(secret)
        if key is None:
            raise InvalidCredentials("The API key is unknown, expired or revoked.")
        if not limits.of_user(key.user).api_access:
            raise ApiKeysRequirePaidPlan()
        key.note_use()
        return key.user, key

    def _session(self, request: HttpRequest) -> tuple[User, str] | None:
        user = getattr(request, "user", None)
        if not isinstance(user, User) or not user.is_authenticated:
            return None
        _check_csrf(request)
        ledger.top_up(user)
        return user, "session"


def _check_csrf(request: HttpRequest) -> None:
    """Require the CSRF token in its header on unsafe methods.

    Django would look for it in the form first and so read the whole upload before any limit is known: the form is
    hidden while it looks.
    """
    check = CSRFCheck(lambda request: None)  # type: ignore[arg-type]  # nothing is called after the check
    check.process_request(request)
    hidden = not hasattr(request, "_post")
    if hidden:
        request._post, request._files = QueryDict(), MultiValueDict()  # type: ignore[attr-defined]
    try:
        reason = check.process_view(request, lambda request: None, (), {})  # type: ignore[arg-type, return-value]
    finally:
        if hidden:
            del request._post, request._files  # type: ignore[attr-defined]
    if reason:
        raise PermissionDenied("The CSRF token is missing or wrong. Send it in the X-CSRFToken header.")


class PersonOnly(BasePermission):
    """Lets in a JWT or a session; an API key can't be used for these routes."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not isinstance(request.user, User):
            return False
        if isinstance(request.auth, ApiKey):
            raise NotAuthenticated("This route needs an access token; an API key can't be used for it.")
        return True
