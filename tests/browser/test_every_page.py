"""Every page, in light, dark and forced colours: nothing that axe finds, no fault of Watch's, no sideways scrolling."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from accounts.models import User
from apikeys.models import ApiKey
from conversions.models import Conversion
from tests.conftest import Person, make_user
from tests.conversions.samples import INVOICE, PEOPLE

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text()
_RUN = """(rules) => axe.run(document, { resultTypes: ["violations"], ...(rules && { runOnly: rules }) }).then(
    ({ violations }) => violations.flatMap((each) => each.nodes.map(
        (node) => `${each.id}: ${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 200)}`)))"""
_OVERFLOW = """() => document.documentElement.scrollWidth > innerWidth"""
_REVERSED = """() => [...document.querySelectorAll("code, pre, kbd")].filter(
    (each) => getComputedStyle(each).direction !== "ltr").length"""
_UNSEEN = """() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
    const here = [...document.querySelectorAll("header nav a[aria-current]")];
    return [
        ...(outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 ? [] : [document.activeElement.outerHTML]),
        ...(here.every((each) => getComputedStyle(each).textDecorationLine === "underline") ? [] : ["where one is"]),
    ];
}"""
_OF_COLOURS = ["color-contrast", "link-in-text-block"]

PUBLIC = (
    "/", "/convert/json-to-csv", "/convert/html-to-pdf", "/formats", "/formats?q=no+such+thing", "/plans", "/login",
    "/login/passkey", "/signup", "/tasks", "/compress-pdf", "/split-pdf", "/search?q=pdf+word", "/search?q=qqqq",
    "/docs", "/docs?q=docx+pdf", "/docs?q=qqqq", "/docs?part=json", "/docs/json-to-csv", "/docs/history", "/docs/login",
    "/password-reset", "/password-reset/sent", "/password-reset/x/y", "/signup/sent", "/verify/x", "/email-change/x",
    "/no/such/page", "/offline", "/merge-pdf", "/organize-pdf",
)  # fmt: skip
PERSONAL = (
    "/", "/history", "/history?status=failed&from=nonsense", "/usage", "/usage?days=365", "/api-keys", "/account",
    "/kept", "/account/password", "/account/delete", "/account/email", "/account/logins",
    "/account/confirm", "/account/confirm/passkey", "/account/factor", "/account/factor/add",
    "/account/passkeys/add", "/account/verify", "/convert/json-to-csv?delimiter=%3B",
)  # fmt: skip
STAFF = ("/admin/", "/admin/accounts/user/", "/admin/conversions/conversion/")


def axe(page: Any, rules: list[str] | None = None) -> list[str]:
    """What axe finds in light, by all rules or some, and in dark, where nothing but the colours is another."""
    page.evaluate(AXE)
    found: list[str] = page.evaluate(_RUN, rules)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    return [*found, *(f"dark: {each}" for each in page.evaluate(_RUN, _OF_COLOURS))]


def too_wide(page: Any) -> list[str]:
    """The widths and directions in which a page is to be scrolled sideways."""
    found = []
    # 320 px is also 1280 px at a zoom of 400 %, and 640 px at 200 %.
    for width in (320, 360, 640, 820, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        for direction in ("ltr", "rtl"):
            page.evaluate("(direction) => { document.documentElement.dir = direction; }", direction)
            if page.evaluate(_OVERFLOW):
                found.append(f"wider than the screen at {width} px, {direction}")
    return found


def faults_of(page: Any) -> list[str]:
    """What is wrong with the page that is open, which was drawn with light colours."""
    found = [*axe(page), *too_wide(page)]
    if page.evaluate(_REVERSED):
        found.append("code runs from right to left")
    # Nothing but lines is left where a person's own system sets the colours.
    page.emulate_media(forced_colors="active", reduced_motion="reduce")
    page.keyboard.press("Tab")
    found += [f"not seen in forced colours: {each[:160]}" for each in page.evaluate(_UNSEEN)]
    page.emulate_media(forced_colors="none", reduced_motion="reduce")
    found += page.evaluate("window.violations")
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    return [f"{urlsplit(page.url).path}: {each}" for each in found]


def _check(page: Any, path: str) -> list[str]:
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.goto(path)
    return faults_of(page)


def _all(page: Any, paths: tuple[str, ...]) -> None:
    assert [each for path in paths for each in _check(page, path)] == []


@pytest.fixture
def busy(paying: Person) -> User:
    """The paying account with a conversion, a failed one, one with warnings, and a key."""
    assert paying.user is not None
    paying.convert("json-to-csv", PEOPLE)
    paying.convert("json-to-csv", b"{")
    paying.convert("html-to-pdf", INVOICE + b'<img src="https://example.org/x.png">')
    ApiKey.issue(paying.user, name="Nightly")
    return paying.user


def test_pages_for_everybody(visit: Any, watch: Any, guest: Person) -> None:
    watch.refusals_expected = True
    _all(visit(), PUBLIC)


def test_pages_of_an_account(visit: Any, watch: Any, busy: User) -> None:
    watch.refusals_expected = True
    results = tuple(f"/results/{each.pk}" for each in Conversion.objects.all()[:2])
    key = ApiKey.objects.get()
    done = Conversion.objects.filter(status="completed")[0]
    more = (f"/api-keys/{key.pk}/revoke", f"/history/{done.pk}/delete")
    _all(visit(user=busy), (*PERSONAL, *results, *more))


def test_pages_of_a_free_account_and_of_staff(visit: Any, busy: User) -> None:
    staff = make_user("free", "staff@example.org", is_staff=True, is_superuser=True)
    _all(visit(user=staff), ("/api-keys", "/usage", "/history", *STAFF))


def test_the_widget_at_work(visit: Any, watch: Any, guest: Person) -> None:
    watch.refusals_expected = True
    page = visit()
    files = {"people.json": PEOPLE, "broken.json": b"{", "tool.exe": b"MZ"}
    page.set_input_files(
        "#file", [{"name": name, "mimeType": "text/plain", "buffer": content} for name, content in files.items()]
    )
    page.locator(".settings").wait_for()
    page.get_by_role("button", name="Convert 2 files").click()
    page.locator(".file[data-state=done]").wait_for()
    page.locator(".file[data-state=failed]").wait_for()
    assert axe(page) == []


def test_the_formats_page_filters_while_typing(visit: Any, guest: Person) -> None:
    page = visit("/formats")
    page.get_by_label("Search").fill("json csv")
    page.get_by_role("link", name="JSON to CSV", exact=True).wait_for()
    expect(page.get_by_role("link", name="HTML to PDF", exact=True)).to_have_count(0)
