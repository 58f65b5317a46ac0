"""Stories of people who convert together, in a browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from playwright.sync_api import expect

from accounts.credits import ledger
from accounts.models import Membership, Plan, User
from accounts.people.outbox import OUTBOX
from apikeys.models import ApiKey
from conversions.models import Conversion
from tests.browser.conftest import Watch
from tests.conftest import PASSWORD, Person, make_user, with_key
from tests.conversions.samples import PEOPLE
from tests.teams.test_organisations import found, member_of

WIDE = {"viewport": {"width": 1280, "height": 900}}


def _found(page: Any, name: str) -> User:
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Create organisation").click()
    page.get_by_role("heading", name=name).wait_for()
    return User.objects.get(name=name)


def _mailed_link() -> str:
    assert OUTBOX.flush(30)
    (link,) = re.findall(r"http://\S+/teams/invitations/\S+", str(mail.outbox[-1].body))
    return str(link)


@pytest.mark.parametrize("scripts", [True, False])
def test_a_member_is_invited_converts_for_the_organisation_and_is_removed(
    visit: Any, paying: Person, tmp_path: Path, scripts: bool
) -> None:
    colleague = make_user("free", "colleague@example.org", name="Colleague")
    owner = visit("/teams", user=paying.account, java_script_enabled=scripts, **WIDE)
    acme = _found(owner, "Acme")
    ledger.change_plan(acme, Plan.objects.get(code="pro"), reason="")
    owner.get_by_label("Email").fill("colleague@example.org")
    owner.get_by_role("button", name="Send invitation").click()
    owner.get_by_text("Invitation sent").wait_for()

    member = visit(_mailed_link(), java_script_enabled=scripts, **WIDE)
    member.get_by_role("main").get_by_role("link", name="Log in").click()
    member.get_by_label("Email").fill("colleague@example.org")
    member.get_by_label("Password").fill(PASSWORD)
    member.get_by_role("main").get_by_role("button", name="Log in").click()
    member.get_by_role("heading", name="Join “Acme”?").wait_for()
    member.get_by_role("button", name="Join").click()
    member.get_by_text("You've joined").wait_for()

    file = tmp_path / "people.json"
    file.write_bytes(PEOPLE)
    member.goto("/convert/json-to-csv")
    member.get_by_label(re.compile("file", re.IGNORECASE)).first.set_input_files(file)
    member.get_by_role("button", name=re.compile("^Convert")).first.click()
    member.get_by_role("link", name=re.compile("Download")).first.wait_for()
    row = Conversion.objects.get()
    assert (row.owner, row.made_by) == (acme, colleague)
    owner.goto("/history")
    owner.get_by_text("· Colleague").wait_for()

    owner.goto(f"/teams/{acme.pk}")
    owner.get_by_role("link", name="Remove Colleague").click()
    owner.get_by_role("button", name="Remove").click()
    owner.get_by_text("Colleague no longer has access.").wait_for()
    member.goto("/history")
    member.get_by_role("heading", name="Nothing converted yet").wait_for()
    assert not Membership.objects.filter(member=colleague).exists()


def test_a_key_moves_to_an_organisation_and_keeps_working(visit: Any, paying: Person) -> None:
    own = found(paying)
    program = with_key(paying.account)
    page = visit("/api-keys", user=paying.account, **WIDE)
    page.get_by_role("link", name="Move tests").click()
    page.get_by_label("Organisation").select_option(label="Acme")
    page.get_by_role("button", name="Move the key").click()
    page.get_by_text("The key now belongs to the organisation.").wait_for()
    assert program.convert("json-to-csv", PEOPLE).status_code == 201
    assert Conversion.objects.get().owner == own.organisation
    page.locator("nav.wide .switch summary").click()
    page.get_by_role("button", name="Acme").click()
    page.goto("/api-keys")
    page.get_by_role("row", name=re.compile("tests")).wait_for()
    assert ApiKey.objects.get().member == own


def test_a_viewer_is_not_offered_what_only_owners_may_do(visit: Any, paying: Person) -> None:
    own = found(paying)
    viewer, _ = member_of(own, "viewer")
    page = visit(f"/teams/{own.organisation_id}", user=viewer.account, **WIDE)
    page.get_by_role("heading", name="Members").wait_for()
    expect(page.get_by_role("button", name="Send invitation")).to_have_count(0)
    expect(page.get_by_role("link", name=re.compile("Change|Remove|Delete the"))).to_have_count(0)
    page.get_by_role("link", name="Leave the organisation").click()
    page.get_by_role("main").get_by_role("button", name="Leave").click()
    page.get_by_text("You have left “Acme”.").wait_for()


def test_the_last_owner_is_told_what_to_do_next(visit: Any, watch: Watch, paying: Person) -> None:
    watch.refusals_expected = True
    own = found(paying)
    page = visit(f"/teams/{own.organisation_id}/leave", user=paying.account, **WIDE)
    page.get_by_role("main").get_by_role("button", name="Leave").click()
    page.get_by_text("Make another member an owner first").wait_for()
    page.goto("/account/delete")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Delete my account").click()
    page.get_by_role("link", name="See your organisations").wait_for()
