"""Keys of receipts: the signing key, derived from a secret, and all earlier public keys."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from conversions.models import ReceiptKey

_PURPOSE = b"receipts of conversions, Ed25519"


@dataclass(frozen=True)
class SigningKey:
    """A private key, its public half and its id, in base64url."""

    private: Ed25519PrivateKey
    x: str
    kid: str


def signing_key() -> SigningKey:
    """The current signing key, derived from RECEIPT_SIGNING_KEY, or SECRET_KEY if unset."""
    return _derived(str(settings.RECEIPT_SIGNING_KEY))


@functools.lru_cache(maxsize=2)
def _derived(secret: str) -> SigningKey:
    seed = HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE).derive(secret.encode())
    private = Ed25519PrivateKey.from_private_bytes(seed)
    x = text(private.public_key().public_bytes_raw())
    thumbprint = json.dumps({"crv": "Ed25519", "kty": "OKP", "x": x}, separators=(",", ":"))
    return SigningKey(private, x, text(hashlib.sha256(thumbprint.encode()).digest()))


def sign(payload: bytes) -> str:
    """A compact JSON Web Signature (RFC 7515) with EdDSA (RFC 8037); lists the public key from then on."""
    key = signing_key()
    ReceiptKey.objects.get_or_create(kid=key.kid, defaults={"x": key.x})
    header = json.dumps({"alg": "EdDSA", "kid": key.kid, "typ": "receipt+jws"}, separators=(",", ":"))
    signed = f"{text(header.encode())}.{text(payload)}"
    return f"{signed}.{text(key.private.sign(signed.encode()))}"


def public_keys() -> list[dict[str, str]]:
    """All public keys as JSON Web Keys, the current one first."""
    now = signing_key()
    listed = {now.kid: now.x, **dict(ReceiptKey.objects.values_list("kid", "x"))}
    return [
        {"kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "kid": kid, "x": x} for kid, x in listed.items()
    ]


def text(content: bytes) -> str:
    """Base64url without padding, as JOSE requires."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()
