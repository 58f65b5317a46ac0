"""Staff permissions in the admin: support helps customers; only superusers manage staff and permissions."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.db import IntegrityError, connections, transaction
from django.test import Client

from accounts.admin import UserAdmin
from accounts.models import CreditEntry, LastSuperuser, User
from accounts.people.verification import Claim, confirm
from apikeys.models import ApiKey
from tests.config.test_admin import filled
from tests.conftest import PASSWORD, make_user
from tests.conversions.test_history import record

RIGHTS = {"is_staff": "on", "is_superuser": "on"}
SECRET = {"usable_password": "true", "password1": "a long new phrase", "password2": "a long new phrase"}


def _client(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def _page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


@pytest.fixture
def support(db: None) -> Client:
    """A member of the group that a new installation has."""
    user = make_user("free", "support@example.org", is_staff=True)
    user.groups.add(Group.objects.get(name="Support"))
    return _client(user)


@pytest.fixture
def manager(db: None) -> Client:
    """Staff with every permission there is, who is no superuser."""
    user = make_user("free", "manager@example.org", is_staff=True)
    user.user_permissions.set(Permission.objects.all())
    return _client(user)


@pytest.fixture
def customer(db: None) -> User:
    return make_user("pro", "customer@example.org")


def test_support_sees_accounts_ledger_keys_and_conversions(support: Client, customer: User) -> None:
    ApiKey.issue(customer, name="build")
    record(customer)
    for path in ("accounts/user", "accounts/creditentry", "apikeys/apikey", "conversions/conversion"):
        assert "customer@example.org" in _page(support, f"/admin/{path}/")
    page = _page(support, f"/admin/accounts/user/{customer.pk}/change/")
    assert "Monthly top-up" in page
    assert 'name="_save"' not in page
    assert f"/admin/accounts/user/{customer.pk}/grant/" in page
    assert f"/admin/accounts/user/{customer.pk}/plan/" not in page


@pytest.mark.parametrize(
    ("email", "confirmed"),
    [("new@example.org", False), (" Customer@Example.org", True), ("customer@example.org", True)],
)
def test_an_address_that_staff_change_is_no_longer_confirmed(
    staff: Client, customer: User, email: str, confirmed: bool
) -> None:
    confirm(Claim(str(customer.pk), customer.email))
    path = f"/admin/accounts/user/{customer.pk}/change/"
    form = filled(_page(staff, path)) | {"email": email, "name": "Ada", "is_active": "on"}
    answer = staff.post(path, form)
    assert answer.status_code == 302, answer.context["errors"]
    saved = User.objects.get(pk=customer.pk)
    assert (saved.email, saved.name) == (email.strip().lower(), "Ada")
    assert (saved.verified_at is not None, saved.must_confirm_email) == (confirmed, False)


def test_support_grants_credits_and_it_is_in_the_account_s_history(support: Client, customer: User) -> None:
    path = f"/admin/accounts/user/{customer.pk}/grant/"
    form = filled(_page(support, path)) | {"apply": "1", "amount": "50", "reason": "sorry"}
    assert support.post(path, form).status_code == 302
    entry = CreditEntry.objects.get(kind="grant")
    assert (entry.user, entry.amount, str(entry.actor)) == (customer, 50, "support@example.org")
    assert "Granted +50 credits: sorry" in _page(support, f"/admin/accounts/user/{customer.pk}/history/")


def test_support_grants_in_the_ledger_and_to_several_accounts(support: Client, customer: User) -> None:
    form = filled(_page(support, "/admin/accounts/creditentry/add/"))
    form |= {"user": str(customer.pk), "amount": "7", "reason": "gift"}
    assert support.post("/admin/accounts/creditentry/add/", form).status_code == 302
    chosen = {"action": "grant_credits", "_selected_action": [str(customer.pk), str(make_user().pk)]}
    asked = support.post("/admin/accounts/user/", chosen).content.decode()
    token = filled(asked)["form_token"]
    given = {**chosen, "apply": "1", "amount": "3", "reason": "all", "form_token": token}
    assert support.post("/admin/accounts/user/", given).status_code == 302
    assert sorted(CreditEntry.objects.filter(kind="grant").values_list("amount", flat=True)) == [3, 3, 7]


def test_support_revokes_keys(support: Client, customer: User) -> None:
    key, _ = ApiKey.issue(customer, name="build")
    answer = support.post("/admin/apikeys/apikey/", {"action": "revoke_keys", "_selected_action": str(key.pk)})
    key.refresh_from_db()
    assert (answer.status_code, key.revoked_at is None) == (302, False)


@pytest.mark.parametrize(
    "path",
    ["accounts/plan/", "auth/group/", "auth/group/add/", "storage/storedfile/", "accounts/user/add/",
     "accounts/user/{customer}/password/", "accounts/user/{customer}/delete/", "accounts/plan/1/change/"],
)  # fmt: skip
def test_support_has_no_further_permissions(support: Client, customer: User, path: str) -> None:
    assert support.get("/admin/" + path.format(customer=customer.pk)).status_code == 403


def test_support_changes_no_account_and_no_plan(support: Client, customer: User) -> None:
    path = f"/admin/accounts/user/{customer.pk}"
    assert support.post(f"{path}/change/", {"email": "mine@example.org", "is_active": "on"}).status_code == 403
    assert support.post(f"{path}/password/", SECRET).status_code == 403
    assert support.post(f"{path}/plan/", {"apply": "1", "plan": "1", "reason": "x"})["Location"] == "/admin/"
    chosen = {"action": "change_plan", "_selected_action": str(customer.pk), "apply": "1", "plan": "1", "reason": "x"}
    support.post("/admin/accounts/user/", chosen)
    after = User.objects.get(pk=customer.pk)
    assert (after.email, after.plan.code, after.check_password(PASSWORD)) == ("customer@example.org", "pro", True)


def _protected() -> list[User]:
    return [make_user(is_superuser=True), make_user(is_staff=True)]


def test_only_superusers_see_and_change_accounts_of_staff(manager: Client, staff: Client) -> None:
    for user in _protected():
        base = f"/admin/accounts/user/{user.pk}"
        before = User.objects.filter(pk=user.pk).values().get()
        assert user.email not in _page(manager, "/admin/accounts/user/")
        for path in ("change", "history", "grant", "plan"):
            assert manager.get(f"{base}/{path}/")["Location"] == "/admin/"
            assert manager.post(f"{base}/{path}/", {**SECRET, "apply": "1"}).status_code == 302
        assert manager.post(f"{base}/password/", SECRET).status_code == 404
        assert manager.post(f"{base}/delete/", {"post": "yes"}).status_code == 403
        entry = {"user": str(user.pk), "amount": "9", "reason": "for me"}
        form = filled(_page(manager, "/admin/accounts/creditentry/add/"))
        assert manager.post("/admin/accounts/creditentry/add/", {**form, **entry}).status_code == 200
        chosen = {"action": "grant_credits", "_selected_action": str(user.pk), "apply": "1", **entry, **form}
        manager.post("/admin/accounts/user/", chosen)
        assert User.objects.filter(pk=user.pk).values().get() == before
        assert user.email in _page(staff, "/admin/accounts/user/")
        assert staff.get(f"{base}/change/").status_code == 200
    assert not CreditEntry.objects.filter(kind="grant").exists()


def test_a_key_of_staff_is_revoked_by_superusers_only(manager: Client, staff: Client) -> None:
    key, _ = ApiKey.issue(make_user("pro", is_staff=True), name="x")
    chosen = {"action": "revoke_keys", "_selected_action": str(key.pk)}
    manager.post("/admin/apikeys/apikey/", chosen)
    key.refresh_from_db()
    assert key.revoked_at is None
    staff.post("/admin/apikeys/apikey/", chosen)
    key.refresh_from_db()
    assert key.revoked_at is not None


def test_permission_to_change_accounts_does_not_grant_changing_rights(manager: Client, customer: User) -> None:
    path = f"/admin/accounts/user/{customer.pk}/change/"
    page = _page(manager, path)
    assert not {"is_staff", "is_superuser", "groups", "user_permissions"} & filled(page).keys()
    assert 'name="groups"' not in page
    group = Group.objects.get(name="Support")
    form = filled(page) | {"name": "Changed", **RIGHTS, "groups": str(group.pk), "user_permissions": "1"}
    assert manager.post(path, form).status_code == 302
    after = User.objects.get(pk=customer.pk)
    assert (after.name, after.is_staff, after.is_superuser) == ("Changed", False, False)
    assert not after.groups.exists()
    assert not after.user_permissions.exists()


def test_permission_to_add_accounts_does_not_grant_adding_staff(manager: Client) -> None:
    form = {"email": "new@example.org", **SECRET, **RIGHTS}
    assert manager.post("/admin/accounts/user/add/", form).status_code == 302
    made = User.objects.get(email="new@example.org")
    assert (made.is_staff, made.is_superuser) == (False, False)


@pytest.mark.parametrize("lookup", ["is_superuser__exact=1", "is_staff__exact=1", "groups__id__exact=1"])
def test_rights_can_not_be_read_by_filtering(manager: Client, staff: Client, lookup: str) -> None:
    assert manager.get(f"/admin/accounts/user/?{lookup}").status_code == 400
    assert staff.get(f"/admin/accounts/user/?{lookup}").status_code == 200


def test_no_permission_gives_the_right_to_change_groups(manager: Client, staff: Client) -> None:
    group = Group.objects.get(name="Support")
    for path in ("", "add/", f"{group.pk}/change/", f"{group.pk}/delete/", f"{group.pk}/history/"):
        assert manager.get(f"/admin/auth/group/{path}").status_code == 403
        assert staff.get(f"/admin/auth/group/{path}").status_code == 200
    assert "/admin/auth/group/" not in _page(manager, "/admin/")


def test_a_superuser_can_grant_and_revoke_staff_status(staff: Client, customer: User) -> None:
    path = f"/admin/accounts/user/{customer.pk}/change/"
    group = Group.objects.get(name="Support")
    form = filled(_page(staff, path)) | {**RIGHTS, "groups": str(group.pk)}
    assert staff.post(path, form).status_code == 302
    after = User.objects.get(pk=customer.pk)
    assert (after.is_staff, after.is_superuser, after.groups.get()) == (True, True, group)
    form = filled(_page(staff, path))
    assert staff.post(path, {name: value for name, value in form.items() if name not in RIGHTS}).status_code == 302
    after.refresh_from_db()
    assert (after.is_staff, after.is_superuser) == (False, False)


@pytest.mark.parametrize("right", ["is_active", "is_superuser"])
def test_the_last_superuser_stays_one(staff: Client, right: str) -> None:
    boss = User.objects.get(email="staff@example.org")
    make_user(is_superuser=True, is_active=False)
    path = f"/admin/accounts/user/{boss.pk}/change/"
    form = filled(_page(staff, path))
    del form[right]
    answer = staff.post(path, form, follow=True)
    assert (answer.status_code, b"last superuser" in answer.content) == (200, True)
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.update(**{right: False})
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=boss.pk)._raw_delete("default")
    setattr(boss, right, False)
    with pytest.raises(LastSuperuser), transaction.atomic():
        boss.save()
    boss.refresh_from_db()
    assert (boss.is_active, boss.is_superuser) == (True, True)
    assert not LogEntry.objects.filter(object_id=str(boss.pk)).exists()


def test_the_last_superuser_can_not_delete_the_account(staff: Client) -> None:
    answer = staff.post("/account/delete", {"password": PASSWORD})
    assert (answer.status_code, b"last superuser" in answer.content) == (400, True)
    boss = User.objects.get(is_superuser=True)
    assert (boss.email, boss.is_active) == ("staff@example.org", True)
    make_user(is_superuser=True)
    assert staff.post("/account/delete", {"password": PASSWORD}).status_code == 302
    assert not User.objects.get(pk=boss.pk).is_active


@pytest.mark.parametrize("right", ["is_active", "is_superuser"])
def test_of_two_superusers_who_deactivate_each_other_one_remains(transactional_db: None, right: str) -> None:
    for _ in range(3):
        pair = [make_user(is_staff=True, is_superuser=True) for _ in range(2)]
        User.objects.exclude(pk__in=[each.pk for each in pair]).update(is_superuser=False)
        clients = [_client(each) for each in pair]
        paths = [f"/admin/accounts/user/{each.pk}/change/" for each in reversed(pair)]
        forms = [filled(_page(client, path)) for client, path in zip(clients, paths, strict=True)]
        start = threading.Barrier(2)

        def send(number: int, clients=clients, paths=paths, forms=forms, start=start) -> int:
            form = {name: value for name, value in forms[number].items() if name != right}
            start.wait()
            try:
                return int(clients[number].post(paths[number], form).status_code)
            finally:
                connections.close_all()

        with ThreadPoolExecutor(2) as pool:
            assert set(pool.map(send, range(2))) <= {302, 403}
        assert User.objects.filter(is_superuser=True, is_active=True).count() == 1


def _without(client: Client, path: str, data: Any) -> int:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = client.cookies
    return int(strict.post(path, data).status_code)


def test_every_admin_form_requires_a_csrf_token(staff: Client, customer: User) -> None:
    key, _ = ApiKey.issue(customer, name="x")
    base = f"/admin/accounts/user/{customer.pk}"
    grant = {"apply": "1", "amount": "5", "reason": "x", **filled(_page(staff, f"{base}/grant/"))}
    grant.pop("csrfmiddlewaretoken")
    chosen = {"_selected_action": str(customer.pk), **grant}
    revoke = {"action": "revoke_keys", "_selected_action": str(key.pk)}
    assert _without(staff, f"{base}/grant/", grant) == 403
    assert _without(staff, f"{base}/plan/", {"apply": "1", "plan": "1", "reason": "x"}) == 403
    assert _without(staff, f"{base}/password/", SECRET) == 403
    assert _without(staff, f"{base}/change/", {"email": "x@example.org"}) == 403
    for action in ("grant_credits", "change_plan"):
        assert _without(staff, "/admin/accounts/user/", {"action": action, **chosen}) == 403
    assert _without(staff, "/admin/accounts/creditentry/add/", {"user": str(customer.pk), **grant}) == 403
    assert _without(staff, "/admin/apikeys/apikey/", revoke) == 403
    key.refresh_from_db()
    assert key.revoked_at is None
    assert not CreditEntry.objects.exclude(kind="top_up").exists()


def test_saving_an_admin_form_does_not_undo_concurrent_changes(
    staff: Client, customer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/admin/accounts/user/{customer.pk}/change/"
    form = filled(_page(staff, path)) | {"name": "Renamed"}
    save = UserAdmin.save_model

    def later(*arguments: Any) -> None:
        User.objects.filter(pk=customer.pk).update(password="changed", is_active=False)
        save(*arguments)

    monkeypatch.setattr(UserAdmin, "save_model", later)
    assert staff.post(path, form).status_code == 302
    after = User.objects.get(pk=customer.pk)
    assert (after.name, after.password, after.is_active) == ("Renamed", "changed", False)


@pytest.mark.parametrize("name", ["is_active", "is_staff", "is_superuser"])
def test_a_page_opened_before_the_access_of_an_account_changed_is_refused(staff: Client, name: str) -> None:
    colleague = make_user(is_staff=True, is_superuser=True)
    path = f"/admin/accounts/user/{colleague.pk}/change/"
    form = filled(_page(staff, path)) | {"name": "Renamed"}
    User.objects.filter(pk=colleague.pk).update(**{name: False})
    for _ in range(2):
        assert staff.post(path, form).status_code == 200
    after = User.objects.get(pk=colleague.pk)
    assert (getattr(after, name), after.name) == (False, colleague.name)
    assert staff.post(path, filled(_page(staff, path)) | {"name": "Renamed"}).status_code == 302
    after.refresh_from_db()
    assert (getattr(after, name), after.name) == (False, "Renamed")
