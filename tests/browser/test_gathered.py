"""Several files for one result: dropped together, put in an order by pointer, finger and keys, sent as one."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pypdf
import pytest
from PIL import Image
from playwright.sync_api import expect

from accounts.models import Plan
from conversions.models import Conversion
from tests.browser.test_convert import _choose, _done
from tests.browser.test_every_page import axe, too_wide
from tests.browser.test_keyboard import tab_to
from tests.conftest import Person
from tests.conversions.samples import pdf, picture
from tests.families.media import files

RED, GREEN, BLUE = (200, 0, 0), (0, 200, 0), (0, 0, 200)
SMALL = {"viewport": {"width": 360, "height": 740}}
WIDE = {"viewport": {"width": 1280, "height": 900}}


def _photo(colour: tuple[int, int, int], format: str = "JPEG") -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (60, 40), colour).save(made, format)
    return made.getvalue()


PHOTOS = (("red.jpg", _photo(RED)), ("green.jpg", _photo(GREEN)), ("blue.png", _photo(BLUE, "PNG")))


def _put(page: Any, *chosen: tuple[str, bytes]) -> None:
    page.set_input_files("#file", [{"name": name, "mimeType": "", "buffer": content} for name, content in chosen])


def _colours(data: bytes) -> list[str]:
    """The colour of the picture on each page."""
    found = []
    for page in pypdf.PdfReader(io.BytesIO(data)).pages:
        (only,) = page.images
        assert only.image is not None
        red, green, blue = only.image.convert("RGB").getpixel((20, 20))
        found.append("red" if red > 150 else "green" if green > 150 else "blue")
        assert max(red, green, blue) - min(red, green, blue) > 100
    return found


def _pieces(page: Any) -> list[str]:
    found: list[str] = page.locator(".piece-name").all_text_contents()
    return found


def _convert(page: Any, download: Any) -> bytes:
    page.get_by_role("button", name="Convert", exact=True).click()
    _done(page, 1)
    made: bytes = download(page, page.locator(".file a.button").first)
    return made


def drag_with_a_finger(page: Any, grip: Any, onto: Any) -> None:
    one, other = grip.bounding_box(), onto.bounding_box()
    x, y = one["x"] + 8, one["y"] + 8
    across, down = other["x"] + other["width"] / 2 - x, other["y"] + other["height"] / 2 - y
    devtools = page.context.new_cdp_session(page)
    for step in range(5):
        point = {"x": x + across * step / 4, "y": y + down * step / 4}
        devtools.send(
            "Input.dispatchTouchEvent", {"type": "touchMove" if step else "touchStart", "touchPoints": [point]}
        )
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def _drag(page: Any, name: str, onto: str) -> None:
    page.locator(".pile").evaluate("(list) => list.scrollIntoView({ block: 'center' })")
    one, other = (page.locator(".piece", has_text=each).bounding_box() for each in (name, onto))
    page.mouse.move(one["x"] + 90, one["y"] + 15)
    page.mouse.down()
    page.mouse.move(one["x"] + 90, one["y"] + 25)
    page.mouse.move(other["x"] + 90, other["y"] + other["height"] / 2, steps=8)
    page.mouse.up()


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=["small", "wide"])
def test_a_guest_makes_one_pdf_of_three_photos_in_a_dragged_order(
    visit: Any, download: Any, guest: Person, size: Any
) -> None:
    page = visit("/jpg-to-pdf", **size)
    _put(page, *PHOTOS)
    expect(page.locator(".piece")).to_have_count(3)
    expect(page.locator(".piece canvas")).to_have_count(3)
    _drag(page, "blue.png", "red.jpg")
    assert _pieces(page) == ["blue.png", "red.jpg", "green.jpg"]
    expect(page.locator("#announce")).to_have_text("blue.png is number 1 of 3.")
    assert axe(page) == []
    made = _convert(page, download)
    assert _colours(made) == ["blue", "red", "green"]
    done = Conversion.objects.get()
    assert (done.slug, done.output_name, done.options["bookmarks"]) == ("zip-to-pdf", "blue and 2 more.pdf", False)
    expect(page.locator("#balance")).to_contain_text("9", use_inner_text=True)
    assert too_wide(page) == []


def test_a_file_is_dragged_by_its_grip_with_a_finger(visit: Any, guest: Person) -> None:
    page = visit("/merge-pdf", has_touch=True, is_mobile=True, **SMALL)
    _put(page, *((f"{each}.pdf", pdf(1)) for each in "abc"))
    page.locator(".pile").evaluate("(list) => list.scrollIntoView({ block: 'center' })")
    grips = [each.bounding_box() for each in page.locator(".piece-grip").all()]
    (x, first), last = (grips[0]["x"] + 8, grips[0]["y"] + 8), grips[2]["y"] + 12
    devtools = page.context.new_cdp_session(page)
    for kind, y in (
        ("Start", first),
        ("Move", first + 10),
        ("Move", (first + last) / 2),
        ("Move", last),
        ("End", None),
    ):
        points = [] if y is None else [{"x": x, "y": y}]
        devtools.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})
    expect(page.locator("#announce")).to_have_text("a.pdf is number 3 of 3.")
    assert _pieces(page) == ["b.pdf", "c.pdf", "a.pdf"]


def test_files_are_put_in_order_removed_and_added_by_keyboard(visit: Any, download: Any, guest: Person) -> None:
    page = visit("/jpg-to-pdf", **SMALL)
    _put(page, *PHOTOS)
    expect(page.locator(".piece")).to_have_count(3)
    tab_to(page, "Move red.jpg down")
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    assert _pieces(page) == ["green.jpg", "blue.png", "red.jpg"]
    expect(page.locator("#announce")).to_have_text("red.jpg is number 3 of 3.")
    page.keyboard.press("Enter")
    assert _pieces(page) == ["green.jpg", "blue.png", "red.jpg"]
    tab_to(page, "Remove blue.png", back=True)
    page.keyboard.press("Enter")
    assert _pieces(page) == ["green.jpg", "red.jpg"]
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Remove red.jpg"
    tab_to(page, "Convert", tag="BUTTON")
    page.keyboard.press("Enter")
    _done(page, 1)
    assert _colours(download(page, page.locator(".file a.button").first)) == ["green", "red"]


def test_two_pdfs_are_merged_and_once_more_in_another_order(visit: Any, download: Any, guest: Person) -> None:
    page = visit("/merge-pdf", **WIDE)
    _choose(page, ("one.pdf", pdf(1, 100, 100)))
    expect(page.locator(".state")).to_have_text("Add at least one more file.")
    _put(page, ("two.pdf", pdf(2, 300, 300)))
    made = pypdf.PdfReader(io.BytesIO(_convert(page, download)))
    assert [int(each.mediabox.width) for each in made.pages] == [100, 300, 300]
    assert [each.title for each in made.outline] == ["one", "two"]
    page.get_by_role("button", name="Redo").click()
    page.get_by_role("button", name="Move one.pdf down").click()
    page.get_by_role("button", name="Convert", exact=True).click()
    _done(page, 2)
    again = pypdf.PdfReader(io.BytesIO(download(page, page.get_by_role("link", name="Download two and 1 more.pdf"))))
    assert [int(each.mediabox.width) for each in again.pages] == [300, 300, 100]


def test_files_that_are_too_large_together_are_not_sent_until_one_is_removed(visit: Any, guest: Person) -> None:
    Plan.objects.filter(code="guest").update(max_file_bytes=3000)
    page = visit("/merge-pdf")
    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    large = pdf(1) + b"%" * 1500
    _put(page, *((f"{each}.pdf", large) for each in "abc"))
    expect(page.locator(".file .state")).to_contain_text("Too large in total")
    expect(page.locator(".file .state")).to_contain_text("the limit is 3 kB")
    expect(page.get_by_role("link", name="Sign up for free")).to_be_visible()
    assert page.get_by_role("button", name="Convert", exact=True).get_attribute("aria-disabled") == "true"
    assert sent == []
    page.get_by_role("button", name="Remove b.pdf").click()
    page.get_by_role("button", name="Remove c.pdf").click()
    expect(page.locator(".file .state")).to_have_text("Add at least one more file.")


def test_each_picture_becomes_a_pdf_where_that_is_chosen(visit: Any, guest: Person) -> None:
    page = visit("/jpg-to-pdf")
    _put(page, *PHOTOS)
    expect(page.locator(".piece")).to_have_count(3)
    page.get_by_label("One PDF for each picture").check()
    expect(page.locator(".file")).to_have_count(3)
    page.get_by_role("button", name="Convert 3 files").wait_for()
    page.get_by_label("One PDF for each picture").uncheck()
    expect(page.locator(".piece")).to_have_count(3)
    page.get_by_label("One PDF for each picture").check()
    page.get_by_role("button", name="Convert 3 files").click()
    _done(page, 3)
    assert {each.slug for each in Conversion.objects.all()} == {"jpg-to-pdf", "png-to-pdf"}


def test_one_picture_becomes_a_pdf_by_its_own_conversion(visit: Any, download: Any, guest: Person) -> None:
    page = visit("/jpg-to-pdf")
    _choose(page, PHOTOS[0])
    assert _colours(_convert(page, download)) == ["red"]
    assert (Conversion.objects.get().slug, Conversion.objects.get().output_name) == ("jpg-to-pdf", "red.pdf")


def test_pictures_become_frames_in_the_order_of_the_list(visit: Any, download: Any, guest: Person) -> None:
    page = visit("/pictures-to-gif")
    _put(page, *PHOTOS)
    page.get_by_role("button", name="Move red.jpg down").click()
    page.get_by_label("Time for each picture, in milliseconds").fill("250")
    with Image.open(io.BytesIO(_convert(page, download))) as made:
        assert (made.n_frames, made.info["duration"]) == (3, 250)  # type: ignore[attr-defined]
        seen = []
        for frame in range(3):
            made.seek(frame)
            pixel = made.convert("RGB").getpixel((20, 20))
            seen.append(("red", "green", "blue")[pixel.index(max(pixel))])  # type: ignore[union-attr,arg-type]
    assert seen == ["green", "red", "blue"]


def test_a_zip_is_taken_as_ever_or_unpacked_into_the_list(visit: Any, download: Any, guest: Person) -> None:
    page = visit("/merge-pdf")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("2.pdf", pdf(1, 100, 100))
        archive.writestr("10.pdf", pdf(1, 300, 300))
    _choose(page, ("both.zip", packed.getvalue()))
    page.get_by_role("button", name="Unpack both.zip").wait_for()
    made = pypdf.PdfReader(io.BytesIO(_convert(page, download)))
    assert [int(each.mediabox.width) for each in made.pages] == [100, 300]
    assert Conversion.objects.get().output_name == "both.pdf"
    _choose(page, ("more.zip", packed.getvalue()))
    page.get_by_role("button", name="Unpack more.zip").click()
    expect(page.locator(".piece")).to_have_count(2)


def test_a_damaged_file_is_named_as_it_was_chosen(visit: Any, watch: Any, guest: Person) -> None:
    watch.refusals_expected = True
    page = visit("/merge-pdf")
    _put(page, ("good.pdf", pdf(1)), ("bad.pdf", b"%PDF-1.7 nothing"))
    page.get_by_role("button", name="Convert", exact=True).click()
    notes = page.locator(".file[data-state=failed] .file-notes")
    expect(notes).to_contain_text("bad.pdf: ")
    assert "/bad.pdf" not in notes.inner_text()
    page.get_by_role("button", name="Remove bad.pdf").click()
    expect(page.locator(".state")).to_have_text("Add at least one more file.")


def test_the_list_and_its_order_outlive_a_reload(visit: Any, guest: Person) -> None:
    page = visit("/merge-pdf")
    _put(page, *((f"{each}.pdf", pdf(1)) for each in "abc"))
    page.get_by_role("button", name="Move a.pdf down").click()
    page.wait_for_timeout(1000)
    page.reload()
    expect(page.locator(".piece")).to_have_count(3)
    assert _pieces(page) == ["b.pdf", "a.pdf", "c.pdf"]


def test_without_scripts_the_page_asks_for_a_zip(visit: Any, download: Any, guest: Person) -> None:
    page = visit("/merge-pdf", java_script_enabled=False, **SMALL)
    page.get_by_text("Choose a ZIP archive of your files").wait_for()
    page.get_by_text("Choose a ZIP of up to").wait_for()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("b.pdf", pdf(2))
        archive.writestr("a.jpg", picture("JPEG", 10, 10))
    page.set_input_files("#file", {"name": "all.zip", "mimeType": "", "buffer": packed.getvalue()})
    page.get_by_role("button", name="Convert", exact=True).click()
    page.wait_for_url("**/results/*")
    made = pypdf.PdfReader(io.BytesIO(download(page, page.get_by_role("link", name="Download all.pdf"))))
    assert len(made.pages) == 3


@pytest.mark.parametrize("screen", [WIDE, SMALL])
def test_a_video_and_its_subtitles_become_one_video(visit: Any, download: Any, screen: Any) -> None:
    page = visit("/add-subtitles", **screen)
    _put(page, ("film.mp4", files.sample("mp4")), ("film.de.srt", files.SUBTITLES))
    made = files.probed(_convert(page, download), "mp4")
    assert made.codecs == ("h264", "aac", "mov_text")
    assert "(deu): Subtitle" in made.said
    assert not too_wide(page)
