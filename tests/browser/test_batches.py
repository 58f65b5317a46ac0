"""Many files at once: one target for all, a queue, folders and ZIPs, and results that outlive the page."""

from __future__ import annotations

import io
import json
import time
import zipfile
from pathlib import Path
from typing import Any

from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import Plan
from storage.models import StoredFile
from tests.browser.conftest import true_in
from tests.browser.test_convert import _choose, _done
from tests.browser.test_every_page import axe
from tests.browser.test_keyboard import tab_to
from tests.browser.test_never_silent import fits, size
from tests.conftest import Person
from tests.conversions.samples import PEOPLE, PEOPLE_CSV

__all__ = ["size"]

_ROWS = """() => [...document.querySelectorAll(".file")].map((row) => {
    const [folder, name] = [".file-folder", ".file-name"].map((each) => row.querySelector(each).textContent);
    return `${folder}${name} ${row.dataset.state}`;
})"""


def _rows(page: Any) -> list[str]:
    found: list[str] = page.evaluate(_ROWS)
    return found


def _drop(page: Any, *paths: Path) -> None:
    box = page.locator("#drop").bounding_box()
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    devtools = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(each) for each in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        devtools.send("Input.dispatchDragEvent", {"type": kind, **point, "data": data})


def test_files_of_a_kind_share_a_target_results_are_converted_again_and_both_survive_a_reload(
    visit: Any, download: Any, guest: Person, size: Any
) -> None:
    page = visit("/", viewport=size)
    _choose(page, ("a.json", PEOPLE), ("b.json", PEOPLE), ("c.csv", b"a\r\n1\r\n"))
    page.get_by_label("Convert all 3 files to").wait_for()
    tab_to(page, "Convert all 2 JSON files to")
    page.keyboard.type("XML")
    page.locator(".file select", has=page.locator("option:checked", has_text="XML")).nth(1).wait_for()
    page.get_by_label("Convert b.json to").select_option("json-to-csv")
    expect(page.get_by_label("Convert all 2 JSON files to")).to_have_value("")
    page.get_by_role("button", name="Remove c.csv").click()
    page.get_by_role("button", name="Convert 2 files").click()
    _done(page, 2)
    page.get_by_label("Convert b.json to").select_option("json-to-yaml")
    page.locator(".file[data-state=ready]").wait_for()
    assert _rows(page) == ["b.json ready", "a.json done", "b.json done"]
    page.get_by_role("button", name="Convert", exact=True).click()
    _done(page, 3)
    names = [each.get_attribute("download") for each in page.locator(".file a.button").all()]
    assert names == ["b.yaml", "a.xml", "b.csv"]
    assert fits(page)
    assert axe(page) == []
    page.reload()
    _done(page, 3)
    assert names == [each.get_attribute("download") for each in page.locator(".file a.button").all()]
    assert download(page, page.get_by_role("link", name="Download b.csv")) == PEOPLE_CSV
    page.get_by_role("button", name="Remove a.json").click()
    StoredFile.objects.filter(name="b.yaml").update(expires_at=timezone.now())
    page.reload()
    _done(page, 1)
    assert [each.get_attribute("download") for each in page.locator(".file a.button").all()] == ["b.csv"]


def test_an_account_s_results_are_not_shown_to_the_next_user(visit: Any, paying: Person) -> None:
    page = visit("/", user=paying.user)
    _choose(page, ("mine.json", PEOPLE))
    page.get_by_role("button", name="Convert", exact=True).click()
    _done(page, 1)
    page.reload()
    page.locator(".file", has_text="mine.json").wait_for()
    page.get_by_role("button", name="Log out").first.click()
    page.get_by_role("link", name="Log in").first.wait_for()
    page.goto("/")
    _choose(page, ("other.json", PEOPLE))
    assert _rows(page) == ["other.json ready"]
    assert page.evaluate("localStorage.getItem('results')") is None


