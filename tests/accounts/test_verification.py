"""Confirming an address: what it unlocks, links that work once, and responses that reveal nothing."""

from __future__ import annotations

import re
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import jwt
import pytest
from django.core import mail
from django.db import connections
from django.test import Client
from django.utils import timezone

from accounts.checks import mail_check
from accounts.credits import ledger
from accounts.login.hashers import ServiceArgon2
from accounts.models import CreditEntry, Plan, User
from accounts.people import verification
from accounts.people.outbox import OUTBOX
from apikeys.models import ApiKey
from tests.conftest import PASSWORD, Person, make_user, with_key
from tests.conversions.samples import PEOPLE

NEW = {"email": "New@Example.org", "name": "New", "password": "a long and private phrase"}


@pytest.fixture
def required(transactional_db: None, settings: Any) -> Any:
    settings.EMAIL_VERIFICATION = "required"
    return settings


def mailed(address: str = "new@example.org") -> list[str]:
    """The links in the mails to an address, as paths; each mail says in HTML what it says as text."""
    assert OUTBOX.flush(30)
    links = []
    for each in mail.outbox:
        if each.to == [address]:
            (link,) = re.findall(r"https?://\S+", str(each.body))
            ((html, kind),) = each.alternatives
            assert (kind, html.count(f'href="{link}"')) == ("text/html", 2)
            links.append("/" + link.split("/", 3)[3])
    return links


def test_an_account_can_be_used_once_its_address_is_confirmed(required: Any, guest: Person) -> None:
    answer = guest.post("/auth/register", NEW)
    assert answer.status_code == 201
    user = User.objects.select_related("plan").get()
    token = {"Authorization": f"Bearer {answer.json()['data']['accessToken']}"}
    person = Person(user, token, Client())
    refused = person.convert("json-to-csv", PEOPLE)
    assert (refused.status_code, refused.json()["code"]) == (401, "UNAUTHORIZED")
    login = {"email": NEW["email"], "password": NEW["password"]}
    assert guest.post("/auth/login", login).status_code == 401
    assert guest.client.post("/login", {"username": NEW["email"], "password": NEW["password"]}).status_code == 200
    (link,) = mailed()
    assert guest.client.get(link).status_code == 200
    assert User.objects.get().verified_at is None
    assert guest.client.post(link).status_code == 200
    assert User.objects.get().verified_at is None
    confirmed = guest.client.post(link, {"password": NEW["password"]})
    assert (confirmed["Location"], "_auth_user_id" in guest.client.session) == ("/", True)
    assert person.get("/account").json()["data"]["credits"]["remaining"] == 100
    refreshed = guest.post("/auth/refresh", {"refreshToken": answer.json()["data"]["refreshToken"]})
    assert refreshed.status_code == guest.post("/auth/login", login).status_code == 200
    ledger.change_plan(user, Plan.objects.get(code="pro"), reason="bought")
    assert person.post("/integrations/api-keys", {"name": "now"}).status_code == 201


def test_the_api_does_not_reveal_a_taken_address_and_notifies_its_owner(
    required: Any, free: Person, guest: Person
) -> None:
    password, shapes = NEW["password"], []
    for email in ("New@example.org", "Free@example.org"):
        answer = guest.post("/auth/register", {**NEW, "email": email})
        data = answer.json()["data"]
        bearer = {"Authorization": f"Bearer {data['accessToken']}"}
        doors = [
            guest.client.get("/api/v1/account", headers=bearer),
            guest.post("/auth/refresh", {"refreshToken": data["refreshToken"]}),
            guest.post("/auth/login", {"email": email, "password": password}),
            guest.client.post("/login", {"username": email, "password": password}),
        ]
        claims = [
            jwt.decode(data[each], options={"verify_signature": False}) for each in ("accessToken", "refreshToken")
        ]
        answers = [(each.status_code, each.json()["message"]) for each in doors[:3]]
        answers.append((doors[3].status_code, "_auth_user_id" in guest.client.session))
        user = {
            **data["user"],
            "id": uuid.UUID(data["user"]["id"]).version,
            "createdAt": len(data["user"]["createdAt"]),
        }
        assert {each["sub"] for each in claims} == {data["user"]["id"]}
        assert user.pop("email") == email.lower()
        shapes.append((answer.status_code, data.keys(), user, [sorted(each) for each in claims], answers))
        again = guest.post("/auth/register", {**NEW, "email": email})
        shapes[-1] = (*shapes[-1], again.status_code)
    assert shapes[0] == shapes[1]
    assert shapes[0][0] == 201
    assert [status for status, _ in shapes[0][4]] == [401, 401, 401, 200]
    assert free.get("/account").status_code == 200
    assert mailed("free@example.org") == ["/login"] * 2
    links = mailed()
    assert links[0].startswith("/verify/")
    assert links[1] == "/login"


def test_signing_up_with_a_taken_address_takes_as_long_as_with_a_new_one(
    required: Any, free: Person, guest: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str] = []
    real = ServiceArgon2.encode

    def encode(hasher: ServiceArgon2, password: str, salt: str) -> str:
        hashed.append(password)
        return real(hasher, password, salt)

    monkeypatch.setattr(ServiceArgon2, "encode", encode)
    for email in (NEW["email"], free.account.email):
        guest.post("/auth/register", {**NEW, "email": email})
    assert hashed == [NEW["password"]] * 2
    assert OUTBOX.flush(30)


def test_without_an_invitation_nothing_is_revealed_about_an_address(required: Any, free: Person, guest: Person) -> None:
    required.REGISTRATION = "invite"
    answers = [
        guest.post("/auth/register", {**NEW, "email": each, "invitation": "nonsense"})
        for each in (NEW["email"], free.account.email)
    ]
    assert [each.status_code for each in answers] == [400, 400]
    assert answers[0].json()["details"] == answers[1].json()["details"]


