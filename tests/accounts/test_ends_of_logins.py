"""A changed password or a deactivated account ends every login, however it is written: a database trigger counts."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.hashers import make_password
from django.core import mail
from django.core.management import call_command
from django.db import connection
from django.db.models import Sum
from django.test import Client

from accounts.credits import ledger
from accounts.login import tokens
from accounts.models import CreditEntry, User
from accounts.people.outbox import OUTBOX
from tests.conftest import PASSWORD, Person, make_user, with_token

NEW = "another long and private phrase"
CHANGE = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}


def _in_the_admin(user: User, staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    form = {"usable_password": "true", "password1": NEW, "password2": NEW, "set-password": "1"}
    assert staff.post(f"/admin/accounts/user/{user.pk}/password/", form).status_code == 302


def _without_a_password(user: User, staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    form = {"usable_password": "false", "unset-password": "1"}
    assert staff.post(f"/admin/accounts/user/{user.pk}/password/", form).status_code == 302


def _by_command(user: User, staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getpass", lambda prompt="": NEW)
    call_command("changepassword", user.email, stdout=StringIO())


def _on_the_page(user: User, staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    client.force_login(user)
    assert client.post("/account/password", CHANGE).status_code == 302


def _by_mail(user: User, staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    reset_by_mail(user)


def reset_by_mail(user: User) -> None:
    client = Client()
    client.post("/password-reset", {"email": user.email})
    assert OUTBOX.flush(30)
    link = next(line for line in str(mail.outbox[-1].body).splitlines() if "/password-reset/" in line)
    form = client.get("/" + link.strip().split("/", 3)[3], follow=True)
    path = form.redirect_chain[-1][0]
    assert client.post(path, {"new_password1": NEW, "new_password2": NEW}).status_code == 302


def _by_the_model(user: User, staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    user = User.objects.get(pk=user.pk)
    user.set_password(NEW)
    user.save()


def _by_an_update(user: User, staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    User.objects.filter(pk=user.pk).update(password=make_password(NEW))


def _by_hand(user: User, staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE accounts_user SET password = 'x' WHERE email = %s", [user.email])


def _switched_off(user: User, staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def _switched_off_and_on(user: User, staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)
    User.objects.filter(pk=user.pk).update(is_active=True)


def _switched_off_in_the_admin_and_on(user: User, staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"/admin/accounts/user/{user.pk}/change/"
    form = {"email": user.email, "name": "", "override-TOTAL_FORMS": "0", "override-INITIAL_FORMS": "0"}
    for prefix in ("api_keys", "entries", "notes"):
        form |= {f"{prefix}-TOTAL_FORMS": "0", f"{prefix}-INITIAL_FORMS": "0"}
    form |= {"initial-is_staff": "False", "initial-is_superuser": "False"}
    for switch in ({}, {"is_active": "on"}):
        shown = {"initial-is_active": str(User.objects.get(pk=user.pk).is_active)}
        assert staff.post(path, {**form, **shown, **switch}).status_code == 302
        assert User.objects.get(pk=user.pk).is_active == bool(switch)


def _deleted(user: User, staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    client.force_login(user)
    assert client.post("/account/delete", {"password": PASSWORD}).status_code == 302


Change = Callable[[User, Client, pytest.MonkeyPatch], None]
CHANGES: list[Change] = [
    _in_the_admin, _without_a_password, _by_command, _on_the_page, _by_the_model, _by_an_update, _by_hand,
    _switched_off, _switched_off_and_on, _switched_off_in_the_admin_and_on, _deleted,
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=lambda each: each.__name__.strip("_"))
def test_every_way_to_change_a_password_ends_all_logins(
    free: Person, other: Person, guest: Person, staff: Client, change: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Client()
    session.force_login(free.account)
    pair, untouched = tokens.issue(free.account), tokens.issue(other.account)
    assert (free.get("/account").status_code, session.get("/account").status_code) == (200, 200)
    change(free.account, staff, monkeypatch)
    assert free.get("/account").status_code == 401
    assert guest.get("/account", Authorization=f"Bearer {pair.access}").status_code == 401
    assert guest.post("/auth/refresh", {"refreshToken": pair.refresh}).status_code == 401
    assert session.get("/account").status_code == 302
    assert session.get("/api/v1/account").status_code == 401
    assert guest.post("/auth/refresh", {"refreshToken": untouched.refresh}).status_code == 200
    assert other.get("/account").status_code == 200
    assert staff.get("/admin/").status_code == 200


@pytest.mark.usefixtures("transactional_db")
def test_a_password_reset_by_mail_ends_all_logins(
    free: Person, other: Person, guest: Person, staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The mail is written by a thread of its own, which sees only what is committed.
    test_every_way_to_change_a_password_ends_all_logins(free, other, guest, staff, _by_mail, monkeypatch)


def test_a_new_login_works_after_the_old_ones_have_ended(free: Person, guest: Person) -> None:
    User.objects.filter(pk=free.account.pk).update(password=make_password(NEW))
    answer = guest.post("/auth/login", {"email": "free@example.org", "password": NEW})
    pair = answer.json()["data"]
    assert guest.get("/account", Authorization=f"Bearer {pair['accessToken']}").status_code == 200
    assert guest.post("/auth/refresh", {"refreshToken": pair["refreshToken"]}).status_code == 200


def test_a_login_in_progress_when_the_password_changes_is_invalid(free: Person, guest: Person) -> None:
    checked = authenticate(username="free@example.org", password=PASSWORD)
    assert isinstance(checked, User)
    session = Client()
    User.objects.filter(pk=checked.pk).update(password=make_password(NEW))
    pair = tokens.issue(checked)
    session.force_login(checked)
    assert guest.get("/account", Authorization=f"Bearer {pair.access}").status_code == 401
    assert guest.post("/auth/refresh", {"refreshToken": pair.refresh}).status_code == 401
    assert session.get("/account").status_code == 302


def test_rehashing_a_password_ends_no_login(free: Person, guest: Person) -> None:
    old = make_password(PASSWORD, hasher="pbkdf2_sha256")
    for times in (1, 2):
        User.objects.filter(pk=free.account.pk).update(password=old)
        user = User.objects.get(pk=free.account.pk)
        person, pair, session = with_token(user), tokens.issue(user), Client()
        session.force_login(user)
        login = guest.post("/auth/login", {"email": "free@example.org", "password": PASSWORD})
        user.refresh_from_db()
        assert (login.status_code, user.password.startswith("argon2"), user.generation) == (200, True, times)
        assert person.get("/account").status_code == 200
        assert session.get("/account").status_code == 200
        assert guest.post("/auth/refresh", {"refreshToken": pair.refresh}).status_code == 200


def test_a_rehash_does_not_restore_a_password_changed_meanwhile(db: None) -> None:
    old, new = make_password(PASSWORD, hasher="pbkdf2_sha256"), make_password(NEW)
    user = make_user()
    User.objects.filter(pk=user.pk).update(password=old)
    stale = User.objects.get(pk=user.pk)
    User.objects.filter(pk=user.pk).update(password=new)
    assert stale.check_password(PASSWORD)
    assert User.objects.get(pk=user.pk).password == new


def test_writing_the_generation_directly_revives_no_login(free: Person) -> None:
    User.objects.filter(pk=free.account.pk).update(is_active=False)
    User.objects.filter(pk=free.account.pk).update(is_active=True, generation=0)
    User.objects.filter(pk=free.account.pk).update(generation=0)
    assert User.objects.get(pk=free.account.pk).generation == 1
    assert free.get("/account").status_code == 401


def test_a_command_waiting_for_a_password_keeps_balance_and_ledger_consistent(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = make_user("free", "ada@example.org")

    def typed(prompt: str = "") -> str:
        ledger.charge(user, 1, reference=uuid.uuid4(), reason="meanwhile")
        return NEW

    monkeypatch.setattr("getpass.getpass", typed)
    call_command("changepassword", "ada@example.org", stdout=StringIO())
    user.refresh_from_db()
    total: Any = CreditEntry.objects.filter(user=user).aggregate(total=Sum("amount"))["total"]
    assert user.credits == total == 98
    assert user.check_password(NEW)


def test_a_session_in_the_admin_ends_with_its_account(staff: Client) -> None:
    helper, client = make_user(is_staff=True), Client()
    client.force_login(helper)
    assert client.get("/admin/").status_code == 200
    User.objects.filter(pk=helper.pk).update(is_active=False)
    assert client.get("/admin/").status_code == 302
    answer = client.post("/admin/accounts/user/", {"action": "grant_credits", "_selected_action": str(helper.pk)})
    assert (answer.status_code, answer["Location"].partition("?")[0]) == (302, "/admin/login/")
    User.objects.filter(pk=helper.pk).update(is_active=True)
    assert client.get("/admin/").status_code == 302
