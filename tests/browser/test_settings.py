"""Settings in people's words: lines that explain, things to point at, names to keep them under, links to share them."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image
from playwright.sync_api import expect

from tests.browser.test_convert import _choose, _done
from tests.browser.test_every_page import axe
from tests.browser.test_keyboard import tab_to
from tests.browser.test_never_silent import fits, size
from tests.conftest import Person

__all__ = ["size"]


def _picture() -> bytes:
    made = io.BytesIO()
    Image.linear_gradient("L").resize((200, 100)).convert("RGB").save(made, "PNG")
    return made.getvalue()


def test_a_picture_is_cropped_in_its_preview_and_its_settings_are_saved_and_shared(
    visit: Any, download: Any, guest: Person, size: Any
) -> None:
    page = visit("/convert/png-to-jpg", viewport=size, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_label("Fit").select_option("cover")
    page.get_by_text("the excess is cut off on both sides").wait_for()
    page.get_by_label("Choose a colour").fill("#ff0000")
    expect(page.get_by_label("Background")).to_have_value("#ff0000")
    _choose(page, ("photo.png", _picture()))
    page.get_by_role("slider", name="Area to keep").wait_for()
    tab_to(page, "Area to keep")
    for _ in range(25):
        page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_label("Crop")).to_have_value("2%,0%,50%,100%")
    box = page.locator(".crop img").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.25, box["y"] + 1)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + box["height"] - 1, steps=4)
    page.mouse.up()
    left, _, width, height = (int(each.rstrip("%")) for each in page.get_by_label("Crop").input_value().split(","))
    assert abs(left - 25) <= 2
    assert abs(width - 50) <= 3
    assert height > 90
    page.get_by_label("Fit").select_option("inside")
    page.get_by_role("button", name="Convert", exact=True).click()
    _done(page, 1)
    made = Image.open(io.BytesIO(download(page, page.get_by_role("link", name="Download photo.jpg"))))
    assert 90 <= made.width <= 110

    page.get_by_text("Save or share these settings").click()
    page.get_by_label("Save these as").fill("Middle in red")
    page.keyboard.press("Enter")
    page.get_by_text("saved in this browser").wait_for()
    page.get_by_role("button", name="Copy a link").click()
    page.get_by_text("Link copied").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    page.get_by_role("button", name="Reset to defaults").click()
    expect(page.get_by_label("Background")).to_have_value("#ffffff")
    page.get_by_label("Saved settings").select_option("Middle in red")
    expect(page.get_by_label("Background")).to_have_value("#ff0000")
    assert fits(page)
    assert axe(page) == []
    other = visit(link.removeprefix(page.evaluate("location.origin")), viewport=size)
    expect(other.get_by_label("Background")).to_have_value("#ff0000")
    page.get_by_role("button", name="Delete it").click()
    page.get_by_text("Middle in red deleted.").wait_for()
    assert page.get_by_label("Saved settings").is_disabled()


def _corners(page: Any) -> list[str]:
    """The colours that are seen in the corners of the picture: top left, top right, bottom right, bottom left."""
    shot = Image.open(io.BytesIO(page.locator(".stage").screenshot())).convert("RGB")
    right, bottom = shot.width - 9, shot.height - 9
    names = {(255, 0, 0): "red", (0, 255, 0): "green", (0, 0, 255): "blue", (255, 255, 255): "white"}
    seen = (shot.getpixel(at) for at in ((8, 8), (right, 8), (right, bottom), (8, bottom)))
    return [names[tuple(round(each / 255) * 255 for each in pixel)] for pixel in seen]  # type: ignore[union-attr, index]


def test_a_picture_is_rotated_and_mirrored_in_its_preview_and_the_result_matches(
    visit: Any, download: Any, guest: Person, size: Any
) -> None:
    made = io.BytesIO()
    four = Image.new("RGB", (200, 100))
    for colour, at in (("red", (0, 0)), ("lime", (100, 0)), ("blue", (100, 50)), ("white", (0, 50))):
        four.paste(colour, (*at, at[0] + 100, at[1] + 50))
    four.save(made, "PNG")
    page = visit("/convert/png-to-bmp", viewport=size)
    _choose(page, ("four.png", made.getvalue()))
    page.get_by_role("button", name="Rotate right").wait_for()

    def hide(hidden: bool) -> None:
        page.locator(".crop-frame").evaluate("(each, hidden) => { each.hidden = hidden }", hidden)

    page.get_by_label("Rotate", exact=True).select_option("90")
    page.locator(".stage").evaluate("(each) => each.scrollIntoView({ block: 'start' })")
    # All of the picture is kept: the frame on it is at its edges.
    hide(True)
    assert _corners(page) == ["white", "red", "green", "blue"]
    tab_to(page, "Mirror left and right")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Flip", exact=True)).to_have_value("horizontal")
    page.keyboard.press("Shift+R")
    assert (
        page.get_by_label("Rotate", exact=True).input_value(),
        page.get_by_label("Flip", exact=True).input_value(),
    ) == ("180", "horizontal")
    page.keyboard.press("v")
    assert (
        page.get_by_label("Rotate", exact=True).input_value(),
        page.get_by_label("Flip", exact=True).input_value(),
    ) == ("0", "none")
    page.get_by_role("button", name="Rotate right").click()
    page.keyboard.press("h")
    page.keyboard.press("r")
    hide(False)
    tab_to(page, "Area to keep", back=True)
    for _ in range(25):
        page.keyboard.press("Shift+ArrowUp")
    crop = page.get_by_label("Crop").input_value()
    assert crop == "0%,0%,100%,50%"
    page.get_by_role("slider", name="Area to keep").dblclick()
    expect(page.get_by_label("Crop")).to_have_value("")
    hide(True)
    seen = _corners(page)
    assert fits(page)
    assert axe(page) == []
    page.get_by_role("button", name="Convert", exact=True).click()
    _done(page, 1)
    result = Image.open(io.BytesIO(download(page, page.get_by_role("link", name="Download four.bmp")))).convert("RGB")
    assert result.size == (200, 100)
    names = {(255, 0, 0): "red", (0, 255, 0): "green", (0, 0, 255): "blue", (255, 255, 255): "white"}
    assert seen == [names[result.getpixel(at)] for at in ((9, 9), (190, 9), (190, 90), (9, 90))]  # type: ignore[index]


def test_a_table_shows_how_a_delimiter_cuts_it(visit: Any, guest: Person, size: Any) -> None:
    page = visit("/", viewport=size)
    _choose(page, ("towns.csv", b"town;people\r\nOslo;700,000\r\nRome;2,800,000\r\n"))
    page.get_by_label("Convert towns.csv to").select_option("csv-to-json")
    page.locator(".settings:not([hidden]) summary").first.click()
    page.get_by_role("columnheader", name="people").wait_for()
    usual = page.get_by_label("Choose a common character").first
    usual.select_option(",")
    page.get_by_role("columnheader", name="town;people").wait_for()
    expect(page.get_by_label("Input delimiter")).to_have_value(",")
    usual.select_option(";")
    page.get_by_role("cell", name="2,800,000").wait_for()
    assert fits(page)
    assert axe(page) == []


def test_settings_show_a_placeholder_while_they_load(visit: Any, guest: Person, size: Any) -> None:
    page = visit("/", viewport=size)
    held: list[Any] = []
    page.route("**/convert/*/options", lambda route: held.append(route))
    _choose(page, ("people.json", b"[]"))
    section = page.locator(".settings")
    section.locator("summary").first.click()
    section.get_by_text("Loading settings…").wait_for()
    expect(section.locator(".settings-body")).to_have_attribute("aria-busy", "true")
    bars = section.locator(".skeleton").evaluate_all("(all) => all.map((each) => each.getBoundingClientRect().height)")
    assert len(bars) == 3
    assert min(bars) > 15
    assert axe(page) == []
    fits(page)
    for route in held:
        route.continue_()
    section.get_by_label("Delimiter").wait_for()
    expect(section.locator(".skeleton")).to_have_count(0)
    assert section.locator(".settings-body").get_attribute("aria-busy") is None
