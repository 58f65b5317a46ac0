"""Accounts and keys in a browser: a key made on the page, a password reset by mail, an account deleted."""

from __future__ import annotations

import json
import os
import re
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core import mail
from django.utils import timezone

from accounts.models import CreditEntry
from accounts.outbox import OUTBOX
from apikeys.models import ApiKey
from conversions.closing import close_due
from conversions.models import Conversion
from storage.models import StoredFile
from tests.conftest import PASSWORD, Person
from tests.conversions.samples import PEOPLE, PEOPLE_CSV


def _curl(*arguments: str) -> str:
    return subprocess.run(["curl", "-s", "--max-time", "20", *arguments], capture_output=True, text=True).stdout


def test_a_key_made_on_the_page_works_with_curl_and_stops_when_revoked(
    visit: Any, live_server: Any, tmp_path: Path, paying: Person
) -> None:
    source = tmp_path / "people.json"
    source.write_bytes(PEOPLE)
    page = visit("/api-keys", user=paying.user)
    page.get_by_label("Name").fill("Nightly export")
    page.get_by_label("Expires in days").fill("30")
    page.get_by_role("button", name="Create key").click()
    secret = page.inner_text("#full-key")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy key").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == secret
    page.reload()
    page.get_by_text("No second key was made.").wait_for()
    assert secret not in page.content()
    assert ApiKey.objects.count() == 1

    key = f"Authorization: Bearer {secret}"
    url = f"{live_server.url}/api/v1/converter/json-to-csv"
    result = json.loads(_curl("-H", key, "-F", f"file=@{source}", url))["data"]
    assert _curl("-H", key, live_server.url + result["downloadUrl"]).encode() == PEOPLE_CSV.replace(b"\r\n", b"\n")

    page.get_by_role("link", name="Revoke Nightly export").click()
    page.get_by_role("button", name="Revoke key").click()
    page.get_by_text("is revoked.").wait_for()
    assert json.loads(_curl("-H", key, "-F", f"file=@{source}", url))["code"] == "UNAUTHORIZED"


def _copied_and_run(page: Any, button: str, folder: Path, secret: str) -> None:
    """Click the button and do with the clipboard what a person does: paste it into a shell that knows the key."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name=button).first.click()
    page.get_by_role("button", name="Copied").wait_for()
    command = page.evaluate("navigator.clipboard.readText()")
    environment = {"PATH": os.environ["PATH"], "API_KEY": secret}
    subprocess.run(["sh", "-c", command], cwd=folder, env=environment, check=True, timeout=60)


def test_the_command_copied_from_the_history_gives_the_file_when_run(
    visit: Any, tmp_path: Path, paying: Person
) -> None:
    _, secret = ApiKey.issue(paying.account, name="Shell")
    (tmp_path / "Ada's list; v2, final.json").write_bytes(PEOPLE)
    paying.convert("json-to-csv", PEOPLE, "Ada's list; v2, final.json", delimiter=";")
    page = visit("/history", user=paying.user)
    page.get_by_text("More for Ada's list").click()
    _copied_and_run(page, "Copy as curl", tmp_path, secret)
    assert (tmp_path / "Ada's list; v2, final.csv").read_bytes() == PEOPLE_CSV.replace(b",", b";")
    assert Conversion.objects.filter(owner=paying.user).count() == 2


def test_the_command_copied_from_a_conversion_gives_the_file_when_run(
    visit: Any, tmp_path: Path, paying: Person
) -> None:
    _, secret = ApiKey.issue(paying.account, name="Shell")
    (tmp_path / "input.json").write_bytes(PEOPLE)
    page = visit("/convert/json-to-csv", user=paying.user)
    page.get_by_label("Delimiter").fill("'")
    page.locator("#example-curl", has_text="delimiter='").wait_for()
    _copied_and_run(page, "Copy", tmp_path, secret)
    assert (tmp_path / "input.csv").read_bytes() == PEOPLE_CSV.replace(b",", b"'")


def test_a_free_plan_sees_what_a_paid_one_brings(visit: Any, free: Person) -> None:
    page = visit("/api-keys", user=free.user)
    page.get_by_role("heading", name="Keys come with a paid plan").wait_for()
    assert page.get_by_role("button", name="Create key").count() == 0
    assert page.get_by_role("heading", name="Scale").is_visible()


def test_a_password_is_reset_by_the_link_in_the_mail(visit: Any, free: Person) -> None:
    page = visit("/login")
    page.get_by_role("link", name="Reset your password").click()
    page.get_by_label("Email").fill("free@example.org")
    page.get_by_role("button", name="Send the link").click()
    page.get_by_role("heading", name="Check your email").wait_for()
    assert OUTBOX.flush(30)
    (link,) = re.findall(r"http://\S+", str(mail.outbox[0].body))
    page.goto(link)
    page.get_by_label("New password", exact=True).fill("another long private phrase")
    page.get_by_label("New password confirmation").fill("another long private phrase")
    page.get_by_role("button", name="Set password").click()
    page.get_by_role("heading", name="Log in").wait_for()
    page.get_by_label("Email").fill("free@example.org")
    page.get_by_label("Password").fill("another long private phrase")
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    page.get_by_role("button", name="Log out").wait_for()
    page.goto(link)
    page.get_by_role("heading", name="This link can't be used any more").wait_for()
    assert free.get("/account").status_code == 401


def test_an_account_that_is_left_is_deleted_two_weeks_later_and_leaves_its_ledger(visit: Any, paying: Person) -> None:
    assert paying.user is not None
    ApiKey.issue(paying.user, name="Old")
    paying.convert("json-to-csv", PEOPLE)
    page = visit("/account", user=paying.user)
    page.get_by_role("link", name="Delete account").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Delete my account").click()
    page.get_by_text("Your account is closed.").wait_for()
    assert not ApiKey.objects.filter(revoked_at=None).exists()
    page.goto("/login")
    page.get_by_label("Email").fill("paying@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    page.get_by_role("heading", name="Keep your account?").wait_for()
    page.get_by_role("link", name="Let it be deleted").click()
    close_due(timezone.now() + timedelta(days=14))
    paying.user.refresh_from_db()
    assert not paying.user.is_active
    assert not paying.user.email.startswith("paying")
    assert StoredFile.objects.count() == 0
    assert ApiKey.objects.count() == 0
    assert sum(each.amount for each in CreditEntry.objects.filter(user=paying.user)) == paying.user.credits
    assert Conversion.objects.get().input_name == ""
    assert page.get_by_role("link", name="Log in").first.is_visible()