def test_folders_and_zips_are_uploaded_and_folders_downloaded(
    visit: Any, download: Any, guest: Person, tmp_path: Path, size: Any
) -> None:
    (tmp_path / "letters" / "2024").mkdir(parents=True)
    (tmp_path / "letters" / "a.json").write_bytes(PEOPLE)
    (tmp_path / "letters" / "2024" / "a.json").write_bytes(PEOPLE)
    with zipfile.ZipFile(tmp_path / "more.zip", "w") as archive:
        archive.writestr("deep/b.json", PEOPLE * 50, zipfile.ZIP_DEFLATED)
        archive.writestr("../c.json", PEOPLE, zipfile.ZIP_STORED)
        archive.writestr("readme.exe", b"MZ")
    page = visit("/", viewport=size)
    _drop(page, tmp_path / "letters", tmp_path / "more.zip")
    page.get_by_role("button", name="Unpack more.zip").wait_for()
    expect(page.locator(".file-offer:not([hidden])")).to_contain_text(
        "2 of its files can be converted", use_inner_text=True
    )
    assert fits(page)
    page.get_by_role("button", name="Unpack more.zip").click()
    page.locator(".file", has_text="more/deep/").wait_for()
    page.locator(".file", has_text="more/c.json").wait_for()
    found = {each.rpartition(" ")[0] for each in _rows(page)}
    assert found == {"letters/a.json", "letters/2024/a.json", "more/deep/b.json", "more/c.json"}
    page.get_by_role("button", name="Remove b.json").click()
    page.get_by_label("Convert all 3 JSON files to").select_option("csv")
    page.get_by_role("button", name="Convert 3 files").click()
    _done(page, 3)
    archive = zipfile.ZipFile(io.BytesIO(download(page, page.get_by_role("button", name="Download all as ZIP"))))
    assert sorted(archive.namelist()) == ["letters/2024/a.csv", "letters/a.csv", "more/c.csv"]
    assert archive.read("letters/2024/a.csv") == PEOPLE_CSV


def test_a_damaged_zip_or_one_with_false_sizes_is_not_unpacked(visit: Any, guest: Person) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.json", b" " * 1_000_000)
    lying = made.getvalue().replace((1_000_000).to_bytes(4, "little"), (1_000).to_bytes(4, "little"))
    page = visit()
    _choose(page, ("lying.zip", lying))
    page.get_by_role("button", name="Unpack lying.zip").click()
    page.get_by_text("Nothing was unpacked").wait_for()
    assert len(_rows(page)) == 1


