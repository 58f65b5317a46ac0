"""The shop in a browser: the stories of a buyer and of its owner; a conversion switched off and back."""

from __future__ import annotations

from typing import Any

from django.core import mail
from playwright.sync_api import expect

from accounts.models import User
from accounts.people.outbox import OUTBOX
from billing.models import CreditPack, Order, PlanPrice
from billing.providers import manual
from tests.billing.test_orders import balanced, price_of
from tests.browser.ways import Way, told_of
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


def _logs_in(page: Any, address: str) -> None:
    page.locator("input[type=email]").fill(address)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main button[type=submit]").click()


def _letters(address: str) -> list[str]:
    """The subjects of what was mailed to an address."""
    assert OUTBOX.flush(30)
    return [each.subject for each in mail.outbox if each.to == [address]]


@told_of("buyer")
def test_a_buyer_orders_a_plan_hears_of_it_and_has_it_once_it_is_approved(visit: Any, free: Person, way: Way) -> None:
    boss = _boss()
    price_of("pro", 2900)
    page = visit("/login?next=/plans", **way.options)
    _logs_in(page, "free@example.org")
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
    assert not Order.objects.exists()
    way.holds(page)
    page.get_by_role("button", name=way.said("Place order")).click()
    expect(page.locator(".order")).to_contain_text("Pro")
    way.holds(page)
    page.goto("/account")
    plan = page.locator("h2", has_text=way.said("Plan: %(plan)s", plan=""))
    expect(plan).to_contain_text("Free")
    assert _letters("free@example.org") == [way.said("We've received your order")]
    assert len(_letters(boss.email)) == 1

    manual.approve(Order.objects.get(), actor=boss)
    assert _letters("free@example.org")[1:] == [way.said("Your order is complete")]
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


@told_of("owner")
def test_an_owner_sets_prices_as_people_write_them_and_approves_an_order(visit: Any, free: Person, way: Way) -> None:
    boss = _boss()
    starter = price_of("starter", 900)
    office = visit("/login?next=/admin/billing/planprice/", **way.options)
    _logs_in(office, boss.email)
    amount = office.locator(f"#result_list tr:has(a[href*='/{starter.pk}/']) .field-amount input")
    expect(amount).to_have_value("9.00")
    way.holds(office)
    amount.fill("12.50")
    office.locator("[name=_save]").click()
    office.locator(".messagelist .success").wait_for()
    expect(amount).to_have_value("12.50")
    starter.refresh_from_db()
    assert starter.amount == 1250
    office.goto("/admin/billing/creditpack/add/")
    for name, value in (("name", "Small"), ("credits", "500"), ("amount", "5.00"), ("currency", "EUR")):
        office.locator(f"[name={name}]").fill(value)
    way.holds(office)
    office.locator("[name=_save]").click()
    office.locator(".messagelist .success").wait_for()
    pack = CreditPack.objects.get()
    assert pack.amount == 500

    # What a buyer is asked to pay, and orders.
    buyer = visit("/plans", user=free.account, **way.options)
    expect(buyer.locator("section[aria-labelledby=plan-starter] .sum")).to_contain_text(
        PlanPrice(amount=1250, currency="EUR").money if way.language != "de" else "12,50"
    )
    buyer.locator(f"a[href='/plans/credits/{pack.pk}']").click()
    buyer.get_by_role("button", name=way.said("Place order")).click()
    expect(buyer.locator(".order")).to_contain_text("Small")

    office.goto("/admin/")
    way.holds(office)
    waiting = office.locator(".dashboard table", has_text="free@example.org")
    expect(waiting.locator("caption")).to_contain_text("1 ")
    waiting.locator("tbody a").click()
    row = office.locator("#result_list tbody tr")
    expect(row).to_have_count(1)
    expect(row.locator(".field-asked")).to_contain_text("5")
    way.holds(office)
    before = free.account.credits
    row.locator("[name=_selected_action]").check()
    office.locator("[name=action]").select_option("approve")
    office.locator("button[name=index]").click()
    office.locator(".messagelist li", has_text="free@example.org").wait_for()
    way.holds(office)
    office.goto("/admin/")
    expect(waiting).to_have_count(0)
    free.account.refresh_from_db()
    assert free.account.credits == before + 500
    assert balanced(free.account)
    assert len(_letters("free@example.org")) == 2


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
