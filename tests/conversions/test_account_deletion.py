"""Leaving the service: export, restoring an account, and final deletion."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import connections
from django.test import Client
from django.utils import timezone

from accounts import deactivation
from accounts.models import CreditEntry, User
from accounts.people.invitations import Invitation
from apikeys.models import ApiKey
from conversions.models import Conversion
from conversions.work.account_deletion import deactivate, delete_account, delete_due
from storage.models import StoredFile
from tests.config.test_admin import filled
from tests.conftest import PASSWORD, Person, make_user, with_key
from tests.conversions.samples import PEOPLE, PEOPLE_CSV

LOGIN = {"username": "paying@example.org", "password": PASSWORD}


def test_the_export_holds_everything_and_no_secret(paying: Person, other: Person, settings: Any) -> None:
    settings.EXPORT_RATE = "1/h"
    _, secret = ApiKey.issue(paying.account, name="Nightly")
    for person in (paying, other):
        person.convert("json-to-csv", PEOPLE, "Ada & Bob.json")
    browser = Client()
    browser.force_login(paying.account)
    answer: Any = browser.post("/account/export")
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    assert archive.testzip() is None
    names = archive.namelist()
    (file,) = (each for each in names if each.startswith("files/"))
    assert file.endswith("/Ada & Bob.csv")
    assert archive.read(file) == PEOPLE_CSV
    account = json.loads(archive.read("account.json"))
    assert (account["email"], account["plan"]) == ("paying@example.org", "Pro")
    assert [each["input_name"] for each in json.loads(archive.read("conversions.json"))] == ["Ada & Bob.json"]
    entries = list(csv.DictReader(io.StringIO(archive.read("credits.csv").decode())))
    assert sum(int(each["amount"]) for each in entries) == User.objects.get(pk=paying.account.pk).credits
    whole = b"".join(archive.read(each) for each in names).decode()
    key = ApiKey.objects.get()
    assert not any(each in whole for each in (secret, key.digest, paying.account.password, "other@example.org"))
    assert browser.post("/account/export").status_code == 429


def test_an_export_takes_no_room_on_the_disk(paying: Person, settings: Any, tmp_path: Path) -> None:
    paying.convert("json-to-csv", PEOPLE)
    browser = Client()
    browser.force_login(paying.account)
    settings.TEMPORARY_DIR = tmp_path / "full"  # nothing can be stored where there is no folder
    answer: Any = browser.post("/account/export")
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    assert archive.testzip() is None
    assert sum(each.startswith("files/") for each in archive.namelist()) == 1


def test_a_deactivated_account_is_restored_by_logging_in(paying: Person) -> None:
    program, browser = with_key(paying.account), Client()
    before = User.objects.get(pk=paying.account.pk).credits
    paying.convert("json-to-csv", PEOPLE)
    browser.force_login(paying.account)
    assert browser.post("/account/delete", {"password": PASSWORD}).status_code == 302
    assert [each.convert("json-to-csv", PEOPLE).status_code for each in (program, paying)] == [401, 401]
    body = {"email": LOGIN["username"], "password": PASSWORD}
    api = Client().post("/api/v1/auth/login", body, content_type="application/json")
    assert (api.status_code, "Log in on the web page" in api.json()["message"]) == (401, True)
    assert Client().get("/login/restore")["Location"] == "/login"
    assert browser.post("/login", {**LOGIN, "password": "wrong"}).status_code == 200
    assert browser.post("/login", LOGIN)["Location"] == "/login/restore"
    assert browser.get("/account").status_code == 302
    assert "Restore your account?" in browser.get("/login/restore").content.decode()
    assert browser.post("/login/restore")["Location"] == "/login"
    assert browser.post("/login", LOGIN)["Location"] == "/"
    user = User.objects.get(pk=paying.account.pk)
    assert (user.is_active, user.deletes_at, user.credits) == (True, None, before - 1)
    assert not ApiKey.objects.filter(revoked_at=None).exists()
    assert StoredFile.objects.filter(owner=user).count() == 1


def test_an_account_that_staff_keep_closed_is_not_restored_by_its_owner(paying: Person, staff: Client) -> None:
    path, browser = f"/admin/accounts/user/{paying.account.pk}/change/", Client()
    deactivate(paying.account)
    assert browser.post("/login", LOGIN)["Location"] == "/login/restore"
    chosen = {"action": "keep_closed", "_selected_action": str(paying.account.pk)}
    assert "Accounts kept closed: 1." in staff.post("/admin/accounts/user/", chosen, follow=True).content.decode()
    assert "Kept closed" in staff.get(path.replace("change", "history")).content.decode()
    browser.post("/login/restore")
    assert Client().post("/login", LOGIN).status_code == 200
    user = User.objects.get(pk=paying.account.pk)
    assert (user.is_active, user.is_restorable, user.deletes_at is not None) == (False, False, True)
    form = filled(staff.get(path).content.decode()) | {"is_active": "on"}
    assert staff.post(path, form).status_code == 302
    user.refresh_from_db()
    assert (user.is_active, user.kept_closed_at, user.deletes_at) == (True, None, None)
    assert Client().post("/login", LOGIN)["Location"] == "/"


def test_two_weeks_later_the_sweep_deletes_it_and_not_before(paying: Person, other: Person, clock: Any) -> None:
    paying.convert("json-to-csv", PEOPLE)
    deactivate(paying.account)
    clock.set(days=13, hours=23)
    StoredFile.objects.update(expires_at=timezone.now() + timedelta(days=9))
    call_command("purge_expired_files", stdout=StringIO())
    assert User.objects.get(pk=paying.account.pk).email == "paying@example.org"
    clock.set(days=14, seconds=1)
    output = StringIO()
    call_command("purge_expired_files", stdout=output)
    assert "1 accounts deleted" in output.getvalue()
    user = User.objects.get(pk=paying.account.pk)
    assert user.email.endswith("@deleted.invalid")
    assert (StoredFile.objects.count(), Conversion.objects.get().input_name) == (0, "")
    assert sum(each.amount for each in CreditEntry.objects.filter(user=user)) == user.credits
    assert delete_due() == 0
    assert Client().post("/login", LOGIN).status_code == 200


@pytest.mark.usefixtures("transactional_db")
def test_of_a_concurrent_restoration_and_deletion_exactly_one_happens(paying: Person) -> None:
    for _ in range(4):
        User.objects.filter(pk=paying.account.pk).update(is_active=True, deletes_at=None)
        deactivate(paying.account)
        # For one of them it is due, for the other not yet.
        due = timezone.now() + deactivation.GRACE_PERIOD

        def run(call: Any) -> Any:
            try:
                return call()
            finally:
                connections.close_all()

        with ThreadPoolExecutor(2) as pool:
            calls = (lambda: deactivation.restore(paying.account.pk), lambda: bool(delete_due(due)))  # noqa: B023
            restored, deleted = pool.map(run, calls)
        user = User.objects.get(pk=paying.account.pk)
        assert restored != deleted
        assert (user.is_active, user.email.startswith("paying")) == (restored, restored)
        if deleted:
            break


def test_an_account_reactivated_by_staff_is_not_deleted(paying: Person, staff: Client) -> None:
    deactivate(paying.account)
    user = User.objects.get(pk=paying.account.pk)
    user.is_active = True
    user.save(update_fields=["is_active"])
    assert User.objects.get(pk=user.pk).deletes_at is None


def test_an_account_at_the_placeholder_address_does_not_block_a_deletion(paying: Person, other: Person) -> None:
    make_user("free", f"{paying.account.pk}@deleted.invalid")
    for each in (paying, other):
        deactivate(each.account)
    assert delete_due(timezone.now() + deactivation.GRACE_PERIOD) == 2
    assert not User.objects.filter(email__endswith="@example.org").exists()


def test_an_account_whose_files_cannot_be_deleted_does_not_block_others(paying: Person, other: Person) -> None:
    paying.convert("json-to-csv", PEOPLE)
    stuck = Path(default_storage.path(StoredFile.objects.get().path))
    stuck.unlink()
    # A folder that is not empty can't be removed as a file.
    (stuck / "inside").mkdir(parents=True)
    for each in (paying, other):
        deactivate(each.account)
    due = timezone.now() + deactivation.GRACE_PERIOD
    assert delete_due(due) == 1
    assert not User.objects.filter(email__endswith="@example.org").exists()
    (stuck / "inside").rmdir()
    assert (delete_due(due), StoredFile.objects.count()) == (1, 0)


def test_no_table_has_the_address_of_a_deleted_account(staff: Client) -> None:
    invited = staff.post(
        "/admin/accounts/invitation/add/",
        {"email": "Leaver@example.org", "note": "leaver", "expires_at_0": "2100-01-01", "expires_at_1": "00:00"},
    )
    assert invited.status_code == 302
    waiting = Invitation.objects.get()
    waiting.pk, waiting.digest = None, "another"
    user = make_user(email="leaver@example.org")
    Invitation.objects.update(accepted_at=timezone.now(), accepted_by=user)
    waiting.save(force_insert=True)
    changed = {"email": "leaver@example.org", "name": "Leaver", "is_active": "on"}
    inlines = {f"{each}-{part}": "0" for each in ("override", "entries", "api_keys", "notes")
               for part in ("TOTAL_FORMS", "INITIAL_FORMS")}  # fmt: skip
    assert staff.post(f"/admin/accounts/user/{user.pk}/change/", {**changed, **inlines}).status_code == 302
    assert {"LogEntry", "Invitation", "User"} <= _models_with("leaver@example.org")
    delete_account(user)
    assert _models_with("leaver@") == set()
    assert [each.email for each in Invitation.objects.all()] == [""]


def _models_with(text: str) -> set[str]:
    """The names of the models with this text in any row, regardless of case."""
    return {
        kind.__name__
        for kind in apps.get_models()
        if any(text in str(row).lower() for row in kind._base_manager.values_list())
    }
