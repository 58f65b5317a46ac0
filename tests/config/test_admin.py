"""The admin a shop owner runs the business with."""

from __future__ import annotations

import re
import secrets
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin import site
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import CreditEntry, LimitOverride, Plan, User
from apikeys.models import ApiKey
from conversions.models import Conversion
from storage.models import StoredFile
from tests.conftest import Person, make_user

LISTS = [f"/admin/{model._meta.app_label}/{model._meta.model_name}/" for model in site._registry]


def _fill(count: int) -> None:
    for number in range(count):
        user = make_user("pro")
        ApiKey.issue(user, name=f"key {number}")
        LimitOverride.objects.create(user=user, credits=number)
        Conversion.objects.create(
            owner=user,
            plan="pro",
            slug="json-to-csv",
            status="completed",
            input_name="a.json",
            input_bytes=1,
            file_key="k",
        )
        Conversion.objects.create(
            plan="guest", slug="json-to-csv", status="failed", input_name="a.json", input_bytes=1,
            error_code="UNSUPPORTED_FORMAT", error_message="The reason is here.",
        )  # fmt: skip
        StoredFile.objects.create(
            key=f"{secrets.token_hex(16)}.csv", name="a.csv", content_type="text/csv", size=1, sha256="0" * 64,
            owner=user, expires_at=timezone.now() + timedelta(days=1),
        )  # fmt: skip


@pytest.mark.parametrize("path", LISTS)
def test_the_queries_of_a_list_do_not_grow_with_its_rows(staff: Client, path: str) -> None:
    _fill(2)
    staff.get(path)
    with CaptureQueriesContext(connection) as few:
        assert staff.get(path).status_code == 200
    _fill(6)
    with CaptureQueriesContext(connection) as many:
        assert staff.get(path).status_code == 200
    assert len(many) == len(few)


@pytest.mark.parametrize(
    ("path", "queries"),
    [("accounts/user", 5), ("accounts/creditentry", 4), ("conversions/conversion", 5), ("apikeys/apikey", 4)],
)
def test_a_list_takes_as_many_queries_for_any_number_of_rows(
    staff: Client, path: str, queries: int, django_assert_num_queries: Any
) -> None:
    _fill(9)
    staff.get("/admin/")
    with django_assert_num_queries(queries):
        assert staff.get(f"/admin/{path}/").status_code == 200


@pytest.mark.parametrize("path", ["/admin/", *LISTS])
def test_only_staff_can_enter(paying: Any, path: str) -> None:
    client = Client()
    client.force_login(paying.user)
    assert client.get(path).status_code == 302


def test_the_start_page_shows_today_s_business(staff: Client) -> None:
    _fill(3)
    page = staff.get("/admin/").content.decode()
    shown = dict(re.findall(r'<th scope="row">([A-Z][^<]*)</th><td>(\d+)</td>', page))
    assert shown == {"Conversions": "6", "Failures": "3", "New accounts": "4", "Credits spent": "0"}


def test_granting_credits_needs_a_reason_and_enters_who_did_it(staff: Client) -> None:
    user = make_user("free", "ada@example.org")
    path = f"/admin/accounts/user/{user.pk}/grant/"
    form = filled(staff.get(path).content.decode()) | {"apply": "1", "amount": "50"}
    assert staff.post(path, {**form, "reason": ""}).status_code == 200
    assert staff.post(path, {**form, "reason": "sorry"}).status_code == 302
    entry = CreditEntry.objects.get(kind="grant")
    assert (entry.amount, entry.balance, entry.reason, entry.actor.email) == (50, 150, "sorry", "staff@example.org")  # type: ignore[union-attr]


def test_plans_change_for_several_accounts_at_once(staff: Client) -> None:
    users = [make_user("free"), make_user("free")]
    data = {"action": "change_plan", "_selected_action": [str(each.pk) for each in users]}
    asked = staff.post("/admin/accounts/user/", data)
    assert (asked.status_code, b'name="plan"' in asked.content) == (200, True)
    given = {"form_token": filled(asked.content.decode())["form_token"], "plan": Plan.objects.get(code="pro").pk}
    done = staff.post("/admin/accounts/user/", {**data, **given, "apply": "1", "reason": "paid"})
    assert done.status_code == 302
    assert {each.credits for each in User.objects.filter(pk__in=[each.pk for each in users])} == {10_000}


def test_limits_of_all_plans_are_edited_in_one_list(staff: Client) -> None:
    page = staff.get("/admin/accounts/plan/").content.decode()
    assert len(re.findall(r'name="form-\d+-max_file_bytes"', page)) == 5


def test_an_account_is_found_by_email_and_shows_its_ledger_keys_and_overrides(staff: Client) -> None:
    user = make_user("pro", "ada@example.org")
    key, secret = ApiKey.issue(user, name="build")
    assert b"ada@example.org" in staff.get("/admin/accounts/user/?q=ADA@").content
    page = staff.get(f"/admin/accounts/user/{user.pk}/change/").content.decode()
    assert "Monthly top-up" in page
    assert key.prefix in page
    assert secret not in page
    assert key.digest not in page
    assert 'name="override-0-credits"' in page or 'name="override-TOTAL_FORMS"' in page


