"""A page that comes with its files, each of which has an address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urljoin

from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say

MAX_PARTS = 5_000
"""The files of a page: 5,000 small ones are read in 0.5 s."""
MAX_BASE = 2_000
"""Characters of an address that others are relative to, each of which gets as long; many servers take no more."""


@dataclass(frozen=True)
class Part:
    """A file: its bytes, its media type, and its encoding if the container names it."""

    data: bytes
    kind: str
    charset: str | None = None


@dataclass(frozen=True)
class SavedPage:
    """A page by its address, and the files of its container by `key` of theirs, the page among them."""

    address: str
    parts: Mapping[str, Part]

    @property
    def page(self) -> Part:
        return self.parts[key(self.address)]

    def found(self, address: str) -> str | None:
        """The key of the file that an address without relative steps refers to; None if it is not in the container."""
        whole = key(address)
        return next((each for each in (whole, whole.partition("?")[0]) if each in self.parts), None)


def key(address: str) -> str:
    """An address without its fragment and escapes."""
    return unquote(address.partition("#")[0])


def joined(base: str, reference: str) -> str:
    """The address that a reference from `base` has (RFC 3986, 5); empty if it is none.

    Of a base above `MAX_BASE` characters, what is before its query counts, if that is short enough.
    """
    if len(base) > MAX_BASE:
        base, query, _ = base[: MAX_BASE + 1].partition("?")
        base = base if query else ""
    try:
        return urljoin(base, reference.strip())
    except ValueError:
        return ""


def too_many() -> OverLimit:
    """The refusal of a container with more files than `MAX_PARTS`."""
    return OverLimit("memory", say("The file has more than {max_parts} parts.", max_parts=MAX_PARTS))


def without_page() -> Unreadable:
    """The refusal of a container without a page."""
    return Unreadable("The file contains no HTML page.", reason="empty")
