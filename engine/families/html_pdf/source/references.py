"""Block and report external references."""

from __future__ import annotations

import base64
import binascii
import re
from urllib.parse import unquote_to_bytes

from engine.toolkit import encodings
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn


def is_inline(url: str) -> bool:
    """Whether a reference contains its content itself (a `data:` URI, RFC 2397)."""
    return url.strip().lower().startswith("data:")


def blocked(url: str, warn: Warn) -> None:
    """Report an external reference that is not followed; empty and internal ones are not external."""
    url = " ".join(url.split())
    if url and not url.startswith("#") and not is_inline(url):
        shown = url if len(url) <= 120 else f"{url[:80]}…{url[-30:]}"
        warn(
            "REMOTE_RESOURCE_BLOCKED", say("{shown} was not loaded. Embed it in the page as a data: URI.", shown=shown)
        )


_CHARSET = re.compile(r";\s*charset\s*=\s*[\"']?([\w.:+-]{1,40})", re.IGNORECASE)
_RULE = re.compile(rb'@charset "([\w.:+-]{1,40})";')


def sheet_of(url: str) -> str:
    """The style sheet in a `data:` URI, in the character set that it names (CSS Syntax 3, 3.2)."""
    data = data_of(url)
    named = _CHARSET.search(url.partition(",")[0])
    rule = _RULE.match(data)
    return encodings.read(data, Warn(), declared=named[1] if named else rule[1].decode() if rule else "utf-8")


def data_of(url: str) -> bytes:
    """The bytes in a `data:` URI; none if it is malformed."""
    head, _, body = url.strip()[5:].partition(",")
    if not head.lower().rstrip().endswith(";base64"):
        return unquote_to_bytes(body)
    try:
        return base64.b64decode(unquote_to_bytes(body), validate=False)
    except (binascii.Error, ValueError):
        return b""