def test_a_key_is_revoked_from_the_account_s_page(staff: Client) -> None:
    user = make_user("pro", "ada@example.org")
    key, _ = ApiKey.issue(user, name="build")
    page = staff.get(f"/admin/accounts/user/{user.pk}/change/").content.decode()
    form = filled(page)
    form |= {"api_keys-0-revoke": "on"}
    answer = staff.post(f"/admin/accounts/user/{user.pk}/change/", form)
    assert answer.status_code == 302, re.findall(r"errorlist[^>]*>(.*?)</ul>", answer.content.decode())
    key.refresh_from_db()
    assert key.revoked_at is not None


def filled(page: str) -> dict[str, str]:
    """The values that a browser would send back unchanged."""
    values = {}
    for tag in re.findall(r"<input[^>]*>", page):
        attributes = dict(re.findall(r'(\w[\w-]*)="([^"]*)"', tag))
        if attributes.get("type") in ("checkbox", "submit") and " checked" not in tag:
            continue
        if "name" in attributes and "__prefix__" not in attributes["name"]:
            values[attributes["name"]] = attributes.get("value", "on")
    return values


def test_the_ledger_can_be_added_to_but_not_changed(staff: Client) -> None:
    user = make_user("free")
    page = staff.get("/admin/accounts/creditentry/add/").content.decode()
    data = {**filled(page), "user": str(user.pk), "amount": "7", "reason": "gift"}
    assert staff.post("/admin/accounts/creditentry/add/", data).status_code == 302
    entry = CreditEntry.objects.get(kind="grant")
    assert (entry.amount, entry.balance) == (7, 107)
    assert staff.post("/admin/accounts/creditentry/add/", {**data, "amount": "-8"}).status_code == 200
    assert staff.post(f"/admin/accounts/creditentry/{entry.pk}/change/", {**data, "amount": "9"}).status_code == 403
    assert staff.post(f"/admin/accounts/creditentry/{entry.pk}/delete/", {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("model", ["apikeys/apikey", "conversions/conversion", "storage/storedfile"])
def test_view_only_models_cannot_be_added(staff: Client, model: str) -> None:
    assert staff.get(f"/admin/{model}/add/").status_code == 403


def test_failures_are_listed_with_their_reason_and_filtered(staff: Client) -> None:
    _fill(1)
    page = staff.get("/admin/conversions/conversion/?status__exact=failed&plan=guest&slug=json-to-csv").content.decode()
    assert "The reason is here." in page
    assert page.count('class="field-slug"') == 1


def test_staff_makes_an_account_that_can_log_in(staff: Client) -> None:
    data = {
        "email": "New@Example.org",
        "usable_password": "true",
        "password1": "correct horse 9",
        "password2": "correct horse 9",
    }
    answer = staff.post("/admin/accounts/user/add/", data)
    assert answer.status_code == 302, answer.context["errors"]
    assert Client().login(username="new@example.org", password="correct horse 9")


def test_an_account_is_never_deleted(staff: Client) -> None:
    user = make_user()
    assert staff.post(f"/admin/accounts/user/{user.pk}/delete/", {"post": "yes"}).status_code == 403


def test_code_in_help_texts_is_marked_where_a_field_can_be_edited_and_where_not(staff: Client) -> None:
    free = Plan.objects.get(code="free")
    pages = ["/admin/accounts/plan/add/", f"/admin/accounts/plan/{free.pk}/change/"]
    for path in pages:
        assert "Lower case. <code>guest</code> and <code>free</code> are built in." in staff.get(path).content.decode()
    shown = [staff.get(f"{path}add/") for path in LISTS]
    texts = [each.content.decode() for each in shown if each.status_code == 200]
    assert sum("<code>" in each for each in texts) > 2
    for text in texts:
        assert "`" not in re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)


@pytest.mark.parametrize("identifier", ["x", "9" * 30])
def test_an_id_that_no_row_can_have_is_an_error_of_the_request(staff: Client, identifier: str) -> None:
    staff.raise_request_exception = False
    for model in (User, Plan):
        kind = ContentType.objects.get_for_model(model)
        assert staff.get(f"/admin/r/{kind.pk}/{identifier}/").status_code == 404
    for path, action in (("accounts/user", "grant_credits"), ("apikeys/apikey", "revoke_keys")):
        chosen = {"action": action, "_selected_action": identifier}
        assert staff.post(f"/admin/{path}/", chosen).status_code == 400


def test_staff_see_when_an_account_was_confirmed_and_whether_it_is_kept_closed(staff: Client, free: Person) -> None:
    page = staff.get(f"/admin/accounts/user/{free.account.pk}/change/").content.decode()
    assert [f"field-{name}" in page for name in ("verified_at", "deletes_at", "kept_closed_at")] == [True] * 3
