"""Query parameters that are not options, and responses that are the file itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import QueryDict
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from conversions.models import Conversion
from conversions.uploads.body import NAME
from conversions.wording import worded
from conversions.work.pipeline import Result
from conversions.work.verification import can_verify, incomparable
from engine.toolkit.declaring import Converter
from storage.errors import FileNotFound
from storage.models import StoredFile
from storage.views import attached

DOWNLOAD = "download"
DRY_RUN = "dryRun"
VERIFY = "verify"
RETENTION = "retention"
OWN = frozenset({DOWNLOAD, DRY_RUN, VERIFY, RETENTION, NAME})
"""Query parameters that are not options of a converter."""

_ANSWERS = {"0": False, "false": False, "1": True, "true": True}


def options(request: Request, form: QueryDict) -> QueryDict:
    """A request's options, from its query and its form; each may be in either."""
    if not request._request.META.get("QUERY_STRING"):
        return form
    both = form.copy()
    for name, values in request.query_params.lists():
        if name not in OWN:
            both.setlist(name, [*both.getlist(name), *values])
    return both


def wants_file(request: Request, converter: Converter) -> bool:
    """Whether to respond with the file: by `download`, else by an Accept that names its type and not JSON.

    Raises ValidationError.
    """
    asked = _answer(request, DOWNLOAD, lambda: _("Send 1 for the file itself, or 0 for the record."))
    if asked is not None:
        return asked
    if converter.output.content_type not in request._request.META.get("HTTP_ACCEPT", "").lower():
        return False
    named = {f"{each.main_type}/{each.sub_type}" for each in request._request.accepted_types if each.quality}
    return converter.output.content_type in named and "application/json" not in named


def wants_dry_run(request: Request) -> bool:
    """Whether a dry run is requested; raises ValidationError."""
    return bool(_answer(request, DRY_RUN, lambda: _("Send 1 to see what would happen, or 0 to convert.")))


def wants_verification(request: Request, converter: Converter) -> bool:
    """Whether to verify the result; raises ValidationError, also if it can't be compared."""
    asked = bool(_answer(request, VERIFY, lambda: _("Send 1 to compare the result with the file, or 0.")))
    if asked and not can_verify(converter):
        raise ValidationError(
            {
                VERIFY: _(
                    "Results of %(slug)s can't be compared with their input, because they have nothing that "
                    "must match. Leave this out. GET /api/v1/schema lists the conversions that support it."
                )
                % {"slug": converter.slug}
            }
        )
    return asked


def check_comparable(converter: Converter, options: Any) -> None:
    """Raise ValidationError if results with these options can't be compared."""
    if why := incomparable(converter, options):
        raise ValidationError({VERIFY: _("%(why)s Leave this out.") % {"why": worded(why)}})


def wants_retention(request: Request, most: int) -> int | None:
    """Hours to keep the result, 0 for one download, None for the plan's default.

    Raises ValidationError, also for more than the plan's `most`.
    """
    asked = request.query_params.get(RETENTION)
    if asked is None:
        return None
    if not asked.isascii() or not asked.isdigit() or len(asked) > 6 or int(asked) > most:
        text = _("Send whole hours from 0 (delete after the first download) to %(most)s, your plan's limit.")
        raise ValidationError({RETENTION: text % {"most": most}})
    return int(asked)


def _answer(request: Request, name: str, advice: Callable[[], str]) -> bool | None:
    """A boolean query parameter, or None without it."""
    asked = request.query_params.get(name)
    if asked is not None and asked not in _ANSWERS:
        raise ValidationError({name: advice()})
    return None if asked is None else _ANSWERS[asked]


def require_file(result: Result) -> None:
    """Raise FileNotFound if the result is that of an earlier request, and its file is gone."""
    if result.gone:
        raise FileNotFound(_("This conversion's file has expired or was deleted. Send the request with a new key."))


def file(request: Request, result: Result, *, once: bool = False) -> HttpResponseBase:
    """The converted file as response, with its record's URL; raises FileNotFound."""
    require_file(result)
    conversion = result.conversion
    response = attached(request, row_of(conversion, once=once))
    response.status_code = status.HTTP_201_CREATED
    response["Location"] = conversion.download_url
    if conversion.owner_id is not None:
        response["Link"] = f'</api/v1/converter/history/{conversion.id}>; rel="describedby"'
    return response


def row_of(conversion: Conversion, *, once: bool = False) -> StoredFile:
    """The stored file, built from the conversion, which saves a query."""
    return StoredFile(
        key=conversion.file_key,
        name=conversion.output_name,
        content_type=conversion.content_type,
        size=conversion.output_bytes or 0,
        sha256=conversion.sha256,
        created_at=conversion.created_at,
        once=once,
    )
