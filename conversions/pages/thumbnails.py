"""Thumbnails of the pages of an uploaded PDF, for choosing pages."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST
from rest_framework.exceptions import ValidationError

from accounts.credits import jobslots, throttling
from accounts.credits.payers import Payer, payer_for
from accounts.lanes import slow
from conversions import uploads
from conversions.errors import UnsupportedFormat
from conversions.pages.result_preview import LARGEST, LONGEST, picture
from conversions.serializers import parse_options
from conversions.uploads import Upload
from conversions.work import pipeline, runner
from conversions.work.job_owner import owner_of
from conversions.work.offer import current
from engine.toolkit.declaring import Converter
from engine.toolkit.failures import InvalidOption

MOST = 24
"""Pages drawn per request."""

_DPI = 30
_SLUG = "pdf-to-png"


# The token is checked once the upload is received: to find it in the form, Django would read the whole upload before
# any limit is checked.
@slow("POST")
@csrf_exempt
@require_POST
def thumbnails(request: HttpRequest) -> HttpResponse:
    """Images of the pages of `file`, starting at page `from`: a PNG for one page, a ZIP for several. Nothing is stored.

    Counts as a request and takes a job slot, but costs no credits. `X-More` is `true` if there are more pages.
    """
    payer = payer_for(request)
    payer.require_member()
    throttling.check_conversion(request, payer)
    upload = uploads.receive(request, payer.limits, guest=payer.owner is None)
    with upload.file:
        request._post, request._files = upload.fields, MultiValueDict()  # type: ignore[attr-defined]
        return _drawn(request, payer, upload)


@csrf_protect
def _drawn(request: HttpRequest, payer: Payer, upload: Upload) -> HttpResponse:
    converter = current().converters.get(_SLUG)
    if converter is None or upload.size > LARGEST:
        raise UnsupportedFormat(_("The pages of this file can't be shown here."), reason="unsupported_feature")
    pipeline.check_format(converter, upload.name)
    first = _number(upload.fields.get("from", "1"))
    some, rest = (_options(converter, upload.fields, f"{first}-{last}") for last in (first + MOST - 1, ""))
    with jobslots.acquire(payer, seconds=2 * LONGEST + pipeline.SLACK), pipeline.raising_api_errors():
        more = True
        try:
            made = runner.convert(converter, upload.file, some, within=LONGEST, owner=owner_of(payer), unpaid=True)
        except InvalidOption as error:
            if error.option != "pages":
                raise
            more = False  # the document ends within this range
            made = runner.convert(converter, upload.file, rest, within=LONGEST, owner=owner_of(payer), unpaid=True)
    content = picture(made)
    headers = {"Cache-Control": "no-store", "Content-Security-Policy": "sandbox", "X-More": str(more).lower()}
    return HttpResponse(content, content_type=made.format.content_type, headers=headers)


def _options(converter: Converter, fields: QueryDict, pages: str) -> Any:
    wanted = {"pages": pages, "dpi": str(_DPI), "several": "zip"}
    if password := fields.get("password"):
        wanted["password"] = str(password)
    return parse_options(converter.options, wanted)


def _number(text: str) -> int:
    if not text.isdecimal() or not 0 < len(text) < 6:
        raise ValidationError({"from": _("Enter a page number.")})
    return int(text)
