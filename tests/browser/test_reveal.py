"""A page of reveal.js that was made of a document: it plays in a browser, and asks nobody for anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Chromium
from tests.converters.test_documents import Convert


@pytest.mark.django_db
def test_slides_play_and_fetch_nothing(chromium: Chromium, tmp_path: Path) -> None:
    made = Convert(tmp_path, "markdown-to-revealjs", b"# One\n\ntext\n\n# Two\n\nmore\n")
    path = tmp_path / "deck.html"
    path.write_bytes(made.data)
    page = chromium.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))
    try:
        page.goto(path.as_uri())
        page.wait_for_function("Reveal.isReady()")
        page.keyboard.press("ArrowRight")
        page.wait_for_function("Reveal.getIndices().h === 1")
        assert page.evaluate("Reveal.getTotalSlides()") == 2
        expect(page.locator("section.present h1")).to_have_text("Two", use_inner_text=True)
    finally:
        page.close()
    assert (asked, wrong) == ([path.as_uri()], [])
