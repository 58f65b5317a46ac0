"""Second factors: codes of an app, passkeys, and recovery codes for whoever has lost them; each counts once."""

from __future__ import annotations

import base64
import secrets
import time
from importlib import import_module
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import models, transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from accounts import passkeys
from accounts.models import User
from accounts.passkeys import Passkey

PERIOD = 30
"""Seconds for which a code is shown (RFC 6238, section 5.2)."""
_SLACK = 1
"""Steps by which a phone's clock may be early or late (RFC 6238, section 5.2)."""
CODES = 10
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Those that nobody takes for another."""
_LENGTH = 10


class Totp(models.Model):
    """An authenticator app; its secret is kept encrypted, for it has to be known to check a code."""

    user = models.OneToOneField(User, primary_key=True, on_delete=models.CASCADE, related_name="totp")
    secret = models.CharField(max_length=200)
    last_step = models.BigIntegerField(default=0, help_text=_("Of the last code that was taken: none counts twice."))
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
    """Whether the account's password alone is not enough."""
    return Totp.objects.filter(user=user.pk).exists() or passkeys.are_there(user)


def kinds_of(user: User) -> dict[str, bool]:
    """Which kinds of second factors the account has, by the names that pages have for them."""
    return {"totp": Totp.objects.filter(user=user).exists(), "passkeys": passkeys.are_there(user)}


def new_secret() -> str:
    """A secret to show and to have a code of, in base32."""
    return str(_pyotp().random_base32())


def address_of(secret: str, user: User) -> str:
    """What an authenticator app reads from a picture (otpauth:// URI)."""
    return str(_pyotp().TOTP(secret).provisioning_uri(name=user.email, issuer_name=settings.SERVICE_NAME))


def is_code_of(secret: str, code: str) -> bool:
    """Whether an app that has just been given the secret shows this code."""
    return _step(secret, code) is not None


def add_totp(user: User, secret: str, code: str) -> list[str] | None:
    """Keep an authenticator, whose first code counts as used; the account's new recovery codes, None for a bad code."""
    step = _step(secret, code)
    if step is None:
        return None
    with transaction.atomic():
        given = {"secret": _vault().encrypt(secret.encode()).decode(), "last_step": step}
        Totp.objects.update_or_create(user=user, defaults=given)
        return renew_codes(user)


def add_passkey(request: HttpRequest, user: User, *, name: str, answer: str) -> list[str]:
    """Keep a passkey; recovery codes with it where the account has none. Raises passkeys.Refused."""
    with transaction.atomic():
        passkeys.add(request, user, name=name, answer=answer)
        return [] if codes_left(user) else renew_codes(user)


def remove_totp(user: User, *, keep_one: bool) -> bool:
    """Take the app away, and recovery codes that nothing is left for; not the last factor where one has to be kept."""
    return _remove(user, Totp.objects.filter(user=user), keep_one=keep_one)


def remove_passkey(user: User, passkey: int, *, keep_one: bool) -> bool:
    """Take a passkey away, as remove_totp does the app."""
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


def remove_all(user: User) -> None:
    """Let the password alone be enough again."""
    with transaction.atomic():
        Totp.objects.filter(user=user).delete()
        passkeys.forget(user)
        RecoveryCode.objects.filter(user=user).delete()


def told(user: User) -> dict[str, Any]:
    """What is kept of the account's second factors, without what proves anything."""
    rows = Passkey.objects.filter(user=user).values("name", "created_at", "used_at")
    keys = [{"name": each["name"], "createdAt": each["created_at"], "usedAt": each["used_at"]} for each in rows]
    since = Totp.objects.filter(user=user).values_list("created_at", flat=True).first()
    return {"authenticatorSince": since, "passkeys": keys, "recoveryCodesLeft": codes_left(user)}


def codes_left(user: User) -> int:
    """How many of the account's recovery codes have not been used."""
    return RecoveryCode.objects.filter(user=user).count()


def renew_codes(user: User) -> list[str]:
    """New recovery codes, shown once; those from before are void."""
    codes = ["".join(secrets.choice(_LETTERS) for _ in range(_LENGTH)) for _ in range(CODES)]
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        RecoveryCode.objects.filter(user=user).delete()
        RecoveryCode.objects.bulk_create(RecoveryCode(user=user, digest=_digest(each)) for each in codes)
    return [f"{each[:5]}-{each[5:]}" for each in codes]


def take(user: User, code: str) -> bool:
    """Whether this is a code of the account's, which counts now and never again, whoever sends it at the same time."""
    given = "".join(code.lower().split()).replace("-", "")
    if len(given) == _LENGTH:
        return RecoveryCode.objects.filter(user=user, digest=_digest(given)).delete()[0] > 0
    totp = Totp.objects.filter(user=user).first()
    step = _step(_opened(totp.secret), given) if totp is not None else None
    return step is not None and Totp.objects.filter(user=user, last_step__lt=step).update(last_step=step) > 0


def _step(secret: str, code: str) -> int | None:
    """The step of which this is the code, now or a moment ago."""
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
    """The secret, or nothing where SECRET_KEY is another by now: recovery codes are left then."""
    fernet = import_module("cryptography.fernet")
    try:
        return str(_vault().decrypt(kept.encode()).decode())
    except fernet.InvalidToken:
        return ""


def _digest(code: str) -> str:
    # Keyed by nothing that may change: a code has 49 bits, and guesses are counted.
    return salted_hmac("accounts.recovery", code, secret="", algorithm="sha256").hexdigest()


def _vault() -> Any:
    key = salted_hmac("accounts.totp", "", algorithm="sha256").digest()
    return import_module("cryptography.fernet").Fernet(base64.urlsafe_b64encode(key))


def _pyotp() -> Any:
    """The library, loaded by the first who has a code."""
    return import_module("pyotp")
