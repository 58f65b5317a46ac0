"""Stripe: signed events over HTTP, checkout and portal, against a stand-in for Stripe's API."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from http.server import BaseHTTPRequestHandler
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from django.conf import settings
from django.contrib.auth.models import Permission
from django.db import connections
from django.test import Client

from accounts.credits import figures
from accounts.models import CreditEntry, User
from accounts.people import organisations
from billing.models import CreditPack, Customer, Event, OpenCheckout, Standing
from billing.providers.chosen import provider
from tests.billing.test_events import History, check, delivered, histories
from tests.billing.test_orders import balanced, price_of
from tests.billing.test_stripe_invoices import line
from tests.conftest import PASSWORD, Person, make_user, with_token
from tests.http_server import http_server

if os.environ.get("REQUIRE_EXTRAS") != "1":
    pytest.importorskip("stripe", reason="stripe is not installed: make extras runs these tests")

SECRET = "whsec_only_for_tests"
PATH = "/api/v1/billing/stripe"


class _Stand(BaseHTTPRequestHandler):
    """The two calls that are made of Stripe, and the pages they lead to."""

    asked: list[tuple[str, dict[str, list[str]]]] = []
    charges: dict[str, dict[str, Any]] = {}
    sessions: dict[str, dict[str, Any]] = {}
    by_key: dict[str, tuple[str, dict[str, list[str]]]] = {}
    lines: dict[str, list[dict[str, Any]]] = {}
    failing = False
    failed: set[str] = set()
    created: list[Callable[[], None]] = []
    """What happens elsewhere between the making of a session and the answer, one for each that is made."""
    lock = threading.Lock()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        if self.path == "/v1/checkout/sessions":
            with self.lock:
                self.asked.append((self.path, parse_qs(body)))
                answer = self._created(parse_qs(body))
                meanwhile = self.created.pop() if self.created else None
            if meanwhile:
                meanwhile()
            self._answer(*answer)
            return
        with self.lock:
            self.asked.append((self.path, parse_qs(body)))
            if self.path.endswith("/expire"):
                self._expire(self.sessions[self.path.split("/")[-2]])
            else:
                self._answer(json.dumps({"id": "bps_1", "url": f"{self._origin}/portal"}), "application/json")

    @property
    def _origin(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"  # type: ignore[attr-defined]

    def _created(self, given: dict[str, list[str]]) -> tuple[str, str, int, dict[str, str]]:
        """https://docs.stripe.com/api/idempotent_requests: a key has one answer, and one set of parameters."""
        key = self.headers["Idempotency-Key"]
        again = key in self.by_key
        if self.failing or key in self.failed:
            self.failed.add(key)
            error = {"error": {"type": "api_error", "message": "An unknown error occurred."}}
            return json.dumps(error), "application/json", 500, {"Stripe-Should-Retry": "false"}
        number, first = self.by_key.setdefault(key, (f"cs_{len(self.by_key) + 1}", given))
        if first != given:
            error = {"error": {"type": "idempotency_error", "message": "Keys for idempotent requests ..."}}
            return json.dumps(error), "application/json", 400, {}
        url = f"{self._origin}/checkout" + ("" if number == "cs_1" else f"/{number}")
        new = {"id": number, "object": "checkout.session", "url": url, "status": "open", "subscription": None}
        self.sessions.setdefault(number, {**new, "price": given["line_items[0][price]"][0]})
        return (
            json.dumps({**self.sessions[number], **new}),
            "application/json",
            200,
            ({"Idempotent-Replayed": "true"} if again else {}),
        )

    def _expire(self, session: dict[str, Any]) -> None:
        """https://docs.stripe.com/api/checkout/sessions/expire: of an open one only."""
        if session["status"] == "open":
            session["status"] = "expired"
            self._answer(json.dumps(session), "application/json")
        else:
            error = {"error": {"type": "invalid_request_error", "message": "Only open sessions can be expired."}}
            self._answer(json.dumps(error), "application/json", 400)

    def do_GET(self) -> None:
        if self.path.startswith("/v1/checkout/sessions/"):
            session = self.sessions.get(self.path.rpartition("/")[2])
            error = {"error": {"type": "invalid_request_error", "code": "resource_missing", "message": "No such one."}}
            self._answer(json.dumps(session or error), "application/json", 200 if session else 404)
            return
        if (asked := urlsplit(self.path)).path.startswith("/v1/invoices/"):
            lines = self.lines.get(asked.path.split("/")[3])
            page = {"object": "list", "has_more": False, "url": asked.path, "data": lines}
            away = {"error": {"message": "away"}}
            self._answer(json.dumps(page if lines else away), "application/json", 200 if lines else 503)
            return
        if self.path.startswith("/v1/charges/"):
            found = self.charges.get(self.path.rpartition("/")[2])
            self._answer(json.dumps(found or {"error": {"message": "away"}}), "application/json", 200 if found else 503)
            return
        self._answer(f"<!doctype html><title>x</title><h1>{self.path}</h1>", "text/html")

    def _answer(self, text: str, kind: str, status: int = 200, more: Mapping[str, str] = MappingProxyType({})) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, **more}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *arguments: Any) -> None:
        pass


