"""Everything again with JavaScript off: forms, redirects, and pages that say what went wrong."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

import pytest
from django.core import mail
from playwright.sync_api import expect

from accounts.models import Plan, User
from accounts.people.outbox import OUTBOX
from conversions.models import Conversion
from tests.conftest import PASSWORD, Person
from tests.conversions.samples import PEOPLE, PEOPLE_CSV


def _choose(page: Any, name: str, content: bytes) -> None:
    page.set_input_files("#file", {"name": name, "mimeType": "application/octet-stream", "buffer": content})


def _plain(visit: Any, path: str = "/", **options: Any) -> Any:
    return visit(path, java_script_enabled=False, **options)


def test_a_guest_converts_two_files_and_downloads_each_and_both(visit: Any, download: Any, guest: Person) -> None:
    page = _plain(visit)
    _choose(page, "people.json", PEOPLE)
    page.get_by_label("Convert to").select_option("csv")
    page.get_by_role("button", name="Convert").click()
    page.get_by_role("heading", name="people.csv").wait_for()
    assert download(page, page.get_by_role("link", name="Download people.csv")) == PEOPLE_CSV
    page.goto("/convert/json-to-csv")
    _choose(page, "others.json", PEOPLE)
    page.get_by_label("Delimiter").fill(";")
    page.get_by_role("button", name="Convert").click()
    page.get_by_role("heading", name="others.csv").wait_for()
    second = PEOPLE_CSV.replace(b",", b";")
    assert download(page, page.get_by_role("link", name="Download others.csv")) == second
    expect(page.locator("#example-curl")).to_contain_text("delimiter=;", use_inner_text=True)
    archive = zipfile.ZipFile(io.BytesIO(download(page, page.get_by_role("button", name="Download these as ZIP"))))
    assert {name: archive.read(name) for name in archive.namelist()} == {"people.csv": PEOPLE_CSV, "others.csv": second}


def _choose_several(page: Any, *files: tuple[str, bytes]) -> None:
    page.set_input_files(
        "#file", [{"name": name, "mimeType": "application/octet-stream", "buffer": content} for name, content in files]
    )


@pytest.mark.parametrize("width", [360, 1280])
def test_several_files_become_one_page_of_results_and_a_zip(
    visit: Any, download: Any, watch: Any, paying: Person, width: int
) -> None:
    watch.refusals_expected = True
    page = _plain(visit, "/", user=paying.user, viewport={"width": width, "height": 800})
    _choose_several(page, ("a.json", PEOPLE), ("broken.json", b"{"), ("b.json", PEOPLE), ("tool.exe", b"MZ"))
    page.get_by_label("Convert to").select_option("csv")
    page.get_by_role("button", name="Convert").click()
    page.get_by_role("heading", name="a.csv").wait_for()
    messages = page.locator(".messages").inner_text()
    assert "broken.json was not converted." in messages
    assert "line 1" in messages or "ended" in messages
    assert "tool.exe was not converted." in messages
    archive = zipfile.ZipFile(io.BytesIO(download(page, page.get_by_role("button", name="Download these as ZIP"))))
    assert {name: archive.read(name) for name in archive.namelist()} == {"a.csv": PEOPLE_CSV, "b.csv": PEOPLE_CSV}
    assert Conversion.objects.filter(owner=paying.user, status="completed").count() == 2
    page.goto("/convert/json-to-csv")
    _choose_several(page, ("broken.json", b"{"), ("worse.json", b"["))
    page.get_by_label("Delimiter").fill(";")
    page.get_by_role("button", name="Convert").click()
    page.locator("#refusal").wait_for()
    expect(page.get_by_label("Delimiter")).to_have_value(";")
    _choose_several(page, *((f"{number}.json", b"[]") for number in range(11)))
    page.get_by_role("button", name="Convert").click()
    page.locator("#refusal").wait_for()
    assert Conversion.objects.filter(owner=paying.user, status="completed").count() == 2


def test_errors_are_shown_where_they_happened(visit: Any, watch: Any, guest: Person) -> None:
    watch.refusals_expected = True
    page = _plain(visit, "/convert/json-to-csv")
    page.get_by_label("Delimiter").fill(";")
    _choose(page, "broken.json", b'[{"id": 1,,}]')
    page.get_by_role("button", name="Convert").click()
    expect(page.locator("#refusal")).to_contain_text("line 1", use_inner_text=True)
    expect(page.get_by_label("Delimiter")).to_have_value(";")
    _choose(page, "table.csv", b"a,b\n1,2\n")
    page.get_by_role("button", name="Convert").click()
    expect(page.locator("#refusal").get_by_role("link", name="JSON", exact=True)).to_be_visible()
    Plan.objects.filter(code="guest").update(credits=0)
    _choose(page, "people.json", PEOPLE)
    page.get_by_role("button", name="Convert").click()
    expect(page.locator("#refusal").get_by_role("link", name="Sign up for free")).to_be_visible()


def test_a_file_that_is_too_large_is_reported_with_what_to_do(visit: Any, watch: Any, guest: Person) -> None:
    watch.refusals_expected = True
    Plan.objects.filter(code="guest").update(max_file_bytes=1000)
    page = _plain(visit, "/convert/json-to-csv")
    _choose(page, "large.json", b"[" + b" " * 20_000 + b"]")
    page.get_by_role("button", name="Convert").click()
    expect(page.locator("#refusal").get_by_role("link", name="Sign up for free")).to_be_visible()


def test_a_person_signs_up_converts_looks_back_deletes_and_leaves(visit: Any, download: Any, live_server: Any) -> None:
    page = _plain(visit, "/signup")
    page.get_by_label("Email").fill("new@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    page.get_by_text("Welcome.").wait_for()
    page.goto("/convert/json-to-csv")
    _choose(page, "people.json", PEOPLE)
    page.get_by_role("button", name="Convert").click()
    page.get_by_role("heading", name="people.csv").wait_for()
    assert Conversion.objects.get().owner == User.objects.get(email="new@example.org")
    page.goto("/history?status=completed")
    page.get_by_label("Choose people.csv").check()
    button = page.get_by_role("button", name="Download the selected files as ZIP")
    zipped = zipfile.ZipFile(io.BytesIO(download(page, button)))
    assert zipped.read("people.csv") == PEOPLE_CSV
    page.get_by_text("More for people.json").click()
    page.get_by_role("link", name="Delete the file now").click()
    page.get_by_role("button", name="Delete file").click()
    page.get_by_text("” deleted.").wait_for()
    page.goto("/usage")
    assert download(page, page.get_by_role("link", name="Ledger as CSV")).count(b"\r\n") == 3
    page.goto("/account")
    page.get_by_label("Name").fill("Grace")
    page.get_by_role("region", name="Profile").get_by_role("button", name="Save").click()
    page.get_by_text("Profile saved.").wait_for()
    page.get_by_role("button", name="Log out").click()
    page.get_by_role("link", name="Log in").first.wait_for()


def test_keys_are_created_and_revoked(visit: Any, paying: Person) -> None:
    page = _plain(visit, "/api-keys", user=paying.user)
    page.get_by_label("Name").fill("Plain")
    page.get_by_role("button", name="Create key").click()
    assert page.inner_text("#full-key").startswith("fc_")
    page.get_by_role("link", name="Revoke Plain").click()
    page.get_by_role("button", name="Revoke key").click()
    page.get_by_text("” revoked.").wait_for()


def test_a_password_is_changed_and_reset(visit: Any, free: Person) -> None:
    page = _plain(visit, "/account/password", user=free.user)
    page.get_by_label("Old password").fill(PASSWORD)
    page.get_by_label("New password", exact=True).fill("a second private phrase")
    page.get_by_label("New password confirmation").fill("a second private phrase")
    page.get_by_role("button", name="Change password").click()
    page.get_by_text("Password changed.").wait_for()
    page.get_by_role("button", name="Log out").click()
    page.goto("/password-reset")
    page.get_by_label("Email").fill("free@example.org")
    page.get_by_role("button", name="Send the link").click()
    page.get_by_role("heading", name="Check your email").wait_for()
    assert OUTBOX.flush(30)
    (link,) = re.findall(r"http://\S+", str(mail.outbox[0].body))
    page.goto(link)
    page.get_by_role("heading", name="Set a new password").wait_for()


def test_formats_are_searched_by_the_server(visit: Any, guest: Person) -> None:
    page = _plain(visit, "/formats")
    before = page.locator("[data-text]").count()
    page.get_by_label("Search").fill("json csv")
    page.get_by_role("button", name="Search").click()
    page.get_by_text("conversions", exact=False).first.wait_for()
    assert 0 < page.locator("[data-text]").count() < before
    page.get_by_role("link", name="JSON to CSV", exact=True).click()
    page.get_by_role("heading", name="JSON to CSV").wait_for()
