"""Pages of a PDF are chosen by pointing at small pictures of them, and by keys; the field with their numbers stays."""

from __future__ import annotations

import io
from typing import Any

import pypdf
import pytest
from django.test import Client
from playwright.sync_api import expect

from accounts.models import Plan
from conversions.models import Conversion
from tests.browser.test_convert import _choose, _done
from tests.browser.test_every_page import axe
from tests.browser.test_keyboard import tab_to
from tests.browser.test_never_silent import fits, size
from tests.browser.test_previews import _until
from tests.conftest import Person
from tests.conversions.samples import PEOPLE, pdf

__all__ = ["size"]


def _pressed(page: Any) -> list[str]:
    found: list[str] = page.locator(".leaf[aria-pressed=true]").evaluate_all(
        "(all) => all.map((each) => each.textContent)"
    )
    return found


def test_pages_are_chosen_over_small_pictures_of_them(visit: Any, download: Any, guest: Person, size: Any) -> None:
    page = visit("/extract-pdf-pages", viewport=size)
    field = page.get_by_label("Which pages to keep")
    _choose(page, ("book.pdf", pdf(26)))
    tab_to(page, "Choose from the pages")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Page 24", exact=True).wait_for()
    expect(page.locator(".leaf img")).to_have_count(24)
    expect(page.locator(".leaf")).to_have_count(24)
    page.get_by_role("button", name="Page 3", exact=True).click()
    page.get_by_role("button", name="Page 6", exact=True).click(modifiers=["Shift"])
    expect(field).to_have_value("3-6")
    page.get_by_role("button", name="Page 4", exact=True).click()
    expect(field).to_have_value("3,5-6")
    page.keyboard.press("End")
    page.keyboard.press("Space")
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    expect(field).to_have_value("1-3,5-6,24")
    page.get_by_role("button", name="Show more pages").click()
    page.get_by_role("button", name="Page 26", exact=True).wait_for()
    assert page.get_by_role("button", name="Show more pages").is_hidden()
    field.fill("1-2, 25-")
    assert _pressed(page) == ["1", "2", "25", "26"]
    field.fill("3-1")
    page.get_by_role("button", name="Page 2", exact=True).click()
    page.get_by_role("button", name="Page 2", exact=True).click()
    expect(field).to_have_value("3,1-2")
    boxes = page.locator(".leaf").evaluate_all("(all) => all.map((each) => [each.scrollHeight, each.clientHeight])")
    assert all(inside <= outside for inside, outside in boxes)
    assert fits(page)
    assert axe(page) == []
    field.fill("1-2,25-")
    page.get_by_role("button", name="Convert", exact=True).click()
    _done(page, 1)
    made = download(page, page.locator(".file a.button").first)
    assert len(pypdf.PdfReader(io.BytesIO(made)).pages) == 4
    assert Conversion.objects.count() == 1


def test_a_file_whose_pages_can_not_be_shown_says_so_and_the_field_stays(visit: Any, watch: Any, guest: Person) -> None:
    watch.refusals_expected = True
    page = visit("/convert/pdf-to-png")
    _choose(page, ("broken.pdf", b"%PDF-1.7 nothing"))
    page.get_by_role("button", name="Choose from the pages").click()
    page.get_by_text("The pages couldn't be shown").wait_for()
    expect(page.locator(".skeleton")).to_have_count(0)
    assert page.get_by_label("Pages", exact=True).is_editable()


def test_waiting_page_previews_are_not_requested_after_their_file_is_removed(
    visit: Any, watch: Any, guest: Person
) -> None:
    watch.refusals_expected = True
    page = visit("/convert/pdf-to-png")
    asked: list[str] = []

    def refuse(route: Any) -> None:
        asked.append(route.request.url)
        route.fulfill(status=429, headers={"Retry-After": "7"}, body="")

    page.route("**/thumbnails", refuse)
    _choose(page, ("book.pdf", pdf(2)))
    page.clock.install()
    page.get_by_role("button", name="Choose from the pages").click()
    _until(page, lambda: len(asked) == 1)
    _until(page, lambda: len(asked) == 2, each=7_000)
    page.get_by_role("button", name="Remove book.pdf").click()
    page.locator(".leaves").wait_for(state="detached")
    page.clock.run_for(120_000)
    assert len(asked) == 2
    _choose(page, ("book.pdf", pdf(2)))
    page.get_by_role("button", name="Choose from the pages").click()
    _until(page, lambda: page.get_by_text("The pages couldn't be shown").is_visible(), each=7_000)
    assert len(asked) == 2 + 5


@pytest.mark.parametrize(
    ("name", "content", "start", "status"),
    [
        ("a.pdf", pdf(2), "1", 200),
        ("a.pdf", pdf(2), "3", 400),
        ("a.pdf", pdf(2), "x", 400),
        ("a.json", PEOPLE, "1", 422),
        ("a.pdf", PEOPLE, "1", 422),
    ],
)
def test_thumbnails_are_free_and_refuse_what_is_wrong(
    db: None, name: str, content: bytes, start: str, status: int
) -> None:
    file = io.BytesIO(content)
    file.name = name
    answer = Client().post("/thumbnails", {"from": start, "file": file})
    assert answer.status_code == status
    assert Conversion.objects.count() == 0
    if status == 200:
        assert (answer["Content-Type"], answer["X-More"]) == ("application/zip", "false")


def test_thumbnails_need_the_token_and_count_as_requests(db: None) -> None:
    def ask(client: Client) -> int:
        file = io.BytesIO(pdf(1))
        file.name = "a.pdf"
        return client.post("/thumbnails", {"file": file}).status_code

    assert ask(Client(enforce_csrf_checks=True)) == 403
    Plan.objects.filter(code="guest").update(requests_per_minute=2)
    answers = [ask(Client()) for _ in range(4)]
    assert answers.count(429) >= 1
