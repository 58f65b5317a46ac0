"""Files that are not converted yet: they outlive a reload, within bounds, and are nobody else's."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import expect

from accounts.models import Plan
from tests.browser.test_convert import _choose, _done
from tests.browser.test_every_page import axe
from tests.browser.test_keyboard import tab_to
from tests.browser.test_never_silent import fits, size
from tests.conftest import Person
from tests.conversions.samples import PEOPLE, PEOPLE_CSV

__all__ = ["size"]

_KEPT = """async () => {
    if (!(await indexedDB.databases()).some((each) => each.name === "unsent")) return [];
    const base = await new Promise((resolve, reject) => {
        const request = indexedDB.open("unsent");
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
    if (!base.objectStoreNames.contains("notes")) { base.close(); return []; }
    const all = (name) => new Promise((resolve) => {
        base.transaction(name).objectStore(name).getAll().onsuccess = (event) => resolve(event.target.result);
    });
    const [notes, files] = [await all("notes"), await all("files")];
    base.close();
    return files.length === notes.length ? notes.map((each) => each.slug) : "files without notes";
}"""
_YESTERDAY = """() => new Promise((resolve) => {
    indexedDB.open("unsent").onsuccess = ({ target }) => {
        const change = target.result.transaction("notes", "readwrite");
        change.objectStore("notes").openCursor().onsuccess = ({ target }) => {
            const cursor = target.result;
            if (!cursor) return;
            cursor.update({ ...cursor.value, at: cursor.value.at - 25 * 3600 * 1000 });
            cursor.continue();
        };
        change.oncomplete = () => { target.result.close(); resolve(); };
    };
})"""
_PASTE = """(count) => {
    const transfer = new DataTransfer();
    for (let number = 0; number < count; number += 1) transfer.items.add(new File(["[]"], `${number}.json`));
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true }));
}"""


def _settled(page: Any, *slugs: str) -> None:
    """Wait until the browser keeps files for these conversions, and no others."""
    wanted, until = sorted(slugs), time.monotonic() + 60
    while (found := sorted(page.evaluate(_KEPT))) != wanted:
        assert time.monotonic() < until, found
        page.wait_for_timeout(50)


def _rows(page: Any) -> list[str]:
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('.file')].map((row) => row.querySelector('.file-name').textContent)"
    )
    return found


def test_files_that_are_not_converted_yet_survive_a_reload_with_their_targets(
    visit: Any, download: Any, guest: Person, size: Any
) -> None:
    page = visit("/", viewport=size)
    _choose(page, ("a.json", PEOPLE), ("b.json", PEOPLE), ("c.csv", b"a\r\n1\r\n"), ("d.json", PEOPLE))
    page.get_by_label("Convert b.json to").select_option("json-to-csv")
    page.get_by_label("Convert c.csv to").select_option("csv-to-yaml")
    page.get_by_label("Convert a.json to").select_option("json-to-xml")
    page.get_by_label("Convert d.json to").select_option("json-to-xml")
    page.get_by_role("button", name="Remove a.json").click()
    _settled(page, "json-to-csv", "csv-to-yaml", "json-to-xml")
    page.reload()
    page.get_by_label("Convert d.json to").wait_for()
    assert _rows(page) == ["b.json", "c.csv", "d.json"]
    expect(page.get_by_label("Convert c.csv to")).to_have_value("csv-to-yaml")
    assert page.locator("#unkept").is_hidden()
    assert fits(page)
    assert axe(page) == []
    page.get_by_role("button", name="Remove c.csv").click()
    page.get_by_label("Convert d.json to").select_option("json-to-csv")
    tab_to(page, "Convert 2 files")
    page.keyboard.press("Enter")
    _done(page, 2)
    assert download(page, page.get_by_role("link", name="Download b.csv")) == PEOPLE_CSV
    _settled(page)
    page.reload()
    _done(page, 2)
    expect(page.locator(".file")).to_have_count(2)


def test_unsent_files_belong_to_one_page_and_expire_after_a_day(visit: Any, guest: Person) -> None:
    page = visit("/convert/json-to-csv")
    _choose(page, ("a.json", PEOPLE))
    _settled(page, "json-to-csv")
    page.goto("/convert/csv-to-json")
    page.locator("#widget[data-listening]").wait_for()
    page.goto("/convert/json-to-csv")
    page.locator(".file[data-state=ready]").wait_for()
    page.evaluate(_YESTERDAY)
    page.reload()
    _choose(page, ("b.json", PEOPLE))
    _settled(page, "json-to-csv")
    assert _rows(page) == ["b.json"]


def test_a_deleted_account_s_files_are_gone(visit: Any, paying: Person, size: Any) -> None:
    page = visit("/convert/json-to-csv", user=paying.user, viewport=size)
    _choose(page, ("mine.json", PEOPLE))
    _settled(page, "json-to-csv")
    if size["width"] < 800:
        page.get_by_text("Menu", exact=True).click()
    # The page that comes next stays away: what it would forget by itself is not what is shown here.
    page.evaluate("document.addEventListener('submit', (event) => event.preventDefault())")
    page.get_by_role("button", name="Log out").locator("visible=true").click()
    page.wait_for_function("indexedDB.databases().then((all) => all.length === 0)")


def test_an_account_s_files_are_not_shown_once_its_session_has_ended(visit: Any, paying: Person) -> None:
    page = visit("/convert/json-to-csv", user=paying.user)
    _choose(page, ("mine.json", PEOPLE))
    _settled(page, "json-to-csv")
    page.context.clear_cookies()
    page.reload()
    _settled(page)
    assert _rows(page) == []


def test_files_that_the_browser_can_not_keep_are_counted_and_do_no_harm(visit: Any, paying: Person) -> None:
    Plan.objects.filter(code=paying.account.plan_id).update(credits=1000)
    page = visit("/convert/json-to-csv", user=paying.user)
    page.locator("#widget[data-listening]").wait_for()
    page.evaluate(_PASTE, 502)
    page.get_by_text("The browser can't store 2 of these files").wait_for()
    page.get_by_role("button", name="Convert 502 files").wait_for()


def test_a_browser_without_storage_converts(visit: Any, guest: Person, size: Any) -> None:
    page = visit("/plans", viewport=size)
    page.context.add_init_script("indexedDB.open = () => { throw new DOMException('forbidden', 'SecurityError'); }")
    page.goto("/convert/json-to-csv")
    _choose(page, ("a.json", PEOPLE))
    page.get_by_text("The browser can't store this file").wait_for()
    page.get_by_role("button", name="Convert", exact=True).click()
    _done(page, 1)
    page.locator("#unkept").wait_for(state="hidden")
