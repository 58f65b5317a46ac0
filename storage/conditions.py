"""Entity tags and conditional requests (RFC 9110, sections 8.8.3 and 13), one way for all that is served."""

from __future__ import annotations

import hashlib
from datetime import datetime

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import parse_etags, quote_etag

from storage.errors import PreconditionFailed


def entity_tag(sha256: str) -> str:
    """The strong entity tag of the bytes with this SHA-256, in hexadecimal."""
    return quote_etag(sha256)


def entity_tag_of(content: bytes) -> str:
    return entity_tag(hashlib.sha256(content).hexdigest())


def judge(request: HttpRequest, *, etag: str, modified: datetime | None = None) -> HttpResponseBase | None:
    """The answer 304 Not Modified where the conditions of a request spare the bytes, None where they don't.

    Raises PreconditionFailed.
    """
    if "If-Match" in request.headers and not parse_etags(request.headers["If-Match"]):
        raise PreconditionFailed()  # Django passes over what is no entity tag; a DELETE must not
    stamp = int(modified.timestamp()) if modified else None
    answer: HttpResponseBase | None = get_conditional_response(request, etag=etag, last_modified=stamp)
    if answer is not None and answer.status_code == PreconditionFailed.status_code:
        raise PreconditionFailed()
    return answer
