"""Before and after in the row: pictures under a slider, the first page, rows and words of a result, and a player."""

from __future__ import annotations

import io
import math
import struct
import time
import wave
from collections.abc import Callable
from typing import Any

from PIL import Image
from playwright.sync_api import expect

from accounts.models import Plan
from conversions.models import Conversion
from tests.browser.conftest import true_in
from tests.browser.test_convert import _choose, _done, _target
from tests.browser.test_every_page import axe
from tests.browser.test_keyboard import tab_to
from tests.browser.test_never_silent import fits, size
from tests.conftest import Person
from tests.conversions.samples import PEOPLE

__all__ = ["size"]


def _picture() -> bytes:
    made = io.BytesIO()
    Image.effect_noise((320, 200), 60).convert("RGB").save(made, "PNG")
    return made.getvalue()


def _tone() -> bytes:
    made = io.BytesIO()
    with wave.open(made, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(b"".join(struct.pack("<h", int(9000 * math.sin(n / 3))) for n in range(8000)))
    return made.getvalue()


_MARKED = b"<h1>Report</h1><p>Words of it.</p><script>window.ran = 1</script><img src=x onerror='window.ran = 1'>"


def _preview(page: Any, name: str) -> Any:
    button = page.get_by_role("button", name=f"Preview {name}")
    button.click()
    return page.locator(".file", has=page.get_by_role("link", name=f"Download {name}")).locator(".file-look")


def test_each_result_is_previewed_in_its_row_and_becomes_the_next_input(visit: Any, guest: Person, size: Any) -> None:
    Plan.objects.filter(code="guest").update(requests_per_minute=100)
    page = visit("/", viewport=size)
    _choose(
        page,
        ("photo.png", _picture()),
        ("people.json", PEOPLE),
        ("table.csv", b'name,town\r\nAda,"Oslo, N"\r\n<b>x</b>,Rome\r\n'),
        ("page.html", _MARKED),
        ("marked.html", _MARKED),
        ("tone.wav", _tone()),
    )
    for name, slug in {
        "photo.png": "png-to-jpg", "people.json": "json-to-csv", "table.csv": "csv-to-xlsx", "page.html": "html-to-pdf",
        "marked.html": "html-to-markdown", "tone.wav": "wav-to-flac",
    }.items():  # fmt: skip
        _target(page, name, slug)
    page.get_by_role("button", name="Convert 6 files").click()
    _done(page, 6)

    look = _preview(page, "photo.jpg")
    look.locator(".compare .before").wait_for()
    expect(look).to_contain_text("before", use_inner_text=True)
    expect(look).to_contain_text("320 × 200 pixels", use_inner_text=True)
    look.locator("input[type=range]").focus()
    page.keyboard.press("End")
    assert look.locator(".compare").evaluate("(each) => each.style.getPropertyValue('--at')") == "100%"

    _preview(page, "people.csv").get_by_role("cell", name="Ada").wait_for()
    sheet = _preview(page, "table.xlsx")
    sheet.get_by_role("cell", name="Oslo, N").wait_for()
    sheet.get_by_role("cell", name="<b>x</b>").wait_for()
    drawn = _preview(page, "page.pdf").locator("img")
    drawn.wait_for()
    assert drawn.evaluate("(each) => each.naturalWidth") > 300
    _preview(page, "marked.md").get_by_text("Words of it.").wait_for()
    sound = _preview(page, "tone.flac").locator("audio")
    sound.wait_for()
    true_in(page, "document.querySelector('.file-look audio').duration > 0.9")
    assert page.evaluate("window.ran") is None
    assert fits(page)
    assert axe(page) == []

    page.get_by_role("button", name="Convert again: people.csv").click()
    page.get_by_label("Convert people.csv to").wait_for()
    _target(page, "people.csv", "csv-to-html")
    page.get_by_role("button", name="Convert", exact=True).click()
    page.get_by_role("link", name="Download people.html").wait_for()
    # A page that was made of what somebody has sent is shown as text, and is no page here.
    _preview(page, "people.html").get_by_text("<td>Ada</td>", exact=False).first.wait_for()


def test_the_result_of_a_converter_s_page_can_be_converted_again_on_the_front_page(visit: Any, guest: Person) -> None:
    page = visit("/convert/json-to-csv")
    _choose(page, ("people.json", PEOPLE))
    page.get_by_role("button", name="Convert", exact=True).click()
    _done(page, 1)
    tab_to(page, "Convert again: people.csv", back=True)
    page.keyboard.press("Enter")
    page.get_by_label("Convert people.csv to").wait_for()
    assert page.url.rstrip("/").endswith(page.evaluate("location.origin"))


def test_a_preview_is_only_for_users_who_may_download_the_file(
    visit: Any, paying: Person, guest: Person, free: Person
) -> None:
    key = paying.convert("csv-to-xlsx", b"a,b\r\n1,2\r\n").json()["data"]["downloadUrl"].rpartition("/")[2]
    page = visit("/plans", user=paying.user)
    answer = page.request.get(f"/glimpse/{key}")
    assert (answer.status, answer.text().split()) == (200, ["a,b", "1,2"])
    assert "sandbox" in answer.headers["content-security-policy"]
    assert Conversion.objects.count() == 1
    for other in (visit("/plans", user=free.user), visit("/plans")):
        assert other.request.get(f"/glimpse/{key}").status == 404
    assert page.request.get("/glimpse/nonsense").status == 404
    unseen = paying.convert("json-to-yaml", PEOPLE).json()["data"]["downloadUrl"].rpartition("/")[2]
    assert page.request.get(f"/glimpse/{unseen}").status == 404


def test_a_refused_preview_is_retried_when_told_and_not_after_its_panel_is_closed(
    visit: Any, watch: Any, guest: Person
) -> None:
    watch.refusals_expected = True
    page = visit("/convert/csv-to-xlsx")
    _choose(page, ("table.csv", b"a,b\r\n1,2\r\n"))
    page.get_by_role("button", name="Convert", exact=True).click()
    _done(page, 1)
    asked: list[str] = []

    def refuse(route: Any) -> None:
        asked.append(route.request.url)
        route.fulfill(status=429, headers={"Retry-After": "7"}, body="")

    page.route("**/glimpse/**", refuse)
    page.clock.install()
    look = _preview(page, "table.xlsx")
    look.locator(".skeleton").first.wait_for()
    expect(look).to_have_attribute("aria-busy", "true")
    _until(page, lambda: len(asked) == 1)
    page.clock.run_for(6_000)
    assert len(asked) == 1
    _until(page, lambda: len(asked) == 2, each=7_000)
    _preview(page, "table.xlsx")
    assert look.is_hidden()
    page.clock.run_for(120_000)
    assert len(asked) == 2
    _preview(page, "table.xlsx")
    _until(page, lambda: look.get_by_text("The service is busy").is_visible(), each=7_000)
    assert len(asked) == 2 + 5
    assert look.get_attribute("aria-busy") is None
    page.clock.run_for(120_000)
    assert len(asked) == 2 + 5


def _until(page: Any, true: Callable[[], bool], each: int = 0) -> None:
    """Wait for what a page does, its own clock going on by so many milliseconds at a time."""
    until = time.monotonic() + 60
    while not true():
        assert time.monotonic() < until
        page.clock.run_for(each)
        page.wait_for_timeout(50)
