"""Stories of people from the first page to what they came for: a guest and a user.

Those of the buyer and the owner of the shop are in `test_shop`, that of the member in `test_teams`, and that of the
operator in `test_composed`.
"""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pypdf
from PIL import Image
from playwright.sync_api import expect

from accounts.models import User
from conversions.models import Conversion
from tests.browser.conftest import saved
from tests.browser.test_gathered import BLUE, GREEN, RED, _colours, _photo
from tests.browser.ways import LANGUAGES, PEOPLE, WAYS, Way, told_of, ways_of
from tests.conftest import PASSWORD, Person
from tests.families.documents.files import docx

PHOTOS = tuple((f"{name}.png", _photo(colour, "PNG")) for name, colour in (("a", RED), ("b", GREEN), ("c", BLUE)))


def test_the_stories_go_every_way_and_each_has_both_widths_with_and_without_scripts_in_every_language() -> None:
    assert {each for person in PEOPLE for each in ways_of(person)} == set(WAYS)
    assert len(WAYS) == 12
    for person in PEOPLE:
        told = ways_of(person)
        assert {each.width for each in told} == {360, 1280}
        assert {each.scripts for each in told} == {True, False}
        assert tuple(each.language for each in told) == LANGUAGES


def choose(page: Any, *files: tuple[str, bytes]) -> None:
    page.set_input_files("#file", [{"name": name, "mimeType": "", "buffer": content} for name, content in files])


def _packed(*files: tuple[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files:
            archive.writestr(name, content)
    return made.getvalue()


def result(page: Any, way: Way) -> bytes:
    """Start the conversion and have its only result, which comes by itself where scripts run."""
    if way.scripts:
        with page.expect_download() as waiting:
            page.locator("#start").click()
        expect(page.locator(".file[data-state=done] .state").first).to_be_focused()
    else:
        page.locator("#start").click()
        page.wait_for_url("**/results/*")
        with page.expect_download() as waiting:
            page.locator("#download").click()
    way.holds(page)
    return saved(waiting.value)


@told_of("guest")
def test_a_guest_makes_one_pdf_of_three_photos_and_each_a_jpg(visit: Any, guest: Person, way: Way) -> None:
    page = visit("/", **way.options)
    way.holds(page)
    page.locator('.tasks a[href="/jpg-to-pdf"]').click()
    page.wait_for_url("**/jpg-to-pdf")
    way.holds(page)
    if way.scripts:
        choose(page, *PHOTOS)
        expect(page.locator(".piece canvas")).to_have_count(3)
        expect(page.locator(".file")).to_be_focused()
    else:
        choose(page, ("photos.zip", _packed(*PHOTOS)))
    assert _colours(result(page, way)) == ["red", "green", "blue"]

    page.locator("header .brand").click()
    way.holds(page)
    choose(page, *PHOTOS)
    if way.scripts:
        page.locator(".file[data-state=ready]").nth(2).wait_for()
        way.holds(page)
        page.locator("#start").click()
        page.locator(".file[data-state=done]").nth(3).wait_for()  # the PDF of before is one of them
        everything = page.locator("#download-all")
    else:
        page.locator("#target").select_option("jpg")
        page.locator("#start").click()
        page.wait_for_url("**/results/*")
        everything = page.get_by_role("button", name=way.said("Download these as ZIP"))
        for box in page.locator("input[name=file]").all():
            if ".pdf" in (box.locator("..").text_content() or ""):
                box.uncheck()
    way.holds(page)
    with page.expect_download() as waiting:
        everything.click()
    with zipfile.ZipFile(io.BytesIO(saved(waiting.value))) as archive:
        names = sorted(each for each in archive.namelist() if not each.endswith(".pdf"))  # the first one is there, too
        assert names == ["a.jpg", "b.jpg", "c.jpg"]
        for name, colour in (("a.jpg", RED), ("b.jpg", GREEN), ("c.jpg", BLUE)):
            with Image.open(io.BytesIO(archive.read(name))) as picture:
                assert picture.format == "JPEG"
                seen = picture.convert("RGB").getpixel((20, 20))
            assert all(abs(one - other) < 12 for one, other in zip(seen, colour, strict=True))  # type: ignore[arg-type]
    assert Conversion.objects.filter(owner=None, status="completed").count() == 4


@told_of("user")
def test_a_user_signs_up_converts_a_word_file_and_finds_it_in_the_history(visit: Any, guest: Person, way: Way) -> None:
    page = visit("/", **way.options)
    way.follow(page, "/signup")
    expect(page.locator("[name=email]")).to_be_focused()
    page.locator("[name=email]").fill("new@example.org")
    page.locator("[name=password]").fill(PASSWORD)
    page.get_by_role("button", name=way.said("Create account")).click()
    page.locator("main .messages").wait_for()
    way.holds(page)
    way.follow(page, "/")
    choose(page, ("letter.docx", docx()))
    if way.scripts:
        expect(page.locator(".file select")).to_have_value("docx-to-pdf")
        expect(page.locator(".file")).to_be_focused()
    made = result(page, way)
    words = "".join(each.extract_text() for each in pypdf.PdfReader(io.BytesIO(made)).pages)
    assert "Quarterly report" in words

    way.follow(page, "/history")
    row = page.locator("tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("letter.docx")
    with page.expect_download() as waiting:
        row.locator("[data-name='letter.pdf']").click()
    assert saved(waiting.value) == made
    row.locator("th a").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("letter.pdf")
    way.holds(page)
    user = User.objects.get(email="new@example.org")
    assert Conversion.objects.get().owner == user
    assert user.credits < user.plan.credits
