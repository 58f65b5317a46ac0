"""The shop in a browser: a plan ordered, approved and had; a conversion switched off under an open page and back."""

from __future__ import annotations

from typing import Any

from django.core import mail
from playwright.sync_api import expect

from accounts.models import User
from accounts.people.outbox import OUTBOX
from tests.billing.test_orders import balanced, price_of
from tests.browser.ways import Way, ways
from tests.conftest import PASSWORD, Person, make_user
from tests.conversions.samples import PEOPLE

FILE = {"name": "people.json", "mimeType": "application/json", "buffer": PEOPLE}


def _boss() -> User:
    return make_user("free", "boss@example.org", is_staff=True, is_superuser=True)


def _selects(office: Any, action: str) -> None:
    """Tick every row of a list in the admin and have the action done."""
    office.locator("#action-toggle").check()
    office.get_by_label("Action:").select_option(action)
    office.locator("button[name=index]").click()


@ways((360, True, "en"), (1280, False, "de"), (360, False, "ja"))
def test_a_plan_is_ordered_approved_by_staff_and_active(visit: Any, free: Person, way: Way) -> None:
    boss = _boss()
    price_of("pro", 2900)
    page = visit("/login?next=/plans", **way.options)
    page.locator("input[type=email]").fill("free@example.org")
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main button[type=submit]").click()
    page.wait_for_url("**/plans")
    way.holds(page)
    free_plan, pro = (page.locator(f"section[aria-labelledby=plan-{code}]") for code in ("free", "pro"))
    expect(free_plan.locator(".badge")).to_have_text(way.said("your plan"))
    expect(pro.locator(".sum")).to_contain_text("29")
    expect(pro.locator(".sum")).to_contain_text("EUR")
    pro.get_by_role("link", name=way.said("Move to %(plan)s", plan="Pro")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(way.said("Place this order?"))
    expect(page.locator("main .lead")).to_contain_text("Pro")
    expect(page.locator("main .bullets")).to_contain_text(
        way.said("You pay nothing now: we process the order and email you.")
    )
    way.holds(page)
    page.get_by_role("button", name=way.said("Place order")).click()
    expect(page.locator(".order")).to_contain_text("Pro")
    way.holds(page)
    page.goto("/account")
    plan = page.locator("h2", has_text=way.said("Plan: %(plan)s", plan=""))
    expect(plan).to_contain_text("Free")
    assert OUTBOX.flush(30)
    assert {address for each in mail.outbox for address in each.to} == {"free@example.org", boss.email}

    office = visit("/admin/billing/order/", user=boss)
    office.get_by_role("cell", name="free@example.org").wait_for()
    _selects(office, "approve")
    office.get_by_text("Approved: Pro").wait_for()
    office.goto("/admin/billing/event/")
    office.get_by_role("cell", name="Plan Free to Pro.").wait_for()
    assert OUTBOX.flush(30)
    assert mail.outbox[-1].to == ["free@example.org"]

    page.reload()
    expect(plan).to_contain_text("Pro")
    of = way.said("%(left)s of %(all)s a month", left=way.number(10_000), all=way.number(10_000))
    page.get_by_text(of).wait_for()
    way.holds(page)
    page.goto("/plans")
    expect(page.locator(".order")).to_have_count(0)
    expect(pro.get_by_role("button", name=way.said("End %(plan)s", plan="Pro"))).to_be_visible()
    way.holds(page)
    assert balanced(free.account)


def _offers(page: Any) -> list[str]:
    """What the page has a file of JSON converted to."""
    page.goto("/")
    page.set_input_files("#file", FILE)
    select = page.get_by_label("Convert people.json to").last  # the first is kept from before
    select.locator("option[value=json-to-yaml]").wait_for(state="attached")
    found: list[str] = select.locator("option").evaluate_all("(all) => all.map((each) => each.value)")
    return found


def test_a_conversion_that_staff_switches_off_is_gone_and_comes_back(visit: Any, watch: Any, free: Person) -> None:
    watch.refusals_expected = True
    before = visit("/convert/json-to-csv", user=free.user)
    before.set_input_files("#file", FILE)
    page = visit(user=free.user)
    assert "json-to-csv" in _offers(page)

    office = visit("/admin/conversions/restriction/add/", user=_boss())
    office.get_by_label("Scope").select_option("slug")
    office.get_by_label("Name").fill("json-to-csv")
    office.get_by_role("button", name="Save", exact=True).click()
    office.get_by_role("cell", name="to nobody").wait_for()

    assert "json-to-csv" not in _offers(page)
    for path in ("/search?q=json+to+csv", "/formats?q=json+csv", "/docs?q=json+csv"):
        page.goto(path)
        assert page.locator("main a").count() > 0
        expect(page.locator("a[href$='/json-to-csv']")).to_have_count(0)
    for path in ("/convert/json-to-csv", "/docs/json-to-csv"):
        assert page.goto(path).status == 404, path
        expect(page.get_by_role("heading", level=1)).to_be_visible()
    before.get_by_role("button", name="Convert", exact=True).click()
    before.locator(".file[data-state=failed]").wait_for()
    assert free.convert("json-to-csv", PEOPLE).json()["code"] == "UNKNOWN_CONVERSION"

    _selects(office, "delete_selected")
    office.get_by_role("button", name="Yes, I’m sure").click()
    office.get_by_text("Successfully deleted").wait_for()
    assert "json-to-csv" in _offers(page)
    assert page.goto("/convert/json-to-csv").status == 200
