"""The look: a typeface that moves nothing when it comes, motion only where it is wanted, a picture for every kind."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from django.conf import settings

from conversions.toolkit.formats import KINDS
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


def test_the_typeface_comes_late_and_moves_nothing(visit: Any, guest: Person) -> None:
    page = visit("about:blank", viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    held: list[Any] = []
    page.route("**/*.woff2", lambda route: held.append(route))
    page.goto("/", wait_until="domcontentloaded")
    page.locator("#start").wait_for()
    page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    assert held
    assert not page.evaluate(
        "[...document.fonts].some((each) => each.family.includes('Recursive') && each.status === 'loaded')"
    )
    for each in held:
        each.continue_()
    page.evaluate("document.fonts.load('400 16px Recursive')")
    assert page.evaluate("document.fonts.check('400 16px Recursive')")
    assert page.evaluate(_SHIFTS) < 0.05


def test_nothing_moves_for_who_wants_it_still(visit: Any, guest: Person) -> None:
    still = visit("/", reduced_motion="reduce")
    assert still.evaluate("document.getAnimations().length") == 0
    moving = visit("/", reduced_motion="no-preference")
    assert moving.evaluate("getComputedStyle(document.querySelector('.press .goes')).animationName") == "goes"
