"""The API key: from the environment, or from the system's keyring, where `fileconv login` stores it."""

from __future__ import annotations

import getpass
import importlib.util
import os
import sys

_SERVICE = "fileconv"
_MISSING = "No keyring here: install this client with its extra `keyring`, or set FILECONV_KEY."


def found(url: str) -> str | None:
    """The key for a service, or None for a guest."""
    if key := os.environ.get("FILECONV_KEY"):
        return key
    if importlib.util.find_spec("keyring") is None:
        return None
    import keyring
    from keyring.errors import KeyringError

    try:
        kept: str | None = keyring.get_password(_SERVICE, url)
    except KeyringError:
        # Without a desktop there is no keyring to open: act as a guest, as before a login.
        return None
    return kept


def log_in(url: str) -> int:
    """Ask for a key and store it for a service; returns the command's exit code."""
    if importlib.util.find_spec("keyring") is None:
        print(_MISSING, file=sys.stderr)
        return 2
    import keyring

    keyring.set_password(_SERVICE, url, getpass.getpass(f"API key for {url}: ").strip())
    print("Kept in the keyring.", file=sys.stderr)
    return 0
