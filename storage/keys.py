"""Storage keys: the names of stored files."""

from __future__ import annotations

import re
import secrets

MAX_EXTENSION = 10
MAX_KEY = 32 + 1 + MAX_EXTENSION
PATTERN = r"^[0-9a-f]{32}\.[a-z0-9]{1,10}$"

_KEY = re.compile(PATTERN.strip("^$"), re.ASCII)


def new_key(extension: str) -> str:
    """A new random key: 32 hexadecimal digits, a dot and the extension (given without a dot)."""
    key = f"{secrets.token_hex(16)}.{extension}"
    if not is_key(key):
        raise ValueError(f"{extension!r} is no extension: 1 to {MAX_EXTENSION} lower-case letters or digits.")
    return key


def is_key(text: str) -> bool:
    return _KEY.fullmatch(text) is not None


def path_of(key: str) -> str:
    """The path of a key's bytes: in one of 256 folders, to keep listings short."""
    return f"{key[:2]}/{key}"
