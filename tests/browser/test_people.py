"""Accounts and keys in a browser: opened, confirmed, moved and lost, keys made on the page, an account deleted."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyotp
import pytest
from django.core import mail
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import CreditEntry, User
from accounts.people.outbox import OUTBOX
from apikeys.models import ApiKey
from conversions.models import Conversion
from conversions.work.account_deletion import delete_due
from storage.models import StoredFile
from tests.conftest import PASSWORD, Person
from tests.conversions.samples import PEOPLE, PEOPLE_CSV


def _curl(*arguments: str) -> str:
    if shutil.which("curl") is None:
        pytest.skip("no curl")
    return subprocess.run(["curl", "-s", "--max-time", "20", *arguments], capture_output=True, text=True).stdout


def test_a_key_created_on_the_page_works_with_curl_until_it_is_revoked(
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
    page.get_by_text("No second key was created.").wait_for()
    assert secret not in page.content()
    assert ApiKey.objects.count() == 1

    key = f"Authorization: Bearer {secret}"
    url = f"{live_server.url}/api/v1/converter/json-to-csv"
    result = json.loads(_curl("-H", key, "-F", f"file=@{source}", url))["data"]
    assert _curl("-H", key, live_server.url + result["downloadUrl"]).encode() == PEOPLE_CSV.replace(b"\r\n", b"\n")

    page.get_by_role("link", name="Revoke Nightly export").click()
    page.get_by_role("button", name="Revoke key").click()
    page.get_by_text("” revoked.").wait_for()
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


def test_a_free_plan_shows_what_paid_plans_include(visit: Any, free: Person) -> None:
    page = visit("/api-keys", user=free.user)
    page.get_by_role("heading", name="Keys come with a paid plan").wait_for()
    expect(page.get_by_role("button", name="Create key")).to_have_count(0)
    expect(page.get_by_role("heading", name="Scale")).to_be_visible()


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
    page.get_by_role("heading", name="This link can no longer be used").wait_for()
    assert free.get("/account").status_code == 401


def test_a_deactivated_account_is_deleted_after_two_weeks_except_for_its_ledger(visit: Any, paying: Person) -> None:
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
    page.get_by_role("heading", name="Restore your account?").wait_for()
    page.get_by_role("link", name="Don't restore it").click()
    delete_due(timezone.now() + timedelta(days=14))
    paying.user.refresh_from_db()
    assert not paying.user.is_active
    assert not paying.user.email.startswith("paying")
    assert StoredFile.objects.count() == 0
    assert ApiKey.objects.count() == 0
    assert sum(each.amount for each in CreditEntry.objects.filter(user=paying.user)) == paying.user.credits
    assert Conversion.objects.get().input_name == ""
    expect(page.get_by_role("link", name="Log in").first).to_be_visible()


# Where one is once logged in: on any page but those of the log-in.
_INSIDE = re.compile(r"^[^/]*//[^/]*/(?!login)")


def _log_in(page: Any, email: str) -> None:
    page.goto("/login")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()


def _link_mailed_to(address: str) -> str:
    """The one in the latest mail to an address."""
    assert OUTBOX.flush(30)
    letter = [each for each in mail.outbox if each.to == [address]][-1]
    (link,) = re.findall(r"http://\S+", str(letter.body))
    return str(link)


@pytest.mark.parametrize(("width", "scripts"), [(1280, True), (360, False)])
def test_a_user_signs_up_changes_the_address_and_logs_in_without_the_app(
    visit: Any, guest: Person, settings: Any, width: int, scripts: bool
) -> None:
    settings.EMAIL_VERIFICATION = "required"
    page = visit("/signup", java_script_enabled=scripts, viewport={"width": width, "height": 800})
    page.get_by_label("Email").fill("eve@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    page.get_by_role("heading", name="Check your email").wait_for()
    _log_in(page, "eve@example.org")
    page.get_by_text("The email or password is wrong.").wait_for()
    assert User.objects.get().credits == 0

    page.goto(_link_mailed_to("eve@example.org"))
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm address").click()
    page.get_by_text("Your address is confirmed.").wait_for()
    page.wait_for_url(_INSIDE)
    page.goto("/account")
    assert User.objects.get().credits == User.objects.get().plan.credits

    page.get_by_role("link", name="Change email").click()
    page.get_by_label("Email").fill("eve@example.net")
    page.get_by_role("button", name="Send the links").click()
    page.get_by_text("We've sent emails to both addresses.").wait_for()
    page.goto(_link_mailed_to("eve@example.org"))
    page.get_by_role("button", name="Confirm the change").click()
    page.get_by_role("heading", name="One more address to confirm").wait_for()
    assert User.objects.get().email == "eve@example.org"
    page.goto(_link_mailed_to("eve@example.net"))
    page.get_by_role("button", name="Confirm the change").click()
    page.get_by_role("heading", name="Address changed").wait_for()

    page.goto("/account/factor/add")
    page.get_by_role("textbox", name="Code").fill(pyotp.TOTP(page.inner_text("#secret")).now())
    page.get_by_role("button", name="Use this app").click()
    page.get_by_role("heading", name="Your recovery codes").wait_for()
    code = page.inner_text("#codes").split()[0]
    page.context.clear_cookies()

    _log_in(page, "eve@example.org")
    page.get_by_text("The email or password is wrong.").wait_for()
    _log_in(page, "eve@example.net")
    page.get_by_role("heading", name="Enter your code").wait_for()
    page.goto("/account")
    page.get_by_role("heading", name="Log in").wait_for()
    _log_in(page, "eve@example.net")
    page.get_by_role("textbox", name="Code").fill(code)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    page.wait_for_url(_INSIDE)
    page.goto("/account/factor")
    page.get_by_text("9 left").wait_for()
    page.get_by_role("button", name="Remove the app").click()
    page.get_by_text("Second factor removed.").wait_for()