@pytest.fixture
def stripe_like(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The origin of what stands for Stripe, to which the settings lead."""
    _Stand.asked, _Stand.charges, _Stand.sessions, _Stand.by_key, _Stand.created = [], {}, {}, {}, []
    _Stand.failing, _Stand.failed, _Stand.lines = False, set(), {}
    with http_server(_Stand) as origin:
        for name, value in (("SECRET_KEY", "sk_test_1"), ("WEBHOOK_SECRET", SECRET), ("API_BASE", origin)):
            monkeypatch.setattr(settings, f"STRIPE_{name}", value)
        provider.cache_clear()
        yield origin
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


def test_an_unsigned_event_is_refused_and_not_stored(guest: Person, stripe_like: str) -> None:
    body = event("customer.subscription.created", {"id": "s"}, id="evt_1")
    wrong = [{"secret": "whsec_other"}, {"at": time.time() - 3600}]
    assert [send(guest.client, body, **each).status_code for each in wrong] == [400, 400]
    assert guest.client.post(PATH, body, "application/json").json()["code"] == "VALIDATION_ERROR"
    for each in ("t=1,v1=é", "é", ""):
        latin = guest.client.post(PATH, body, "application/json", HTTP_STRIPE_SIGNATURE=each)
        assert latin.json()["code"] == "VALIDATION_ERROR"
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

    def outcome_of(kind: str, one: dict[str, Any], number: int) -> str:
        answer = send(client, event(kind, one, id=f"evt_{number}", created=now + number))
        assert answer.status_code == 200
        user.refresh_from_db()
        return Event.objects.get(reference=f"evt_{number}").outcome

    assert outcome_of("customer.subscription.created", subscription(user, "price_pro"), 1) == "Plan Free to Pro."
    assert user.plan.code == "pro"
    assert outcome_of("customer.subscription.created", subscription(user, "price_pro"), 1) == "Plan Free to Pro."
    assert outcome_of("customer.subscription.updated", subscription(user, "price_scale"), 5) == "Nothing changed."
    invoice = {"id": "in_1", "customer": "cus_1", "parent": {"subscription_details": {"subscription": "sub_1"}}}
    change = [line("price_pro", -1900, now + 20 * 86400), line("price_scale", 6600, now + 20 * 86400)]
    paid = {"amount_paid": 4700, "currency": "eur", "lines": {"data": change}, "billing_reason": "subscription_update"}
    assert outcome_of("invoice.paid", invoice | paid, 6) == "Plan Pro to Scale."
    assert outcome_of("customer.subscription.updated", subscription(user, "price_pro"), 3) == "Nothing changed."  # late
    assert user.plan.code == "scale"
    outcome_of("invoice.payment_failed", invoice, 10)
    assert (Standing.objects.get().status, user.plan.code) == ("past_due", "scale")
    lines = {"data": [line("price_scale", 9900, now + 60 * 86400)]}
    outcome_of("invoice.paid", {**invoice, "amount_paid": 9900, "currency": "eur", "lines": lines}, 11)
    assert Standing.objects.get().status == "active"
    assert Event.objects.get(reference="evt_11").amount == 9900
    outcome_of("customer.subscription.updated", subscription(user, "price_scale", cancel_at_period_end=True), 12)
    assert Standing.objects.get().status == "ending"
    outcome_of("customer.subscription.deleted", subscription(user, "price_scale", "canceled"), 13)
    assert user.plan.code == "free"
    assert balanced(user)


def invoice_of(reason: str, amount: int, lines: list[dict[str, Any]]) -> dict[str, Any]:
    """https://docs.stripe.com/api/invoices/object"""
    parent = {"type": "subscription_details", "subscription_details": {"subscription": "sub_1"}}
    return {
        "id": "in_1", "object": "invoice", "customer": "cus_1", "status": "paid", "billing_reason": reason,
        "amount_paid": amount, "currency": "eur", "parent": parent, "lines": {"data": lines, "has_more": False},
    }  # fmt: skip


NOW = int(time.time()) - 1000
END, NEXT = NOW + 20 * 86400, NOW + 50 * 86400
PRORATED = [line("price_scale", 6600, END), line("price_pro", -1900, END)]


@pytest.mark.parametrize("paid_first", [False, True])
@pytest.mark.parametrize(
    ("reason", "amount", "lines"),
    [
        pytest.param("subscription_update", 4700, PRORATED, id="at once"),
        pytest.param("subscription_update", 0, PRORATED, id="at once, of a balance"),
        pytest.param("subscription_cycle", 14600, [*PRORATED, line("price_scale", 9900, NEXT)], id="with the next"),
        pytest.param("subscription_cycle", 9900, [line("price_scale", 9900, NEXT)], id="from the next on"),
    ],
)
def test_a_larger_plan_counts_once_it_is_paid_however_the_portal_invoices_it(
    free: Person, stripe_like: str, reason: str, amount: int, lines: list[dict[str, Any]], paid_first: bool
) -> None:
    price_of("pro", 2900, provider_price="price_pro")
    price_of("scale", 9900, provider_price="price_scale")
    user, plans = free.account, []
    changed = ("customer.subscription.updated", subscription(user, "price_scale"))
    paid = ("invoice.paid", invoice_of(reason, amount, lines))
    begun = ("customer.subscription.created", subscription(user, "price_pro"))
    for number, (kind, one) in enumerate([begun, paid, changed] if paid_first else [begun, changed, paid]):
        assert send(Client(), event(kind, one, id=f"evt_{number}", created=NOW + number)).status_code == 200
        plans.append(User.objects.get(pk=user.pk).plan.code)
    assert plans == ["pro", "pro", "scale"]
    assert balanced(user)


@pytest.mark.parametrize(
    ("reason", "amount", "lines"),
    [
        pytest.param("subscription_cycle", 2900, [line("price_pro", 2900, END)], id="the period before"),
        pytest.param("subscription_update", 0, [line("price_scale", -6600, END)], id="a credit for a larger one"),
        pytest.param("manual", 500, [line("price_other", 500, NEXT)], id="something else"),
        pytest.param("manual", 500, [], id="nothing that is known"),
    ],
)
def test_a_larger_plan_does_not_count_by_an_invoice_for_something_else(
    free: Person, stripe_like: str, reason: str, amount: int, lines: list[dict[str, Any]]
) -> None:
    price_of("pro", 2900, provider_price="price_pro")
    price_of("scale", 9900, provider_price="price_scale")
    events = [
        ("customer.subscription.created", subscription(free.account, "price_pro")),
        ("customer.subscription.updated", subscription(free.account, "price_scale")),
        ("invoice.paid", invoice_of(reason, amount, lines)),
        ("customer.subscription.updated", subscription(free.account, "price_scale", cancel_at_period_end=True)),
    ]
    for number, (kind, one) in enumerate(events):
        assert send(Client(), event(kind, one, id=f"evt_{number}", created=NOW + number)).status_code == 200
        assert User.objects.get(pk=free.account.pk).plan.code == "pro"
    assert Standing.objects.get().status == "ending"


def test_an_invoice_of_many_lines_is_read_whole(free: Person, stripe_like: str) -> None:
    """An event has the first ten lines, and the next period's come after all prorations."""
    price_of("pro", 2900, provider_price="price_pro")
    price_of("scale", 9900, provider_price="price_scale")
    lines = [*PRORATED * 5, line("price_scale", 9900, NEXT)]
    invoice = invoice_of("subscription_cycle", 9900, lines[:10])
    invoice["lines"]["has_more"] = True
    begun = subscription(free.account, "price_pro")
    send(Client(), event("customer.subscription.created", begun, id="evt_1", created=NOW))
    changed = subscription(free.account, "price_scale")
    send(Client(), event("customer.subscription.updated", changed, id="evt_2", created=NOW + 1))
    body = event("invoice.paid", invoice, id="evt_3", created=NOW + 2)
    assert send(Client(), body).status_code == 503
    _Stand.lines["in_1"] = [{"id": f"il_{number}", **each} for number, each in enumerate(lines)]
    assert send(Client(), body).status_code == 200
    assert User.objects.get(pk=free.account.pk).plan.code == "scale"
    assert Event.objects.get(reference="evt_3").facts["prices"] == ["price_scale"]


def test_a_payment_link_cannot_be_used_to_become_another_account_s_customer(free: Person, stripe_like: str) -> None:
    """Their address takes any `client_reference_id`: the victim would be led to that customer's portal."""
    bought = {
        "id": "cs_1", "mode": "payment", "payment_status": "paid", "payment_intent": "pi_1", "amount_total": 100,
        "currency": "eur", "client_reference_id": str(free.account.pk), "metadata": {}, "customer": "cus_of_another",
    }  # fmt: skip
    assert send(Client(), event("checkout.session.completed", bought, id="evt_1")).status_code == 200
    assert Customer.objects.get(reference="cus_of_another").user is None
    assert Event.objects.get().user is None


@pytest.mark.parametrize(
    ("reason", "amount", "plan"),
    [("subscription_update", 0, "free"), ("subscription_update", 500, "pro"), ("subscription_cycle", 0, "pro")],
)
def test_a_zero_invoice_does_not_restore_a_refunded_plan(
    free: Person, stripe_like: str, reason: str, amount: int, plan: str
) -> None:
    price_of("pro", 2900, provider_price="price_pro")
    client, user, now = Client(), free.account, int(time.time()) - 1000
    charge = {"id": "ch_1", "customer": "cus_1", "amount": 2900, "amount_refunded": 2900, "metadata": {}}
    invoice = {"id": "in_2", "customer": "cus_1", "subscription": "sub_1", "billing_reason": reason}
    events = [
        ("customer.subscription.created", subscription(user, "price_pro")),
        ("charge.refunded", charge),
        ("invoice.paid", {**invoice, "amount_paid": amount, "currency": "eur"}),
    ]
    for number, (kind, one) in enumerate(events):
        assert send(client, event(kind, one, id=f"evt_{number}", created=now + number)).status_code == 200
    user.refresh_from_db()
    assert user.plan.code == plan


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


def test_partial_refunds_are_counted_once(free: Person, stripe_like: str) -> None:
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


def test_a_subscriber_is_sent_to_the_portal_instead_of_a_second_checkout(free: Person, stripe_like: str) -> None:
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


def buying(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def paid(session: str, subject: str) -> None:
    """What becomes of a checkout that is paid, before an event says so."""
    _Stand.sessions[session] |= {"status": "complete", "subscription": subject}


def open_sessions() -> list[str]:
    return [each["price"] for each in _Stand.sessions.values() if each["status"] == "open"]


def test_a_plan_bought_in_two_windows_is_paid_once(free: Person, stripe_like: str) -> None:
    pro = price_of("pro", 2900, provider_price="price_pro")
    first, second = (buying(free.account).post(f"/plans/buy/{pro.pk}")["Location"] for _ in range(2))
    assert first == second == f"{stripe_like}/checkout"
    assert open_sessions() == ["price_pro"]


def test_of_two_opened_checkouts_only_the_last_can_be_paid(free: Person, stripe_like: str) -> None:
    pro = price_of("pro", 2900, provider_price="price_pro")
    scale = price_of("scale", 9900, provider_price="price_scale")
    client = buying(free.account)
    for price, wanted in ((pro, "price_pro"), (scale, "price_scale"), (pro, "price_pro")):
        assert client.post(f"/plans/buy/{price.pk}").status_code == 302
        assert open_sessions() == [wanted]


def test_no_second_checkout_opens_while_a_payment_event_is_pending(free: Person, stripe_like: str) -> None:
    pro = price_of("pro", 2900, provider_price="price_pro")
    scale = price_of("scale", 9900, provider_price="price_scale")
    client = buying(free.account)
    client.post(f"/plans/buy/{pro.pk}")
    paid("cs_1", "sub_1")
    for price in (pro, scale):
        answer = client.post(f"/plans/buy/{price.pk}", follow=True)
        assert "Your payment is being confirmed." in answer.content.decode()
    assert len(_Stand.sessions) == 1
    begun, now = subscription(free.account, "price_pro"), int(time.time()) - 100
    send(client, event("customer.subscription.created", begun, id="evt_1", created=now))
    assert client.post(f"/plans/buy/{scale.pk}")["Location"] == f"{stripe_like}/portal"
    # Once it has ended, the plan can be bought anew.
    over = subscription(free.account, "price_pro", "canceled")
    send(client, event("customer.subscription.deleted", over, id="evt_2", created=now + 1))
    assert client.post(f"/plans/buy/{pro.pk}")["Location"] == f"{stripe_like}/checkout/cs_2"


def test_a_checkout_paid_while_another_opens_is_not_followed_by_a_second(
    free: Person, stripe_like: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pro = price_of("pro", 2900, provider_price="price_pro")
    scale = price_of("scale", 9900, provider_price="price_scale")
    client = buying(free.account)
    client.post(f"/plans/buy/{pro.pk}")
    expire = _Stand._expire

    def late(self: _Stand, session: dict[str, Any]) -> None:
        paid("cs_1", "sub_1")
        expire(self, session)

    monkeypatch.setattr(_Stand, "_expire", late)
    answer = client.post(f"/plans/buy/{scale.pk}", follow=True)
    assert "Your payment is being confirmed." in answer.content.decode()
    assert len(_Stand.sessions) == 1


@pytest.mark.parametrize("state", ["expired", "gone"])
def test_an_expired_checkout_is_replaced(free: Person, stripe_like: str, state: str) -> None:
    pro = price_of("pro", 2900, provider_price="price_pro")
    client = buying(free.account)
    client.post(f"/plans/buy/{pro.pk}")
    if state == "gone":
        del _Stand.sessions["cs_1"]
    else:
        _Stand.sessions["cs_1"]["status"] = "expired"
    assert client.post(f"/plans/buy/{pro.pk}")["Location"] == f"{stripe_like}/checkout/cs_2"


@pytest.mark.parametrize("left", ["open", "expired"])
@pytest.mark.parametrize("known", [False, True])
def test_a_checkout_opened_before_a_crash_blocks_no_other(
    free: Person, stripe_like: str, left: str, known: bool
) -> None:
    pro = price_of("pro", 2900, provider_price="price_pro")
    client = buying(free.account)
    client.post(f"/plans/buy/{pro.pk}")
    OpenCheckout.objects.update(reference="")  # as a crash leaves it: made at Stripe, and not recorded
    _Stand.sessions["cs_1"]["status"] = left
    if known:  # by a pack that was bought meanwhile: the parameters are others
        Customer.objects.create(provider="stripe", reference="cus_1", user=free.account)
    led = {client.post(f"/plans/buy/{pro.pk}")["Location"] for _ in range(2)}
    ours = "cs_1" if left == "open" and not known else "cs_2"
    assert led == {_Stand.sessions[ours]["url"]}
    assert OpenCheckout.objects.get().reference == ours
    assert len(_Stand.sessions) == int(ours.removeprefix("cs_"))


def test_parallel_purchases_with_different_parameters_share_one_checkout(
    transactional_db: None, free: Person, stripe_like: str
) -> None:
    pro = price_of("pro", 2900, provider_price="price_pro")
    others: list[str] = []

    def buy_elsewhere() -> None:
        try:
            Customer.objects.create(provider="stripe", reference="cus_1", user=free.account)
            others.append(buying(free.account).post(f"/plans/buy/{pro.pk}")["Location"])
        finally:
            connections.close_all()

    _Stand.created.append(buy_elsewhere)
    led = buying(free.account).post(f"/plans/buy/{pro.pk}")["Location"]
    # The checkout that was made first stays open, and nobody was told where.
    assert others == [led] == [_Stand.sessions["cs_2"]["url"]]
    assert OpenCheckout.objects.get().reference == "cs_2"


def test_a_failure_stored_by_the_provider_is_not_repeated(free: Person, stripe_like: str) -> None:
    pro = price_of("pro", 2900, provider_price="price_pro")
    client = buying(free.account)
    _Stand.failing = True
    answer = client.post(f"/plans/buy/{pro.pk}", follow=True)
    assert "Nothing was charged." in answer.content.decode()
    _Stand.failing = False
    assert client.post(f"/plans/buy/{pro.pk}")["Location"].startswith(f"{stripe_like}/checkout")


@pytest.mark.parametrize("different", [False, True])
def test_however_many_windows_buy_at_once_one_checkout_can_be_paid(
    transactional_db: None, free: Person, stripe_like: str, different: bool
) -> None:
    pro = price_of("pro", 2900, provider_price="price_pro")
    scale = price_of("scale", 9900, provider_price="price_scale") if different else pro
    clients = [buying(free.account) for _ in range(5)]

    def buy(number: int) -> str:
        try:
            return str(clients[number].post(f"/plans/buy/{(pro, scale)[number % 2].pk}")["Location"])
        finally:
            connections.close_all()

    with ThreadPoolExecutor(5) as pool:
        led = set(pool.map(buy, range(5)))
    offered = {each for each in led if each.startswith(stripe_like)}
    can_be_paid = {each["url"] for each in _Stand.sessions.values() if each["status"] == "open"}
    assert len(offered & can_be_paid) <= 1
    assert different or len(offered) == 1
    # Whoever tries again is led to the only one.
    assert clients[0].post(f"/plans/buy/{pro.pk}")["Location"].startswith(f"{stripe_like}/checkout")
    assert len({each["url"] for each in _Stand.sessions.values() if each["status"] == "open"} & (offered | led)) <= 1


def test_two_paid_subscriptions_are_shown_to_customer_and_staff(
    free: Person, stripe_like: str, staff: Client, caplog: Any
) -> None:
    price_of("pro", 2900, provider_price="price_pro")
    client, now = buying(free.account), int(time.time()) - 100
    caption = "Charged for several subscriptions"
    for number in (1, 2):
        assert caption not in staff.get("/admin/").content.decode()
        assert "You're being charged for" not in client.get("/plans").content.decode()
        one = subscription(free.account, "price_pro") | {"id": f"sub_{number}", "customer": f"cus_{number}"}
        send(client, event("customer.subscription.created", one, id=f"evt_{number}", created=now + number))
    page = staff.get("/admin/").content.decode()
    assert caption in page
    assert free.account.email in page
    assert "You're being charged for 2 subscriptions." in client.get("/plans").content.decode()
    assert "an account pays for several subscriptions" in caplog.text
    assert User.objects.get(pk=free.account.pk).plan.code == "pro"
    second = subscription(free.account, "price_pro", "canceled") | {"id": "sub_2", "customer": "cus_2"}
    send(client, event("customer.subscription.deleted", second, id="evt_3", created=now + 3))
    assert caption not in staff.get("/admin/").content.decode()
    assert "You're being charged for" not in client.get("/plans").content.decode()
    assert User.objects.get(pk=free.account.pk).plan.code == "pro"


def test_staff_without_permission_for_purchases_do_not_see_double_payments(free: Person, staff: Client) -> None:
    Standing.objects.create(user=free.account, charged=2)
    clerk = make_user("free", "clerk@example.org", is_staff=True)
    browser = buying(clerk)
    assert "Charged for several" not in browser.get("/admin/").content.decode()
    clerk.user_permissions.add(Permission.objects.get(codename="view_standing"))
    assert "Charged for several" in browser.get("/admin/").content.decode()


def test_a_checkout_buys_the_plan_offered_even_if_its_price_changes(free: Person, stripe_like: str) -> None:
    price_of("pro", 2900, provider_price="price_new")
    one = subscription(free.account, "price_old")
    one["metadata"] |= {"plan": "pro"}
    send(Client(), event("customer.subscription.created", one, id="evt_1", created=int(time.time()) - 9))
    assert User.objects.get(pk=free.account.pk).plan.code == "pro"
    send(Client(), event("customer.subscription.updated", {**one, "items": {"data": []}}, id="evt_2"))
    assert User.objects.get(pk=free.account.pk).plan.code == "pro"


def disputed(charge: dict[str, Any], status: str, *, id: str, amount: int) -> Any:
    """What is answered to the end of a dispute, whose event names neither customer nor account."""
    _Stand.charges[charge["id"]] = {"object": "charge", "currency": "eur", **charge}
    one = {"id": "du_1", "object": "dispute", "charge": charge["id"], "status": status, "amount": amount}
    return send(Client(), event("charge.dispute.closed", one, id=id))


def test_credits_of_a_lost_dispute_are_taken_back(free: Person, stripe_like: str) -> None:
    marks = {"account": str(free.account.pk), "credits": "500"}
    bought = {
        "id": "cs_1", "mode": "payment", "payment_status": "paid", "payment_intent": "pi_1", "amount_total": 1000,
        "currency": "eur", "metadata": marks, "customer": "cus_1",
    }  # fmt: skip
    assert send(Client(), event("checkout.session.completed", bought, id="evt_1")).status_code == 200
    one = {"id": "du_1", "charge": "ch_1", "status": "lost", "amount": 600}
    body = event("charge.dispute.closed", one, id="evt_3")
    away = send(Client(), body)
    assert (away.status_code, away.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
    charge = {
        "id": "ch_1", "customer": "cus_1", "payment_intent": "pi_1", "amount": 1000, "amount_refunded": 400,
        "metadata": marks,
    }  # fmt: skip
    for status, left in (("won", 500), ("warning_closed", 500), ("lost", 0)):
        assert disputed(charge, status, id=f"evt_{status}", amount=600).status_code == 200
        assert User.objects.get(pk=free.account.pk).extra_credits == left
    assert balanced(free.account)
    assert Event.objects.get(reference="evt_lost").amount == -600


def test_a_plan_of_a_lost_dispute_ends(free: Person, stripe_like: str) -> None:
    price_of("pro", 2900, provider_price="price_pro")
    begun = event("customer.subscription.created", subscription(free.account, "price_pro"), id="evt_1")
    assert send(Client(), begun).status_code == 200
    charge = {"id": "ch_1", "customer": "cus_1", "amount": 2900, "amount_refunded": 0, "metadata": {}}
    assert disputed(charge, "lost", id="evt_2", amount=2900).status_code == 200
    assert User.objects.get(pk=free.account.pk).plan.code == "free"


@pytest.mark.parametrize("status", ["active", "past_due"])
def test_an_account_with_a_running_subscription_cannot_be_closed(free: Person, stripe_like: str, status: str) -> None:
    price_of("pro", 2900, provider_price="price_pro")
    own = organisations.create(free.account, "Acme").organisation
    owner, browser = with_token(free.account), Client()
    browser.force_login(free.account)
    close = (f"/teams/{own.pk}/delete", f"/api/v1/organisations/{own.pk}")

    def told(user: User, number: int, **more: Any) -> None:
        one = subscription(user, "price_pro", status, **more)
        one |= {"id": f"sub_{user.pk}", "customer": f"cus_{user.pk}"}
        body = event("customer.subscription.updated", one, id=f"evt_{user.pk}_{number}", created=at + number)
        assert send(Client(), body).status_code == 200

    at = int(time.time()) - 100
    told(own, 1)
    told(free.account, 1)
    assert browser.post(close[0])["Location"] == f"/teams/{own.pk}"
    answer = owner.request("DELETE", close[1].removeprefix("/api/v1"))
    assert (answer.status_code, answer.json()["code"]) == (403, "ACCESS_DENIED")
    told(own, 2, cancel_at_period_end=True)
    assert browser.post(close[0])["Location"] == "/teams"
    assert browser.post("/account/delete", {"password": PASSWORD}).status_code == 400
    assert set(User.objects.filter(is_active=True)) == {free.account}
    told(free.account, 2, cancel_at_period_end=True)
    assert browser.post("/account/delete", {"password": PASSWORD}).status_code == 302
    assert not User.objects.filter(is_active=True).exists()


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
        elif facts.kind in ("renewed", "covered", "past_due"):
            kind = "invoice.payment_failed" if facts.kind == "past_due" else "invoice.paid"
            lines = {"data": [line(price, 100, int(time.time()) + 900_000) for price in facts.prices or ()]}
            one |= {"id": "in", "subscription": facts.subject, "lines": lines, "billing_reason": "subscription_update"}
            one |= {"amount_paid": 100 if facts.kind == "renewed" else 0, "currency": "eur"}
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
        stories = histories(dice)
        pairs = [pair for each in stories for pair in zip(each.notices, as_stripe(each), strict=True)]
        bodies = {notice.reference: body for notice, body in pairs}
        sent = [bodies[each.reference] for each in delivered(dice, stories)]
        with httpx.Client(base_url=url, timeout=60) as client, ThreadPoolExecutor(6) as pool:
            answers = list(pool.map(lambda body: client.post(PATH, content=body, headers=signed(body)), sent))
        assert {each.status_code for each in answers} == {200}
        check(stories)


def test_fifty_signed_events_from_threads_give_the_expected_state(live_server: Any, stripe_like: str) -> None:
    rounds(live_server.url, 2)


@pytest.mark.soak
def test_twenty_rounds_of_fifty_signed_events_give_the_expected_state(live_server: Any, stripe_like: str) -> None:
    rounds(live_server.url, 20)
