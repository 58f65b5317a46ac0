"""Access and refresh tokens: a refresh token is used once, which the database decides."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, UUIDField
from django.db.models.functions import Greatest, Now
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework_simplejwt.exceptions import TokenError
from rest_framework_simplejwt.settings import api_settings
from rest_framework_simplejwt.tokens import Token

from accounts.compiled_sql import Parameter, Statement
from accounts.errors import InvalidCredentials
from accounts.models import Login, SpentToken, User
from accounts.signed import RefreshToken

LOGIN_CLAIM = "sid"
STRAGGLING = timedelta(seconds=10)
"""How long after its exchange a refresh token may come again without being taken for stolen."""


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


def issue(user: User, *, device: str = "") -> Pair:
    """Start a login: a pair of tokens that can be refreshed until it is revoked."""
    login_id = uuid.uuid4()
    token = _token(user.pk, login_id)
    Login.objects.create(
        id=login_id,
        user=user,
        generation=user.generation,
        token=token["jti"],
        device=device,
        expires_at=_expiry(token),
    )
    return _pair(token)


def rotate(text: str) -> Pair:
    """Exchange a refresh token for a new pair; of any number of uses one succeeds, the others raise InvalidCredentials.

    A token that comes back within STRAGGLING of its exchange was sent twice, by two tabs or by a client that lost the
    answer, and nothing else happens. Later it was stolen or has been: its whole login is revoked. What is judged by is
    the database's clock alone: those of processes and machines differ.
    """
    old = _parse(text)
    login_id = uuid.UUID(old[LOGIN_CLAIM])
    new = _token(old[api_settings.USER_ID_CLAIM], login_id)
    login = Login.objects.filter(pk=login_id, revoked_at=None)
    # Not `user__is_active`: a join would make the token's own check part of a subquery, and PostgreSQL does not ask a
    # subquery again when the row that it has waited for was changed meanwhile.
    active = Exists(User.objects.filter(pk=OuterRef("user_id"), generation=OuterRef("generation"), is_active=True))
    fresh = SpentToken.objects.filter(used_at__gt=Now() - STRAGGLING)
    with transaction.atomic():
        rotated = login.filter(active, token=old["jti"], expires_at__gt=Now()).update(
            # A clock that was set back must not make the row one that the database refuses.
            token=new["jti"], rotated_at=Greatest(Now(), F("created_at")), expires_at=_expiry(new)
        )  # fmt: skip
        if rotated:
            SpentToken.objects.filter(login=login_id).exclude(pk__in=fresh.values("pk")).delete()
            SpentToken(token=old["jti"], login_id=login_id, used_at=Now()).save(force_insert=True)
    if not rotated:
        # The one that was exchanged first is there: the statement above has waited for its transaction.
        login.exclude(token=old["jti"]).exclude(Exists(fresh.filter(token=old["jti"]))).update(revoked_at=Now())
        raise InvalidCredentials(_("This refresh token can't be used any more. Log in again."))
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
        generation=F("user__generation"),
        user__is_active=True,
    )
)


def owner_of(token: Token) -> User:
    """The account that a valid access token speaks for, with plan and override, in one query.

    Raises InvalidCredentials where the login has ended or the account is not active.
    """
    try:
        login_id, user_id = uuid.UUID(token[LOGIN_CLAIM]), uuid.UUID(token[api_settings.USER_ID_CLAIM])
    except (KeyError, ValueError, TypeError, AttributeError):
        raise InvalidCredentials(_("The access token is not one of this service. Log in again.")) from None
    login = _ALIVE.one(login=login_id, user=user_id)
    if login is None:
        raise InvalidCredentials(_("This login has ended. Log in again."))
    return login.user


def _parse(text: str) -> RefreshToken:
    try:
        token = RefreshToken(text)  # type: ignore[arg-type]  # takes the text of a token
        uuid.UUID(token[LOGIN_CLAIM])
        uuid.UUID(token[api_settings.USER_ID_CLAIM])
    except (TokenError, KeyError, ValueError, TypeError, AttributeError):
        raise InvalidCredentials(_("The refresh token is invalid or has expired. Log in again.")) from None
    return token
