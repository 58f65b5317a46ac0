"""What a file becomes: the default of its format, or what this person chose, found by any word in their language."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.test_convert import _choose
from tests.browser.test_every_page import axe
from tests.browser.test_never_silent import fits, size
from tests.conftest import Person

__all__ = ["size"]


def test_each_file_starts_with_what_most_people_want_of_it(visit: Any, guest: Person) -> None:
    page = visit("/")
    _choose(page, ("a.pdf", b"%PDF-1.7"), ("b.mov", b"x"), ("c.pptx", b"x"), ("d.env", b"A=1"))
    for name, slug in (("a.pdf", "pdf-to-docx"), ("b.mov", "mov-to-mp4"), ("c.pptx", "pptx-to-pdf")):
        expect(page.get_by_label(f"Convert {name} to")).to_have_value(slug)
    expect(page.get_by_label("Convert d.env to")).to_have_value("env-to-json")


@pytest.mark.parametrize(
    ("language", "group", "words"), [("de-DE", "Bilder", "bilder jpeg"), ("ja-JP", "画像", "jpeg")]
)
def test_targets_are_grouped_and_found_in_the_reader_s_language(
    visit: Any, guest: Person, size: Any, language: str, group: str, words: str
) -> None:
    page = visit("/", locale=language, viewport=size)
    _choose(page, ("a.pdf", b"%PDF-1.7"))
    row = page.locator(".file")
    row.locator(f"optgroup[label={group}]").first.wait_for(state="attached")
    row.locator(".seek").click()
    search = page.get_by_role("combobox").last
    expect(search).to_be_focused()
    assert page.get_by_role("option", selected=True).last.get_attribute("data-value") == "pdf-to-docx"
    assert axe(page) == []
    assert fits(page)
    search.press_sequentially(words)
    expect(page.locator(".finder [role=option]")).to_have_count(1)
    search.press("Enter")
    expect(row.locator("select")).to_have_value("pdf-to-jpg")
    expect(row.locator("select")).to_be_focused()
    # It is what the next file of the kind becomes.
    page.reload()
    _choose(page, ("b.pdf", b"%PDF-1.7"))
    expect(page.locator(".file", has_text="b.pdf").locator("select")).to_have_value("pdf-to-jpg")


def test_extensions_and_other_words_find_a_format_with_the_arrow_keys(visit: Any, guest: Person) -> None:
    page = visit("/")
    _choose(page, ("a.csv", b"a\n1\n"))
    page.get_by_role("button", name="Search the formats for a.csv").click()
    search = page.get_by_role("combobox", name="Search formats")
    search.fill("excel")
    expect(page.locator(".finder [role=option]")).to_have_count(1)
    search.fill(".htm")
    expect(page.locator(".finder [role=option]")).to_have_count(1)
    search.fill("no such thing")
    page.get_by_text("No matching format.").wait_for()
    search.fill("data")
    first = page.get_by_role("option", selected=True).last.get_attribute("data-value")
    search.press("ArrowDown")
    second = page.get_by_role("option", selected=True).last.get_attribute("data-value")
    assert first != second
    search.press("Enter")
    expect(page.get_by_label("Convert a.csv to")).to_have_value(second)


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_the_target_of_all_files_is_searched_like_that_of_one(
    visit: Any, guest: Person, size: Any, language: str
) -> None:
    page = visit("/", locale=language, viewport=size)
    _choose(page, ("a.json", b"[]"), ("b.json", b"[]"), ("c.csv", b"a\n1\n"))
    for number, files in enumerate((3, 2)):
        bar = page.locator("#batch-targets > div").nth(number)
        bar.locator(".seek").click()
        search = page.get_by_role("combobox").last
        expect(search).to_be_focused()
        assert axe(page) == []
        assert fits(page)
        search.fill("excel" if files == 3 else "yaml")
        search.press("Enter")
        expect(bar.locator("select")).to_be_focused()
        expect(bar.locator("select")).to_have_value("xlsx" if files == 3 else "yaml")
        slugs = page.locator(".file select").evaluate_all("(all) => all.map((each) => each.value)")
        assert slugs == (
            ["json-to-xlsx"] * 2 + ["csv-to-xlsx"] if files == 3 else ["json-to-yaml"] * 2 + ["csv-to-xlsx"]
        )
    assert (
        page.locator("#batch-targets .seek").evaluate_all("(all) => new Set(all.map((each) => each.ariaLabel)).size")
        == page.locator("#batch-targets .seek").count()
    )
    assert fits(page)


def test_the_name_of_the_settings_is_in_one_language(visit: Any, guest: Person) -> None:
    page = visit("/", locale="de-DE")
    _choose(page, ("a.docx", b"x"))
    page.get_by_text("Einstellungen: Word-Dokument zu PDF").wait_for()