def test_a_confirmation_link_works_once_for_one_address_within_three_days(
    required: Any, guest: Person, clock: Any
) -> None:
    guest.client.post("/signup", NEW)
    (link,) = mailed()
    clock.set(days=3, seconds=1)
    old = guest.client.post(link)
    assert old.status_code == 410
    assert "Log in and request a new one" in old.content.decode()
    clock.set(days=2, hours=23)
    assert guest.client.post(link[:-1]).status_code == 410
    User.objects.update(email="other@example.org")
    assert guest.client.post(link).status_code == 410
    User.objects.update(email="new@example.org")
    assert guest.client.post(link, NEW).status_code == 302
    assert User.objects.get().credits == 100
    verified = User.objects.get().verified_at
    assert guest.client.post(link, NEW)["Location"] == "/account"
    assert User.objects.get().verified_at == verified
    User.objects.update(is_active=False)
    assert guest.client.post(link).status_code == 410


def test_sign_up_does_not_reveal_a_taken_address_and_notifies_its_owner(
    required: Any, free: Person, guest: Person
) -> None:
    answers = [Client().post("/signup", {**NEW, "email": who}) for who in ("new@example.org", "Free@example.org")]
    assert [(each.status_code, each["Location"]) for each in answers] == [(302, "/signup/sent")] * 2
    assert not any("_auth_user_id" in each.client.session for each in answers)
    assert User.objects.count() == 2
    assert mailed("free@example.org") == ["/login"]
    assert mailed()[0].startswith("/verify/")


@pytest.mark.usefixtures("one_window")
def test_the_link_is_sent_again_five_times_an_hour_and_no_more(required: Any, guest: Person) -> None:
    guest.client.post("/signup", NEW)
    User.objects.update(unconfirmed_since=None)  # of before confirming was required
    guest.client.post("/login", {"username": NEW["email"], "password": NEW["password"]})
    answers = [guest.client.post("/account/verify") for _ in range(5)]
    assert [each.status_code for each in answers] == [302, 302, 302, 302, 429]
    assert int(answers[-1]["Retry-After"]) >= 1
    assert len(mailed()) == 5
    assert Client().post("/signup", NEW).status_code == 429


@pytest.mark.usefixtures("one_window")
@pytest.mark.parametrize("password", ["short", "a long and private phrase"])
def test_strangers_who_sign_up_with_an_address_do_not_use_up_its_password_resets(
    required: Any, free: Person, password: str
) -> None:
    stranger = Client(REMOTE_ADDR="192.0.2.1")
    for _ in range(6):
        stranger.post("/signup", {"email": free.account.email, "password": password})
    reset = {"email": free.account.email}
    assert Client(REMOTE_ADDR="192.0.2.2").post("/password-reset", reset).status_code == 302
    assert any(each.startswith("/password-reset/") for each in mailed(free.account.email))


@pytest.mark.usefixtures("one_window")
def test_requests_that_cause_no_mail_do_not_keep_an_address_from_signing_up(required: Any) -> None:
    stranger = Client(REMOTE_ADDR="192.0.2.1")
    for _ in range(6):
        stranger.post("/signup", {**NEW, "password": "short"})
        stranger.post("/password-reset", {"email": NEW["email"]})
    assert mailed() == []
    assert Client(REMOTE_ADDR="192.0.2.2").post("/signup", NEW).status_code == 302
    assert len(mailed()) == 1


def test_parallel_confirmations_give_the_month_s_credits_once(required: Any) -> None:
    user = make_user("free", "new@example.org")
    later = timezone.now().date().replace(day=1) - timedelta(days=1)
    User.objects.update(unconfirmed_since=timezone.now(), period=later.replace(day=1), monthly_credits=40)
    claim = verification.Claim(str(user.pk), user.email)

    def confirm(_: int) -> bool:
        try:
            return verification.confirm(claim)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(confirm, range(8))) == 1
    assert User.objects.get().credits == 100
    assert [each.amount for each in CreditEntry.objects.order_by("-pk")] == [60, 100]


def test_a_password_that_is_reset_by_mail_confirms_the_address(required: Any, guest: Person) -> None:
    user = User.objects.create_user(NEW["email"], PASSWORD)
    guest.client.post("/password-reset", {"email": user.email})
    page = guest.client.get(mailed()[0], follow=True)
    form = {"new_password1": NEW["password"], "new_password2": NEW["password"]}
    assert guest.client.post(page.redirect_chain[-1][0], form).status_code == 302
    user.refresh_from_db()
    assert user.verified_at is not None
    assert user.credits == 100


def test_without_required_confirmation_nothing_is_mailed_or_blocked(guest: Person) -> None:
    assert guest.post("/auth/register", NEW).json()["data"]["user"]["credits"] == 100
    assert OUTBOX.flush(30)
    assert mail.outbox == []


def test_existing_and_staff_created_accounts_need_not_confirm(required: Any, paying: Person) -> None:
    assert not User.objects.create_superuser("boss@example.org", PASSWORD).must_confirm_email
    assert ApiKey.issue(paying.account, name="as before")


def test_an_unconfirmed_account_cannot_create_keys(transactional_db: None, settings: Any) -> None:
    key = with_key(make_user("pro", unconfirmed_since=timezone.now()))
    assert key.get("/account").status_code == 200
    settings.EMAIL_VERIFICATION = "required"
    assert key.get("/account").status_code == 401


def test_a_check_warns_if_confirmation_mails_cannot_be_sent(required: Any) -> None:
    required.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    assert [each.id for each in mail_check(None)] == ["accounts.W002", "accounts.W001"]
