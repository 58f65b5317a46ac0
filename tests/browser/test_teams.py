"""Stories of people who convert together, in a browser."""

from __future__ import annotations

import re
from typing import Any

from django.core import mail
from playwright.sync_api import expect

from accounts.credits import ledger
from accounts.models import Membership, Plan, User
from accounts.people.outbox import OUTBOX
from apikeys.models import ApiKey
from conversions.models import Conversion
from tests.browser.conftest import Watch, saved
from tests.browser.ways import Way, told_of
from tests.conftest import PASSWORD, Person, make_user, with_key
from tests.conversions.samples import PEOPLE, PEOPLE_CSV
from tests.teams.test_organisations import found, member_of

WIDE = {"viewport": {"width": 1280, "height": 900}}


def _mailed_link() -> str:
    assert OUTBOX.flush(30)
    (link,) = re.findall(r"http://\S+/teams/invitations/\S+", str(mail.outbox[-1].body))
    return str(link)


@told_of("member")
def test_an_owner_invites_a_member_limits_and_sees_their_usage_and_removes_them(
    visit: Any, paying: Person, way: Way
) -> None:
    colleague = make_user("free", "colleague@example.org", name="Colleague")
    owner = visit("/", user=paying.account, **way.options)
    way.follow(owner, "/teams")
    owner.locator("[name=name]").fill("Acme")
    owner.get_by_role("button", name=way.said("Create organisation")).click()
    expect(owner.get_by_role("heading", level=1)).to_have_text("Acme")
    way.holds(owner)
    acme = User.objects.get(name="Acme")
    ledger.change_plan(acme, Plan.objects.get(code="pro"), reason="")
    owner.locator("[name=email]").fill("colleague@example.org")
    owner.get_by_role("button", name=way.said("Send invitation")).click()
    owner.locator(".messages").wait_for()
    expect(owner.get_by_role("rowheader", name="colleague@example.org")).to_be_visible()
    way.holds(owner)

    member = visit(_mailed_link(), **way.options)
    member.locator('main a[href^="/login"]').click()
    member.locator("main input[type=email]").fill("colleague@example.org")
    member.locator("[name=password]").fill(PASSWORD)
    member.locator("main button[type=submit]").click()
    expect(member.get_by_role("heading", level=1)).to_have_text(way.said("Join “%(name)s”?", name="Acme"))
    way.holds(member)
    member.get_by_role("button", name=way.said("Join")).click()
    member.locator(".messages").wait_for()

    owner.goto(f"/teams/{acme.pk}")
    owner.get_by_role("link", name=f"{way.said('Change')} Colleague").click()
    owner.locator("[name=monthly_credits]").fill("50")
    way.holds(owner)
    owner.get_by_role("button", name=way.said("Save")).click()
    owner.wait_for_url(f"**/teams/{acme.pk}")
    row = owner.get_by_role("row", name=re.compile("Colleague"))
    expect(row.locator(".number")).to_contain_text("0 ")
    expect(row.locator(".number")).to_contain_text("50")

    member.goto("/convert/json-to-csv")
    member.set_input_files("#file", {"name": "people.json", "mimeType": "", "buffer": PEOPLE})
    member.locator("#start").click()
    link = member.locator(".file a.button" if way.scripts else "#download")
    with member.expect_download() as waiting:
        link.click()
    assert saved(waiting.value) == PEOPLE_CSV
    way.holds(member)
    made = Conversion.objects.get()
    assert (made.owner, made.made_by) == (acme, colleague)

    owner.reload()
    expect(row.locator(".number")).to_contain_text(f"{made.credits} ")
    way.follow(owner, "/usage")
    expect(owner.locator("main")).to_contain_text("JSON")
    way.follow(owner, "/history")
    owner.get_by_text("· Colleague").wait_for()

    owner.goto(f"/teams/{acme.pk}")
    owner.get_by_role("link", name=f"{way.said('Remove')} Colleague").click()
    way.holds(owner)
    owner.locator("main button[type=submit]").click()
    owner.get_by_text(way.said("%(person)s no longer has access.", person="Colleague")).wait_for()
    expect(row).to_have_count(0)
    member.goto("/history")
    member.get_by_role("heading", name=way.said("Nothing converted yet")).wait_for()
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
