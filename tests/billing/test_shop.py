"""What buyers and staff see and hear of an order, and prices as staff enter them."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client

from accounts import currencies
from accounts.models import Membership, Role
from accounts.people import organisations
from accounts.people.outbox import OUTBOX
from billing import order_mails
from billing.models import CreditPack, Order, PlanPrice
from billing.providers import manual
from tests.billing.test_orders import decide, logged_in, price_of
from tests.conftest import Person, make_user


def mailed() -> list[tuple[str, str]]:
    """Who has been mailed since the last call, and about what."""
    assert OUTBOX.flush(30)
    found = [(each.to[0], str(each.subject)) for each in mail.outbox]
    mail.outbox.clear()
    return found


def test_an_order_is_placed_after_a_confirmation(free: Person) -> None:
    client, price = logged_in(free), price_of("pro", 2900)
    pack = CreditPack.objects.create(name="Small", credits=500, amount=500)
    assert f'href="/plans/buy/{price.pk}"' in client.get("/plans").content.decode()
    for path, words in (
        (f"/plans/buy/{price.pk}", "Pro, 29.00 EUR a month"),
        (f"/plans/credits/{pack.pk}", "500 credits"),
    ):
        asked = client.get(path)
        assert asked.status_code == 200
        assert words in asked.content.decode()
    assert not Order.objects.exists()
    client.post(f"/plans/buy/{price.pk}")
    assert Order.objects.count() == 1


def test_orders_that_are_withdrawn_and_placed_again_send_few_mails(free: Person) -> None:
    client, price = logged_in(free), price_of("pro", 2900)
    answers = []
    for _ in range(12):
        answers.append(client.post(f"/plans/buy/{price.pk}"))
        for order in Order.objects.all():
            client.post(f"/plans/orders/{order.pk}/withdraw")
    most = int(settings.MAIL_RATE_EMAIL.partition("/")[0])
    assert [each.status_code for each in answers] == [302] * most + [429] * (12 - most)
    assert int(answers[-1]["Retry-After"]) > 0
    assert not Order.objects.exists()
    assert [to for to, _ in mailed()] == [free.account.email] * most


def test_buyer_and_staff_hear_of_an_order_once_and_the_buyer_of_its_end(
    free: Person, staff: Client, settings: Any
) -> None:
    client, price = logged_in(free), price_of("pro", 2900)
    buyer = free.account.email
    for _ in range(2):
        client.post(f"/plans/buy/{price.pk}")
    told = mailed()
    assert sorted(to for to, _ in told) == sorted([buyer, "staff@example.org"])
    assert ("staff@example.org", "New order: Pro, 29.00 EUR a month") in told
    decide(staff, "approve")
    decide(staff, "approve")
    assert mailed() == [(buyer, "Your order is complete")]
    settings.CONTACT_EMAIL = "shop@example.org"
    client.post("/plans/manage")
    assert sorted(to for to, _ in mailed()) == sorted([buyer, "shop@example.org"])
    decide(staff, "decline")
    assert mailed() == [(buyer, "We couldn't accept your order")]


def test_the_owners_of_an_organisation_hear_of_its_order(db: None) -> None:
    founder, actor = make_user("free"), make_user("free", "boss@example.org", is_staff=True, is_superuser=True)
    organisation = organisations.create(founder, "Shop").organisation
    partner, member = make_user("free"), make_user("free")
    Membership.objects.create(organisation=organisation, member=partner, role=Role.OWNER)
    Membership.objects.create(organisation=organisation, member=member, role=Role.MEMBER)
    order = Order.objects.create(user=organisation, price=price_of("pro", 2900), amount=2900, currency="EUR")
    manual.approve(order, actor=actor)
    assert sorted(to for to, _ in mailed()) == sorted([founder.email, partner.email])


def test_the_name_of_an_organisation_is_no_link_in_the_mail_about_its_order(db: None) -> None:
    make_user("free", "boss@example.org", is_staff=True, is_superuser=True)
    organisation = organisations.create(make_user("free"), "Pay at https://evil.example/now").organisation
    price = price_of("pro", 2900)
    order_mails.placed(Order.objects.create(user=organisation, price=price, amount=2900, currency="EUR"))
    assert OUTBOX.flush(30)
    (told,) = [each for each in mail.outbox if each.to == ["boss@example.org"]]
    assert "evil example" in told.body
    assert "evil.example" not in told.body


def test_the_dashboard_lists_open_orders(free: Person, staff: Client) -> None:
    assert b"open order" not in staff.get("/admin/").content
    logged_in(free).post(f"/plans/buy/{price_of('pro', 2900).pk}")
    page = staff.get("/admin/").content.decode()
    assert "1 open order" in page
    assert "/admin/billing/order/?state__exact=open" in page
    assert free.account.email in page
    clerk = Client()
    clerk.force_login(make_user("free", "clerk@example.org", is_staff=True))
    assert b"open order" not in clerk.get("/admin/").content
    decide(staff, "decline")
    assert b"open order" not in staff.get("/admin/").content


@pytest.mark.parametrize(
    ("written", "currency", "stored"),
    [("9.00", "EUR", 900), ("9", "EUR", 900), ("900", "JPY", 900), ("1.234", "KWD", 1234), ("0", "EUR", 0)],
)
def test_staff_enter_prices_as_people_write_them(staff: Client, written: str, currency: str, stored: int) -> None:
    price = price_of("pro", 100)
    path = f"/admin/billing/planprice/{price.pk}/change/"
    given = {"plan": price.plan_id, "period": "month", "provider_price": "", "checkout_url": ""}
    assert staff.post(path, {**given, "amount": written, "currency": currency}).status_code == 302
    price.refresh_from_db()
    assert (price.amount, price.currency) == (stored, currency)
    shown = currencies.as_people_write(stored, currency)
    assert f'name="amount" value="{shown}"' in staff.get(path).content.decode()


@pytest.mark.parametrize(
    ("written", "currency"), [("9.5", "JPY"), ("9.005", "EUR"), ("-1", "EUR"), ("99999999999", "EUR")]
)
def test_a_price_that_cannot_be_paid_is_refused_under_its_field(staff: Client, written: str, currency: str) -> None:
    price = price_of("pro", 100)
    given = {"plan": price.plan_id, "period": "month", "provider_price": "", "checkout_url": ""}
    answer = staff.post(
        f"/admin/billing/planprice/{price.pk}/change/", {**given, "amount": written, "currency": currency}
    )
    assert answer.status_code == 200
    assert set(answer.context["adminform"].form.errors) == {"amount"}
    assert PlanPrice.objects.get(pk=price.pk).amount == 100


def test_prices_are_changed_in_the_list_too(staff: Client) -> None:
    price = price_of("pro", 100)
    page = staff.get("/admin/billing/planprice/")
    formset = page.context["cl"].formset
    given: dict[str, Any] = {
        "form-TOTAL_FORMS": formset.total_form_count(),
        "form-INITIAL_FORMS": formset.total_form_count(),
    }
    for number, form in enumerate(formset.forms):
        row = form.instance
        given |= {
            f"form-{number}-id": row.pk,
            f"form-{number}-amount": "29.90" if row == price else currencies.as_people_write(row.amount, row.currency),
            f"form-{number}-currency": row.currency,
            f"form-{number}-provider_price": row.provider_price,
        }
    others = dict(PlanPrice.objects.exclude(pk=price.pk).values_list("pk", "amount"))
    staff.post("/admin/billing/planprice/", {**given, "_save": "Save"})
    assert PlanPrice.objects.get(pk=price.pk).amount == 2990
    assert dict(PlanPrice.objects.exclude(pk=price.pk).values_list("pk", "amount")) == others


def test_buyer_and_staff_are_each_mailed_in_their_own_language(free: Person, staff: Client) -> None:
    client, price = logged_in(free), price_of("pro", 2900)
    client.post(f"/plans/buy/{price.pk}", headers={"Accept-Language": "de"})
    to_buyer, to_staff = mailed()
    assert to_buyer == (free.account.email, "Wir haben Ihre Bestellung erhalten")
    assert to_staff[1].startswith("New order: Pro, 29.00 EUR")
    chosen = [str(each) for each in Order.objects.values_list("pk", flat=True)]
    form = {"action": "approve", "_selected_action": chosen}
    staff.post("/admin/billing/order/", form, headers={"Accept-Language": "ja"})
    assert mailed() == [(free.account.email, "Ihre Bestellung ist abgeschlossen")]
