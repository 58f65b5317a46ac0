"""The pages with a conversion form: uploads are handled as in the API, but the response is a page."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_protect
from rest_framework.exceptions import APIException

from accounts.credits import guests, ledger, throttling
from accounts.credits.limits import Limits
from accounts.credits.payers import GuestPayer, UserPayer, payer_for
from accounts.errors import GuestQuotaExceeded, PaymentRequired, TooManyRequests
from conversions import uploads
from conversions.errors import UnsupportedFileType
from conversions.models import Conversion
from conversions.pages import advice, browser_results, results, targets
from conversions.pages.refusals import Refusal, refusal
from conversions.serializers import parse_options
from conversions.uploads import Upload
from conversions.work import pipeline
from engine.toolkit.declaring import Converter
from engine.toolkit.formats import Format
from engine.toolkit.options import describe
from errors import AccessDenied

MOST = 10
"""Files in one form without scripts; with scripts each file is a request of its own."""

PATIENCE = 60.0
"""Seconds after which no further file of a form is started."""

_OWN_FIELDS = ("csrfmiddlewaretoken", "target")


class FormPage(Protocol):
    """What differs between the pages with a conversion form."""

    @property
    def template(self) -> str: ...

    def choose_converter(self, upload: Upload) -> Converter:
        """The converter for an upload; raises an API error if there is none."""
        ...

    def option_fields(self, converter: Converter, fields: QueryDict) -> QueryDict:
        """The fields that are options of the converter."""
        ...

    def initial_values(self, request: HttpRequest) -> dict[str, str]:
        """Initial values of the form."""
        ...

    def context(self, request: HttpRequest, values: dict[str, str], refused: Refusal | None) -> dict[str, Any]:
        """Template context in addition to the form's, including `accept` for the file input."""
        ...


@dataclass(frozen=True)
class Balance:
    """Credits left of an account, or conversions left today of a guest."""

    guest: bool
    left: int
    limits: Limits
    jobs: int
    renews: datetime


def balance(payer: UserPayer | GuestPayer) -> Balance:
    if isinstance(payer, UserPayer):
        ledger.top_up(payer.owner)
        return Balance(False, payer.owner.credits, payer.limits, payer.job_limit, ledger.resets_at(payer.owner))
    left = max(0, payer.limits.credits - payer.used)
    return Balance(True, left, payer.limits, payer.job_limit, guests.resets_at())


def page(request: HttpRequest, kind: FormPage) -> HttpResponse:
    """Show the form, or convert its files and redirect to the result."""
    payer = payer_for(request)
    if request.method != "POST":
        return _form(request, payer, kind, values=kind.initial_values(request) | _texts(request.GET))
    if isinstance(payer, UserPayer):
        ledger.top_up(payer.owner)
    try:
        payer.require_member()
        throttling.check_conversion(request, payer)
        found = uploads.receive_several(request, payer.limits, guest=payer.owner is None, most=MOST)
    except APIException as error:
        return _form(request, payer, kind, values={}, refused=refusal(error))
    with contextlib.ExitStack() as stack:
        for each in found:
            stack.enter_context(each.file)
        request._post, request._files = found[0].fields, MultiValueDict()  # type: ignore[attr-defined]
        return _submit(request, payer, kind, found)


@csrf_protect
def _submit(request: HttpRequest, payer: UserPayer | GuestPayer, kind: FormPage, found: list[Upload]) -> HttpResponse:
    done, refused, until = list[Conversion](), list[tuple[Upload, APIException]](), time.monotonic() + PATIENCE
    for number, upload in enumerate(found):
        try:
            if number:
                _check_turn(request, payer, until)
            done.append(_convert(payer, kind, upload))
        except APIException as error:
            refused.append((upload, error))
    if not done:
        return _form(request, payer, kind, values=_texts(found[0].fields), refused=refusal(refused[0][1]))
    for each in done:
        results.remember(request, each)
    for upload, reason in refused:
        messages.error(
            request,
            _("%(name)s was not converted. %(reason)s") % {"name": upload.name, "reason": refusal(reason).message},
        )
    others = "+".join(str(each.id) for each in done[1:])
    address = reverse("result", args=[done[0].id])
    return redirect(f"{address}?with={others}" if others else address)


def _check_turn(request: HttpRequest, payer: UserPayer | GuestPayer, until: float) -> None:
    """Count a further file of a form as a request of its own; raises TooManyRequests."""
    if time.monotonic() > until:
        raise TooManyRequests(_("The files before it took too long. Send this file separately."), wait=1)
    throttling.check_conversion(request, payer, whole=True)


def _convert(payer: UserPayer | GuestPayer, kind: FormPage, upload: Upload) -> Conversion:
    converter = kind.choose_converter(upload)
    pipeline.check_format(converter, upload.name)
    options = parse_options(converter.options, kind.option_fields(converter, upload.fields))
    return pipeline.run(payer, converter, upload, options).conversion


def _texts(fields: QueryDict) -> dict[str, str]:
    return {name: str(fields[name]) for name in fields}


def option_fields(converter: Converter, fields: QueryDict) -> QueryDict:
    """The form without the page's own fields; of a checkbox and the hidden "no" before it the last one counts."""
    booleans = {each.name for each in describe(converter.options) if each.kind == "boolean"}
    given = QueryDict(mutable=True)
    for name, values in fields.lists():
        if name not in _OWN_FIELDS:
            given.setlist(name, values[-1:] if name in booleans else values)
    return given


def accepted(formats: AbstractSet[Format]) -> str:
    """The value of an `accept` attribute; browsers match only the last part of an extension."""
    names = {name for each in formats for name in each.extensions}
    return ",".join(sorted({f".{name.rpartition('.')[2]}" for name in names}))


def _form(
    request: HttpRequest,
    payer: UserPayer | GuestPayer,
    kind: FormPage,
    *,
    values: dict[str, str],
    refused: Refusal | None = None,
) -> HttpResponse:
    left = balance(payer)
    context: dict[str, Any] = {
        "balance": left,
        "who": browser_results.account_tag(request),
        "advice": advice.BY_CODE,
        "larger_plans": json.dumps(advice.larger_plans()),
        "unknown_type": UnsupportedFileType.default_code,
        "out_of_conversions": GuestQuotaExceeded.default_code,
        "out_of_credits": PaymentRequired.default_code,
        "denied": AccessDenied.default_code,
        "refusal": refused,
        "catalogue": targets.address(),
        **kind.context(request, values, refused),
    }
    response = render(request, kind.template, context)
    return refused.mark(response) if refused else response
