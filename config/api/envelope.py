"""The two bodies of the API: `{success, data, meta?}` and `{success, code, message, requestId, details?, meta?}`."""

from __future__ import annotations

from typing import Any


class Envelope(dict[str, Any]):
    """A complete body, rendered as it is."""


def success(data: Any, meta: dict[str, Any] | None = None) -> Envelope:
    body = Envelope(success=True, data=data)
    if meta is not None:
        body["meta"] = meta
    return body


def failure(
    code: str,
    message: str,
    *,
    request_id: str,
    details: list[dict[str, Any]] | None = None,
    meta: dict[str, Any] | None = None,
) -> Envelope:
    body = Envelope(success=False, code=code, message=message, requestId=request_id)
    if details is not None:
        body["details"] = details
    if meta:
        body["meta"] = meta
    return body
