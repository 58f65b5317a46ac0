"""The back office in a browser: the dashboard, a leaked key, looking as a customer; wide and narrow, light and dark."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import httpx
from django.utils import timezone
from playwright.sync_api import expect

from accounts.credits import figures
from accounts.models import User
from apikeys.models import ApiKey
from backoffice import announcements
from backoffice.models import Announcement
from billing.models import CreditPack, Order, PlanPrice, Standing
from tests.browser.test_every_page import AXE
from tests.conftest import make_user
from tests.conversions.test_history import record

# Not preloaded: style sheets that import others would be put into the page, which its policy forbids.
_RUN = """(rules) => axe.run(
    { exclude: STOCK }, { preload: false, resultTypes: ["violations"], ...(rules && { runOnly: rules }) },
).then(({ violations }) => violations.flatMap((each) => each.nodes.map((node) =>
    `${each.id}: ${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 200)}`)))"""

STOCK = [".help-tooltip", "th.original", ".inline-group thead th:last-child", ".inline-group"]
"""Parts of the framework's own pages for an account, which are as they come: tooltips, empty heads, wide tables."""


# In the dark nothing but the colours is another.
_RULES = {"light": None, "dark": ["color-contrast", "link-in-text-block"]}


def _looks(page: Any, name: str) -> list[str]:
    """What is wrong with this page at both widths and in both colours; SHOTS keeps pictures of it."""
    found, folder = [f"{name}: {each}" for each in page.evaluate("window.violations")], os.environ.get("SHOTS")
    page.evaluate(AXE)
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 900})
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{name}: wider than {width} px")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found += [
                f"{name} {width} {scheme}: {each}"
                for each in page.evaluate(_RUN.replace("STOCK", json.dumps(STOCK)), _RULES[scheme])
            ]
            if folder:
                page.screenshot(path=str(Path(folder) / f"{name}-{width}-{scheme}.png"), full_page=True)
    page.set_viewport_size({"width": 1280, "height": 900})
    return found


def _shop() -> tuple[User, str]:
    """A customer with a month of work, and the text of a key."""
    customer = make_user("pro", "customer@example.org", name="Ada")
    for day in range(30):
        for number in range(1 + day % 5):
            record(customer, days_ago=day, failed=number == 3, slug="json-to-csv" if number % 2 else "html-to-pdf")
    figures.add_revenue(129_900, "EUR")
    record(customer, failed=True, input_name='"><img src=x onerror=alert(1)>.json', error_message="<script>x</script>")
    _, secret = ApiKey.issue(customer, name="build")
    return customer, secret


def test_the_back_office_is_browsed_and_a_leaked_key_is_found_and_revoked(
    visit: Any, watch: Any, live_server: Any
) -> None:
    customer, secret = _shop()
    mine = f"{live_server.url}/api/v1/account"
    boss = make_user("free", "boss@example.org", is_staff=True, is_superuser=True)
    page = visit("/admin/", user=boss)
    expect(page.get_by_text("Revenue in EUR", exact=True)).to_be_visible()
    found = _looks(page, "dashboard")
    for name, path in (
        ("conversions", "/admin/conversions/conversion/"),
        ("account", f"/admin/accounts/user/{customer.pk}/change/"),
        ("audit", "/admin/backoffice/auditentry/"),
        ("announcement", "/admin/backoffice/announcement/add/"),
        ("note", f"/admin/accounts/user/{customer.pk}/note/"),
    ):
        page.goto(path)
        found += _looks(page, name)
    page.goto("/admin/apikeys/apikey/")
    page.get_by_role("link", name="Find a leaked key").click()
    page.get_by_label("Key").fill(f"KEY={secret}")
    page.get_by_role("button", name="Find", exact=True).click()
    page.get_by_role("link", name="customer@example.org").wait_for()
    assert secret not in page.content()
    assert secret not in page.url
    found += _looks(page, "leak")
    assert httpx.get(mine, headers={"X-API-Key": secret}).status_code == 200
    page.get_by_role("button", name="Revoke it now").click()
    page.get_by_text("It no longer works").wait_for()
    assert httpx.get(mine, headers={"X-API-Key": secret}).status_code == 401
    assert ApiKey.objects.get().revoked_at is not None
    page.goto("/admin/conversions/conversion/")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Export as CSV").click()
    assert Path(waiting.value.path()).read_text().count("UNSUPPORTED_FORMAT") > 1
    assert found == [], "\n".join(found)


