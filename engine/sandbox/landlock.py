"""Landlock: restrict the files that this process and its descendants can open."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable

from engine.sandbox.libc import libc, raise_errno

# The same numbers on every architecture: linux/landlock.h and the kernel's generic syscall table.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_CREATE_RULESET_VERSION = 1
_RULE_PATH_BENEATH = 1

EXECUTE = 1 << 0
WRITE_FILE = 1 << 1
READ_FILE = 1 << 2
READ_DIR = 1 << 3
REMOVE_DIR = 1 << 4
REMOVE_FILE = 1 << 5
MAKE_DIR = 1 << 7
MAKE_REG = 1 << 8
REFER = 1 << 13
TRUNCATE = 1 << 14
IOCTL_DEV = 1 << 15
_ALL_OF_ABI_1 = (1 << 13) - 1
_OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV

READ = READ_FILE | READ_DIR
WRITE = READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | TRUNCATE | REFER
RUN = READ_FILE | EXECUTE


def abi() -> int:
    """The Landlock ABI version of the running kernel, 0 if it is missing or disabled."""
    version: int = libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint(_CREATE_RULESET_VERSION))
    return max(version, 0)


def _governed(abi: int) -> int:
    """The file access rights this version knows; a ruleset denies all of them unless a rule grants them."""
    known = _ALL_OF_ABI_1
    known |= REFER if abi >= 2 else 0
    known |= TRUNCATE if abi >= 3 else 0
    known |= IOCTL_DEV if abi >= 5 else 0
    return known


def rules(abi: int, paths: Iterable[str], rights: int) -> tuple[bytes, ...]:
    """Rules that grant `rights` on each path and everything below it; missing paths are skipped.

    Each holds an open descriptor, so that any number of rulesets can use it.
    """
    made = []
    for path in paths:
        try:
            anchor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except (FileNotFoundError, NotADirectoryError):
            continue
        made.append(_rule(abi, anchor, path, rights))
    return tuple(made)


def _rule(abi: int, anchor: int, path: str, rights: int) -> bytes:
    granted = rights & _governed(abi) & (-1 if os.path.isdir(path) else _OF_FILES)
    return struct.pack("=Qi", granted, anchor)


class Ruleset:
    """Denies all file access, TCP ports, abstract sockets and outside processes that `abi` covers and no rule allows.

    Created and filled while paths can be opened, enforced later. Raises OSError if the kernel refuses.
    """

    def __init__(self, abi: int) -> None:
        self._abi = abi
        network = 3 if abi >= 4 else 0  # bind and connect
        scope = 3 if abi >= 6 else 0  # abstract unix sockets and signals
        attributes = struct.pack("QQQ", _governed(abi), network, scope)[: 24 if abi >= 6 else 16 if abi >= 4 else 8]
        self.descriptor: int = libc.syscall(
            _CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint(0)
        )
        if self.descriptor < 0:
            raise_errno("landlock_create_ruleset")

    def allow(self, paths: Iterable[str], rights: int) -> None:
        """Grant `rights` on each path and everything below it; missing paths are skipped."""
        for path in paths:
            try:
                anchor = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except (FileNotFoundError, NotADirectoryError):
                continue
            try:
                self.add(_rule(self._abi, anchor, path, rights))
            finally:
                os.close(anchor)

    def add(self, *rules: bytes) -> None:
        """Grant what each of the `rules` does."""
        for rule in rules:
            if libc.syscall(_ADD_RULE, self.descriptor, _RULE_PATH_BENEATH, rule, ctypes.c_uint(0)):
                raise_errno("landlock_add_rule")

    def close(self) -> None:
        os.close(self.descriptor)


def enforce(descriptor: int) -> None:
    """Restrict this process to a ruleset permanently; no_new_privs must be set."""
    if libc.syscall(_RESTRICT_SELF, descriptor, ctypes.c_uint(0)):
        raise_errno("landlock_restrict_self")
