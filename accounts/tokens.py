"""Access and refresh tokens: a refresh token is used once, which the database decides."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, UUIDField
from django.utils import timezone
from rest_framework_simplejwt.exceptions import TokenError
from rest_framework_simplejwt.settings import api_settings
from rest_framework_simplejwt.tokens import AccessToken, RefreshToken

from accounts.errors import InvalidCredentials
from accounts.models import Login, User
from accounts.statements import Parameter, Statement

LOGIN_CLAIM = "sid"


@dataclass(frozen=True)
class Pair:
    access: str
    refresh: str


def _pair(token: RefreshToken) -> Pair:
    access = token.access_token
    # It ends as if both were made at one moment, so that is when it was issued, too.
    access.set_iat(at_time=token.current_time)
    return Pair(access=str(access), refresh=str(token))


def _token(user_id: object, login_id: uuid.UUID) -> RefreshToken:
    token = RefreshToken()
    token[api_settings.USER_ID_CLAIM] = str(user_id)
    token[LOGIN_CLAIM] = str(login_id)
    return token


def _expiry(token: RefreshToken) -> datetime:
    return datetime.fromtimestamp(token["exp"], tz=timezone.get_default_timezone())


def issue(user: User) -> Pair:
    """Start a login: a pair of tokens that can be refreshed until it is revoked."""
    login_id = uuid.uuid4()
    token = _token(user.pk, login_id)
    Login.objects.create(id=login_id, user=user, token=token["jti"], expires_at=_expiry(token))
    return _pair(token)


def rotate(text: str, *, arrived: datetime) -> Pair:
    """Exchange a refresh token for a new pair; of any number of uses one succeeds, the others raise InvalidCredentials.

    A token that comes back after it was exchanged was stolen or has been: its whole login is revoked. `arrived`, when
    the request came in, tells that from the loser of a race, which was already on its way.
    """
    old = _parse(text)
    now = timezone.now()
    login_id = uuid.UUID(old[LOGIN_CLAIM])
    new = _token(old[api_settings.USER_ID_CLAIM], login_id)
    login = Login.objects.filter(pk=login_id, revoked_at=None)
    # Not `user__is_active`: a join would make the token's own check part of a subquery, and PostgreSQL does not ask a
    # subquery again when the row that it has waited for was changed meanwhile.
    active = Exists(User.objects.filter(pk=OuterRef("user_id"), is_active=True))
    with transaction.atomic():
        rotated = login.filter(active, token=old["jti"], expires_at__gt=now).update(
            token=new["jti"], rotated_at=now, expires_at=_expiry(new)
        )
    if not rotated:
        login.exclude(token=old["jti"]).filter(rotated_at__lt=arrived).update(revoked_at=now)
        raise InvalidCredentials("This refresh token can't be used any more. Log in again.")
    return _pair(new)


def revoke(text: str) -> None:
    """End the login that a refresh token belongs to; one that is already dead is left as it is."""
    try:
        token = _parse(text)
    except InvalidCredentials:
        return
    Login.objects.filter(pk=token[LOGIN_CLAIM], revoked_at=None).update(revoked_at=timezone.now())


def revoke_all(user: User) -> None:
    """End every login of an account: after a change of password, or before the account goes."""
    Login.objects.filter(user=user, revoked_at=None).update(revoked_at=timezone.now())


_ALIVE = Statement(
    lambda: Login.objects.select_related("user__plan", "user__override").filter(
        pk=Parameter("login", UUIDField()),
        user_id=Parameter("user", UUIDField()),
        revoked_at=None,
        user__is_active=True,
    )
)


def user_for(text: str) -> User:
    """The account that an access token speaks for, with plan and override, in one query; raises InvalidCredentials."""
    try:
        token = AccessToken(text)  # type: ignore[arg-type]  # takes the text of a token
        login_id, user_id = uuid.UUID(token[LOGIN_CLAIM]), uuid.UUID(token[api_settings.USER_ID_CLAIM])
    except (TokenError, KeyError, ValueError, TypeError, AttributeError):
        raise InvalidCredentials("The access token is invalid or has expired. Refresh it or log in again.") from None
    login = _ALIVE.one(login=login_id, user=user_id)
    if login is None:
        raise InvalidCredentials("This login has ended. Log in again.")
    return login.user


def _parse(text: str) -> RefreshToken:
    try:
        token = RefreshToken(text)  # type: ignore[arg-type]  # takes the text of a token
        uuid.UUID(token[LOGIN_CLAIM])
        uuid.UUID(token[api_settings.USER_ID_CLAIM])
    except (TokenError, KeyError, ValueError, TypeError, AttributeError):
        raise InvalidCredentials("The refresh token is invalid or has expired. Log in again.") from None
    return token
