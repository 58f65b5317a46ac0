"""Entity tags and conditional requests (RFC 9110, sections 8.8.3 and 13)."""

from __future__ import annotations

import hashlib
from datetime import datetime

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import parse_etags, quote_etag

from storage.errors import PreconditionFailed


def entity_tag(sha256: str) -> str:
    """The strong entity tag for a SHA-256 in hexadecimal."""
    return quote_etag(sha256)


def entity_tag_of(content: bytes) -> str:
    return entity_tag(hashlib.sha256(content).hexdigest())


def judge(request: HttpRequest, *, etag: str, modified: datetime | None = None) -> HttpResponseBase | None:
    """304 Not Modified if the request's conditions allow it, else None. Raises PreconditionFailed."""
    if "If-Match" in request.headers and not parse_etags(request.headers["If-Match"]):
        raise PreconditionFailed()  # Django ignores malformed entity tags; a DELETE must not
    stamp = int(modified.timestamp()) if modified else None
    answer: HttpResponseBase | None = get_conditional_response(request, etag=etag, last_modified=stamp)
    if answer is not None and answer.status_code == PreconditionFailed.status_code:
        raise PreconditionFailed()
    return answer
