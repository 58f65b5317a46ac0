"""The organiser of pages: turned, deleted, moved, inserted and split over small pictures, and undone step by step."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pypdf
import pytest
from playwright.sync_api import expect

from conversions.models import Conversion
from tests.browser.test_convert import _choose, _done
from tests.browser.test_every_page import axe, too_wide
from tests.browser.test_gathered import SMALL, WIDE, _convert, _photo, _put, drag_with_a_finger
from tests.browser.test_keyboard import tab_to
from tests.browser.test_unsent import _settled
from tests.conftest import Person
from tests.conversions.samples import pdf


def _book(*widths: int) -> bytes:
    """A PDF whose pages are told apart by their widths."""
    writer = pypdf.PdfWriter()
    for width in widths:
        writer.add_blank_page(width, 300)
    made = io.BytesIO()
    writer.write(made)
    return made.getvalue()


def _seen(data: bytes) -> list[tuple[int, int]]:
    """Width and turn of each page."""
    return [(int(page.mediabox.width), page.rotation) for page in pypdf.PdfReader(io.BytesIO(data)).pages]


def _open(visit: Any, size: Any, *files: tuple[str, bytes], pages: int, **options: Any) -> Any:
    page = visit("/organize-pdf", **size, **options)
    for each in files:
        _put(page, each)
    expect(page.locator(".organizer-page img, .organizer-page canvas")).to_have_count(pages)
    return page


def _names(page: Any) -> list[str]:
    found: list[str] = page.locator(".organizer-page .leaf").evaluate_all("(all) => all.map((each) => each.title)")
    return found


def _sheet(page: Any, name: str) -> Any:
    return page.locator(f'.organizer-page .leaf[title="{name}"]')


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=["small", "wide"])
def test_pages_are_turned_deleted_and_dragged_by_pointer(visit: Any, download: Any, guest: Person, size: Any) -> None:
    page = _open(visit, size, ("book.pdf", _book(101, 102, 103, 104)), pages=4)
    _sheet(page, "book.pdf, page 2").click()
    page.get_by_role("button", name="Rotate right").click()
    expect(_sheet(page, "book.pdf, page 2")).to_have_attribute("aria-label", "book.pdf, page 2, rotated right")
    _sheet(page, "book.pdf, page 2").click()
    _sheet(page, "book.pdf, page 3").click()
    page.get_by_role("button", name="Delete pages").click()
    assert _names(page) == ["book.pdf, page 1", "book.pdf, page 2", "book.pdf, page 4"]
    page.locator(".organizer-sheets").evaluate("(list) => list.scrollIntoView({ block: 'center' })")
    one, other = (_sheet(page, f"book.pdf, page {number}").bounding_box() for number in (4, 1))
    page.mouse.move(one["x"] + 30, one["y"] + 30)
    page.mouse.down()
    page.mouse.move(one["x"] + 20, one["y"] + 20)
    page.mouse.move(other["x"] + 40, other["y"] + 40, steps=10)
    page.mouse.up()
    assert _names(page) == ["book.pdf, page 4", "book.pdf, page 1", "book.pdf, page 2"]
    expect(page.locator("#announce")).to_have_text("book.pdf, page 4 is number 1 of 3.")
    assert page.locator(".leaf[aria-pressed=true]").count() == 0
    assert axe(page) == []
    assert _seen(_convert(page, download)) == [(104, 0), (101, 0), (102, 90)]
    done = Conversion.objects.get()
    assert (done.output_name, done.options["pages"]) == ("book.pdf", "1:4,1:1,1:2r90")
    assert too_wide(page) == []


def test_pages_are_turned_deleted_and_moved_by_keyboard_and_steps_are_undone(
    visit: Any, download: Any, guest: Person
) -> None:
    page = _open(visit, SMALL, ("book.pdf", _book(101, 102, 103, 104)), pages=4)
    tab_to(page, "book.pdf, page 1")
    page.keyboard.press("r")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Delete")
    assert page.evaluate("document.activeElement.title") == "book.pdf, page 3"
    page.keyboard.press("End")
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator("#announce")).to_have_text("book.pdf, page 4 is number 2 of 3.")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Shift+R")
    page.keyboard.press("Control+z")
    expect(page.locator("#announce")).to_have_text("Last step undone.")
    assert page.evaluate("document.activeElement.title") == "book.pdf, page 4"
    assert _names(page) == ["book.pdf, page 4", "book.pdf, page 1", "book.pdf, page 3"]
    tab_to(page, "Convert", tag="BUTTON")
    page.keyboard.press("Enter")
    _done(page, 1)
    made = download(page, page.locator(".file a.button").first)
    assert _seen(made) == [(104, 0), (101, 90), (103, 0)]


def test_a_page_is_dragged_by_its_grip_with_a_finger(visit: Any, guest: Person) -> None:
    page = _open(visit, SMALL, ("book.pdf", _book(101, 102, 103)), pages=3, has_touch=True, is_mobile=True)
    page.locator(".organizer-sheets").evaluate("(list) => list.scrollIntoView({ block: 'center' })")
    drag_with_a_finger(page, page.locator(".organizer-page .piece-grip").first, page.locator(".organizer-page").nth(1))
    expect(page.locator("#announce")).to_have_text("book.pdf, page 1 is number 2 of 3.")
    assert _names(page) == ["book.pdf, page 2", "book.pdf, page 1", "book.pdf, page 3"]


def test_pages_of_another_pdf_and_a_photo_are_inserted_after_the_selected_page(
    visit: Any, download: Any, guest: Person
) -> None:
    page = _open(visit, WIDE, ("book.pdf", _book(101, 102)), pages=2)
    _sheet(page, "book.pdf, page 1").click()
    _put(page, ("more.pdf", _book(201, 202)))
    expect(page.locator(".organizer-page img")).to_have_count(4)
    _put(page, ("red.jpg", _photo((200, 0, 0))))
    expect(page.locator(".organizer-page canvas")).to_have_count(1)
    assert _names(page) == [
        "book.pdf, page 1", "red.jpg, page 1", "more.pdf, page 1", "more.pdf, page 2", "book.pdf, page 2",
    ]  # fmt: skip
    _sheet(page, "red.jpg, page 1").click()
    _sheet(page, "book.pdf, page 1").click()
    page.get_by_role("button", name="Delete pages").click()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    assert _names(page) == ["book.pdf, page 1", "more.pdf, page 1", "more.pdf, page 2", "book.pdf, page 2"]
    assert [width for width, _ in _seen(_convert(page, download))] == [101, 201, 202, 102]


def test_a_pdf_is_split_after_the_selected_pages(visit: Any, download: Any, guest: Person) -> None:
    page = _open(visit, WIDE, ("book.pdf", _book(101, 102, 103)), pages=3)
    _sheet(page, "book.pdf, page 2").click()
    page.get_by_role("button", name="Split after").click()
    archive = zipfile.ZipFile(io.BytesIO(_convert(page, download)))
    parts = [[width for width, _ in _seen(archive.read(name))] for name in archive.namelist()]
    assert parts == [[101, 102], [103]]
    assert Conversion.objects.get().output_name == "book.zip"


def test_a_long_pdf_is_drawn_in_part_and_sent_as_a_whole(visit: Any, download: Any, guest: Person) -> None:
    page = _open(visit, WIDE, ("long.pdf", pdf(60)), pages=48)
    expect(page.get_by_role("button", name="long.pdf, page 49 to the end")).to_be_visible()
    _sheet(page, "long.pdf, page 1").click()
    page.get_by_role("button", name="Delete pages").click()
    page.get_by_role("button", name="Show more pages").click()
    expect(page.locator(".organizer-page img")).to_have_count(59)
    page.get_by_role("button", name="Undo").click()
    _sheet(page, "long.pdf, page 2").click()
    page.get_by_role("button", name="Delete pages").click()
    assert len(_seen(_convert(page, download))) == 59
    assert Conversion.objects.get().options["pages"] == "1:1,1:3-"


def test_pages_that_can_not_be_shown_are_organised_as_one(visit: Any, watch: Any, guest: Person) -> None:
    watch.refusals_expected = True
    page = visit("/organize-pdf")
    _choose(page, ("broken.pdf", b"%PDF-1.7 nothing"))
    page.get_by_text("These pages have no preview.").wait_for()
    _sheet(page, "All pages of broken.pdf").click()
    page.get_by_role("button", name="Delete pages").click()
    expect(page.locator(".file .state")).to_have_text("No pages are left. Undo the last step, or add a file.")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".file .state")).to_have_text("Ready")


def test_a_result_is_organised_once_more(visit: Any, download: Any, guest: Person) -> None:
    page = _open(visit, WIDE, ("book.pdf", _book(101, 102)), pages=2)
    _convert(page, download)
    page.get_by_role("button", name="Redo").click()
    _sheet(page, "book.pdf, page 1").click()
    page.get_by_role("button", name="Move later").click()
    page.get_by_role("button", name="Convert", exact=True).click()
    _done(page, 2)
    assert {each.options["pages"] for each in Conversion.objects.all()} == {"1:1-2", "1:2,1:1"}


def test_the_order_turns_and_splits_survive_a_reload(visit: Any, download: Any, guest: Person) -> None:
    files = (("book.pdf", _book(101, 102, 103)), ("more.pdf", _book(201, 202)), ("red.jpg", _photo((200, 0, 0))))
    page = _open(visit, WIDE, *files, pages=6)
    _sheet(page, "book.pdf, page 2").click()
    page.get_by_role("button", name="Delete pages").click()
    _sheet(page, "book.pdf, page 1").focus()
    page.keyboard.press("r")
    _sheet(page, "more.pdf, page 1").focus()
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Shift+ArrowLeft")
    _sheet(page, "book.pdf, page 1").click()
    page.get_by_role("button", name="Split after").click()
    arranged = page.locator(".leaf").evaluate_all("(all) => all.map((each) => each.ariaLabel)")
    order = ["more.pdf, page 1", "book.pdf, page 1", "book.pdf, page 3", "more.pdf, page 2", "red.jpg, page 1"]
    assert _names(page) == order
    kept = """async (wanted) => {
        const base = await new Promise((resolve) => {
            indexedDB.open("unsent").onsuccess = ({ target }) => { resolve(target.result); };
        });
        const notes = await new Promise((resolve) => {
            const request = base.transaction("notes").objectStore("notes").getAll();
            request.onsuccess = () => { resolve(request.result); };
        });
        base.close();
        const cut = notes.flatMap(({ beside }) => JSON.parse(beside)).filter((each) => each[4]);
        return notes.length === wanted && cut.length === 1;
    }"""
    page.wait_for_function(kept, arg=3)
    page.reload()
    expect(page.locator(".organizer-page img, .organizer-page canvas")).to_have_count(5)
    assert page.locator(".leaf").evaluate_all("(all) => all.map((each) => each.ariaLabel)") == arranged
    archive = zipfile.ZipFile(io.BytesIO(_convert(page, download)))
    parts = [_seen(archive.read(name)) for name in archive.namelist()]
    assert parts[0] == [(201, 0), (101, 90)]
    assert parts[1][:2] == [(103, 0), (202, 0)]


def test_a_file_whose_pages_were_all_deleted_is_gone_after_a_reload(visit: Any, guest: Person) -> None:
    page = _open(visit, WIDE, ("book.pdf", _book(101)), ("more.pdf", pdf(60)), pages=49)
    _sheet(page, "book.pdf, page 1").click()
    page.get_by_role("button", name="Delete pages").click()
    _sheet(page, "more.pdf, page 2").focus()
    page.keyboard.press("Delete")
    _settled(page, "zip-to-pdf")
    page.reload()
    expect(page.locator(".organizer-page img")).to_have_count(47)
    page.get_by_role("button", name="Show more pages").click()
    expect(page.locator(".organizer-page img")).to_have_count(59)
    assert _names(page) == [f"more.pdf, page {number}" for number in (1, *range(3, 61))]


def test_the_pages_of_the_tasks_lead_to_the_organiser(visit: Any, guest: Person) -> None:
    for name in ("merge-pdf", "split-pdf", "rotate-pdf", "extract-pdf-pages"):
        page = visit(f"/{name}")
        page.get_by_role("link", name="Organise PDF pages").first.click()
        page.wait_for_url("**/organize-pdf")


def test_without_scripts_pages_are_named_in_a_field(visit: Any, download: Any, guest: Person) -> None:
    page = visit("/organize-pdf", java_script_enabled=False, **SMALL)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("book.pdf", _book(101, 102))
    page.set_input_files("#file", {"name": "all.zip", "mimeType": "", "buffer": packed.getvalue()})
    page.get_by_label("Pages in order").fill("1:2,1:1r180")
    page.get_by_role("button", name="Convert", exact=True).click()
    page.wait_for_url("**/results/*")
    made = download(page, page.get_by_role("link", name="Download all.pdf"))
    assert _seen(made) == [(102, 0), (101, 180)]
