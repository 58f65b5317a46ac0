"""The shop in a browser: a plan ordered, approved and had; a conversion switched off under an open page and back."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from accounts.models import User
from tests.billing.test_orders import balanced, price_of
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


def test_a_plan_is_ordered_approved_by_staff_and_active(visit: Any, free: Person) -> None:
    price_of("pro", 2900)
    page = visit("/login?next=/plans")
    page.get_by_label("Email").fill("free@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    page.wait_for_url("**/plans")
    expect(page.get_by_role("region", name="Free").get_by_text("your plan")).to_be_visible()
    page.get_by_role("region", name="Pro").get_by_text("29.00 EUR").wait_for()
    page.get_by_role("link", name="Move to Pro").click()
    page.get_by_text("Pro, 29.00 EUR a month").wait_for()
    page.get_by_role("button", name="Place order").click()
    page.get_by_text("Ordered: Pro").wait_for()
    page.goto("/account")
    page.get_by_role("heading", name="Plan: Free").wait_for()

    office = visit("/admin/billing/order/", user=_boss())
    office.get_by_role("cell", name="free@example.org").wait_for()
    _selects(office, "approve")
    office.get_by_text("Approved: Pro").wait_for()
    office.goto("/admin/billing/event/")
    office.get_by_role("cell", name="Plan Free to Pro.").wait_for()

    page.reload()
    page.get_by_role("heading", name="Plan: Pro").wait_for()
    page.get_by_text("10,000 of 10,000 a month").wait_for()
    page.goto("/plans")
    expect(page.get_by_text("Ordered: Pro")).to_have_count(0)
    expect(page.get_by_role("region", name="Pro").get_by_role("button", name="End Pro")).to_be_visible()
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
