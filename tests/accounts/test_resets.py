"""Setting a password writes nothing else, and the first reset by mail removes every other way to log in."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO
from typing import Any

import pyotp
import pytest
from django.contrib.auth.management.commands import changepassword
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.credits import ledger
from accounts.errors import InvalidCredentials
from accounts.login import factors, identities
from accounts.login.hashers import ServiceArgon2
from accounts.login.identities import Identity
from accounts.login.provider import Claims
from accounts.models import Plan, User
from accounts.people.changes import EmailChange
from accounts.people.outbox import OUTBOX
from tests.conftest import PASSWORD, Person, make_user, with_key, with_token

NEW = "another long and private phrase"


def mailed(user: User) -> str:
    """The path of the form that the mail for a forgotten password leads to, as its reader's browser has it."""
    client = Client()
    client.post("/password-reset", {"email": user.email})
    assert OUTBOX.flush(30)
    (found,) = re.findall(r"https?://[^/]+(/password-reset/\S+)", str(mail.outbox.pop().body))
    return str(found)


def reset(path: str) -> Any:
    client = Client()
    form = client.get(path, follow=True)
    if not form.redirect_chain:
        return form
    return client.post(form.redirect_chain[-1][0], {"new_password1": NEW, "new_password2": NEW})


def _by_mail(user: User, staff: Client) -> None:
    reset(mailed(user))


def _on_the_page(user: User, staff: Client) -> None:
    client = Client()
    client.force_login(user)
    client.post("/account/password", {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW})


def _in_the_admin(user: User, staff: Client) -> None:
    form = {"password1": NEW, "password2": NEW, "usable_password": "true", "set-password": "1"}
    staff.post(f"/admin/accounts/user/{user.pk}/password/", form)


def _by_command(user: User, staff: Client) -> None:
    command: Any = changepassword.Command(stdout=StringIO())
    command._get_pass = lambda prompt="": NEW
    call_command(command, user.email)


@pytest.mark.parametrize(
    "change", [_by_command, _by_mail, _on_the_page, _in_the_admin], ids=lambda each: each.__name__.strip("_")
)
def test_a_plan_change_during_password_hashing_is_kept(
    transactional_db: None, staff: Client, monkeypatch: pytest.MonkeyPatch, change: Callable[[User, Client], None]
) -> None:
    user, encode = make_user("pro"), ServiceArgon2.encode

    def meanwhile(hasher: ServiceArgon2, password: str, salt: str) -> str:
        if password == NEW:
            ledger.change_plan(User.objects.get(pk=user.pk), Plan.objects.get(code="free"), reason="ended")
            User.objects.filter(pk=user.pk).update(is_staff=False, name="Renamed")
        return encode(hasher, password, salt)

    User.objects.filter(pk=user.pk).update(is_staff=True)
    monkeypatch.setattr(ServiceArgon2, "encode", meanwhile)
    change(user, staff)
    found = User.objects.select_related("plan").get(pk=user.pk)
    assert found.check_password(NEW)
    assert (found.plan.code, found.is_staff, found.name) == ("free", False, "Renamed")


@pytest.mark.parametrize("old", [PASSWORD, "a guess"])
def test_staff_change_their_own_password_on_the_page_of_their_account(staff: Client, old: str) -> None:
    before = User.objects.values_list("password", flat=True).get(is_superuser=True)
    form = {"old_password": old, "new_password1": NEW, "new_password2": NEW}
    for answer in (staff.get("/admin/password_change/"), staff.post("/admin/password_change/", form)):
        assert (answer.status_code, answer["Location"]) == (302, "/account/password")
    assert User.objects.values_list("password", flat=True).get(is_superuser=True) == before


