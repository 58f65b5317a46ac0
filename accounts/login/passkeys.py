"""Passkeys (WebAuthn): keys on a phone, a computer or a security key."""

from __future__ import annotations

import hashlib
import json
import re
import struct
import time
from datetime import datetime
from importlib import import_module
from typing import Any, ClassVar
from urllib.parse import urlsplit

from cryptography.exceptions import UnsupportedAlgorithm
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, models, transaction
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User

LASTS = 300.0
"""Seconds that the browser has to respond."""
MAX_PASSKEYS = 20
"""Passkeys of one account."""
MAX_ANSWER = 20_000
"""Characters of a browser's response; real ones have about 2,000."""
_MAX_ID = 1023
"""Bytes of a key's own ID (WebAuthn, section 4)."""
_BASE64URL = re.compile(r"[A-Za-z0-9_-]+=*")
_SESSION_KEY = "passkey_asked"
_BROKEN = (
    ValueError, TypeError, LookupError, AttributeError, AssertionError, NotImplementedError, RecursionError,
    struct.error, UnsupportedAlgorithm,
)  # fmt: skip
"""Raised by the library for malformed responses, and for ones that fail verification."""


class Refused(ValueError):
    """A response that failed verification; the message says what to do next."""


class Passkey(models.Model):
    """The public half of a key. `sign_count` is the key's use counter, 0 if it has none."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="passkeys")
    credential = models.CharField(
        max_length=1364, unique=True, help_text=gettext_lazy("The key's own ID, in base64url.")
    )
    public_key = models.TextField(help_text=gettext_lazy("As COSE (RFC 9052), in base64url."))
    sign_count = models.PositiveBigIntegerField(default=0)
    answered = models.CharField(
        max_length=64, blank=True, help_text=gettext_lazy("A digest of its last signature, so that none works twice.")
    )
    name = models.CharField(max_length=60)
    created_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.name


def has_passkey(user: User | AbstractBaseUser) -> bool:
    """Whether the account has a passkey."""
    return Passkey.objects.filter(user=user.pk).exists()


def forget(user: User, *, before: datetime | None = None) -> int:
    """Delete all passkeys of the account, or those added before then; returns how many there were."""
    rows = Passkey.objects.filter(user=user)
    return (rows if before is None else rows.filter(created_at__lt=before)).delete()[0]


def passkey_in(answer: str) -> Passkey | None:
    """The passkey named by a browser's response; not verified yet."""
    try:
        named = _read(answer).get("rawId")
    except Refused:
        return None
    if not isinstance(named, str) or not _BASE64URL.fullmatch(named):
        return None
    rows = Passkey.objects.select_related("user__plan", "user__override")
    return rows.filter(credential=named.rstrip("=")).first()


def ask_to_add(request: HttpRequest, user: User) -> str:
    """Options for creating a passkey, as JSON; kept in the session until the browser responds."""
    known = [_described(each) for each in Passkey.objects.filter(user=user)]
    person = _webauthn().PublicKeyCredentialUserEntity(
        id=user.pk.bytes, name=user.email, display_name=user.get_short_name()
    )
    options, state = _server(request).register_begin(
        person, known, resident_key_requirement="preferred", user_verification="preferred"
    )
    _keep(request, state, purpose=f"add {user.pk}")
    return json.dumps(dict(options))


def add(request: HttpRequest, user: User, *, name: str, answer: str) -> Passkey:
    """Store the passkey that the browser created; repeated submissions store one.

    Raises Refused, and InvalidCredentials if all logins have ended since `user` was read.
    """
    state = _kept(request, purpose=f"add {user.pk}")
    given = _read(answer)
    try:
        found = _server(request).register_complete(state, given)
        data = found.credential_data
        if data.public_key.ALGORITHM not in import_module("fido2.cose").CoseKey.supported_algorithms():
            raise ValueError("an algorithm that was not asked for")
        if len(data.credential_id) > _MAX_ID:
            raise ValueError("an ID that is too long")
        key = import_module("fido2.cbor").encode(data.public_key)
    except _BROKEN as error:
        raise Refused(_("The answer doesn't match the request. Try again.")) from error
    row = Passkey(user=user, name=name, sign_count=found.counter)
    row.credential, row.public_key = _text(data.credential_id), _text(key)
    with transaction.atomic():
        user.lock_if_current()
        if Passkey.objects.filter(user=user).count() >= MAX_PASSKEYS:
            raise Refused(_("You have the maximum of %(most)s passkeys. Remove one first.") % {"most": MAX_PASSKEYS})
        try:
            with transaction.atomic():
                row.save(force_insert=True)
        except IntegrityError as error:
            raise Refused(_("This passkey is already in use.")) from error
    return row


