"""API authentication: an `fc_` key by its hash, else a JWT, else a browser session."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from rest_framework.authentication import CSRFCheck, SessionAuthentication
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework_simplejwt.authentication import JWTAuthentication
from rest_framework_simplejwt.exceptions import InvalidToken
from rest_framework_simplejwt.tokens import Token

from accounts.credits import ledger, limits, payers
from accounts.errors import InvalidCredentials
from accounts.login import tokens
from accounts.models import User
from apikeys.errors import ApiKeysRequirePaidPlan
from apikeys.models import ApiKey, Scope
from apikeys.secrets import PREFIX
from errors import AccessDenied

KEY_HEADER = "X-API-Key"
_ENCODING = "latin-1"
"""Headers as WSGI names them (PEP 3333)."""


class KeyOrToken(JWTAuthentication):
    """Authenticates by `X-API-Key: fc_...` or `Authorization: Bearer <API key or access token>`.

    `request.auth` is the ApiKey or the validated token. An invalid credential is refused on every route, never treated
    as a guest; two different ones raise ValidationError. Without `keys` all API keys are refused. `request.user` is the
    account acted for, possibly an organisation's; without `acting` it is the person's own.

    A key changes nothing without the scope `convert`; views that need `read` have the permission of apikeys.access.
    """

    def __init__(self, *, keys: bool = True, acting: bool = True) -> None:
        super().__init__()
        self.keys, self.acting = keys, acting

    def authenticate(  # type: ignore[override]  # its own type is of the library's tokens alone
        self, request: Request
    ) -> tuple[User, ApiKey | Token] | None:
        header: bytes | None = self.get_header(request)
        key: str | None = request.META.get("HTTP_X_API_KEY")
        bearer = None if header is None else self.get_raw_token(header).decode(_ENCODING)
        if key is None and bearer is None:
            return None
        if key is not None and bearer is not None and key.strip() != bearer:
            raise ValidationError(
                {KEY_HEADER: _("This differs from the Authorization header. Send only one of the two.")}
            )
        user: User
        auth: ApiKey | Token
        if key is not None or str(bearer).startswith(PREFIX):
            auth = self.get_key((key or str(bearer)).strip())
            if request.method not in SAFE_METHODS:
                auth.require(Scope.CONVERT)
            auth.record_use()
            user = auth.user
            if request.headers.get(payers.HEADER) not in (None, str(user.pk)):
                raise AccessDenied(
                    _("An API key belongs to one account. Leave out %(name)s.") % {"name": payers.HEADER}
                )
        else:
            auth = self.get_validated_token(str(bearer).encode(_ENCODING))
            user = self.get_user(auth)
            if self.acting:
                user = payers.acted_for(request._request, user, session=False)
        payers.require(user, payers.least_for(request))
        ledger.top_up(user)
        return user, auth

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"

    def get_raw_token(self, header: bytes) -> bytes:
        """What follows the scheme Bearer, in any letter case (RFC 9110, section 11.1)."""
        scheme, space, rest = header.strip().partition(b" ")
        raw: bytes | None = super().get_raw_token(scheme.title() + space + rest)
        if raw is None:
            raise InvalidCredentials(_("Send credentials as `Authorization: Bearer <token>`."))
        return raw

    def get_validated_token(self, raw_token: bytes) -> Token:
        try:
            return super().get_validated_token(raw_token)
        except InvalidToken as error:
            raise InvalidToken("The access token is invalid or has expired. Refresh it or log in again.") from error

    def get_user(self, validated_token: Token) -> User:  # type: ignore[override]  # this project's
        """The account, with plan and override, in one query that also checks the login."""
        return tokens.owner_of(validated_token)

    def get_key(self, secret: str) -> ApiKey:
        """The active key with this text; raises InvalidCredentials and ApiKeysRequirePaidPlan."""
        if not self.keys:
            raise InvalidCredentials(_("This route needs an access token; an API key can't be used for it."))
        key = ApiKey.for_secret(secret)
        if key is None:
            raise InvalidCredentials(_("The API key is unknown, expired or revoked."))
        if not limits.of_user(key.user).api_access:
            raise ApiKeysRequirePaidPlan()
        return key


class WebSession(SessionAuthentication):
    """Authenticates by session cookie; `request.auth` is None.

    Unsafe methods need the CSRF token. For `acting` see KeyOrToken.
    """

    def __init__(self, *, acting: bool = True) -> None:
        self.acting = acting

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        session = request._request.session
        logged_in = SESSION_KEY in session
        found = super().authenticate(request)
        if found is None and logged_in:
            # The account was disabled or its password changed. As a guest's, this request's result would be public;
            # from the next request on the browser is a guest's.
            session.flush()
            raise InvalidCredentials(_("Your session has ended. Log in again."))
        if found is None:
            return None
        user: User = found[0]
        if self.acting:
            user = payers.chosen_owner(request._request, user)
        payers.require(user, payers.least_for(request))
        ledger.top_up(user)
        return user, None

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"

    def enforce_csrf(self, request: Request) -> None:
        """Require the CSRF token in its header.

        Django looks in the form first, which would read the whole upload before any limit is checked: hide the form
        from it.
        """
        bare: Any = request._request
        check = CSRFCheck(lambda request: None)  # type: ignore[arg-type]  # nothing is called after the check
        check.process_request(bare)
        hidden = not hasattr(bare, "_post")
        if hidden:
            bare._post, bare._files = QueryDict(), MultiValueDict()
        try:
            reason = check.process_view(bare, lambda request: None, (), {})  # type: ignore[arg-type, return-value]
        finally:
            if hidden:
                del bare._post, bare._files
        if reason:
            raise PermissionDenied(_("The CSRF token is missing or wrong. Send it in the X-CSRFToken header."))
