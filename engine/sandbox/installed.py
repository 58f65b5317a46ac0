"""Identify the installed code, and derive the supervisor's address from it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import sysconfig
import tempfile

from engine.sandbox.address import Address
from engine.sandbox.environment import PASSED_ON

_PACKAGE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
_FOLDERS = ("families", "toolkit", "sandbox")


def address(data: str | os.PathLike[str]) -> Address:
    """The supervisor's address for the code installed at this moment; different code gives a different address.

    Services and commands with the same code, interpreter, libraries, user, temporary folder and environment share one.
    It is in the temporary folder, or in `data`, the service's own folder, if another user has taken its name.
    """
    given = [sys.executable, sys.version, *(f"{name}={os.environ.get(name)}" for name in PASSED_ON)]
    digest = hashlib.blake2b("\0".join(given).encode(errors="surrogateescape"), digest_size=8)
    for each in (sysconfig.get_path("purelib"), sysconfig.get_path("platlib")):
        with contextlib.suppress(OSError):  # changes when a library is installed or removed
            digest.update(b"%d\0" % os.stat(each).st_mtime_ns)
    for each in _FOLDERS:
        _add(os.path.join(_PACKAGE, each), digest)
    own = f"sandbox-of-conversions-{os.geteuid()}"
    folder, otherwise = (os.path.join(os.path.realpath(each), own) for each in (tempfile.gettempdir(), data))
    return Address(folder, digest.hexdigest(), otherwise=otherwise)


def _add(folder: str, digest: hashlib.blake2b) -> None:
    """Add the names, sizes and times of all files below a folder, which change with every installation."""
    with os.scandir(folder) as found:
        for entry in sorted(found, key=lambda each: each.name):
            if entry.name == "__pycache__":
                continue
            if entry.is_dir(follow_symlinks=False):
                _add(entry.path, digest)
            else:
                status = entry.stat(follow_symlinks=False)
                identity = f"{entry.path}\0{status.st_size}\0{status.st_ctime_ns}\0"
                digest.update(identity.encode(errors="surrogateescape"))