def ask(request: HttpRequest, user: User | None) -> str:
    """Options for using a passkey, as JSON: one of the account's passkeys, or any passkey."""
    known = None if user is None else [_described(each) for each in Passkey.objects.filter(user=user)]
    verified = "required" if user is None else "preferred"
    options, state = _server(request).authenticate_begin(known, user_verification=verified)
    _keep(request, state, purpose=_purpose(user))
    return json.dumps(dict(options))


def verify(request: HttpRequest, user: User | None, answer: str) -> User:
    """Verify a response and return the passkey; each response works once, concurrent ones included. Raises Refused.

    A counter that has not grown is a sign of a cloned key (WebAuthn, section 6.1.1), which is refused.
    """
    state = _kept(request, purpose=_purpose(user))
    passkey = passkey_in(answer)
    if passkey is None or (user is not None and passkey.user_id != user.pk):
        raise Refused(_("This passkey is not registered here. Use another one, or log in with your password."))
    given = _read(answer)
    try:
        _server(request).authenticate_complete(state, [_opened(passkey)], given)
        response = _webauthn().AuthenticationResponse.from_dict(given).response
        if user is None and response.user_handle != passkey.user_id.bytes:
            raise ValueError("a key of somebody else's name")
    except _BROKEN as error:
        raise Refused(_("The passkey could not be verified. Try again.")) from error
    count, signed = response.authenticator_data.counter, hashlib.sha256(state["challenge"].encode()).hexdigest()
    fresh = Passkey.objects.filter(pk=passkey.pk).exclude(answered=signed)
    grown = fresh.filter(Q(sign_count__lt=count) if count else Q(sign_count=0))
    if not grown.update(sign_count=count, answered=signed, used_at=timezone.now()):
        raise Refused(
            _("This passkey may have been copied or used twice. Try again, or log in another way and remove it.")
        )
    return passkey.user


def _keep(request: HttpRequest, state: Any, *, purpose: str) -> None:
    verification = state["user_verification"]
    request.session[_SESSION_KEY] = [purpose, state["challenge"], verification and str(verification), time.time()]


def _kept(request: HttpRequest, *, purpose: str) -> dict[str, str]:
    """Pop the challenge from the session, so that it can't be answered twice."""
    asked, challenge, verification, at = request.session.pop(_SESSION_KEY, None) or ("", "", "", 0.0)
    if asked != purpose or not 0 <= time.time() - at < LASTS:
        raise Refused(_("This took too long or was started in another window. Try again."))
    return {"challenge": challenge, "user_verification": verification}


def _purpose(user: User | None) -> str:
    return "enter" if user is None else f"prove {user.pk}"


def _read(answer: str) -> dict[str, Any]:
    try:
        given = json.loads(answer) if len(answer) <= MAX_ANSWER else None
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise Refused(_("The browser's answer could not be read. Try again, or use another browser."))
    return given


def _server(request: HttpRequest) -> Any:
    """The library set up for the request's host, one of ALLOWED_HOSTS, and the allowed origins."""
    host = request.get_host()
    origins = {f"{request.scheme}://{host}", *settings.CSRF_TRUSTED_ORIGINS}
    party = _webauthn().PublicKeyCredentialRpEntity(id=urlsplit(f"//{host}").hostname, name=settings.SERVICE_NAME)
    return import_module("fido2.server").Fido2Server(party, verify_origin=lambda origin: origin in origins)


def _described(passkey: Passkey) -> Any:
    return _webauthn().PublicKeyCredentialDescriptor(type="public-key", id=_bytes(passkey.credential))


def _opened(passkey: Passkey) -> Any:
    key = import_module("fido2.cbor").decode(_bytes(passkey.public_key))
    return _webauthn().AttestedCredentialData.create(_webauthn().Aaguid.NONE, _bytes(passkey.credential), key)


def _webauthn() -> Any:
    """Imported on first use."""
    return import_module("fido2.webauthn")


def _text(content: bytes) -> str:
    return str(import_module("fido2.utils").websafe_encode(content))


def _bytes(text: str) -> bytes:
    return bytes(import_module("fido2.utils").websafe_decode(text))
