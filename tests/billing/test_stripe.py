"""Stripe: signed events over HTTP, its checkout and its portal, beside a page that stands for its own."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import httpx
import pytest
from django.conf import settings
from django.test import Client

from accounts import figures
from accounts.models import CreditEntry, User
from billing.models import CreditPack, Customer, Event, Standing
from billing.providers.chosen import provider
from tests.billing.test_events import History, check, delivered, histories
from tests.billing.test_orders import balanced, price_of
from tests.conftest import Person

if os.environ.get("REQUIRE_EXTRAS") != "1":
    pytest.importorskip("stripe", reason="stripe is not installed: make extras runs these tests")

SECRET = "whsec_only_for_tests"
PATH = "/api/v1/billing/stripe"


class _Stand(BaseHTTPRequestHandler):
    """The two calls that are made of Stripe, and the pages they lead to."""

    asked: list[tuple[str, dict[str, list[str]]]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.asked.append((self.path, parse_qs(body)))
        page = "portal" if "portal" in self.path else "checkout"
        port = int(self.server.server_port)  # type: ignore[attr-defined]
        found = {"id": "cs_1", "object": "checkout.session", "url": f"http://127.0.0.1:{port}/{page}"}
        self._answer(json.dumps(found), "application/json")

    def do_GET(self) -> None:
        self._answer(f"<!doctype html><title>x</title><h1>{self.path}</h1>", "text/html")

    def _answer(self, text: str, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *arguments: Any) -> None:
        pass


@pytest.fixture
def stripe_like(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The origin of what stands for Stripe, to which the settings lead."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Stand)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{server.server_address[1]}"
    _Stand.asked = []
    for name, value in (("SECRET_KEY", "sk_test_1"), ("WEBHOOK_SECRET", SECRET), ("API_BASE", origin)):
        monkeypatch.setattr(settings, f"STRIPE_{name}", value)
    provider.cache_clear()
    yield origin
    server.shutdown()
    server.server_close()
    provider.cache_clear()


def signed(body: bytes, *, at: float | None = None, secret: str = SECRET) -> dict[str, str]:
    """https://docs.stripe.com/webhooks#verify-manually"""
    moment = int(at or time.time())
    mark = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return {"Stripe-Signature": f"t={moment},v1={mark}", "Content-Type": "application/json"}


def event(
    kind: str, one: dict[str, Any], *, id: str, created: int | None = None, before: dict[str, Any] | None = None
) -> bytes:
    data = {"object": one} if before is None else {"object": one, "previous_attributes": before}
    return json.dumps(
        {"id": id, "object": "event", "type": kind, "created": created or int(time.time()), "data": data}
    ).encode()


def send(client: Client, body: bytes, **signing: Any) -> Any:
    headers = signed(body, **signing)
    return client.post(PATH, body, headers.pop("Content-Type"), headers=headers)


def subscription(user: User, price: str, status: str = "active", **more: Any) -> dict[str, Any]:
    item = {"price": {"id": price}, "current_period_end": int(time.time()) + 30 * 86400}
    return {
        "id": "sub_1", "object": "subscription", "customer": "cus_1", "status": status, "items": {"data": [item]},
        "metadata": {"account": str(user.pk)}, **more,
    }  # fmt: skip


def test_what_is_not_signed_is_refused_and_nothing_is_kept(guest: Person, stripe_like: str) -> None:
    body = event("customer.subscription.created", {"id": "s"}, id="evt_1")
    wrong = [{"secret": "whsec_other"}, {"at": time.time() - 3600}]
    assert [send(guest.client, body, **each).status_code for each in wrong] == [400, 400]
    assert guest.client.post(PATH, body, "application/json").json()["code"] == "VALIDATION_ERROR"
    mark = {"Stripe-Signature": signed(body)["Stripe-Signature"]}
    tampered = guest.client.post(PATH, body + b" ", "application/json", headers=mark)
    assert tampered.status_code == 400
    big = event("x", {"id": "s" * 300_000}, id="evt_2")
    assert send(guest.client, big).status_code == 413
    assert guest.client.get(PATH).status_code == 405
    assert not Event.objects.exists()
    # Neither a cookie nor a key is read, so that no foreign page can make use of either.
    checked = Client(enforce_csrf_checks=True)
    assert send(checked, event("invoice.created", {"id": "in_1"}, id="evt_3")).status_code == 200


