"""The text of a key: `fc_`, 34 random characters and a 6-character checksum, so that typos need no query."""

from __future__ import annotations

import hashlib
import secrets
import string
import zlib

PREFIX = "fc_"
ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
RANDOM_LENGTH, CHECKSUM_LENGTH = 34, 6
KEY_LENGTH = len(PREFIX) + RANDOM_LENGTH + CHECKSUM_LENGTH
SHOWN_PREFIX = 10


def _checksum(text: str) -> str:
    """CRC-32 of the text in base 62, most significant digit first: 6 digits hold 62**6 > 2**32 values."""
    value = zlib.crc32(text.encode())
    digits = []
    for _ in range(CHECKSUM_LENGTH):
        value, digit = divmod(value, len(ALPHABET))
        digits.append(ALPHABET[digit])
    return "".join(reversed(digits))


def new_secret() -> str:
    """A new key of 202 bits from the system's random source."""
    body = PREFIX + "".join(secrets.choice(ALPHABET) for _ in range(RANDOM_LENGTH))
    return body + _checksum(body)


def is_secret(text: str) -> bool:
    """Whether the text has the form and checksum of a key."""
    if len(text) != KEY_LENGTH or not text.startswith(PREFIX) or not text.isascii():
        return False
    return _checksum(text[:-CHECKSUM_LENGTH]) == text[-CHECKSUM_LENGTH:]


def digest(secret: str) -> str:
    """The SHA-256 digest that is stored: with 202 random bits no salt and no slow hash are needed."""
    return hashlib.sha256(secret.encode()).hexdigest()
