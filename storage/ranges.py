"""Byte ranges (RFC 9110, section 14), as far as stored files need them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.http import parse_http_date_safe

from storage.errors import RangeNotSatisfiable

_RANGE = re.compile(r"bytes=[ \t]*(\d*)-(\d*)[ \t]*", re.IGNORECASE | re.ASCII)
_DIGITS = 18
"""More digits than any size has; longer numbers are beyond the end anyway."""


@dataclass(frozen=True)
class Span:
    """A part of a file: `length` bytes from `start`."""

    start: int
    length: int

    def content_range(self, size: int) -> str:
        return f"bytes {self.start}-{self.start + self.length - 1}/{size}"


def requested_span(headers: Mapping[str, str], *, size: int, etag: str, modified: datetime) -> Span | None:
    """The range that a GET requests, or None for the whole file; raises RangeNotSatisfiable.

    Malformed or multiple ranges, other units and a failed If-Range give the whole file (section 14.2).
    """
    match = _RANGE.fullmatch(headers.get("Range", ""))
    if match is None or not _if_range(headers, etag, modified):
        return None
    first, last = match.groups()
    if not first and not last:
        return None
    if not first:
        length = min(_number(last), size)
        if _number(last) == 0:
            raise RangeNotSatisfiable(size)
        return Span(size - length, length) if length else None
    start, end = _number(first), _number(last) if last else size - 1
    if last and end < start:
        return None
    if start >= size:
        raise RangeNotSatisfiable(size)
    return Span(start, min(end, size - 1) - start + 1)


def _number(digits: str) -> int:
    digits = digits.lstrip("0")
    return 10**_DIGITS if len(digits) > _DIGITS else int(digits or "0")


def _if_range(headers: Mapping[str, str], etag: str, modified: datetime) -> bool:
    """Section 13.1.5: an entity tag is compared strongly, a date exactly."""
    if "If-Range" not in headers:
        return True
    value = headers["If-Range"].strip()
    if value.startswith(('"', "W/")):
        return value == etag
    return parse_http_date_safe(value) == int(modified.timestamp())
