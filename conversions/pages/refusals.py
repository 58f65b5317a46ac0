"""API errors on pages: message, place in the form, status and headers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException

from conversions.errors import FileTooLarge
from conversions.pages.advice import Step, for_size, steps
from conversions.work.offer import current
from engine.toolkit.declaring import Converter
from errors import Invalid, kind_of, wait_of


@dataclass(frozen=True)
class Refusal:
    """Why a request failed; `problems` are by option, `alternatives` convert the file, `steps` may help."""

    status: int
    code: str
    message: str
    problems: dict[str, str] = field(default_factory=dict)
    alternatives: tuple[Converter, ...] = ()
    steps: tuple[Step, ...] = ()
    wait: int | None = None

    def mark(self, response: HttpResponse) -> HttpResponse:
        response.status_code = self.status
        if self.wait is not None:
            response["Retry-After"] = str(self.wait)
        return response


def refusal(error: APIException) -> Refusal:
    problems = dict(_problems(error))
    slugs = getattr(error, "meta", {}).get("alternatives", ())
    offered = current().converters if slugs else {}
    kind = kind_of(error)
    return Refusal(
        status=kind.status_code,
        code=kind.default_code,
        message=_("Some settings can't be used. They are marked below.") if problems else str(error.detail),
        problems=problems,
        steps=for_size(error.meta["receivedBytes"]) if isinstance(error, FileTooLarge) else steps(kind),
        alternatives=tuple(offered[slug] for slug in slugs if slug in offered),
        wait=wait_of(error),
    )


def _problems(error: APIException) -> Iterator[tuple[str, str]]:
    detail: Any = error.detail
    if isinstance(detail, dict):
        for name, messages in detail.items():
            listed = messages if isinstance(messages, list) else [messages]
            yield str(name), " ".join(map(str, listed))
    elif issubclass(kind_of(error), Invalid):
        for each in getattr(error, "details", ()):
            yield each["field"], each["message"]