def test_a_subscription_from_its_start_to_its_end(free: Person, stripe_like: str) -> None:
    price_of("pro", 2900, provider_price="price_pro")
    price_of("scale", 9900, provider_price="price_scale")
    client, user, now = Client(), free.account, int(time.time()) - 1000

    def told(kind: str, one: dict[str, Any], number: int) -> str:
        answer = send(client, event(kind, one, id=f"evt_{number}", created=now + number))
        assert answer.status_code == 200
        user.refresh_from_db()
        return Event.objects.get(reference=f"evt_{number}").outcome

    assert told("customer.subscription.created", subscription(user, "price_pro"), 1) == "Plan Free to Pro."
    assert user.plan.code == "pro"
    assert told("customer.subscription.created", subscription(user, "price_pro"), 1) == "Plan Free to Pro."
    assert told("customer.subscription.updated", subscription(user, "price_scale"), 5) == "Plan Pro to Scale."
    assert told("customer.subscription.updated", subscription(user, "price_pro"), 3) == "Nothing changed."  # late
    assert user.plan.code == "scale"
    invoice = {"id": "in_1", "customer": "cus_1", "parent": {"subscription_details": {"subscription": "sub_1"}}}
    told("invoice.payment_failed", invoice, 10)
    assert (Standing.objects.get().status, user.plan.code) == ("past_due", "scale")
    lines = {"data": [{"period": {"end": now + 60 * 86400}}]}
    told("invoice.paid", {**invoice, "amount_paid": 9900, "currency": "eur", "lines": lines}, 11)
    assert Standing.objects.get().status == "active"
    assert Event.objects.get(reference="evt_11").amount == 9900
    told("customer.subscription.updated", subscription(user, "price_scale", cancel_at_period_end=True), 12)
    assert Standing.objects.get().status == "ending"
    told("customer.subscription.deleted", subscription(user, "price_scale", "canceled"), 13)
    assert user.plan.code == "free"
    assert balanced(user)


def test_credits_are_bought_and_refunded_in_either_order(free: Person, stripe_like: str) -> None:
    marks = {"account": str(free.account.pk), "credits": "500"}
    bought = {
        "id": "cs_1", "mode": "payment", "payment_status": "paid", "payment_intent": "pi_1", "amount_total": 500,
        "currency": "eur", "client_reference_id": str(free.account.pk), "metadata": marks, "customer": "cus_1",
    }  # fmt: skip
    back = {"id": "ch_1", "payment_intent": "pi_1", "amount": 500, "amount_refunded": 250, "metadata": marks}
    assert send(Client(), event("charge.refunded", back, id="evt_2")).status_code == 200
    assert send(Client(), event("checkout.session.completed", bought, id="evt_1")).status_code == 200
    user = User.objects.get(pk=free.account.pk)
    assert user.extra_credits == 250
    assert balanced(user)
    assert [each.amount for each in CreditEntry.objects.filter(user=user, kind="purchase")] == [250]


def test_money_that_goes_back_in_parts_is_counted_once(free: Person, stripe_like: str) -> None:
    marks = {"account": str(free.account.pk), "credits": "500"}
    charge = {"id": "ch_1", "payment_intent": "pi_1", "amount": 500, "currency": "eur", "metadata": marks}
    for number, (sofar, before) in enumerate(((100, 0), (250, 100), (500, 250))):
        body = event(
            "charge.refunded",
            {**charge, "amount_refunded": sofar},
            id=f"evt_{number}",
            before={"amount_refunded": before},
        )
        assert send(Client(), body).status_code == 200
    taken = [number for _, name, number in figures.totals(date(2026, 1, 1)) if name == "revenue:EUR"]
    assert sum(taken) == -500


def test_the_button_opens_a_checkout_with_the_account_s_id_and_the_portal(free: Person, stripe_like: str) -> None:
    price = price_of("pro", 2900, provider_price="price_pro")
    pack = CreditPack.objects.create(name="Small", credits=500, amount=500, provider_price="price_pack")
    client = Client()
    client.force_login(free.account)
    assert stripe_like in client.get("/plans")["Content-Security-Policy"]
    led = client.post(f"/plans/buy/{price.pk}")
    assert (led.status_code, led["Location"]) == (302, f"{stripe_like}/checkout")
    path, given = _Stand.asked[-1]
    account = str(free.account.pk)
    assert path == "/v1/checkout/sessions"
    assert given["client_reference_id"] == given["subscription_data[metadata][account]"] == [account]
    assert (given["mode"], given["line_items[0][price]"]) == (["subscription"], ["price_pro"])
    client.post(f"/plans/credits/{pack.pk}")
    given = _Stand.asked[-1][1]
    assert (given["mode"], given["payment_intent_data[metadata][credits]"]) == (["payment"], ["500"])
    assert "bought nothing here yet" in client.post("/plans/manage", follow=True).content.decode()
    Customer.objects.create(provider="stripe", reference="cus_1", user=free.account)
    assert client.post("/plans/manage")["Location"] == f"{stripe_like}/portal"
    assert _Stand.asked[-1][1]["customer"] == ["cus_1"]


