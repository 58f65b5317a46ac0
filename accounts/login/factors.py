"""Second factors: authenticator codes, passkeys and recovery codes; each code works once."""

from __future__ import annotations

import base64
import secrets
import time
from datetime import datetime
from importlib import import_module
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import models, transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from accounts.credits import throttling
from accounts.login import passkeys
from accounts.login.passkeys import Passkey
from accounts.models import User

PERIOD = 30
"""Seconds for which a code is valid (RFC 6238, section 5.2)."""
_SLACK = 1
"""Steps by which a phone's clock may be off (RFC 6238, section 5.2)."""
CODES = 10
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Characters that are not mistaken for each other."""
_LENGTH = 10


class Totp(models.Model):
    """An authenticator app; its secret is encrypted, not hashed, as checking a code needs it."""

    user = models.OneToOneField(User, primary_key=True, on_delete=models.CASCADE, related_name="totp")
    secret = models.CharField(max_length=200)
    last_step = models.BigIntegerField(default=0, help_text=_("The last code used, so that no code works twice."))
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"Authenticator of {self.user_id}"


class RecoveryCode(models.Model):
    """A code that replaces the second factor once."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="recovery_codes")
    digest = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(name="recovery_code_once", fields=["user", "digest"])]

    def __str__(self) -> str:
        return str(self.pk)


def has_factor(user: User | AbstractBaseUser) -> bool:
    """Whether the account has a second factor."""
    return Totp.objects.filter(user=user.pk).exists() or passkeys.has_passkey(user)


def kinds_of(user: User) -> dict[str, bool]:
    """The kinds of second factors that the account has, by their names in templates."""
    return {"totp": Totp.objects.filter(user=user).exists(), "passkeys": passkeys.has_passkey(user)}


def new_secret() -> str:
    """A new base32 secret."""
    return str(_pyotp().random_base32())


def address_of(secret: str, user: User) -> str:
    """The otpauth:// URI that an authenticator app reads from the QR code."""
    return str(_pyotp().TOTP(secret).provisioning_uri(name=user.email, issuer_name=settings.SERVICE_NAME))


def add_totp(user: User, secret: str, code: str) -> list[str] | None:
    """Add an authenticator, whose first code counts as used; returns new recovery codes, None for a wrong code.

    Raises InvalidCredentials if all logins have ended since `user` was read.
    """
    step = _step(secret, code)
    if step is None:
        return None
    with transaction.atomic():
        user.lock_if_current()
        given = {"secret": _vault().encrypt(secret.encode()).decode(), "last_step": step}
        Totp.objects.update_or_create(user=user, defaults=given)
        return renew_codes(user)


def add_passkey(request: HttpRequest, user: User, *, name: str, answer: str) -> list[str]:
    """Add a passkey, with recovery codes if the account has none. Raises passkeys.Refused."""
    with transaction.atomic():
        passkeys.add(request, user, name=name, answer=answer)
        return [] if codes_left(user) else renew_codes(user)


def remove_totp(user: User, *, keep_one: bool) -> bool:
    """Remove the app, and recovery codes that are left without a factor; keeps the last factor if one is required."""
    return _remove(user, Totp.objects.filter(user=user), keep_one=keep_one)


def remove_passkey(user: User, passkey: int, *, keep_one: bool) -> bool:
    """Remove a passkey; see remove_totp."""
    return _remove(user, Passkey.objects.filter(user=user, pk=passkey), keep_one=keep_one)


def _remove(user: User, rows: models.QuerySet[Any], *, keep_one: bool) -> bool:
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        rows.delete()
        if not has_factor(user):
            if keep_one:
                transaction.set_rollback(True)
                return False
            RecoveryCode.objects.filter(user=user).delete()
    return True


def remove_all(user: User, *, before: datetime | None = None) -> int:
    """Remove all second factors, or those added before then, with the recovery codes; returns how many there were."""
    apps = Totp.objects.filter(user=user)
    with transaction.atomic():
        removed = (apps if before is None else apps.filter(created_at__lt=before)).delete()[0]
        removed += passkeys.forget(user, before=before)
        if before is None or removed:
            RecoveryCode.objects.filter(user=user).delete()
    return removed


def exported(user: User) -> dict[str, Any]:
    """The account's second factors for its export, without secrets."""
    rows = Passkey.objects.filter(user=user).values("name", "created_at", "used_at")
    keys = [{"name": each["name"], "createdAt": each["created_at"], "usedAt": each["used_at"]} for each in rows]
    since = Totp.objects.filter(user=user).values_list("created_at", flat=True).first()
    return {"authenticatorSince": since, "passkeys": keys, "recoveryCodesLeft": codes_left(user)}


def codes_left(user: User) -> int:
    """How many unused recovery codes the account has."""
    return RecoveryCode.objects.filter(user=user).count()


def renew_codes(user: User) -> list[str]:
    """Replace the recovery codes; returned once, and stored as hashes."""
    codes = ["".join(secrets.choice(_LETTERS) for _ in range(_LENGTH)) for _ in range(CODES)]
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        RecoveryCode.objects.filter(user=user).delete()
        RecoveryCode.objects.bulk_create(RecoveryCode(user=user, digest=_digest(each)) for each in codes)
    return [f"{each[:5]}-{each[5:]}" for each in codes]


def use_code(user: User, code: str) -> bool:
    """Check and use up a code of the account; of concurrent uses one succeeds. Raises TooManyRequests."""
    throttling.check_code(user)
    given = "".join(code.lower().split()).replace("-", "")
    if len(given) == _LENGTH:
        return RecoveryCode.objects.filter(user=user, digest=_digest(given)).delete()[0] > 0
    totp = Totp.objects.filter(user=user).first()
    step = _step(_opened(totp.secret), given) if totp is not None else None
    return step is not None and Totp.objects.filter(user=user, last_step__lt=step).update(last_step=step) > 0


def _step(secret: str, code: str) -> int | None:
    """The time step that the code belongs to, within the allowed drift."""
    given = "".join(code.split())
    if not secret or not (given.isascii() and given.isdigit() and len(given) == 6):
        return None
    now = int(time.time()) // PERIOD
    totp = _pyotp().TOTP(secret)
    found = [
        step for step in range(now - _SLACK, now + _SLACK + 1) if secrets.compare_digest(totp.generate_otp(step), given)
    ]
    return found[-1] if found else None


def _opened(kept: str) -> str:
    """The decrypted secret; empty if SECRET_KEY has changed, which leaves the recovery codes."""
    fernet = import_module("cryptography.fernet")
    try:
        return str(_vault().decrypt(kept.encode()).decode())
    except fernet.InvalidToken:
        return ""


def _digest(code: str) -> str:
    # A plain hash, independent of SECRET_KEY: a code has 49 bits, and attempts are limited.
    return salted_hmac("accounts.recovery", code, secret="", algorithm="sha256").hexdigest()


def _vault() -> Any:
    key = salted_hmac("accounts.totp", "", algorithm="sha256").digest()
    return import_module("cryptography.fernet").Fernet(base64.urlsafe_b64encode(key))


def _pyotp() -> Any:
    """Imported on first use: most services need it rarely."""
    return import_module("pyotp")
