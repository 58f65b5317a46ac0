"""The page says at once what is going on: with slow scripts, a catalogue that fails, a stale token, nothing left."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import Plan
from conversions.models import Conversion
from storage.models import StoredFile
from tests.browser.test_convert import _choose, _done
from tests.browser.test_every_page import axe
from tests.conftest import PASSWORD, Person, make_user
from tests.conversions.samples import PEOPLE, pdf

SIZES = ({"width": 360, "height": 740}, {"width": 1280, "height": 900})


@pytest.fixture(params=SIZES, ids=["360", "1280"])
def size(request: pytest.FixtureRequest) -> dict[str, int]:
    return dict(request.param)


def files(count: int) -> list[tuple[str, bytes]]:
    return [(f"people-{number}.json", PEOPLE) for number in range(count)]


def posts(page: Any) -> list[str]:
    """The addresses of all conversions that the page sends from now on."""
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    return sent


def fits(page: Any) -> bool:
    return not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_a_file_chosen_before_the_scripts_load_is_added(visit: Any, guest: Person, size: Any) -> None:
    page = visit("/plans", viewport=size)
    held: list[Any] = []
    page.route("**/static/convert.js", lambda route: held.append(route))
    page.goto("/", wait_until="commit")
    page.locator("#file").wait_for()
    page.set_input_files("#file", {"name": "people.json", "mimeType": "application/json", "buffer": PEOPLE})
    while not held:
        page.wait_for_timeout(50)
    held[0].continue_()
    page.locator(".file[data-state=ready]").wait_for()
    page.get_by_role("button", name="Convert", exact=True).click()
    _done(page, 1)


def test_a_page_converts_if_its_script_fails_to_load(visit: Any, watch: Any, guest: Person) -> None:
    watch.failures_expected = True
    page = visit("/plans")
    page.route("**/static/sections.js", lambda route: route.abort())
    page.goto("/")
    page.set_input_files("#file", {"name": "people.json", "mimeType": "application/json", "buffer": PEOPLE})
    page.get_by_label("Convert to").select_option("csv")
    page.get_by_role("button", name="Convert").click()
    page.get_by_role("heading", name="people.csv").wait_for()


def test_rows_appear_before_the_catalogue_which_is_requested_until_it_loads(
    visit: Any, watch: Any, guest: Person, size: Any
) -> None:
    watch.failures_expected = True
    page = visit("/plans", viewport=size)
    answers = iter([503, 503])

    def at_first_unavailable(route: Any) -> None:
        status = next(answers, None)
        if status is None:
            route.continue_()
        else:
            route.fulfill(status=status, body="not now")

    page.route("**/targets/**", at_first_unavailable)
    page.goto("/")
    _choose(page, ("people.json", PEOPLE), ("no-extension", b"x"))
    expect(page.locator(".file[data-state=refused]")).to_have_count(1)
    expect(page.locator(".file[data-state=unknown]")).to_have_count(1)
    page.get_by_text("The list of formats couldn't be loaded.").wait_for()
    expect(page.locator("#reason")).to_have_text("Loading the list of formats.", use_inner_text=True)
    assert axe(page) == []
    assert fits(page)
    page.locator(".file[data-state=ready]").wait_for()
    expect(page.get_by_text("The list of formats couldn't be loaded.")).to_be_hidden()


def test_the_catalogue_is_small_and_cached_and_settings_load_when_opened(visit: Any, guest: Person) -> None:
    page = visit("/plans")
    asked: list[Any] = []
    page.on("response", lambda response: asked.append(response))
    page.goto("/")
    _choose(page, ("people.json", PEOPLE))
    page.locator(".file[data-state=ready]").wait_for()
    assert not [each.url for each in asked if "/converter/formats" in each.url or each.url.endswith("/options")]
    (catalogue,) = [each for each in asked if "/targets/" in each.url]
    assert "immutable" in catalogue.headers["cache-control"]
    assert catalogue.headers["content-encoding"] in ("br", "gzip")
    assert int(catalogue.headers["content-length"]) < 10_000
    page.locator(".settings > summary").click()
    page.get_by_label("Delimiter").wait_for()
    assert [each.url for each in asked if each.url.endswith("/options")]


def test_settings_that_fail_to_load_are_requested_again(visit: Any, watch: Any, guest: Person) -> None:
    watch.failures_expected = True
    page = visit()
    answers = iter([503, 503, 503])
    page.route("**/options", lambda route: route.fulfill(status=503) if next(answers, None) else route.continue_())
    _choose(page, ("people.json", PEOPLE))
    page.get_by_label("Convert people.json to").select_option("json-to-csv")
    page.locator(".settings:not([hidden]) > summary").click()
    page.get_by_text("The settings couldn't be loaded.").wait_for()
    for _ in range(10):
        if page.get_by_label("Delimiter").is_visible():
            break
        if page.get_by_role("button", name="Try again", exact=True).is_visible():
            page.get_by_role("button", name="Try again", exact=True).click()
        page.wait_for_timeout(100)
    page.get_by_label("Delimiter").wait_for()


def test_a_login_in_another_tab_renews_the_token_and_the_file_is_sent_again(
    visit: Any, watch: Any, guest: Person
) -> None:
    watch.refusals_expected = True
    make_user("pro", "ada@example.org")
    page = visit()
    _choose(page, ("people.json", PEOPLE))
    page.locator(".file[data-state=ready]").wait_for()
    other = page.context.new_page()
    other.goto("/login")
    other.get_by_label("Email").fill("ada@example.org")
    other.get_by_label("Password").fill(PASSWORD)
    other.get_by_role("button", name="Log in").click()
    other.get_by_role("link", name="History").first.wait_for(state="attached")
    sent = posts(page)
    page.get_by_role("button", name="Convert", exact=True).click()
    _done(page, 1)
    assert len(sent) == 2
    assert Conversion.objects.get().owner is not None
    expect(page.locator("#balance")).to_contain_text("credits left", use_inner_text=True)


def test_the_convert_button_says_why_it_is_disabled(visit: Any, guest: Person, size: Any) -> None:
    page = visit(viewport=size)
    sent = posts(page)
    button = page.locator("#start")
    expect(button).to_have_attribute("aria-disabled", "true")
    expect(page.locator("#reason")).to_have_text("Choose a file first.", use_inner_text=True)
    button.click(force=True)  # nobody keeps a person from trying
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#announce")).to_have_text("Choose a file first.", use_inner_text=True)
    _choose(page, ("people.json", PEOPLE))
    page.locator(".file[data-state=ready]").wait_for()
    expect(button).to_have_attribute("aria-disabled", "false")
    expect(page.locator("#reason")).to_be_hidden()
    assert sent == []


def test_a_guest_with_nothing_left_is_told_once_and_nothing_is_sent(visit: Any, guest: Person, size: Any) -> None:
    Plan.objects.filter(code="guest").update(credits=0)
    page = visit(viewport=size)
    sent = posts(page)
    _choose(page, *files(12))
    banner = page.locator("#banner")
    banner.get_by_role("link", name="Sign up for free").wait_for()
    expect(page.locator("#reason")).to_have_text("No free conversions are left today.", use_inner_text=True)
    page.locator("#start").click(force=True)
    assert sent == []
    expect(page.locator(".file[data-state=ready]")).to_have_count(12)
    assert axe(page) == []
    assert fits(page)


def test_the_remaining_quota_is_used_and_other_files_wait(visit: Any, guest: Person) -> None:
    Plan.objects.filter(code="guest").update(credits=2)
    page = visit("/convert/json-to-csv")
    _choose(page, *files(4))
    sent = posts(page)
    page.get_by_role("button", name="Convert 2 of 4 files").click()
    _done(page, 2)
    page.locator("#banner", has_text="0 free conversions").wait_for()
    assert len(sent) == 2
    expect(page.locator(".file[data-state=ready]")).to_have_count(2)


def test_a_lost_connection_is_one_line_and_unsent_files_can_be_sent_again(
    visit: Any, watch: Any, guest: Person, size: Any
) -> None:
    watch.failures_expected = True
    page = visit("/convert/json-to-csv", viewport=size)
    page.route("**/api/v1/converter/**", lambda route: route.abort("connectionreset"))
    _choose(page, *files(5))
    page.get_by_role("button", name="Convert 5 files").click()
    page.locator("#banner", has_text="The connection was lost.").wait_for()
    page.get_by_role("button", name="Convert 5 files").wait_for()
    expect(page.locator("#banner p")).to_have_count(1)
    assert axe(page) == []
    page.unroute("**/api/v1/converter/**")
    page.get_by_role("button", name="Convert 5 files").click()
    _done(page, 5)
    expect(page.locator("#banner")).to_be_hidden()


def test_a_missing_result_is_a_page_in_browsers_and_json_for_programs(visit: Any, watch: Any, guest: Person) -> None:
    watch.refusals_expected = True
    path = guest.convert("json-to-csv", PEOPLE).json()["data"]["downloadUrl"]
    StoredFile.objects.update(expires_at=timezone.now())
    page = visit(path)
    page.get_by_role("link", name="Convert a file").wait_for()
    assert axe(page) == []
    for accept in ("*/*", "application/json", "application/json, text/html"):
        answer = page.request.get(path, headers={"Accept": accept})
        assert (answer.status, answer.json()["success"]) == (404, False)
        assert "Accept" in answer.headers["vary"]


def test_on_50_kb_a_second_the_row_is_there_before_the_catalogue(visit: Any, guest: Person) -> None:
    page = visit("/plans")
    devtools = page.context.new_cdp_session(page)
    network = {"offline": False, "latency": 200, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", network)
    held: list[Any] = []
    page.route("**/targets/**", lambda route: held.append(route))
    page.goto("/", wait_until="commit")
    page.locator("#file").wait_for()
    _choose(page, ("people.json", PEOPLE))
    expect(page.locator(".file-name")).to_have_text("people.json", use_inner_text=True)
    expect(page.locator(".file")).to_have_attribute("data-state", "unknown")
    expect(page.locator(".file")).to_have_attribute("aria-busy", "true")
    expect(page.locator(".file .kind")).to_have_attribute("data-kind", "documents")
    while not held:
        page.wait_for_timeout(50)
    held[0].continue_()
    page.locator(".file[data-state=ready]").wait_for()
    expect(page.locator(".file")).to_have_attribute("aria-busy", "false")
    expect(page.locator(".file .kind")).to_have_attribute("data-kind", "data")
    assert page.locator(".file .kind use").get_attribute("href").endswith("#data")
    page.get_by_role("button", name="Convert", exact=True).click()
    _done(page, 1)
    # Everything that the page needs for this, packed here: the live server of tests packs no static files.
    needed = set(page.evaluate("performance.getEntriesByType('resource').map((each) => each.name)"))
    fetched = (page.request.get(each).body() for each in needed if "/api/" not in each)
    assert sum(len(gzip.compress(each)) for each in fetched) < 120_000


def test_the_bar_moves_while_pages_are_drawn(visit: Any, guest: Person, size: Any) -> None:
    page = visit("/convert/pdf-to-png?dpi=300", viewport=size)
    _choose(page, ("book.pdf", pdf(30, 595, 842)))
    page.evaluate(
        """() => {
            window.seen = [];
            const row = document.querySelector(".file");
            new MutationObserver(() => {
                const bar = row.querySelector("progress");
                if (row.dataset.state === "converting" && bar.hasAttribute("value")) {
                    window.seen.push([bar.value, bar.getAttribute("aria-valuetext")]);
                }
            }).observe(row, { attributes: true, subtree: true, childList: true });
        }"""
    )
    page.get_by_role("button", name="Convert", exact=True).click()
    page.locator(".state", has_text="pages").wait_for()
    bar = page.get_by_role("progressbar", name="Progress of book.pdf")
    expect(bar).to_be_visible()
    assert fits(page)
    _done(page, 1)
    seen = page.evaluate("window.seen")
    values = [value for value, _ in seen]
    assert len(set(values)) >= 2
    assert values == sorted(values)
    assert any("pages" in text for _, text in seen)
