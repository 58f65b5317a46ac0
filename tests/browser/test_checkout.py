"""Paying through Stripe in a browser, its pages stood for: a plan bought, changed, not paid for, paid, and ended."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from django.conf import settings
from playwright.sync_api import expect

from billing.models import Standing
from tests.billing import test_stripe
from tests.billing.test_orders import balanced, price_of
from tests.conftest import Person

stripe_like = test_stripe.stripe_like
pytestmark = pytest.mark.usefixtures("stripe_like")

Deliver = Callable[[str, dict[str, Any]], None]


@pytest.fixture
def deliver(live_server: Any) -> Deliver:
    """Send one signed event, a second after the one before."""
    began, number = int(time.time()) - 100, iter(range(100))

    def deliver(kind: str, one: dict[str, Any]) -> None:
        each = next(number)
        body = test_stripe.event(kind, one, id=f"evt_{each}", created=began + each)
        answer = httpx.post(live_server.url + test_stripe.PATH, content=body, headers=test_stripe.signed(body))
        assert answer.status_code == 200, answer.text

    return deliver


def _stands(page: Any, plan: str, credits: str) -> None:
    page.goto("/account")
    page.get_by_role("heading", name=f"Plan: {plan}").wait_for()
    page.get_by_text(f"{credits} of ").wait_for()
    page.goto("/plans")
    expect(page.get_by_role("region", name=plan).get_by_text("your plan")).to_be_visible()


def test_a_plan_is_bought_changed_unpaid_paid_and_cancelled(
    visit: Any, watch: Any, free: Person, deliver: Deliver
) -> None:
    watch.others = (settings.STRIPE_API_BASE,)
    user = free.account
    for code, amount in (("pro", 2900), ("scale", 9900)):
        price_of(code, amount, provider_price=f"price_{code}")
    page = visit("/plans", user=user)
    page.get_by_role("button", name="Move to Pro").click()
    page.wait_for_url(f"{settings.STRIPE_API_BASE}/checkout")
    assert test_stripe._Stand.asked[-1][1]["client_reference_id"] == [str(user.pk)]
    page.goto("/plans?paid=1")
    page.get_by_text("as soon as the payment is confirmed").wait_for()
    expect(page.get_by_role("button", name="Move to Pro")).to_be_visible()
    deliver("customer.subscription.created", test_stripe.subscription(user, "price_pro"))
    _stands(page, "Pro", "10,000")

    page.get_by_role("button", name="Change to Scale").click()
    page.wait_for_url(f"{settings.STRIPE_API_BASE}/portal")
    deliver("customer.subscription.updated", test_stripe.subscription(user, "price_scale"))
    _stands(page, "Scale", "50,000")

    invoice = {"id": "in_1", "customer": "cus_1", "parent": {"subscription_details": {"subscription": "sub_1"}}}
    deliver("invoice.payment_failed", invoice)
    _stands(page, "Scale", "50,000")
    page.goto("/account")
    page.get_by_text("Your last payment failed. Scale goes on until").wait_for()
    page.get_by_role("link", name="Update payment").click()
    page.wait_for_url("**/plans")
    page.get_by_role("button", name="Update payment").click()
    page.wait_for_url(f"{settings.STRIPE_API_BASE}/portal")
    lines = {"data": [{"period": {"end": int(time.time()) + 60 * 86400}}]}
    deliver("invoice.paid", {**invoice, "amount_paid": 9900, "currency": "eur", "lines": lines})
    _stands(page, "Scale", "50,000")
    expect(page.get_by_text("Your last payment failed")).to_have_count(0)

    page.get_by_role("button", name="Manage or end Scale").click()
    page.wait_for_url(f"{settings.STRIPE_API_BASE}/portal")
    ending = test_stripe.subscription(user, "price_scale", cancel_at_period_end=True)
    deliver("customer.subscription.updated", ending)
    _stands(page, "Scale", "50,000")
    page.get_by_text("Scale ends on").wait_for()
    deliver("customer.subscription.deleted", test_stripe.subscription(user, "price_scale", "canceled"))
    _stands(page, "Free", "100")
    expect(page.get_by_text("Scale ends on")).to_have_count(0)
    assert Standing.objects.get(user=user).status == "none"
    assert balanced(user)
