"""API views: convert, list conversions, history and usage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, cast

from django.http import HttpResponse, HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.viewsets import ViewSet

from accounts.credits import budgets, guests, throttling
from accounts.credits.counters import CACHE_ERRORS
from accounts.credits.payers import GuestPayer, Payer, UserPayer, address_of
from accounts.models import User
from accounts.serializers import GuestQuotaSerializer
from apikeys.access import NoApiKeyView
from apikeys.payers import payer_of
from conversions import uploads
from conversions.errors import UnknownConversion
from conversions.progress.following import followed
from conversions.serializers import (
    FormatsSerializer,
    ListedConversionSerializer,
    StatsSerializer,
    parse_options,
    shown,
)
from conversions.work import delivery, dry_run, idempotency, listing, offer, pipeline, statistics
from conversions.work.nearest import unknown
from conversions.work.parameters import MAX_DAYS, read_days, read_yes_or_no
from engine.toolkit.declaring import Converter
from errors import Invalid, codes
from storage import conditions
from storage.errors import PreconditionFailed


class ConvertViewSet(ViewSet):
    """POST of one slug; the routes bind a subclass to each converter."""

    permission_classes = (AllowAny,)
    throttle_classes: Sequence[type[BaseThrottle]] = (throttling.ConversionThrottle,)
    converter: ClassVar[Converter]

    def create(self, request: Request) -> HttpResponseBase:
        payer = payer_of(request)
        payer.require_member()
        offer.for_payer(payer).require(self.converter, payer.plan)
        as_file = delivery.wants_file(request, self.converter)
        is_dry_run = delivery.wants_dry_run(request)
        verify = delivery.wants_verification(request, self.converter)
        retention = delivery.wants_retention(request, payer.limits.retention_hours)
        upload = uploads.receive(request._request, payer.limits, guest=payer.owner is None, whole=self.converter.input)
        with upload.file:
            pipeline.check_format(self.converter, upload.name)
            options = parse_options(self.converter.options, delivery.options(request, upload.fields))
            if verify:
                delivery.check_comparable(self.converter, options)
            key = idempotency.read_key(request.headers.get("Idempotency-Key"))
            if is_dry_run:
                return Response(dry_run.report(payer, self.converter, upload, options, verify=verify))
            with followed(request, payer) as on_progress:
                result = pipeline.run(
                    payer,
                    self.converter,
                    upload,
                    options,
                    key=key,
                    verify=verify,
                    on_progress=on_progress,
                    retention=retention,
                )
        if as_file:
            response = delivery.file(request, result, once=retention == 0)
        else:
            response = Response(shown(result.conversion, gone=result.gone), status=status.HTTP_201_CREATED)
        response["X-Conversion-Id"] = str(result.conversion.id)
        response["X-Warnings"] = str(len(result.conversion.warnings))
        if result.replayed:
            response["Idempotency-Replayed"] = "true"
        return response

    @property
    def allowed_methods(self) -> list[str]:
        # GET on the same path is the catalogue's.
        return ["GET", "HEAD", *super().allowed_methods]

    def finalize_response(self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)  # type: ignore[arg-type]
        # Without the database the limits are unknown.
        if isinstance(request, Request) and response.status_code != status.HTTP_503_SERVICE_UNAVAILABLE:
            _limit_headers(request, response)
        return response


def _limit_headers(request: Request, response: HttpResponseBase) -> None:
    """RateLimit headers, and an account's remaining credits; omits the rate if the shared cache is unreachable."""
    # The result of authentication, if any: running it again would fail again.
    user = getattr(request, "_user", None)
    payer: Payer = UserPayer(user) if isinstance(user, User) else GuestPayer(address_of(request))
    try:
        usage = getattr(request, "usage", None) or throttling.conversion_usage(request, payer, count=False)
    except CACHE_ERRORS:
        return
    response["RateLimit-Limit"] = str(usage.limit)
    response["RateLimit-Remaining"] = str(usage.remaining)
    response["RateLimit-Reset"] = str(usage.resets_in)
    # In the format of draft-ietf-httpapi-ratelimit-headers-10; the three above follow version 7.
    response["RateLimit-Policy"] = f'"conversions";q={usage.limit};w=60'
    response["RateLimit"] = f'"conversions";r={usage.remaining};t={usage.resets_in}'
    if payer.owner is not None:
        response["X-Credits-Remaining"] = str(payer.owner.credits)


class UnknownConvertViewSet(ConvertViewSet):
    """POST to an unlisted slug: another spelling of a listed one, or unknown."""

    throttle_classes = ()

    def create(self, request: Request, slug: str = "") -> HttpResponseBase:
        raise unknown(slug, offer.current().converters)


