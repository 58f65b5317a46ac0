"""Template tags about purchases."""

from __future__ import annotations

from typing import Any

from django import template
from django.http import HttpRequest

from accounts.models import User
from accounts.people.rights import of_customers
from billing.models import Order, Standing

register = template.Library()

SHOWN = 20


@register.simple_tag(takes_context=True)
def charged_twice(context: Any) -> list[Standing]:
    """The first twenty accounts that are charged for several subscriptions; for staff who may see purchases."""
    request: HttpRequest = context["request"]
    if not isinstance(request.user, User) or not request.user.has_perm("billing.view_standing"):
        return []
    rows = of_customers(request, Standing.objects.filter(charged__gt=1).select_related("user"), "user__")
    return list(rows.order_by("user_id")[:SHOWN])


@register.simple_tag(takes_context=True)
def open_orders(context: Any) -> list[Order]:
    """The first twenty orders that wait for a decision, oldest first; for staff who may see them."""
    request: HttpRequest = context["request"]
    if not isinstance(request.user, User) or not request.user.has_perm("billing.view_order"):
        return []
    rows = Order.objects.filter(state=Order.State.OPEN).select_related("user", "price__plan", "pack")
    return list(of_customers(request, rows, "user__").order_by("created_at")[:SHOWN])
