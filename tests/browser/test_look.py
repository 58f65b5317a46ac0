"""The look: a typeface that moves nothing when it comes, motion only where it is wanted, a picture for every kind."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import expect

from engine.toolkit.formats import KINDS
from tests.conftest import Person

_SHIFTS = """() => new Promise((resolve) => {
  let total = 0;
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) total += each.value;
  }).observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(total)));
})"""
_STATIC = Path(settings.BASE_DIR) / "static"


def test_the_typeface_is_ours_small_and_licensed() -> None:
    typeface = _STATIC / "typeface" / "recursive.woff2"
    assert typeface.read_bytes()[:4] == b"wOF2"
    assert typeface.stat().st_size <= 60_000
    assert "SIL Open Font License, Version 1.1" in (_STATIC / "typeface" / "OFL.txt").read_text()


def test_each_kind_of_formats_has_a_picture_and_a_colour() -> None:
    assert re.findall('symbol id="([^"]+)"', (_STATIC / "kinds.svg").read_text()) == list(KINDS)
    style = (_STATIC / "service.css").read_text()
    assert all(style.count(f"--kind-{kind}:") == 2 for kind in KINDS)


def _width(page: Any) -> float:
    found: float = page.evaluate(
        """() => { const words = document.createRange(); words.selectNodeContents(document.querySelector("h1"));
        return words.getBoundingClientRect().width; }"""
    )
    return found


def test_a_late_typeface_does_not_shift_the_layout_and_is_used_on_the_next_page(visit: Any, guest: Person) -> None:
    page = visit("about:blank", viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    held: list[Any] = []
    page.route("**/*.woff2", lambda route: held.append(route))
    page.goto("/plans", wait_until="domcontentloaded")
    page.locator("h1").wait_for()
    page.evaluate("new Promise((resolve) => setTimeout(resolve, 300))")
    stands_in = _width(page)
    assert held
    for each in held:
        each.continue_()
    page.wait_for_load_state("load")
    page.evaluate("document.fonts.ready.then(() => true)")
    assert _width(page) == stands_in
    assert page.evaluate(_SHIFTS) == 0
    page.unroute("**/*.woff2")
    page.goto("/plans")
    page.evaluate("document.fonts.ready.then(() => true)")
    assert page.evaluate("document.fonts.check('400 16px Recursive')")
    assert _width(page) != stands_in


def test_bold_words_stand_in_a_bold_font_as_long_and_as_high_as_in_the_typeface(visit: Any, guest: Person) -> None:
    page = visit("/plans", viewport={"width": 1280, "height": 900})
    sizes, fonts = {}, {}
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    for weight in ("400", "600", "780"):
        for family in ("Recursive", "Stand-in"):
            page.evaluate(
                """([weight, family]) => {
                    document.getElementById("measured")?.remove();
                    const line = Object.assign(document.createElement("span"), { id: "measured" });
                    line.textContent = "Convert your Word documents, tables and photographs to PDF in seconds";
                    Object.assign(line.style, { font: `${weight} 40px "${family}"`, display: "inline-block" });
                    line.style.whiteSpace = "nowrap";
                    document.body.append(line);
                    return document.fonts.load(line.style.font);
                }""",
                [weight, family],
            )
            sizes[weight, family] = page.locator("#measured").bounding_box()
            root = session.send("DOM.getDocument")["root"]["nodeId"]
            node = session.send("DOM.querySelector", {"nodeId": root, "selector": "#measured"})["nodeId"]
            (font,) = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
            fonts[weight, family] = font["postScriptName"]
        ours, theirs = (sizes[weight, family] for family in ("Recursive", "Stand-in"))
        assert theirs["width"] == pytest.approx(ours["width"], rel=0.04)
        assert theirs["height"] == pytest.approx(ours["height"], abs=1)
    assert "Bold" not in fonts["400", "Stand-in"]
    assert all("Bold" in fonts[weight, "Stand-in"] for weight in ("600", "780"))


@pytest.mark.parametrize("path", ["/", "/compress-pdf", "/convert/json-to-csv"])
def test_a_chosen_file_is_visible_immediately_on_a_small_phone(visit: Any, guest: Person, path: str) -> None:
    page = visit(path, viewport={"width": 360, "height": 640})
    name = "report.pdf" if "pdf" in path else "people.json"
    page.set_input_files("#file", [{"name": name, "mimeType": "application/octet-stream", "buffer": b"[]"}])
    row = page.locator(".file[data-state]")
    row.wait_for()
    # Nothing that floats over the page, such as the button that starts, lies over the row.
    page.wait_for_function(
        """() => {
            const row = document.querySelector(".file");
            const { left, top, bottom } = row.getBoundingClientRect();
            return [top + 2, bottom - 2].every((y) => row.contains(document.elementFromPoint(left + 30, y)));
        }"""
    )
    expect(page.locator("h1")).to_have_count(1)


def test_only_what_the_first_paint_needs_is_requested_before_it(visit: Any, guest: Person) -> None:
    page = visit("about:blank", viewport={"width": 360, "height": 640})
    held: list[Any] = []
    page.route("**/*.js", lambda route: held.append(route) if "enhance" not in route.request.url else route.continue_())
    page.goto("/", wait_until="commit")
    # With no module there at all the page is drawn.
    page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length === 1")
    assert held
    blocking = page.evaluate(
        "performance.getEntriesByType('resource').filter((each) => each.renderBlockingStatus === 'blocking')"
        ".map((each) => each.name.split('/').pop()).sort()"
    )
    assert blocking == ["enhance.js", "service.css", "widget.css"]


def test_nothing_moves_for_users_who_prefer_reduced_motion(visit: Any, guest: Person) -> None:
    still = visit("/", reduced_motion="reduce")
    assert still.evaluate("document.getAnimations().length") == 0
    moving = visit("/", reduced_motion="no-preference")
    assert moving.evaluate("getComputedStyle(document.querySelector('.press .goes')).animationName") == "goes"


def test_the_target_of_the_first_of_several_files_is_visible_on_a_phone(visit: Any, guest: Person) -> None:
    page = visit("/", viewport={"width": 360, "height": 640}, reduced_motion="reduce")
    files = [{"name": f"{number}.json", "mimeType": "text/plain", "buffer": b"[]"} for number in range(3)]
    page.set_input_files("#file", files)
    page.get_by_role("button", name="Convert 3 files").wait_for()
    target, start = page.locator(".file-target").first.bounding_box(), page.locator(".start").bounding_box()
    assert target["y"] >= 0
    assert target["y"] + target["height"] <= start["y"]
    expect(page.get_by_label("Drop files here")).to_have_count(1)