def test_a_confirmation_during_password_hashing_is_kept(
    transactional_db: None, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EMAIL_VERIFICATION = "required"
    user, encode = make_user(unconfirmed_since=timezone.now()), ServiceArgon2.encode
    path = mailed(user)

    def meanwhile(hasher: ServiceArgon2, password: str, salt: str) -> str:
        User.objects.filter(pk=user.pk).update(verified_at=timezone.now(), unconfirmed_since=None)
        return encode(hasher, password, salt)

    monkeypatch.setattr(ServiceArgon2, "encode", meanwhile)
    assert reset(path).status_code == 302
    assert not User.objects.get(pk=user.pk).must_confirm_email


def squatted(**fields: Any) -> tuple[User, Person]:
    """An account that somebody opened with another's address, with every way in that they could keep, and its key."""
    user = make_user("pro", **fields)
    secret = factors.new_secret()
    assert factors.add_totp(user, secret, pyotp.TOTP(secret).now())
    Identity.objects.create(user=user, issuer="https://id.example", subject="squatter")
    EmailChange.objects.create(
        user=user, old_email=user.email, new_email="squatter@example.org", expires_at=timezone.now()
    )
    return user, with_key(user)


def ways_in(user: User) -> tuple[bool, int, bool, bool]:
    return (
        factors.has_factor(user),
        factors.codes_left(user),
        Identity.objects.filter(user=user).exists(),
        EmailChange.objects.filter(user=user).exists(),
    )


def test_the_first_reset_by_mail_removes_every_earlier_way_to_log_in(transactional_db: None, guest: Person) -> None:
    user, key = squatted()
    token = with_token(user)
    assert key.get("/account").status_code == token.get("/account").status_code == 200
    assert reset(mailed(user)).status_code == 302
    assert ways_in(user) == (False, 0, False, False)
    assert key.get("/account").status_code == token.get("/account").status_code == 401
    assert guest.post("/auth/login", {"email": user.email, "password": NEW}).status_code == 200


def _app(user: User) -> Any:
    secret = factors.new_secret()
    return factors.add_totp(user, secret, pyotp.TOTP(secret).now())


def _identity(user: User) -> Any:
    identities.link(user, Claims("https://id.example", "squatter", "", verified=False, name=""))


@pytest.mark.parametrize("add", [_app, _identity, with_key], ids=lambda each: each.__name__.strip("_"))
def test_a_request_begun_before_the_first_reset_adds_no_way_to_log_in_after_it(
    transactional_db: None, add: Callable[[User], Any]
) -> None:
    user = make_user("pro")
    before = User.objects.select_related("plan", "override").get(pk=user.pk)
    assert reset(mailed(user)).status_code == 302
    with pytest.raises(InvalidCredentials):
        add(before)
    assert ways_in(user) == (False, 0, False, False)
    assert not user.api_keys.exists()


@pytest.mark.parametrize("fields", [{"verified_at": timezone.now()}, {"is_staff": True}], ids=["confirmed", "staff"])
def test_a_later_reset_keeps_what_the_owner_created(
    transactional_db: None, guest: Person, fields: dict[str, Any]
) -> None:
    user, key = squatted(**fields)
    assert reset(mailed(user)).status_code == 302
    assert ways_in(user) == (True, factors.CODES, True, True)
    assert key.get("/account").status_code == 200
    assert guest.post("/auth/login", {"email": user.email, "password": NEW}).status_code == 401


@pytest.mark.parametrize("when", ["before the form", "while it is filled in"])
def test_a_reset_link_of_a_closed_account_changes_nothing(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    user, encode = make_user(), ServiceArgon2.encode
    path, before = mailed(user), User.objects.get(pk=user.pk).password

    def close() -> None:
        User.objects.filter(pk=user.pk).update(is_active=False)

    def meanwhile(hasher: ServiceArgon2, password: str, salt: str) -> str:
        close()
        return encode(hasher, password, salt)

    if when == "before the form":
        close()
    else:
        monkeypatch.setattr(ServiceArgon2, "encode", meanwhile)
    assert reset(path).status_code == (200 if when == "before the form" else 410)
    assert User.objects.get(pk=user.pk).password == before
