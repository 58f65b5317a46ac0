"""Everything by keyboard alone: no pointer moves in these tests, and the focus can always be seen."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import saved
from tests.conftest import PASSWORD, Person
from tests.conversions.samples import PEOPLE, PEOPLE_CSV

_FOCUSED = """() => {
    const element = document.activeElement;
    const style = getComputedStyle(element);
    const labels = [...(element.labels ?? [])].map((each) => each.textContent).join(" ");
    const name = element.getAttribute("aria-label") || labels || element.textContent;
    return {
        name: name.replace(/\\s+/g, " ").trim(), tag: element.tagName,
        outline: parseFloat(style.outlineWidth), style: style.outlineStyle,
    };
}"""


def tab_to(page: Any, name: str, *, tag: str = "", back: bool = False) -> None:
    """Press Tab until something called `name` has the focus, and a visible outline with it."""
    for _ in range(80):
        page.keyboard.press("Shift+Tab" if back else "Tab")
        focused = page.evaluate(_FOCUSED)
        if focused["name"].startswith(name) and focused["tag"].startswith(tag):
            assert focused["style"] != "none"
            assert focused["outline"] >= 2
            return
    raise AssertionError(f"{name!r} can't be reached with the Tab key")


def test_a_guest_converts_and_downloads(visit: Any, guest: Person) -> None:
    page = visit()
    page.keyboard.press("Tab")
    assert page.evaluate(_FOCUSED)["name"] == "Skip to the content"
    page.keyboard.press("Enter")
    tab_to(page, "Drop files here")
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Space")
    chooser.value.set_files([{"name": "people.json", "mimeType": "application/json", "buffer": PEOPLE}])
    page.locator(".file").wait_for()
    tab_to(page, "Convert people.json to")
    page.keyboard.type("CSV")
    page.locator(".settings:not([hidden]) summary", has_text="JSON to CSV").wait_for()
    tab_to(page, "Settings: JSON to CSV")
    page.keyboard.press("Enter")
    page.get_by_label("Delimiter").wait_for()
    tab_to(page, "Delimiter")
    page.keyboard.press("Control+a")
    page.keyboard.type(";")
    tab_to(page, "Convert", tag="BUTTON")
    page.keyboard.press("Enter")
    page.locator(".file[data-state=done]").wait_for()
    tab_to(page, "Download people.csv", back=True)
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert saved(download.value) == PEOPLE_CSV.replace(b",", b";")


def test_a_person_logs_in_creates_a_key_revokes_it_and_logs_out(visit: Any, paying: Person) -> None:
    page = visit("/login")
    # The first field has the focus once the page is drawn, which may be after it is loaded.
    page.locator("input:focus").wait_for()
    page.keyboard.type("paying@example.org")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("link", name="History").wait_for()
    tab_to(page, "API keys")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="API keys").wait_for()
    tab_to(page, "Name", tag="INPUT")
    page.keyboard.type("By keyboard")
    page.keyboard.press("Enter")
    page.locator("#full-key").wait_for()
    tab_to(page, "Revoke By keyboard")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Revoke “By keyboard”?").wait_for()
    tab_to(page, "Revoke key")
    page.keyboard.press("Enter")
    page.get_by_text("” revoked.").wait_for()
    tab_to(page, "Log out")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Log in").first.wait_for()


def test_history_and_the_menu_of_a_small_screen(visit: Any, paying: Person) -> None:
    paying.convert("json-to-csv", PEOPLE)
    page = visit("/", user=paying.user, viewport={"width": 360, "height": 800})
    tab_to(page, "Menu")
    page.keyboard.press("Enter")
    tab_to(page, "History")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="History").wait_for()
    tab_to(page, "More for input.json")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Delete the file now").wait_for()
    tab_to(page, "Delete the file now")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Delete “input.csv”?").wait_for()
    tab_to(page, "Delete file")
    page.keyboard.press("Enter")
    page.get_by_text("” deleted.").wait_for()


def test_the_details_of_a_conversion_open_and_close(visit: Any, paying: Person) -> None:
    paying.convert("json-to-csv", PEOPLE, "people.json")
    page = visit("/history", user=paying.user)
    tab_to(page, "More for people.json")
    page.keyboard.press("Enter")
    tab_to(page, "Copy as curl")
    page.keyboard.press("Escape")
    assert page.evaluate(_FOCUSED)["name"] == "More for people.json"
    expect(page.get_by_role("button", name="Copy as curl")).to_be_hidden()


def test_typed_text_stays_in_its_field_when_the_controls_load_late(visit: Any) -> None:
    page = visit("/convert/json-to-csv")
    held: list[Any] = []
    page.route("**/pickers*.js", lambda route: held.append(route))
    page.reload()
    page.get_by_label("Delimiter").wait_for()
    tab_to(page, "Delimiter")
    while not held:
        page.wait_for_timeout(20)
    held[0].continue_()
    page.get_by_label("Choose a common character").wait_for()
    assert page.evaluate(_FOCUSED)["name"].startswith("Delimiter")
    page.keyboard.press("Control+a")
    page.keyboard.type("|")
    expect(page.locator("[data-option=delimiter] input")).to_have_value("|")
