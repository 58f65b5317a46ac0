"""Buying without a provider: orders that staff decide once, and their effect on the ledger."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client

from accounts.credits import figures
from accounts.models import CreditEntry, Plan, User
from billing.models import CreditPack, Event, Order, PlanPrice, Standing
from billing.providers import manual
from tests.conftest import Person, make_user


def logged_in(person: Person) -> Client:
    client = Client()
    client.force_login(person.account)
    return client


def price_of(code: str, amount: int = 900, **fields: Any) -> PlanPrice:
    plan = Plan.objects.get(code=code)
    return PlanPrice.objects.update_or_create(plan=plan, period="month", defaults={"amount": amount, **fields})[0]


def decide(staff: Client, action: str) -> Any:
    chosen = [str(each) for each in Order.objects.values_list("pk", flat=True)]
    return staff.post("/admin/billing/order/", {"action": action, "_selected_action": chosen}, follow=True)


def balanced(user: User) -> bool:
    """Whether the sum of an account's entries is its balance."""
    user.refresh_from_db()
    return sum(CreditEntry.objects.filter(user=user).values_list("amount", flat=True)) == user.credits


def test_staff_see_the_price_of_each_order(free: Person, staff: Client) -> None:
    pack = CreditPack.objects.create(name="Small", credits=500, amount=500)
    client = logged_in(free)
    client.post(f"/plans/credits/{pack.pk}")
    client.post(f"/plans/buy/{price_of('pro', 2900).pk}")
    page = staff.get("/admin/billing/order/").content.decode()
    assert re.findall(r'class="field-asked[^>]*>([^<]*)', page) == ["29.00 EUR", "5.00 EUR"]


def test_a_plan_is_ordered_on_the_page_approved_by_staff_and_ended_again(free: Person, staff: Client) -> None:
    client, price = logged_in(free), price_of("pro", 2900)
    page = client.get("/plans").content.decode()
    assert "29.00 EUR" in page
    assert "Move to Pro" in page
    for _ in range(2):  # a second click asks for nothing more
        assert client.post(f"/plans/buy/{price.pk}").status_code == 302
    assert Order.objects.get().state == "open"
    assert "Ordered: Pro" in client.get("/plans").content.decode()
    assert b"Approved: Pro" in decide(staff, "approve").content
    assert b"has already been processed" in decide(staff, "approve").content
    account = User.objects.get(pk=free.account.pk)
    assert (account.plan.code, account.credits) == ("pro", 10_000)
    entry = CreditEntry.objects.filter(user=account, kind="plan_change").get()
    assert (entry.amount, entry.actor.email) == (9_900, "staff@example.org")
    assert balanced(account)
    event = Event.objects.get()
    assert (event.outcome, event.amount, event.currency) == ("Plan Free to Pro.", 2900, "EUR")
    assert b"Plan Free to Pro." in staff.get("/admin/billing/event/").content
    assert "End Pro" in client.get("/plans").content.decode()
    client.post("/plans/manage")
    decide(staff, "approve")
    account.refresh_from_db()
    assert (account.plan.code, Standing.objects.get(user=account).status) == ("free", "none")
    assert balanced(account)


@pytest.mark.usefixtures("one_window")
def test_a_person_may_go_to_pay_ten_times_a_minute(free: Person, other: Person) -> None:
    """With a provider, each time occupies a thread while this asks it."""
    pack = CreditPack.objects.create(name="Small", credits=500, amount=500)
    client = logged_in(free)
    for path in (f"/plans/credits/{pack.pk}", "/plans/manage") * 5:
        assert client.post(path).status_code == 302
    for path in (f"/plans/credits/{pack.pk}", f"/plans/buy/{price_of('pro').pk}", "/plans/manage"):
        refused = client.post(path)
        assert refused.status_code == 429
        assert 1 <= int(refused["Retry-After"]) <= 61
    assert Order.objects.filter(user=free.account, price=None).count() >= 1
    assert not Order.objects.filter(price__plan__code="pro").exists()
    assert logged_in(other).post("/plans/manage").status_code == 302


def test_credits_are_bought_and_kept(paying: Person, staff: Client) -> None:
    pack = CreditPack.objects.create(name="Small", credits=500, amount=500)
    before = paying.account.credits
    logged_in(paying).post(f"/plans/credits/{pack.pk}")
    decide(staff, "approve")
    account = User.objects.get(pk=paying.account.pk)
    assert (account.credits, account.extra_credits, account.plan.code) == (before + 500, 500, "pro")
    assert CreditEntry.objects.get(kind="purchase").amount == 500
    assert balanced(account)


