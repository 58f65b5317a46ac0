"""References to something outside the page: none is followed, each is reported."""

from __future__ import annotations

import base64
import binascii
from urllib.parse import unquote_to_bytes

from conversions.toolkit.warnings import Warn


def is_inline(url: str) -> bool:
    """Whether a reference holds its content itself (a `data:` URI, RFC 2397)."""
    return url.strip().lower().startswith("data:")


def blocked(url: str, warn: Warn) -> None:
    """Report a reference that is not followed; an empty one and one into the page itself refer to nothing outside."""
    url = " ".join(url.split())
    if url and not url.startswith("#") and not is_inline(url):
        shown = url if len(url) <= 120 else f"{url[:80]}…{url[-30:]}"
        warn("REMOTE_RESOURCE_BLOCKED", f"{shown} was not loaded: put it into the page as a data: URI.")


def data_of(url: str) -> bytes:
    """The bytes in a `data:` URI; none where it can't be read."""
    head, _, body = url.strip()[5:].partition(",")
    if not head.lower().rstrip().endswith(";base64"):
        return unquote_to_bytes(body)
    try:
        return base64.b64decode(unquote_to_bytes(body), validate=False)
    except (binascii.Error, ValueError):
        return b""
