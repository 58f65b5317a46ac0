"""The pages that convert: for any file, and for one pair of formats; they join the API's path at the upload."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.datastructures import MultiValueDict
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from rest_framework.exceptions import APIException

from accounts import guests, ledger, throttling
from accounts.limits import Limits
from accounts.payers import GuestPayer, UserPayer, payer_for
from conversions import pipeline, uploads
from conversions.errors import (
    FileTooLarge,
    GuestFileTooLarge,
    UnknownConversion,
    UnsupportedFileType,
    UnsupportedFormat,
)
from conversions.families.registry import CONVERTERS, INPUTS, alternatives, resolve
from conversions.pages import advice, results
from conversions.pages.controls import controls, given_values
from conversions.pages.examples import examples
from conversions.pages.refusals import Refusal, refusal
from conversions.pages.spoken import preset
from conversions.serializers import parse_options
from conversions.toolkit.declaring import Converter
from conversions.toolkit.formats import FORMATS, Format, by_filename
from conversions.toolkit.options import describe
from conversions.uploads import Upload

_OWN_FIELDS = ("csrfmiddlewaretoken", "target")
_POPULAR = (
    "json-to-csv", "csv-to-xlsx", "xlsx-to-csv", "html-to-pdf", "markdown-to-pdf", "docx-to-pdf", "png-to-webp",
    "heic-to-jpg", "csv-to-parquet", "yaml-to-json", "markdown-to-html", "png-to-pdf",
)  # fmt: skip


@dataclass(frozen=True)
class Balance:
    """What whoever looks at the page can still convert: credits of an account, or conversions of a guest today."""

    guest: bool
    left: int
    limits: Limits
    renews: datetime


def balance(payer: UserPayer | GuestPayer) -> Balance:
    if isinstance(payer, UserPayer):
        ledger.top_up(payer.owner)
        return Balance(False, payer.owner.credits, payer.limits, ledger.resets_at())
    left = max(0, payer.limits.credits - guests.used(payer.guest))
    return Balance(True, left, payer.limits, guests.resets_at())


# The token is checked once the upload is received: to find it in the form, Django would read the whole upload before
# any limit is known.
@csrf_exempt
def convert(request: HttpRequest) -> HttpResponse:
    return _page(request, None)


@csrf_exempt
def conversion(request: HttpRequest, slug: str) -> HttpResponse:
    converter = resolve(slug)
    if converter is None:
        raise Http404
    if converter.slug != slug and request.method == "GET":
        return redirect("conversion", slug=converter.slug, permanent=True)
    return _page(request, converter)


def _page(request: HttpRequest, converter: Converter | None) -> HttpResponse:
    payer = payer_for(request)
    if request.method != "POST":
        return _form(request, payer, converter, values=preset(request, converter) | _texts(request.GET))
    if isinstance(payer, UserPayer):
        ledger.top_up(payer.owner)
    try:
        throttling.check_conversion(request, payer)
        upload = uploads.receive(request, payer.limits, guest=payer.owner is None)
    except APIException as error:
        return _form(request, payer, converter, values={}, refused=refusal(error))
    with upload.file:
        request._post, request._files = upload.fields, MultiValueDict()  # type: ignore[attr-defined]
        return _submit(request, payer, converter, upload)


@csrf_protect
def _submit(
    request: HttpRequest, payer: UserPayer | GuestPayer, fixed: Converter | None, upload: Upload
) -> HttpResponse:
    try:
        converter = fixed or _chosen(upload)
        pipeline.check_format(converter, upload)
        options = parse_options(converter.options, _option_fields(converter, upload.fields) if fixed else {})
        done = pipeline.run(payer, converter, upload, options).conversion
    except APIException as error:
        return _form(request, payer, fixed, values=_texts(upload.fields), refused=refusal(error))
    results.remember(request, done)
    return redirect("result", conversion=done.id)


def _texts(fields: QueryDict) -> dict[str, str]:
    return {name: str(fields[name]) for name in fields}


def _chosen(upload: Upload) -> Converter:
    """The conversion from what the file's name says to the target that was chosen."""
    source, target = by_filename(upload.name), FORMATS.get(upload.fields.get("target", ""))
    if source is None or source not in INPUTS:
        raise UnsupportedFileType(f"Files named like {upload.name!r} can't be converted here.")
    if target is None:
        raise UnknownConversion("Choose what the file is to become.")
    found = CONVERTERS.get(f"{source.id}-to-{target.id}")
    if found is None:
        slugs = alternatives(source)
        raise UnsupportedFormat(f"{source.name} can't become {target.name} here.", alternatives=slugs)
    return found


def _option_fields(converter: Converter, fields: QueryDict) -> QueryDict:
    """The form without the page's own fields; of a tick box and the hidden "no" before it the last one counts."""
    booleans = {each.name for each in describe(converter.options) if each.kind == "boolean"}
    given = QueryDict(mutable=True)
    for name, values in fields.lists():
        if name not in _OWN_FIELDS:
            given.setlist(name, values[-1:] if name in booleans else values)
    return given


def _accepted(formats: AbstractSet[Format]) -> str:
    """The value of an `accept` attribute; browsers know the last part of an extension only."""
    names = {name for each in formats for name in each.extensions}
    return ",".join(sorted({f".{name.rpartition('.')[2]}" for name in names}))


def _form(
    request: HttpRequest,
    payer: UserPayer | GuestPayer,
    converter: Converter | None,
    *,
    values: dict[str, str],
    refused: Refusal | None = None,
) -> HttpResponse:
    left = balance(payer)
    context: dict[str, Any] = {
        "balance": left,
        "advice": advice.BY_CODE,
        "too_large": (GuestFileTooLarge if left.guest else FileTooLarge).default_code,
        "unknown_type": UnsupportedFileType.default_code,
        "refusal": refused,
        "accept": _accepted(INPUTS),
    }
    if converter is None:
        outputs = sorted({each.output for each in CONVERTERS.values()}, key=lambda each: each.name.lower())
        popular = [CONVERTERS[slug] for slug in _POPULAR if slug in CONVERTERS]
        context |= {"targets": outputs, "chosen": values.get("target", ""), "popular": popular[:8]}
        context["usual"] = " ".join(each.slug for each in popular)
        context |= {"inputs": len(INPUTS), "conversions": len(CONVERTERS)}
    else:
        chosen = given_values(converter, values)
        context |= {
            "converter": converter,
            "controls": controls(converter, chosen, refused.problems if refused else None),
            "prefilled": bool(chosen),
            "examples": examples(request, converter, chosen),
            "accept": _accepted({converter.input}),
            "related": [CONVERTERS[slug] for slug in alternatives(converter.input) if slug != converter.slug][:12],
        }
    template = "conversions/convert.html" if converter is None else "conversions/conversion.html"
    response = render(request, template, context)
    return refused.mark(response) if refused else response