def test_who_has_a_subscription_is_led_to_the_portal_and_pays_for_no_second_one(free: Person, stripe_like: str) -> None:
    price_of("pro", 2900, provider_price="price_pro")
    other = price_of("scale", 9900, provider_price="price_scale")
    client = Client()
    client.force_login(free.account)

    def led() -> str:
        return str(client.post(f"/plans/buy/{other.pk}")["Location"]).removeprefix(stripe_like)

    now = int(time.time()) - 60 * 86_400
    for number, (one, where) in enumerate(
        (
            (subscription(free.account, "price_pro"), "/portal"),
            (subscription(free.account, "price_pro", "past_due"), "/portal"),  # its days of grace are over by now
            (subscription(free.account, "price_pro", "canceled"), "/checkout"),
        )
    ):
        send(client, event("customer.subscription.updated", one, id=f"evt_{number}", created=now + number))
        assert led() == where


def test_a_plan_is_the_one_that_was_offered_though_its_price_has_changed_since(free: Person, stripe_like: str) -> None:
    price_of("pro", 2900, provider_price="price_new")
    one = subscription(free.account, "price_old")
    one["metadata"] |= {"plan": "pro"}
    send(Client(), event("customer.subscription.created", one, id="evt_1", created=int(time.time()) - 9))
    assert User.objects.get(pk=free.account.pk).plan.code == "pro"
    send(Client(), event("customer.subscription.updated", {**one, "items": {"data": []}}, id="evt_2"))
    assert User.objects.get(pk=free.account.pk).plan.code == "pro"


def as_stripe(history: History) -> list[bytes]:
    """The same history as Stripe's own events."""
    bodies = []
    for number, each in enumerate(history.notices):
        facts, user = each.facts, history.user
        one: dict[str, Any] = {"customer": each.customer, "metadata": {"account": each.user} if each.user else {}}
        kind = "invoice.created"
        if facts.kind == "subscribed":
            kind = "customer.subscription.updated"
            one |= subscription(User(pk=user), f"price_{facts.plan}", cancel_at_period_end=facts.ending)
            one |= {"id": facts.subject, "customer": each.customer}
        elif facts.kind in ("renewed", "past_due"):
            kind = "invoice.paid" if facts.kind == "renewed" else "invoice.payment_failed"
            lines = {"data": [{"period": {"end": int(time.time()) + 900_000}}]}
            one |= {"id": "in", "subscription": facts.subject, "lines": lines}
        elif facts.kind == "ended":
            kind, one = "customer.subscription.deleted", one | {"id": facts.subject}
        elif facts.kind == "bought":
            kind = "checkout.session.completed"
            one |= {"mode": "payment", "payment_status": "paid", "payment_intent": facts.subject}
            one["metadata"] = {**one["metadata"], "credits": str(facts.credits)}
        elif facts.kind == "refunded":
            kind = "charge.refunded"
            whole = max(n.facts.credits for n in history.notices if n.facts.subject == facts.subject)
            one |= {"payment_intent": facts.subject, "amount": whole, "amount_refunded": facts.credits}
            one["metadata"] = {**one["metadata"], "credits": str(whole)}
        bodies.append(event(kind, one, id=each.reference, created=int(time.time()) - 5000 + number))
    return bodies


def rounds(url: str, number: int) -> None:
    for code in ("starter", "pro", "scale"):
        price_of(code, provider_price=f"price_{code}")
    for seed in range(number):
        dice = random.Random(seed)
        told = histories(dice)
        pairs = [pair for each in told for pair in zip(each.notices, as_stripe(each), strict=True)]
        bodies = {notice.reference: body for notice, body in pairs}
        sent = [bodies[each.reference] for each in delivered(dice, told)]
        with httpx.Client(base_url=url, timeout=60) as client, ThreadPoolExecutor(6) as pool:
            answers = list(pool.map(lambda body: client.post(PATH, content=body, headers=signed(body)), sent))
        assert {each.status_code for each in answers} == {200}
        check(told)


def test_fifty_signed_events_from_threads_come_to_what_they_say(live_server: Any, stripe_like: str) -> None:
    rounds(live_server.url, 2)


@pytest.mark.soak
def test_twenty_rounds_of_fifty_signed_events_come_to_what_they_say(live_server: Any, stripe_like: str) -> None:
    rounds(live_server.url, 20)