def test_a_superuser_views_the_site_as_a_customer_under_a_bar_and_an_announcement(visit: Any, watch: Any) -> None:
    watch.refusals_expected = True
    customer, _ = _shop()
    boss = make_user("free", "boss@example.org", is_staff=True, is_superuser=True)
    now = timezone.now()
    Announcement.objects.create(text="We move on Sunday from 2 to 3.", starts_at=now, ends_at=now.replace(year=2099))
    announcements.forget()
    page = visit(f"/admin/accounts/user/{customer.pk}/look/", user=boss)
    page.get_by_label("Reason").fill("Ticket 7")
    page.get_by_role("button", name="View as this customer").click()
    page.get_by_text("You're viewing the site as customer@example.org").wait_for()
    found = []
    for name in ("", "history", "account"):
        page.goto(f"/{name}")
        expect(page.get_by_text("We move on Sunday")).to_be_visible()
        found += _looks(page, f"looking-{name or 'start'}")
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("You're back in your own account").wait_for()
    expect(page.get_by_text("You're viewing the site as customer")).to_have_count(0)
    assert found == [], "\n".join(found)


def test_plan_and_status_are_seen_without_scrolling(visit: Any) -> None:
    boss = make_user("free", "boss@example.org", is_staff=True, is_superuser=True)
    customer = make_user(
        "pro", f"{'somebody_with_a_long_name' * 2}@example.org", name="Ada Byron, Countess of Lovelace"
    )
    record(customer, input_name=f"{'quarterly_report' * 4}.json", failed=True)
    Order.objects.create(user=customer, pack=CreditPack.objects.create(name="Large", credits=1000, amount=900))
    Standing.objects.create(user=customer, plan=customer.plan, status=Standing.Status.PAST_DUE)
    PlanPrice.objects.create(
        plan=customer.plan,
        period="year",
        amount=129_900_00,
        provider_price="price_1QxYzAAbCdEfGhIjKlMnOpQr",
        checkout_url="https://pay.example/buy/plans/pro/a-year/with-an-address-that-is-long",
    )
    page = visit("/admin/", user=boss, viewport={"width": 1280, "height": 900})
    for path, columns in (
        ("accounts/user", ("plan", "balance", "is_active")),
        ("conversions/conversion", ("failure", "status", "plan", "slug")),
        ("billing/order", ("__str__", "state")),
        ("billing/standing", ("plan", "status")),
        ("billing/planprice", ("plan", "period", "amount", "currency", "provider_price", "checkout_url")),
        ("accounts/plan", ("name", "code", "credits", "max_file_bytes")),
    ):
        page.goto(f"/admin/{path}/")
        room = page.locator("#changelist-form .results").bounding_box()
        for each in columns:
            cell = page.locator(f"#result_list tbody .field-{each}").first.bounding_box()
            assert room["x"] <= cell["x"], (path, each)
            assert cell["x"] + cell["width"] <= room["x"] + room["width"], (path, each)
        cut = page.locator("#result_list input[type=text]").evaluate_all(
            "(all) => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.name)"
        )
        assert cut == [], path


def test_each_price_is_entered_and_orders_are_searched_on_a_phone_without_scrolling(visit: Any) -> None:
    boss = make_user("free", "boss@example.org", is_staff=True, is_superuser=True)
    PlanPrice.objects.create(plan=boss.plan, period="year", amount=129_900_00, provider_price=f"price_{'x' * 24}")
    page = visit("/admin/billing/planprice/", user=boss, viewport={"width": 360, "height": 800})
    room = page.locator("#changelist-form .results").bounding_box()
    fields = page.locator("#result_list tbody input:visible")
    assert fields.count() > 3
    for field in fields.all():
        box = field.bounding_box()
        assert room["x"] <= box["x"], field
        assert box["x"] + box["width"] <= room["x"] + room["width"], field
    page.goto("/admin/billing/order/")
    assert page.locator("#searchbar").bounding_box()["width"] > 100
