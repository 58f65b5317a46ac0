"""API views: prices, and the webhook of the provider."""

from __future__ import annotations

import logging
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from billing import events
from billing.models import PlanPrice
from billing.providers.base import ProviderFailed
from billing.providers.chosen import provider
from errors import Invalid, NotFound, TooLarge, Unavailable

log = logging.getLogger("service.billing")

_MOST_BYTES = 256 * 1024
"""Several times the largest event: a larger body can't be a signed one."""


class PlanPriceSerializer(serializers.ModelSerializer[PlanPrice]):
    plan = serializers.CharField(source="plan.name")
    code = serializers.CharField(source="plan.code", help_text="The plan's ID.")
    description = serializers.CharField(source="plan.description")
    recommended = serializers.BooleanField(source="plan.recommended")
    price = serializers.IntegerField(source="amount", help_text="In the currency's smallest unit.")
    checkoutUrl = serializers.SerializerMethodField(help_text="Where to buy it.")

    class Meta:
        model = PlanPrice
        fields = ["code", "plan", "description", "recommended", "price", "currency", "period", "checkoutUrl"]

    def get_checkoutUrl(self, price: PlanPrice) -> str:
        return price.checkout_url or "/plans"


class PlansView(APIView):
    """Prices of plans, in display order."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="plans", responses={200: PlanPriceSerializer(many=True)}, tags=["account"], auth=[],
        extensions={"x-errors": []},
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        """Prices of plans, and where to buy them."""
        return Response(PlanPriceSerializer(PlanPrice.objects.select_related("plan"), many=True).data)


class StripeView(APIView):
    """Stripe's webhook. Reads no cookie, token or key: the signature over the body authenticates the sender.

    So it needs neither CSRF protection nor a rate limit: an unsigned request costs one HMAC and no query, and Stripe
    sends refused events again.
    """

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(exclude=True)
    def post(self, request: Request) -> Response:
        found = provider()
        if found.name != "stripe" or not settings.STRIPE_WEBHOOK_SECRET:
            raise NotFound()
        notice = _read(request._request, found)
        event = events.receive(notice)
        return Response({"received": event.reference})


def _read(request: HttpRequest, found: Any) -> events.Notice:
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdigit() or int(length) > _MOST_BYTES:
        raise TooLarge(_("The event is larger than %(most)s bytes.") % {"most": format(_MOST_BYTES, ",")})
    try:
        notice: events.Notice = found.read(request.body, request.headers.get("Stripe-Signature", ""))
    except ValueError as error:
        # Stripe shows the operator only that it was refused.
        log.warning("billing event refused", extra={"reason": str(error)})
        raise Invalid(_("This is not an event signed by Stripe with this endpoint's secret.")) from error
    except ProviderFailed as error:
        raise Unavailable(str(error)) from error
    return notice
