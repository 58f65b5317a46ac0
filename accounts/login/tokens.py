"""Access and refresh tokens; the database makes sure that each refresh token is used once."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.db.models.functions import Greatest, Now
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework_simplejwt.exceptions import TokenError
from rest_framework_simplejwt.settings import api_settings
from rest_framework_simplejwt.tokens import Token

from accounts.errors import InvalidCredentials
from accounts.login.signed import RefreshToken
from accounts.models import Login, SpentToken, User

LOGIN_CLAIM = "sid"
RETRY_WINDOW = timedelta(seconds=10)
"""How long after its exchange a refresh token may be repeated without counting as stolen."""


@dataclass(frozen=True)
class Pair:
    access: str
    refresh: str


def _pair(token: RefreshToken) -> Pair:
    access = token.access_token
    # It expires as if both were made at the same moment, so it was issued then, too.
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
    """Start a login: a token pair that can be refreshed until revoked."""
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


def decoy_pair(user: User) -> Pair:
    """A pair that looks freshly issued but is valid for nobody."""
    return _pair(_token(user.pk, uuid.uuid4()))


def rotate(text: str) -> Pair:
    """Exchange a refresh token for a new pair; of concurrent uses one succeeds, the others raise InvalidCredentials.

    A token repeated within RETRY_WINDOW of its exchange was sent twice, by two tabs or after a lost response: that has
    no effect. Later it counts as stolen: the whole login is revoked. Only the database's clock is used, as those of
    processes and machines differ.
    """
    old = _parse(text)
    login_id = uuid.UUID(old[LOGIN_CLAIM])
    new = _token(old[api_settings.USER_ID_CLAIM], login_id)
    login = Login.objects.filter(pk=login_id, revoked_at=None)
    # Not `user__is_active`: a join would make the token's own check part of a subquery, and PostgreSQL does not ask a
    # subquery again when the row that it has waited for was changed meanwhile.
    confirmed = {"unconfirmed_since": None} if settings.EMAIL_VERIFICATION == "required" else {}
    active = Exists(
        User.objects.filter(pk=OuterRef("user_id"), generation=OuterRef("generation"), is_active=True, **confirmed)
    )
    fresh = SpentToken.objects.filter(used_at__gt=Now() - RETRY_WINDOW)
    with transaction.atomic():
        rotated = login.filter(active, token=old["jti"], expires_at__gt=Now()).update(
            # After the clock was set back, the row must still satisfy the database's constraint.
            token=new["jti"], rotated_at=Greatest(Now(), F("created_at")), expires_at=_expiry(new)
        )  # fmt: skip
        if rotated:
            SpentToken.objects.filter(login=login_id).exclude(pk__in=fresh.values("pk")).delete()
            SpentToken(token=old["jti"], login_id=login_id, used_at=Now()).save(force_insert=True)
    if not rotated:
        # The first exchange is visible: the statement above waited for its transaction.
        login.exclude(token=old["jti"]).exclude(Exists(fresh.filter(token=old["jti"]))).update(revoked_at=Now())
        raise InvalidCredentials(_("This refresh token can no longer be used. Log in again."))
    return _pair(new)


def revoke(text: str) -> None:
    """End the login of a refresh token; no error if it has already ended."""
    try:
        token = _parse(text)
    except InvalidCredentials:
        return
    Login.objects.filter(pk=token[LOGIN_CLAIM], revoked_at=None).update(revoked_at=timezone.now())


def revoke_all(user: User) -> None:
    """End every API login of an account, after a password change or before its deletion."""
    Login.objects.filter(user=user, revoked_at=None).update(revoked_at=timezone.now())


def owner_of(token: Token) -> User:
    """The account of a valid access token, with plan and override, in one query.

    Raises InvalidCredentials if the login has ended, or the account is inactive or unconfirmed.
    """
    try:
        login_id, user_id = uuid.UUID(token[LOGIN_CLAIM]), uuid.UUID(token[api_settings.USER_ID_CLAIM])
    except (KeyError, ValueError, TypeError, AttributeError):
        raise InvalidCredentials(_("The access token was not issued by this service. Log in again.")) from None
    login = (
        Login.objects.select_related("user__plan", "user__override")
        .filter(
            pk=login_id,
            user_id=user_id,
            revoked_at=None,
            generation=F("user__generation"),
            user__is_active=True,
        )
        .first()
    )
    if login is None or login.user.must_confirm_email:
        raise InvalidCredentials(
            _(
                "This login has ended, or the address isn't confirmed yet. Follow the link in the email, "
                "or log in again."
            )
        )
    return login.user


def _parse(text: str) -> RefreshToken:
    try:
        token = RefreshToken(text)  # type: ignore[arg-type]  # takes the text of a token
        uuid.UUID(token[LOGIN_CLAIM])
        uuid.UUID(token[api_settings.USER_ID_CLAIM])
    except (TokenError, KeyError, ValueError, TypeError, AttributeError):
        raise InvalidCredentials(_("The refresh token is invalid or has expired. Log in again.")) from None
    return token
