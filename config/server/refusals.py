"""Error responses of the server itself, in the API's JSON."""

from __future__ import annotations

import json
import uuid
from http import HTTPStatus
from typing import Any

from errors import Invalid, PublicError

RETRY_SECONDS = 10


def refusal(kind: type[PublicError], message: str) -> bytes:
    """The complete response, after which the connection closes."""
    status, code = kind.status_code, kind.default_code
    request_id = uuid.uuid4().hex
    answer: dict[str, Any] = {"success": False, "code": code, "message": message, "requestId": request_id}
    if kind is Invalid:
        answer["details"] = []
    retry = f"Retry-After: {RETRY_SECONDS}\r\n" if status in (429, 503) else ""
    body, reason = json.dumps(answer), HTTPStatus(status).phrase
    return (
        f"HTTP/1.1 {status} {reason}\r\nConnection: close\r\nContent-Type: application/json\r\n{retry}"
        f"X-Request-Id: {request_id}\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    ).encode("ascii")