class CatalogueViewSet(ViewSet):
    """Public: available conversions, and a guest's remaining quota."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="describe",
        responses={200: ListedConversionSerializer},
        parameters=[OpenApiParameter("slug", str, OpenApiParameter.PATH, description="`<input>-to-<output>`.")],
        tags=["converter"],
        auth=[],
        extensions={"x-errors": codes(UnknownConversion, PreconditionFailed)},
    )
    def describe(self, request: Request, slug: str) -> HttpResponse:
        """One conversion: its input, output, price and options."""
        converter = offer.current().resolve(slug)
        if converter is None:
            raise unknown(slug, offer.current().converters)
        return _constant(request, lambda: Response(listing.describe_converter(converter)), etag=_LISTED[True]()[1])

    @extend_schema(
        operation_id="formats",
        responses={200: FormatsSerializer},
        parameters=[
            OpenApiParameter(
                "options",
                {"type": "string", "enum": ["yes", "no"], "default": "yes"},
                description="`no` leaves out the options, which make up nine tenths of the response.",
            )
        ],
        tags=["converter"],
        auth=[],
        extensions={"x-errors": codes(Invalid, PreconditionFailed)},
    )
    def formats(self, request: Request) -> HttpResponse:
        """All formats and conversions with their options, sorted by slug."""
        document, etag = _LISTED[read_yes_or_no(request.query_params, "options", unless_given=True)]()
        return _constant(
            request, lambda: HttpResponse(document, content_type="application/json; charset=utf-8"), etag=etag
        )

    @extend_schema(operation_id="guest_quota", responses={200: GuestQuotaSerializer}, tags=["converter"], auth=[])
    def guest_quota(self, request: Request) -> Response:
        """How many conversions a guest at this address has left today."""
        payer = GuestPayer(address_of(request))
        used = payer.used
        quota = {
            "limit": payer.limits.credits,
            "used": used,
            "remaining": max(0, payer.limits.credits - used),
            "resetsAt": guests.resets_at(),
            "maxFileBytes": payer.limits.max_file_bytes,
            "failedSeconds": budgets.usage(payer),
        }
        return Response(GuestQuotaSerializer(quota).data)


def _listed(*, options: bool) -> Callable[[], tuple[bytes, str]]:
    """The listing as it is sent, and its entity tag."""

    @offer.remembered
    def made(offered: offer.Offer) -> tuple[bytes, str]:
        # Once for each language: rendering its 3 MB takes 65 ms of processor time, and anyone may ask for it.
        (renderer,) = CatalogueViewSet.renderer_classes
        content = cast(bytes, renderer().render(listing.document(offered, options=options)))
        return content, conditions.entity_tag_of(content)

    return made


_LISTED = {options: _listed(options=options) for options in (True, False)}


def _constant(request: Request, content: Callable[[], HttpResponse], *, etag: str) -> HttpResponse:
    """A response that depends only on the listing, and changes only with it."""
    headers = {"ETag": etag, "Cache-Control": "public, max-age=60", "Vary": "Accept-Language, Cookie"}
    unchanged = conditions.judge(request._request, etag=etag) is not None
    response = Response(status=status.HTTP_304_NOT_MODIFIED) if unchanged else content()
    for name, value in headers.items():
        response[name] = value
    return response


class StatsViewSet(NoApiKeyView, ViewSet):
    @extend_schema(
        operation_id="stats",
        parameters=[
            OpenApiParameter(
                "days",
                {"type": "integer", "minimum": 1, "maximum": MAX_DAYS},
                description=f"1 to {MAX_DAYS}, 30 unless given.",
            )
        ],
        responses={200: StatsSerializer},
        tags=["account"],
        extensions={"x-errors": codes(Invalid)},
    )
    def retrieve(self, request: Request) -> Response:
        """The account's usage: in total, per slug and per day (UTC)."""
        assert isinstance(request.user, User)  # NoApiKeyView requires a log-in
        report = statistics.report(request.user, days=read_days(request.query_params))
        shown = {
            "since": report.since,
            "until": report.until,
            "totals": report.totals,
            "bySlug": [_named(name, sums) for name, sums in report.slugs.items()],
            "byDay": [_named(day, sums) for day, sums in report.days.items()],
        }
        return Response(StatsSerializer(shown).data)


def _named(name: object, sums: statistics.Sums) -> dict[str, Any]:
    fields = ("conversions", "failures", "credits", "bytes_in", "bytes_out", "median_ms", "p95_ms")
    return {"name": name, **{each: getattr(sums, each) for each in fields}}
