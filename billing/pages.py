"""The page with plans and credits for sale, and its forms."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.credits import throttling
from accounts.credits.payers import owner_of, owner_or_guest, person
from accounts.lanes import slow
from accounts.models import FREE, GUEST, Plan, Role, User
from billing.models import CreditPack, Order, PlanPrice, Standing
from billing.providers.base import ProviderFailed
from billing.providers.chosen import provider

_YEAR = PlanPrice.Period.YEAR


def payment_due(request: HttpRequest) -> dict[str, Any]:
    """A context processor: the account's standing if a payment is due, lazily."""
    return {"payment_due": SimpleLazyObject(lambda: _payment_due(request))}


def _payment_due(request: HttpRequest) -> Standing | None:
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or not isinstance(request.user, User):
        return None
    owner = owner_or_guest(request)
    return Standing.objects.filter(user=owner, status__in=Standing.OWING).select_related("plan").first()


def plans(request: HttpRequest) -> HttpResponse:
    """What each plan includes and costs, for a month or a year (`?period=year`)."""
    user = owner_or_guest(request)
    shown = list(Plan.objects.prefetch_related("prices"))
    sold = {each.pk: {price.period: price for price in each.prices.all()} for each in shown}
    periods = {period for prices in sold.values() for period in prices}
    period = _YEAR if request.GET.get("period") == _YEAR and _YEAR in periods else PlanPrice.Period.MONTH
    context: dict[str, Any] = {
        "rows": [(each, sold[each.pk].get(period) or next(iter(sold[each.pk].values()), None)) for each in shown],
        "current": user.plan.code if user else GUEST,
        "free": FREE,
        "period": period,
        "yearly": _YEAR in periods and len(periods) > 1,
        "contact": settings.CONTACT_EMAIL,
        "ordering": provider().orders,
        **(_of(user) if user else {}),
    }
    if user and request.GET.get("paid"):
        context["paid"] = True
    return _allowing_redirects(render(request, "billing/plans.html", context))


def _of(user: User) -> dict[str, Any]:
    return {
        "standing": Standing.objects.filter(user=user).exclude(status=Standing.Status.NONE).first(),
        "orders": Order.objects.filter(user=user, state=Order.State.OPEN).select_related("price__plan", "pack"),
        "packs": CreditPack.objects.all(),
    }


def _allowing_redirects(response: HttpResponse) -> HttpResponse:
    """Allow forms to redirect to the provider: browsers apply form-action to redirects, too."""
    response._csp_update = {"form-action": list(provider().origins)}  # type: ignore[attr-defined]
    return response


@slow("POST")
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def buy_plan(request: HttpRequest, price: int) -> HttpResponseBase:
    return _buy(request, get_object_or_404(PlanPrice.objects.select_related("plan"), pk=price))


@slow("POST")
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def buy_pack(request: HttpRequest, pack: int) -> HttpResponseBase:
    return _buy(request, get_object_or_404(CreditPack, pk=pack))


@slow("POST")
@require_POST
@login_required
def portal(request: HttpRequest) -> HttpResponseBase:
    return _redirect_to(request, lambda user: provider().portal(request, user))


@require_POST
@login_required
def withdraw(request: HttpRequest, order: UUID) -> HttpResponseBase:
    """Withdraw an undecided order."""
    Order.objects.filter(pk=order, user=owner_of(request, Role.OWNER), state=Order.State.OPEN).delete()
    messages.success(request, _("Order withdrawn."))
    return redirect("plans")


def _buy(request: HttpRequest, wanted: PlanPrice | CreditPack) -> HttpResponseBase:
    """Order or pay by POST; by GET, ask once more where the order is placed without a checkout."""
    if request.method == "POST":
        return _checkout(request, wanted)
    if not provider().orders:
        return redirect("plans")
    owner = owner_of(request, Role.OWNER)
    return render(request, "billing/confirm_order.html", {"wanted": wanted, "owner": owner})


def _checkout(request: HttpRequest, wanted: PlanPrice | CreditPack) -> HttpResponseBase:
    if not provider().orders and not wanted.provider_price:
        messages.error(request, _("You can't buy this here yet. Contact us."))
        return redirect("plans")
    return _redirect_to(request, lambda user: provider().checkout(request, user, wanted))


def _redirect_to(request: HttpRequest, address: Any) -> HttpResponseBase:
    owner = owner_of(request, Role.OWNER)
    # By person: someone may own many organisations.
    throttling.check_payment(request, person(request))
    try:
        return redirect(address(owner))
    except ProviderFailed as error:
        messages.error(request, str(error))
        return redirect("plans")


urlpatterns = [
    path("plans", plans, name="plans"),
    path("plans/buy/<int:price>", buy_plan, name="buy-plan"),
    path("plans/credits/<int:pack>", buy_pack, name="buy-credits"),
    path("plans/manage", portal, name="billing-portal"),
    path("plans/orders/<uuid:order>/withdraw", withdraw, name="withdraw-order"),
]
