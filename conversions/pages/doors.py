"""A page with the form that converts: one upload through the API's path, told as a page or as what stood in its way."""

from __future__ import annotations

import contextlib
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

from accounts import guests, ledger, throttling
from accounts.errors import GuestQuotaExceeded, PaymentRequired, TooManyRequests
from accounts.limits import Limits
from accounts.payers import GuestPayer, UserPayer, payer_for
from conversions import pipeline, uploads
from conversions.errors import FileTooLarge, GuestFileTooLarge, UnsupportedFileType
from conversions.models import Conversion
from conversions.pages import advice, kept, results, targets
from conversions.pages.refusals import Refusal, refusal
from conversions.serializers import parse_options
from conversions.toolkit.declaring import Converter
from conversions.toolkit.formats import Format
from conversions.toolkit.options import describe
from conversions.uploads import Upload
from errors import AccessDenied

MOST = 10
"""Files that one form may bring; with scripts each is a request of its own, and there is no such limit."""

PATIENCE = 60.0
"""Seconds after which no further file of a form is begun."""

_OWN_FIELDS = ("csrfmiddlewaretoken", "target")


class Door(Protocol):
    """What one such page has of its own."""

    @property
    def template(self) -> str: ...

    def choose(self, upload: Upload) -> Converter:
        """The conversion that an upload gets here; raises what the API answers where there is none."""
        ...

    def given(self, converter: Converter, fields: QueryDict) -> QueryDict:
        """The options of the conversion, from the fields of the form."""
        ...

    def preset(self, request: HttpRequest) -> dict[str, str]:
        """What the form holds when it is opened."""
        ...

    def shown(self, request: HttpRequest, values: dict[str, str], refused: Refusal | None) -> dict[str, Any]:
        """What the template shows around the form, `accept` for the chooser of files among it."""
        ...


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


def page(request: HttpRequest, door: Door) -> HttpResponse:
    """Show the form, or convert what was sent with it and lead to the result."""
    payer = payer_for(request)
    if request.method != "POST":
        return _form(request, payer, door, values=door.preset(request) | _texts(request.GET))
    if isinstance(payer, UserPayer):
        ledger.top_up(payer.owner)
    try:
        payer.admit()
        throttling.check_conversion(request, payer)
        found = uploads.receive_several(request, payer.limits, guest=payer.owner is None, most=MOST)
    except APIException as error:
        return _form(request, payer, door, values={}, refused=refusal(error))
    with contextlib.ExitStack() as stack:
        for each in found:
            stack.enter_context(each.file)
        request._post, request._files = found[0].fields, MultiValueDict()  # type: ignore[attr-defined]
        return _submit(request, payer, door, found)


@csrf_protect
def _submit(request: HttpRequest, payer: UserPayer | GuestPayer, door: Door, found: list[Upload]) -> HttpResponse:
    done, refused, until = list[Conversion](), list[tuple[Upload, APIException]](), time.monotonic() + PATIENCE
    for number, upload in enumerate(found):
        try:
            if number:
                _check_turn(request, payer, until)
            done.append(_convert(payer, door, upload))
        except APIException as error:
            refused.append((upload, error))
    if not done:
        return _form(request, payer, door, values=_texts(found[0].fields), refused=refusal(refused[0][1]))
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
    """Count a further file of a form as the request that it would be by itself; raises TooManyRequests."""
    if time.monotonic() > until:
        raise TooManyRequests(_("The files before it have taken long. Send it by itself."), wait=1)
    throttling.check_conversion(request, payer, whole=True)


def _convert(payer: UserPayer | GuestPayer, door: Door, upload: Upload) -> Conversion:
    converter = door.choose(upload)
    pipeline.check_format(converter, upload)
    options = parse_options(converter.options, door.given(converter, upload.fields))
    return pipeline.run(payer, converter, upload, options).conversion


def _texts(fields: QueryDict) -> dict[str, str]:
    return {name: str(fields[name]) for name in fields}


def option_fields(converter: Converter, fields: QueryDict) -> QueryDict:
    """The form without the page's own fields; of a tick box and the hidden "no" before it the last one counts."""
    booleans = {each.name for each in describe(converter.options) if each.kind == "boolean"}
    given = QueryDict(mutable=True)
    for name, values in fields.lists():
        if name not in _OWN_FIELDS:
            given.setlist(name, values[-1:] if name in booleans else values)
    return given


def accepted(formats: AbstractSet[Format]) -> str:
    """The value of an `accept` attribute; browsers know the last part of an extension only."""
    names = {name for each in formats for name in each.extensions}
    return ",".join(sorted({f".{name.rpartition('.')[2]}" for name in names}))


def _form(
    request: HttpRequest,
    payer: UserPayer | GuestPayer,
    door: Door,
    *,
    values: dict[str, str],
    refused: Refusal | None = None,
) -> HttpResponse:
    left = balance(payer)
    context: dict[str, Any] = {
        "balance": left,
        "who": kept.who(request),
        "advice": advice.BY_CODE,
        "too_large": (GuestFileTooLarge if left.guest else FileTooLarge).default_code,
        "unknown_type": UnsupportedFileType.default_code,
        "out_of_conversions": GuestQuotaExceeded.default_code,
        "out_of_credits": PaymentRequired.default_code,
        "denied": AccessDenied.default_code,
        "refusal": refused,
        "catalogue": targets.address(),
        **door.shown(request, values, refused),
    }
    response = render(request, door.template, context)
    return refused.mark(response) if refused else response
