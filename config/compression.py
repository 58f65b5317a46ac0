"""Response compression (RFC 9110, section 12.5.3)."""

from __future__ import annotations

import functools
import gzip
import re
from collections.abc import Callable

import brotli
from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.text import compress_string

LEAST_BYTES = 2000
"""Smaller responses fit into two packets anyway, such as that of a conversion."""

_TYPES = re.compile(r"text/|application/(?:json|javascript|manifest\+json)|image/svg\+xml")
_PADDING_BYTES = 100


class CompressionMiddleware:
    """Compresses texts: public ones once and best, private ones with gzip of a random length.

    The length of a page with both a secret and request data would reveal the secret (BREACH, 2013); others are not
    padded. Downloads are not compressed: they have ranges and a checksum.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        static = isinstance(response, FileResponse) and request.path_info.startswith(settings.STATIC_URL)
        if not (static or isinstance(response, HttpResponse)) or not _can_be_smaller(response):
            return response
        patch_vary_headers(response, ["Accept-Encoding"])
        coding = accepted(request.headers.get("Accept-Encoding", ""))
        if coding is None:
            return response
        public = static or "public" in response.get("Cache-Control", "")
        content = _content(response)
        if len(content) >= LEAST_BYTES:
            if public:
                content = _packed(content, coding)
            else:
                coding, content = "gzip", compress_string(content, max_random_bytes=_PADDING_BYTES)
            response["Content-Encoding"] = coding
            if response.get("ETag", "").startswith('"'):
                # The bytes change but not their meaning, so the entity tag becomes weak.
                response["ETag"] = "W/" + response["ETag"]
        if isinstance(response, FileResponse):
            response.streaming_content = [content]
        else:
            response.content = content  # type: ignore[attr-defined]  # an HttpResponse
        response["Content-Length"] = str(len(content))
        return response


def _can_be_smaller(response: HttpResponseBase) -> bool:
    if response.status_code in (204, 206, 304) or response.has_header("Content-Encoding"):
        return False
    if response.has_header("Content-Disposition") or not _TYPES.match(response.get("Content-Type", "")):
        return False
    return isinstance(response, FileResponse) or len(response.content) >= LEAST_BYTES  # type: ignore[attr-defined]


def _content(response: HttpResponseBase) -> bytes:
    if isinstance(response, FileResponse):
        return b"".join(response.streaming_content)  # type: ignore[arg-type]  # this server has no asynchronous ones
    return bytes(response.content)  # type: ignore[attr-defined]


@functools.lru_cache(maxsize=256)
def _packed(content: bytes, coding: str) -> bytes:
    """The smallest form of shared content: API documents and static files."""
    return brotli.compress(content, quality=9) if coding == "br" else gzip.compress(content, 9, mtime=0)


def accepted(header: str) -> str | None:
    """The best encoding accepted: `br`, `gzip` or none."""
    weights: dict[str, float] = {}
    for each in header.lower().split(","):
        coding, _, parameter = each.partition(";")
        name, _, value = parameter.partition("=")
        try:
            weights[coding.strip()] = float(value) if name.strip() == "q" else 1.0
        except ValueError:
            weights[coding.strip()] = 0.0
    offered = {coding: weights.get(coding, weights.get("*", 0.0)) for coding in ("br", "gzip")}
    best = max(offered, key=lambda coding: offered[coding])
    return best if offered[best] > 0 else None
