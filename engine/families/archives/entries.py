"""The files and folders of an archive, renamed so that they are safe to unpack on any system."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

from engine.families.archives import name_encodings
from engine.toolkit import encodings
from engine.toolkit.failures import InvalidOption, OverLimit
from engine.toolkit.filenames import RESERVED
from engine.toolkit.messages import say
from engine.toolkit.numbered_names import NumberedNames
from engine.toolkit.warnings import Kind, Warn

MAX_ENTRIES = 20_000
"""That many take 1 s as a list, 3 s as zip and 5 s as txz, with 45 to 95 MB of memory."""
MAX_BYTES = 500_000_000
"""The total unpacked size, twice the largest upload; entries are streamed and never held in memory."""
_SMALL = 50_000_000
"""50 KB of zeros unpack to that: 0.3 s as tar, 1.8 s as txz; of words 0.6 s as tar, 7 s as tbz2."""
_MAX_RATIO = 200
"""A larger archive may unpack to this many times its size: words pack to two fifths, zeros to a thousandth."""
_MAX_NAME = 1_000
_LONGEST_PATH = 4_096
"""The longest path of a file on Linux; the rest of a longer one is not read."""

COMMENTS = say("Comments were left out")
_DRIVE = re.compile(r"[A-Za-z]:")


@dataclass
class Entry:
    """One file or folder; `modified` is Unix time in seconds, `owner` the ids and names in a tar."""

    name: str
    size: int = 0
    folder: bool = False
    modified: int | None = None
    mode: int | None = None
    owner: tuple[int, int, str, str] | None = None
    content: IO[bytes] | None = None

    @property
    def permissions(self) -> int:
        """The Unix permission bits."""
        usual = 0o755 if self.folder else 0o644
        return usual if self.mode is None else self.mode & 0o777


class Budget:
    """Limits what an archive may unpack to: the declared sizes and the bytes actually read."""

    def __init__(self, packed: int) -> None:
        self._most = max(_SMALL, min(MAX_BYTES, packed * _MAX_RATIO))
        self._declared = self._read = self._entries = 0

    def declare(self, size: int) -> None:
        """Count an entry and its declared size before unpacking it. Raises OverLimit."""
        self._entries += 1
        self._declared += size
        if self._entries > MAX_ENTRIES:
            raise OverLimit(
                "memory", say("The archive has more than {max_entries} files and folders.", max_entries=MAX_ENTRIES)
            )
        self._check(self._declared)

    def take(self, size: int) -> None:
        """Count unpacked bytes. Raises OverLimit."""
        self._read += size
        self._check(self._read)

    def _check(self, size: int) -> None:
        if size > self._most:
            raise OverLimit(
                "output",
                say(
                    "The archive unpacks to more than {most} MB, too much for its size.",
                    most=self._most // 1_000_000,
                ),
            )


_NAMELESS = "unnamed"
"""The name of an unnamed file: 7-Zip creates such archives from a pipe."""


class Names:
    """Makes entry names safe, and records what was dropped or renamed."""

    def __init__(self) -> None:
        self._taken = NumberedNames()
        self._dropped: dict[str, list[str]] = {}
        self._changed: list[str] = []

    def drop(self, what: str, name: str) -> None:
        """Record that an entry is not in the output."""
        self._dropped.setdefault(what, []).append(_shown(name))

    def safe(self, name: str, *, folder: bool = False) -> str | None:
        """A unique relative name with forward slashes; None for one that leads out of the archive.

        An absolute path becomes one below the root of the archive, as `tar` and `unzip` make of it.
        """
        path = name[:_LONGEST_PATH].replace("\\", "/")
        drive = _DRIVE.match(path)
        path = path[drive.end() :] if drive else path
        parts = [each for each in path.split("/") if each not in ("", ".")]
        if ".." in parts:
            self.drop(say("Entries with unsafe paths were left out"), name)
            return None
        kept = [_part(each) for each in parts]
        safe = "/".join(kept)[:_MAX_NAME]
        if not safe and folder:
            return None
        safe = safe or _NAMELESS
        if folder and safe in self._taken:
            return None
        stem, dot, extension = safe.rpartition(".")
        if not stem or "/" in extension:
            stem, dot, extension = safe, "", ""
        unique = self._taken.free(safe, lambda _, number: f"{stem} ({number}){dot}{extension}")
        if unique != "/".join(parts) or drive or path.startswith("/"):
            self._changed.append(f"{_shown(name) or 'a file without a name'} is {unique}")
        return unique

    def report(self, warn: Warn) -> None:
        """Report what was dropped and renamed."""
        for what, names in self._dropped.items():
            counts = "" if what == COMMENTS else "files"
            kind = Kind("CONTENT_DROPPED", "{what}: {count}{places}.", (("what", what),), counts)
            warn.tally(kind, len(names), names)
        changed = Kind("NAME_CHANGED", "Names were changed: {count}{places}.", counts="files")
        warn.tally(changed, len(self._changed), self._changed)


def _part(part: str) -> str:
    visible = "".join(each for each in part if unicodedata.category(each) not in ("Cc", "Cs", "Cn")).rstrip(". ")
    return f"_{visible}" if RESERVED.match(visible) or not visible else visible


def _shown(name: str) -> str:
    shown = name.encode("utf-8", "replace").decode()
    return shown if len(shown) <= 60 else f"{shown[:59]}…"


def decoder(raw: Sequence[bytes], encoding: str | None, warn: Warn, *, dos: bool) -> str:
    """The encoding of names without a Unicode flag: as requested, else UTF-8 if valid, else a guess.

    `dos` prefers the code pages of DOS where others fit as well. Raises InvalidOption for an unknown encoding.
    """
    if encoding is not None:
        try:
            name = encodings.python_name(encoding)
            b" ".decode(name, "replace")
        except (LookupError, ValueError):
            raise InvalidOption(
                "nameEncoding", say("“{encoding}” is not a known character encoding.", encoding=encoding)
            ) from None
        return name
    try:
        b"\n".join(raw).decode("utf-8")
        return "utf-8"
    except UnicodeDecodeError:
        codec = name_encodings.guess(raw, dos=dos)
    guess = encodings.public_name(codec)
    warn("ENCODING_GUESSED", say("File names not marked as Unicode were read as {guess}.", guess=guess))
    return codec


class UnmarkedNames:
    """Reads the names of a streamed tar that are not UTF-8, by a guess from those seen so far."""

    def __init__(self, warn: Warn) -> None:
        self._warn, self._names, self._size, self._guess_at, self._codec = warn, list[bytes](), 0, 0, ""

    def read(self, raw: bytes) -> str:
        """Return a name, in a code page that is guessed anew whenever the bytes seen have doubled."""
        if self._size < name_encodings.SAMPLE:
            self._names.append(raw)
            self._size += len(raw)
            if self._size >= self._guess_at:
                self._codec = decoder(self._names, None, self._warn, dos=False)
                self._guess_at = 2 * self._size
        return raw.decode(self._codec, "replace")