def test_an_order_keeps_the_offer_at_its_creation(free: Person, staff: Client) -> None:
    pack = CreditPack.objects.create(name="Small", credits=500, amount=500)
    price = price_of("pro", 2900)
    client = logged_in(free)
    client.post(f"/plans/credits/{pack.pk}")
    client.post(f"/plans/buy/{price.pk}")
    CreditPack.objects.update(credits=5, amount=90_000)
    PlanPrice.objects.update(amount=90_000, currency="USD")
    shown = client.get("/plans").content.decode()
    assert "Ordered: Small: 500 credits, 5.00 EUR" in shown
    assert "Ordered: Pro, 29.00 EUR a month" in shown
    decide(staff, "approve")
    assert sorted(Event.objects.values_list("amount", "currency")) == [(500, "EUR"), (2900, "EUR")]
    assert User.objects.get(pk=free.account.pk).extra_credits == 500


def test_an_order_is_declined_or_withdrawn_and_moves_nothing(free: Person, other: Person, staff: Client) -> None:
    client, price = logged_in(free), price_of("scale")
    client.post(f"/plans/buy/{price.pk}")
    order = Order.objects.get()
    logged_in(other).post(f"/plans/orders/{order.pk}/withdraw")
    assert Order.objects.exists()
    client.post(f"/plans/orders/{order.pk}/withdraw")
    assert not Order.objects.exists()
    client.post(f"/plans/buy/{price.pk}")
    decide(staff, "decline")
    decide(staff, "approve")
    assert not Event.objects.exists()
    assert User.objects.get(pk=free.account.pk).plan.code == "free"


def test_of_many_parallel_approvals_one_succeeds(transactional_db: None) -> None:
    user, actor = make_user("free"), make_user("free", "boss@example.org", is_staff=True, is_superuser=True)
    pack = CreditPack.objects.create(name="Small", credits=500, amount=500)
    order = Order.objects.create(user=user, pack=pack, amount=500, currency="EUR", credits=500)

    def approve(_: int) -> bool:
        try:
            return (
                manual.approve(Order.objects.select_related("pack", "price").get(pk=order.pk), actor=actor) is not None
            )
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(approve, range(16))) == 1
    user.refresh_from_db()
    assert user.extra_credits == 500
    assert balanced(user)
    taken = [(day, number) for day, name, number in figures.totals(date(2026, 1, 1)) if name == "revenue:EUR"]
    assert taken == [(Event.objects.get().occurred_at.astimezone(UTC).date(), 500)]


def test_the_page_of_plans_has_a_button_for_everybody(guest: Person, free: Person, paying: Person) -> None:
    price_of("pro", checkout_url="https://pay.example/pro")
    PlanPrice.objects.create(plan=Plan.objects.get(code="pro"), period="year", amount=29_000)
    shown = guest.client.get("/plans").content.decode()
    assert "/signup?next=/plans" in shown
    assert "recommended" in shown
    assert "Yearly" in shown
    assert "290.00 EUR" in guest.client.get("/plans?period=year").content.decode()
    shown = logged_in(free).get("/plans").content.decode()
    assert 'href="https://pay.example/pro"' in shown
    assert "Move to Starter" in shown
    assert "Move to Scale" in logged_in(paying).get("/plans").content.decode()
    listed = {each["code"]: each for each in guest.get("/billing/plans").json()["data"]}
    assert listed["pro"]["checkoutUrl"] in ("https://pay.example/pro", "/plans")
    assert listed["starter"] | {"plan": "", "description": ""} == {
        "code": "starter", "plan": "", "description": "", "recommended": False, "price": 0, "currency": "EUR",
        "period": "month", "checkoutUrl": "/plans",
    }  # fmt: skip


def test_every_402_and_403_leads_to_the_plans(free: Person, guest: Person) -> None:
    User.objects.filter(pk=free.account.pk).update(monthly_credits=0)
    answer = free.convert("json-to-csv", b"[{}]")
    assert (answer.status_code, answer.json()["meta"]["plansUrl"]) == (402, "/plans")
    denied = free.post("/integrations/api-keys", {"name": "x"})
    assert (denied.status_code, denied.json()["meta"]["plansUrl"]) == (403, "/plans")
    assert 'href="/plans"' in logged_in(free).get("/api-keys").content.decode()


def test_the_footer_names_the_operator_if_configured(guest: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Imprint" not in guest.client.get("/plans").content.decode()
    monkeypatch.setattr(settings, "IMPRINT_URL", "https://shop.example/imprint")
    monkeypatch.setattr(settings, "CONTACT_EMAIL", "ada@shop.example")
    page = guest.client.get("/plans").content.decode()
    assert '<a href="https://shop.example/imprint">Imprint</a>' in page
    assert "mailto:ada@shop.example" in page


def test_without_stripe_keys_its_webhook_is_not_found(guest: Person) -> None:
    assert guest.post("/billing/stripe", {"id": "evt_1"}).status_code == 404
