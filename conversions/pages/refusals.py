"""An error of the API as a page says it: in words, in its place, with the status and headers of the API."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpResponse
from rest_framework.exceptions import APIException, ValidationError

from conversions.converters.base import Converter
from conversions.registry import CONVERTERS

ADVICE = (
    "PAYMENT_REQUIRED",
    "GUEST_QUOTA_EXCEEDED",
    "GUEST_FILE_TOO_LARGE",
    "FILE_TOO_LARGE",
    "UNSUPPORTED_FILE_TYPE",
    "UNAUTHORIZED",
)
"""The codes for which a page knows what to do next (conversions/_advice.html)."""


@dataclass(frozen=True)
class Refusal:
    """Why something was not done; `problems` are by option, `alternatives` conversions that do take the file."""

    status: int
    code: str
    message: str
    problems: dict[str, str] = field(default_factory=dict)
    alternatives: tuple[Converter, ...] = ()
    wait: int | None = None

    def mark(self, response: HttpResponse) -> HttpResponse:
        response.status_code = self.status
        if self.wait is not None:
            response["Retry-After"] = str(self.wait)
        return response


def refusal(error: APIException) -> Refusal:
    wait = getattr(error, "wait", None)
    problems = dict(_problems(error))
    slugs = getattr(error, "meta", {}).get("alternatives", ())
    own = isinstance(error, ValidationError)
    return Refusal(
        status=error.status_code,
        code="VALIDATION_ERROR" if own else str(error.default_code),
        message="Some settings can't be used. They are marked below." if problems else str(error.detail),
        problems=problems,
        alternatives=tuple(CONVERTERS[slug] for slug in slugs if slug in CONVERTERS),
        wait=None if wait is None else max(1, math.ceil(wait)),
    )


def _problems(error: APIException) -> Iterator[tuple[str, str]]:
    detail: Any = error.detail
    if isinstance(detail, dict):
        for name, messages in detail.items():
            yield str(name), " ".join(map(str, messages)) if isinstance(messages, list) else str(messages)
    elif error.default_code == "VALIDATION_ERROR":
        for each in getattr(error, "details", ()):
            yield each["field"], each["message"]
