"""`data:` URIs (RFC 2397)."""

from __future__ import annotations

import base64


def data_uri(kind: str, data: bytes) -> str:
    """A `data:` URI with a media type such as image/png."""
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"
