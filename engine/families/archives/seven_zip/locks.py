"""Decrypt the streams of 7z archives: AES-256 in CBC, its key from SHA-256 (7zAES of 7-Zip's Methods.txt)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache

from engine.families.archives.damage import damaged, locked, wrong_password
from engine.toolkit.failures import ConversionError, Unreadable

AES = b"\x06\xf1\x07\x01"
_MAX_POWER = 24
"""The most rounds of a key, as a power of two: about ten seconds. 7-Zip writes 19."""
_AS_IT_IS = 0x3F
"""In place of a power: the key is the password itself."""
_AT_ONCE = 1 << 12


class Lock:
    """The password of an archive. Nothing in it tells a wrong one but that what it opens is damaged."""

    def __init__(self, password: str | None) -> None:
        self._password = password
        self.proven = False
        """Whether a checksum of something encrypted was right."""
        self._key = cache(self._derived)

    def refusal(self) -> ConversionError:
        """The error for something encrypted that is damaged once decrypted."""
        return damaged() if self.proven else wrong_password()

    def opened(self, stream: Iterator[bytes], properties: bytes, size: int) -> Iterator[bytes]:
        """Yield the decrypted bytes. Raises InvalidOption without a password, Unreadable for too many rounds."""
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

        if self._password is None:
            raise locked()
        power, salt, vector = _parameters(properties)
        if power > _MAX_POWER and power != _AS_IT_IS:
            raise Unreadable(
                "The archive's password takes too long to check. Create the archive again.", reason="limit"
            )
        decryptor = Cipher(algorithms.AES(self._key(power, salt)), modes.CBC(vector)).decryptor()
        for block in stream:
            data = decryptor.update(block)[:size]
            size -= len(data)
            if data:
                yield data

    def _derived(self, power: int, salt: bytes) -> bytes:
        secret = salt + (self._password or "").encode("utf-16-le", "surrogatepass")
        if power == _AS_IT_IS:
            return secret[:32].ljust(32, b"\0")
        digest = hashlib.sha256()
        rounds = 1 << power
        for first in range(0, rounds, _AT_ONCE):
            numbers = range(first, min(first + _AT_ONCE, rounds))
            digest.update(b"".join([secret + each.to_bytes(8, "little") for each in numbers]))
        return digest.digest()


def _parameters(properties: bytes) -> tuple[int, bytes, bytes]:
    """The power, the salt, and the initialisation vector, of which zeros are left out at the end."""
    first = properties[0]
    second = properties[1] if first & 0xC0 else 0
    salt = (first >> 7) + (second >> 4)
    vector = (first >> 6 & 1) + (second & 15)
    rest = properties[2:]
    if len(rest) < salt + vector:
        raise EOFError
    return first & 0x3F, rest[:salt], rest[salt : salt + vector].ljust(16, b"\0")
