"""The audit log: every staff action with its changes, in entries that nobody can change or delete."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import Error, IntegrityError, connection, transaction
from django.test import Client

from accounts.models import Note, Plan, User
from apikeys.models import ApiKey
from backoffice import audit
from backoffice.models import AuditEntry
from conversions.work.account_deletion import delete_account
from tests.backoffice.conftest import client_of
from tests.config.test_admin import filled
from tests.conftest import PASSWORD, make_user


def _actions() -> list[tuple[str, str]]:
    return list(AuditEntry.objects.order_by("id").values_list("action", "model"))


def _save(client: Client, path: str, **given: str) -> Any:
    answer = client.post(path, {**filled(client.get(path).content.decode()), **given})
    assert answer.status_code == 302, answer.content
    return AuditEntry.objects.latest("id")


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no TRUNCATE")
def test_the_audit_log_cannot_be_truncated(boss: User) -> None:
    client_of(boss).get("/admin/")
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(IntegrityError), transaction.atomic():
            cursor.execute("TRUNCATE backoffice_auditentry")
    assert AuditEntry.objects.count() == 1


def test_entries_can_neither_be_changed_nor_deleted(boss: User) -> None:
    client_of(boss).get("/admin/")
    for sql in ("UPDATE backoffice_auditentry SET address = ''", "DELETE FROM backoffice_auditentry"):
        with pytest.raises((IntegrityError, Error), match="can only be added"), transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(sql)
    assert AuditEntry.objects.count() == 1
    entry = AuditEntry.objects.get()
    client = client_of(boss)
    for path in ("add/", f"{entry.pk}/delete/"):
        assert client.post(f"/admin/backoffice/auditentry/{path}", {"post": "yes"}).status_code == 403
    assert client.post(f"/admin/backoffice/auditentry/{entry.pk}/change/", {"address": "x"}).status_code == 403
    assert client.get(f"/admin/backoffice/auditentry/{entry.pk}/change/").status_code == 200


def test_each_admin_login_is_logged_once(boss: User) -> None:
    client = Client()
    client.post("/admin/login/?next=/admin/", {"username": "boss@example.org", "password": PASSWORD})
    for _ in range(3):
        client.get("/admin/", headers={"X-Request-Id": "seen"})
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.actor, entry.address, entry.request_id) == ("enter", boss, "127.0.0.1", "seen")
    client_of(boss).get("/admin/")
    assert _actions() == [("enter", "")] * 2


def test_changes_are_logged_with_old_and_new_values_but_no_secrets(boss: User, customer: User) -> None:
    client = client_of(boss)
    path = f"/admin/accounts/user/{customer.pk}"
    entry = _save(client, f"{path}/change/", email="evil@example.com", is_active="on")
    assert (entry.actor, entry.action, entry.model, entry.object_id, entry.text) == (
        boss, "change", "accounts.user", str(customer.pk), "",
    )  # fmt: skip
    assert entry.details["changes"] == {"email": ["cu…@example.org", "ev…@example.com"]}
    _save(
        client,
        f"{path}/password/",
        usable_password="true",
        password1="a long new phrase",
        password2="a long new phrase",
    )
    plan = Plan.objects.get(code="pro")
    entry = _save(client, f"/admin/accounts/plan/{plan.pk}/change/", credits="777", api_access="on")
    assert entry.details["changes"]["credits"] == [10_000, 777]
    listed = filled(client.get("/admin/accounts/plan/").content.decode())
    row = next(name for name, value in listed.items() if name.endswith("-credits") and value == "777")
    client.post("/admin/accounts/plan/", {**listed, row: "778", "_save": "Save"})
    assert AuditEntry.objects.latest("id").details["changes"]["credits"] == [777, 778]
    exported = str(list(AuditEntry.objects.values_list("details", "text")))
    for secret in ("a long new phrase", "customer@example.org", customer.password[:30]):
        assert secret not in exported


def test_support_actions_and_list_actions_are_logged(helper: User, customer: User) -> None:
    client = client_of(helper)
    entry = _save(client, f"/admin/accounts/user/{customer.pk}/grant/", apply="1", amount="50", reason="sorry")
    assert entry.details == {"said": "Granted +50 credits: sorry"}
    key, _ = ApiKey.issue(customer, name="build")
    client.post("/admin/apikeys/apikey/", {"action": "revoke_keys", "_selected_action": [str(key.pk)]})
    entry = AuditEntry.objects.latest("id")
    assert entry.details == {"action": "revoke_keys", "chosen": 1, "objects": [str(key.pk)]}
    assert (entry.action, entry.model) == ("action", "apikeys.apikey")


def test_refusals_are_logged(helper: User, customer: User) -> None:
    client = client_of(helper)
    assert client.post(f"/admin/accounts/user/{customer.pk}/change/", {"email": "x@example.org"}).status_code == 403
    assert client.get("/admin/backoffice/auditentry/").status_code == 403
    refused = AuditEntry.objects.filter(action="refused")
    assert [each.details["view"] for each in refused.order_by("id")] == [
        "admin:accounts_user_change", "admin:backoffice_auditentry_changelist",
    ]  # fmt: skip
    assert "x@example.org" not in str(refused.values_list("details", flat=True))


def test_an_action_and_its_log_entry_share_a_transaction(
    boss: User, customer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError

    client = client_of(boss)
    form = filled(client.get(f"/admin/accounts/user/{customer.pk}/change/").content.decode())
    monkeypatch.setattr(AuditEntry.objects, "create", broken)
    key, _ = ApiKey.issue(customer, name="build")
    with pytest.raises(RuntimeError):
        client.post(f"/admin/accounts/user/{customer.pk}/change/", {**form, "name": "Eve", "is_active": "on"})
    with pytest.raises(RuntimeError):
        client.post("/admin/apikeys/apikey/", {"action": "revoke_keys", "_selected_action": [str(key.pk)]})
    customer.refresh_from_db()
    key.refresh_from_db()
    assert (customer.name, key.revoked_at) == ("Ada", None)


def test_only_superusers_see_the_log_and_it_is_escaped(boss: User, helper: User) -> None:
    client = client_of(boss)
    client.post("/admin/auth/group/add/", {"name": "<script>alert(1)</script>"})
    page = client.get("/admin/backoffice/auditentry/").content.decode()
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert(1)" not in page
    assert "Added" in page
    assert client.get("/admin/backoffice/auditentry/?q=boss%40").context["cl"].result_count == 2
    assert client_of(helper).get("/admin/backoffice/auditentry/").status_code == 403


def test_notes_have_author_and_time_and_are_deleted_with_the_account(helper: User, boss: User, customer: User) -> None:
    path = f"/admin/accounts/user/{customer.pk}"
    client = client_of(helper)
    assert client.post(f"{path}/note/", {"text": ""}).status_code == 200
    assert client.post(f"{path}/note/", {"text": "<i>Called</i> twice."}).status_code == 302
    page = client_of(boss).get(f"{path}/change/").content.decode()
    assert "&lt;i&gt;Called&lt;/i&gt; twice." in page
    note = Note.objects.get()
    assert (note.author, note.user) == (helper, customer)
    assert AuditEntry.objects.latest("id").model in ("accounts.note", "")
    assert client.post(f"/admin/accounts/user/{boss.pk}/note/", {"text": "x"}).status_code == 302
    assert client_of(make_user("free", is_staff=True)).post(f"{path}/note/", {"text": "x"}).status_code in (302, 403)
    assert Note.objects.count() == 1
    delete_account(customer)
    assert not Note.objects.exists()


def test_api_keys_are_masked_in_the_log() -> None:
    assert audit._without_keys("?q=fc_0123456789abcdef&p=1") == "?q=fc_…&p=1"
