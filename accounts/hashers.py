"""How passwords are hashed, and how long they may be."""

from __future__ import annotations

import threading

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.exceptions import ValidationError

MAX_PASSWORD = 256
_SLOTS = threading.BoundedSemaphore(2)


class ServiceArgon2(Argon2PasswordHasher):
    """Argon2id with 19 MiB, two passes and one lane (OWASP's password storage recommendation).

    At most two hashes at once in one process: more would only take memory and processor time from conversions.
    """

    time_cost = 2
    memory_cost = 19_456
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        with _SLOTS:
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        with _SLOTS:
            return super().verify(password, encoded)


class MaximumLengthValidator:
    """Refuses passwords that are longer than anybody types, so that hashing one costs the same as any other."""

    def validate(self, password: str, user: object = None) -> None:
        if len(password) > MAX_PASSWORD:
            raise ValidationError(f"Use at most {MAX_PASSWORD} characters.", code="password_too_long")

    def get_help_text(self) -> str:
        return f"Your password can have up to {MAX_PASSWORD} characters."
