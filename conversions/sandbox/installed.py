"""What is installed: the code of the sandbox and of all that it runs, and the address that goes with it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import sysconfig
import tempfile

from conversions.sandbox.address import Address
from conversions.sandbox.environment import PASSED_ON

_PACKAGE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
_FOLDERS = ("families", "toolkit", "sandbox")


def address() -> Address:
    """Where the supervisor for the code as it is installed now listens: with other code one finds another, or none.

    Services and commands with the same code, interpreter, libraries, user, temporary folder and environment share one.
    """
    given = [sys.executable, sys.version, *(f"{name}={os.environ.get(name)}" for name in PASSED_ON)]
    digest = hashlib.blake2b("\0".join(given).encode(errors="surrogateescape"), digest_size=8)
    for each in (sysconfig.get_path("purelib"), sysconfig.get_path("platlib")):
        with contextlib.suppress(OSError):  # changes when a library is installed or removed
            digest.update(b"%d\0" % os.stat(each).st_mtime_ns)
    for each in _FOLDERS:
        _add(os.path.join(_PACKAGE, each), digest)
    folder = os.path.join(os.path.realpath(tempfile.gettempdir()), f"sandbox-of-conversions-{os.geteuid()}")
    return Address(folder, digest.hexdigest())


def _add(folder: str, digest: hashlib.blake2b) -> None:
    """Add the names, sizes and times of all files beneath: what is installed anew has others."""
    with os.scandir(folder) as found:
        for entry in sorted(found, key=lambda each: each.name):
            if entry.name == "__pycache__":
                continue
            if entry.is_dir(follow_symlinks=False):
                _add(entry.path, digest)
            else:
                status = entry.stat(follow_symlinks=False)
                said = f"{entry.path}\0{status.st_size}\0{status.st_ctime_ns}\0"
                digest.update(said.encode(errors="surrogateescape"))
