"""Entries: the files and folders of an archive, under names that are safe to unpack anywhere."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import IO

from conversions.toolkit import code_pages, encodings
from conversions.toolkit.failures import InvalidOption, OverLimit
from conversions.toolkit.filenames import RESERVED
from conversions.toolkit.warnings import Kind, Warn

MAX_ENTRIES = 20_000
MAX_BYTES = 500_000_000
"""What the files of an archive may have together; they are written as they are read, and never held."""
_SMALL = 50_000_000
_MAX_RATIO = 200
_MAX_NAME = 1_000

_DRIVE = re.compile(r"[A-Za-z]:")


@dataclass
class Entry:
    """One file or folder; `modified` is in seconds of Unix time, `owner` of a tar: ids and names."""

    name: str
    size: int = 0
    folder: bool = False
    modified: int | None = None
    mode: int | None = None
    owner: tuple[int, int, str, str] | None = None
    content: IO[bytes] | None = None

    @property
    def permissions(self) -> int:
        """The bits that say who may read, write and run it."""
        usual = 0o755 if self.folder else 0o644
        return usual if self.mode is None else self.mode & 0o777


class Budget:
    """What an archive may unpack to: a limit for the sizes that it declares, and for the bytes that come out."""

    def __init__(self, packed: int) -> None:
        self._most = max(_SMALL, min(MAX_BYTES, packed * _MAX_RATIO))
        self._declared = self._read = self._entries = 0

    def declare(self, size: int) -> None:
        """Count an entry and its size before any of it is unpacked. Raises OverLimit."""
        self._entries += 1
        self._declared += size
        if self._entries > MAX_ENTRIES:
            raise OverLimit("memory", f"The archive has more than {MAX_ENTRIES:,} files and folders.")
        self._check(self._declared)

    def take(self, size: int) -> None:
        """Count bytes that came out. Raises OverLimit."""
        self._read += size
        self._check(self._read)

    def _check(self, size: int) -> None:
        if size > self._most:
            raise OverLimit(
                "output",
                f"The archive unpacks to more than {self._most // 1_000_000:,} MB: too much for one of its size.",
            )


_NAMELESS = "unnamed"
"""What a file is called that has no name: 7-Zip makes such of what it is given by a pipe."""


class Names:
    """Makes the names of an archive's entries safe, and remembers what was dropped or changed."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._dropped: dict[str, list[str]] = {}
        self._changed: list[str] = []

    def drop(self, what: str, name: str) -> None:
        """Remember that an entry is not in the output."""
        self._dropped.setdefault(what, []).append(_shown(name))

    def safe(self, name: str, *, folder: bool = False) -> str | None:
        """A relative name with forward slashes that nobody has yet; None for one that leads out of the archive."""
        path = name.replace("\\", "/")
        if path.startswith("/") or _DRIVE.match(path):
            self.drop("Entries with an absolute path were left out", name)
            return None
        parts = [each for each in path.split("/") if each not in ("", ".")]
        if ".." in parts:
            self.drop("Entries whose path leads upwards were left out", name)
            return None
        kept = [_part(each) for each in parts]
        safe = "/".join(kept)[:_MAX_NAME]
        if not safe and folder:
            return None
        safe = safe or _NAMELESS
        if folder and safe in self._taken:
            return None
        unique, number = safe, 1
        while unique in self._taken:
            number += 1
            stem, dot, extension = safe.rpartition(".")
            cut = dot and "/" not in extension and stem
            unique = f"{stem} ({number}).{extension}" if cut else f"{safe} ({number})"
        self._taken.add(unique)
        if unique != "/".join(parts):
            self._changed.append(f"{_shown(name) or 'a file without a name'} is {unique}")
        return unique

    def report(self, warn: Warn) -> None:
        """Say what was dropped and what was renamed."""
        for what, names in self._dropped.items():
            warn.tally(Kind("CONTENT_DROPPED", what), len(names), names)
        warn.tally(Kind("NAME_CHANGED", "Names were changed"), len(self._changed), self._changed)


def _part(part: str) -> str:
    visible = "".join(each for each in part if unicodedata.category(each) not in ("Cc", "Cs", "Cn")).rstrip(". ")
    return f"_{visible}" if RESERVED.match(visible) or not visible else visible


def _shown(name: str) -> str:
    shown = name.encode("utf-8", "replace").decode()
    return shown if len(shown) <= 60 else f"{shown[:59]}…"


def decoder(raw: Iterable[bytes], encoding: str | None, warn: Warn) -> str:
    """The encoding of names that are not marked: the one that is asked for, UTF-8 where it fits, else a guess.

    Raises InvalidOption for an encoding that there is not.
    """
    if encoding is not None:
        try:
            name = encodings.python_name(encoding)
            b" ".decode(name, "replace")
        except (LookupError, ValueError):
            raise InvalidOption("nameEncoding", f"“{encoding}” is not a known character encoding.") from None
        return name
    together = b"\n".join(raw)
    try:
        together.decode("utf-8")
        return "utf-8"
    except UnicodeDecodeError:
        guess = code_pages.guess(together)
        warn("ENCODING_GUESSED", f"File names are not marked as Unicode; they were read as {guess}.")
        return guess