def test_a_queue_is_paused_leaving_asks_first_and_failures_are_retried(
    visit: Any, watch: Any, guest: Person, size: Any
) -> None:
    watch.refusals_expected = True
    page = visit("/convert/json-to-csv", viewport=size)
    held: list[Any] = []
    page.route("**/api/v1/converter/json-to-csv", lambda route: held.append(route))
    _choose(page, *((f"{number}.json", PEOPLE) for number in range(4)))
    page.get_by_role("button", name="Convert 4 files").click()
    page.locator(".file[data-state=queued]").nth(1).wait_for()
    tab_to(page, "Pause", back=True)
    page.keyboard.press("Enter")
    page.get_by_text("Paused.").wait_for()
    asked: list[str] = []

    def stay(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.once("dialog", stay)
    page.evaluate("location.reload()")
    true_in(page, "document.querySelectorAll('.file').length === 4")
    while not asked:
        page.wait_for_timeout(50)
    assert asked == ["beforeunload"]
    while len(held) < 2:
        page.wait_for_timeout(50)
    body = {"success": False, "code": "VALIDATION_ERROR", "message": "Not now.", "requestId": "x"}
    for route in held:
        route.fulfill(status=400, json=body)
    page.locator(".file[data-state=failed]").nth(1).wait_for()
    assert _rows(page) == ["0.json failed", "1.json failed", "2.json queued", "3.json queued"]
    page.locator("#batch-words", has_text="0 of 4 files done, 2 not converted").wait_for()
    assert fits(page)
    page.unroute("**/api/v1/converter/json-to-csv")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Try 2 again").click()
    _done(page, 4)
    free = """() => {
        const event = new Event("beforeunload", { cancelable: true });
        dispatchEvent(event);
        return !event.defaultPrevented;
    }"""
    until = time.monotonic() + 30
    while not page.evaluate(free):  # a row is done a moment before its place is free
        assert time.monotonic() < until
        page.wait_for_timeout(50)


def test_five_hundred_files_are_listed_while_the_page_stays_responsive(visit: Any, paying: Person, size: Any) -> None:
    Plan.objects.filter(code=paying.account.plan_id).update(credits=1000)
    page = visit("/", user=paying.user, viewport=size)
    page.locator("#widget[data-listening]").wait_for()
    true_in(page, "performance.getEntriesByType('resource').some((each) => each.name.includes('/targets/'))")
    page.evaluate(
        """() => {
            const { put } = IDBObjectStore.prototype;
            window.pieces = new Map();
            IDBObjectStore.prototype.put = function (...values) {
                const { transaction } = this;
                if (this.name === "files") pieces.set(transaction, (pieces.get(transaction) ?? 0) + 1);
                return put.apply(this, values);
            };
        }"""
    )
    answered = page.evaluate(
        """async () => {
            const transfer = new DataTransfer();
            for (let number = 0; number < 500; number += 1) transfer.items.add(new File(["[]"], `${number}.json`));
            const tasks = [];
            const keep = (seen) => tasks.push(...seen.getEntries().map((each) => each.duration));
            new PerformanceObserver(keep).observe({ type: "longtask" });
            const began = performance.now();
            const event = new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true });
            document.body.dispatchEvent(event);
            let turns = 0;
            while (document.querySelectorAll(".file").length < 500) {
                turns += 1;
                await new Promise((resolve) => setTimeout(resolve));
            }
            return { turns, took: performance.now() - began, longest: Math.max(0, ...tasks) };
        }"""
    )
    print(json.dumps(answered))
    # A page that lists them in one go answers nobody meanwhile.
    assert answered["turns"] >= 10
    page.get_by_role("button", name="Convert 500 files").wait_for()
    drawn = "(row) => row.querySelector('.file-name').checkVisibility({ contentVisibilityAuto: true })"
    assert page.locator(".file").first.evaluate(drawn)
    assert not page.locator(".file").last.evaluate(drawn)
    options = "document.querySelectorAll('.file option').length"
    assert page.evaluate(options) < 500 * 5
    assert page.evaluate("document.querySelectorAll('.file:last-child, .file:last-child *').length") <= 32
    # The browser keeps them all, and never so many in one go that nothing else gets its turn.
    true_in(page, "[...pieces.values()].reduce((sum, each) => sum + each, 0) === 500")
    assert page.evaluate("Math.max(...pieces.values())") <= 25
    page.get_by_label("Convert all 500 JSON files to").select_option("xml")
    last = page.get_by_label("Convert 499.json to")
    expect(last).to_have_value("json-to-xml")
    last.scroll_into_view_if_needed()
    last.locator("option").nth(3).wait_for(state="attached")
    assert fits(page)


def test_a_folder_with_an_index_is_offered_as_one_page(
    visit: Any, download: Any, guest: Person, tmp_path: Path
) -> None:
    (tmp_path / "site" / "css").mkdir(parents=True)
    (tmp_path / "site" / "index.html").write_text("<link rel=stylesheet href=css/a.css><p>Words")
    (tmp_path / "site" / "css" / "a.css").write_text("p { color: red }")
    page = visit()
    _drop(page, tmp_path / "site")
    page.get_by_role("button", name="Convert site as one page").click()
    page.locator(".file", has_text="site.htmlz").wait_for()
    assert [each.rpartition(" ")[0] for each in _rows(page)] == ["site.htmlz"]
    page.get_by_label("Convert site.htmlz to").select_option("htmlz-to-html")
    page.get_by_role("button", name="Convert", exact=True).click()
    _done(page, 1)
    made = download(page, page.get_by_role("link", name="Download site.html"))
    assert b"color: red" in made
    assert b"Words" in made
