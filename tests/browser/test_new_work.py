"""New work on top: a returning visitor sees the new file at once, and its result is one step away."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import saved
from tests.browser.test_convert import _choose, _done
from tests.browser.test_every_page import axe
from tests.browser.test_never_silent import fits
from tests.conftest import Person
from tests.conversions.samples import PEOPLE, PEOPLE_CSV

SIZES = ({"width": 360, "height": 740}, {"width": 1280, "height": 800})
_FOCUSED = "document.activeElement.closest('.file')?.querySelector('.file-name').textContent"
_IN_VIEW = """(row) => {
    const { top, bottom } = row.getBoundingClientRect();
    const bar = document.querySelector(".start");
    const lowest = getComputedStyle(bar).position === "sticky" ? bar.getBoundingClientRect().top : innerHeight;
    return top >= 0 && bottom <= lowest;
}"""


@pytest.fixture(params=SIZES, ids=["360", "1280"])
def size(request: pytest.FixtureRequest) -> dict[str, int]:
    return dict(request.param)


def _names(page: Any) -> list[str]:
    found: list[str] = page.locator(".file-name").all_text_contents()
    return found


def _convert(page: Any) -> None:
    page.locator("#start").focus()
    page.keyboard.press("Enter")


def test_a_new_file_is_on_top_of_old_results_in_view_and_has_the_focus(visit: Any, guest: Person, size: Any) -> None:
    page = visit("/", viewport=size)
    _choose(page, *((f"old-{number}.json", PEOPLE) for number in range(5)))
    page.locator(".file[data-state=ready]").nth(4).wait_for()
    assert _names(page) == [f"old-{number}.json" for number in range(5)]
    _convert(page)
    _done(page, 5)
    page.reload()
    _done(page, 5)
    _choose(page, ("new.json", PEOPLE), ("newer.json", PEOPLE))
    page.locator(".file[data-state=ready]").nth(1).wait_for()
    assert _names(page)[:2] == ["new.json", "newer.json"]
    assert page.evaluate(_FOCUSED) == "new.json"
    assert page.locator(".file").first.evaluate(_IN_VIEW)
    page.keyboard.press("Tab")
    expect(page.get_by_label("Convert new.json to")).to_be_focused()
    assert axe(page) == []
    page.reload()
    page.locator(".file[data-state=ready]").nth(1).wait_for()
    _done(page, 5)
    assert _names(page)[:2] == ["new.json", "newer.json"]
    assert not page.evaluate(_FOCUSED)


def test_files_of_two_moments_keep_the_newest_on_top_after_a_reload(visit: Any, guest: Person) -> None:
    page = visit("/")
    _choose(page, ("a.json", PEOPLE), ("b.json", PEOPLE))
    _choose(page, ("c.json", PEOPLE), ("d.json", PEOPLE))
    page.locator(".file[data-state=ready]").nth(3).wait_for()
    assert _names(page) == ["c.json", "d.json", "a.json", "b.json"]
    page.reload()
    page.locator(".file[data-state=ready]").nth(3).wait_for()
    assert _names(page) == ["c.json", "d.json", "a.json", "b.json"]


def test_download_is_one_tab_after_a_conversion(visit: Any, guest: Person, size: Any) -> None:
    page = visit("/", viewport=size)
    _choose(page, ("people.json", PEOPLE), ("broken.json", b"{"))
    for name in ("people", "broken"):
        page.get_by_label(f"Convert {name}.json to").select_option("json-to-csv")
    page.get_by_role("button", name="Remove broken.json").click()
    _convert(page)
    _done(page, 1)
    expect(page.locator(".state")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Download people.csv")).to_be_focused()
    with page.expect_download() as waiting:
        page.keyboard.press("Enter")
    assert saved(waiting.value) == PEOPLE_CSV
    assert fits(page)


def test_a_failure_has_the_focus_too(visit: Any, watch: Any, guest: Person) -> None:
    watch.refusals_expected = True
    page = visit("/convert/json-to-csv")
    _choose(page, ("broken.json", b"{"))
    _convert(page)
    expect(page.locator(".state")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Try again: broken.json")).to_be_focused()


def test_who_has_gone_on_to_another_field_keeps_the_focus(visit: Any, guest: Person) -> None:
    page = visit("/convert/json-to-csv")
    _choose(page, ("people.json", PEOPLE))
    page.locator("#start").click()
    page.get_by_label("Delimiter").focus()
    _done(page, 1)
    expect(page.locator("#start")).to_have_attribute("aria-disabled", "true")
    expect(page.get_by_label("Delimiter")).to_be_focused()


@pytest.mark.parametrize("path", ["/", "/convert/json-to-csv"])
def test_a_file_that_is_done_again_is_on_top_and_has_the_focus(visit: Any, guest: Person, size: Any, path: str) -> None:
    page = visit(path, viewport=size)
    _choose(page, *((f"{number}.json", PEOPLE) for number in range(4)))
    page.locator(".file[data-state=ready]").nth(3).wait_for()
    _convert(page)
    _done(page, 4)
    page.get_by_role("button", name="Redo 3.json").click()
    page.locator(".file[data-state=ready]").wait_for()
    assert _names(page) == ["3.json", "0.json", "1.json", "2.json", "3.json"]
    assert page.evaluate(_FOCUSED) == "3.json"
    assert page.locator(".file").first.evaluate(_IN_VIEW)
    _convert(page)
    _done(page, 5)
    expect(page.locator(".file .state").first).to_be_focused()


def test_all_results_converted_once_more_are_on_top_in_their_order(visit: Any, guest: Person) -> None:
    page = visit("/")
    _choose(page, *((f"{number}.json", PEOPLE) for number in range(3)))
    page.locator(".file[data-state=ready]").nth(2).wait_for()
    _convert(page)
    _done(page, 3)
    page.get_by_label("Convert all 3 JSON files to").select_option("yaml")
    page.locator(".file[data-state=ready]").nth(2).wait_for()
    assert _names(page) == ["0.json", "1.json", "2.json"] * 2
    assert page.locator(".file").evaluate_all("(all) => all.map((each) => each.dataset.state)") == (
        ["ready"] * 3 + ["done"] * 3
    )
    assert page.evaluate(_FOCUSED) == "0.json"


def test_old_results_are_in_the_order_in_which_they_were_added(visit: Any, guest: Person) -> None:
    page = visit("/")
    # The large one ends last.
    _choose(page, ("large.json", b"[" + PEOPLE.strip()[1:-1] + b", 1" * 200_000 + b"]"), ("small.json", PEOPLE))
    for name in ("large", "small"):
        page.get_by_label(f"Convert {name}.json to").select_option("json-to-yaml")
    _convert(page)
    _done(page, 2)
    _choose(page, ("newer.json", PEOPLE))
    _convert(page)
    _done(page, 3)
    ended = page.evaluate("JSON.parse(localStorage.results).map((each) => each.conversion.inputName)")
    assert ended == ["small.json", "large.json", "newer.json"]
    page.reload()
    _done(page, 3)
    assert _names(page) == ["newer.json", "large.json", "small.json"]


def test_one_result_downloads_itself_unless_the_browser_was_told_not_to(visit: Any, guest: Person, size: Any) -> None:
    page = visit("/convert/json-to-csv", viewport=size)
    downloads: list[Any] = []
    page.on("download", lambda download: downloads.append(download))
    expect(page.get_by_label("Download a single result")).to_be_hidden()
    _choose(page, ("first.json", PEOPLE))
    with page.expect_download() as waiting:
        _convert(page)
    assert waiting.value.suggested_filename == "first.csv"
    assert saved(waiting.value) == PEOPLE_CSV
    expect(page.locator(".file .state").first).to_be_focused()
    _choose(page, ("third.json", PEOPLE), ("fourth.json", PEOPLE))
    page.locator(".file[data-state=ready]").nth(1).wait_for()
    _convert(page)
    _done(page, 3)
    expect(page.locator(".file .state").first).to_be_focused()  # the run is over
    page.get_by_label("Download a single result").uncheck()
    page.reload()
    _done(page, 3)
    expect(page.get_by_label("Download a single result")).not_to_be_checked()
    _choose(page, ("second.json", PEOPLE))
    _convert(page)
    _done(page, 4)
    expect(page.locator(".file .state").first).to_be_focused()
    assert [each.suggested_filename for each in downloads] == ["first.csv"]


@pytest.mark.parametrize(
    ("size", "words", "link"),
    [
        (8_000_000, "The Free plan takes files of up to 10 MB.", "Sign up for free"),
        (90_000_000, "The Pro plan takes files of up to 100 MB.", "Compare plans"),
        (315_000_000, "No plan takes files of this size.", ""),
    ],
    ids=["free", "pro", "none"],
)
def test_a_too_large_file_is_answered_with_a_plan_that_takes_it(
    visit: Any, guest: Person, tmp_path: Path, size: int, words: str, link: str
) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(size)
    page = visit("/", viewport=SIZES[0])
    page.set_input_files("#file", str(path))
    notes = page.locator(".file[data-state=refused] .file-notes")
    expect(notes).to_contain_text(words)
    assert [each for each in ("Sign up for free", "Compare plans") if notes.get_by_role("link", name=each).count()] == (
        [link] if link else []
    )
    assert fits(page)


def test_a_failed_log_in_has_the_focus_without_scripts_too(visit: Any, guest: Person) -> None:
    for scripts in (True, False):
        page = visit("/login", java_script_enabled=scripts)
        page.get_by_label("Email").fill("nobody@example.org")
        page.get_by_label("Password").fill("wrong")
        page.get_by_role("main").get_by_role("button", name="Log in").click()
        expect(page.locator("main [role=alert]")).to_be_focused()


@pytest.mark.parametrize("typeface", [True, False], ids=["typeface", "stand-in"])
def test_the_label_of_the_drawing_holds_its_words_in_every_language(visit: Any, guest: Person, typeface: bool) -> None:
    held: list[Any] = []
    for language in ("en", "de", "ja"):
        page = visit("about:blank", viewport=SIZES[1], locale=language)
        if not typeface:
            page.route("**/*.woff2", lambda route: held.append(route))
        page.goto("/", wait_until="load" if typeface else "domcontentloaded")
        inner, outer = (page.locator(each).bounding_box() for each in (".press .label", ".press foreignObject"))
        assert outer["x"] <= inner["x"] + 1
        assert inner["x"] + inner["width"] <= outer["x"] + outer["width"] + 1
    assert bool(held) is not typeface


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_a_wrong_field_that_is_not_the_first_has_the_focus(visit: Any, guest: Person, scripts: bool) -> None:
    page = visit("/signup", java_script_enabled=scripts)
    expect(page.get_by_label("Email")).to_be_focused()
    page.get_by_label("Email").fill("new@example.org")
    page.get_by_label("Password").fill("short")
    page.get_by_label("Password").press("Enter")
    expect(page.locator(".wrong input:focus")).to_have_attribute("name", "password")
