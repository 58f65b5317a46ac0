"""Sound and film in a browser: a film becomes another, and its sound a file of its own, while the page counts along."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from conversions.work import runner
from tests.browser.test_convert import _choose, _target
from tests.conftest import Person
from tests.families.media import files

PATIENCE = 300
"""Seconds that the two conversions have together on a machine that is busy with others."""

_COUNT = """() => {
    window.seen = {};
    for (const row of document.querySelectorAll(".file")) {
        const bar = row.querySelector("progress");
        const name = row.querySelector(".file-name").textContent;
        new MutationObserver(() => {
            if (row.dataset.state !== "converting" || !bar.hasAttribute("value")) return;
            (window.seen[name] ??= []).push(bar.value);
        }).observe(bar, { attributes: true });
    }
}"""


@pytest.fixture
def patient(settings: Any) -> Iterator[None]:
    """Jobs that may wait for their processor, in a sandbox of its own."""
    runner.shutdown()
    settings.SANDBOX_LIMITS = {"media": {"wall": PATIENCE}}
    yield
    runner.shutdown()


def test_a_film_becomes_another_and_sound_while_the_bar_moves(
    visit: Any, download: Any, paying: Person, patient: None
) -> None:
    page = visit(user=paying.account)
    _choose(page, ("clip.mov", files.long_film()), ("talk.mp4", files.long_talk()))
    _target(page, "clip.mov", "mov-to-mp4")
    _target(page, "talk.mp4", "mp4-to-mp3")
    page.evaluate(_COUNT)
    page.get_by_role("button", name="Convert 2 files").click()
    page.locator(".file[data-state=done]").nth(1).wait_for(timeout=PATIENCE * 1000)
    film = download(page, page.get_by_role("link", name="Download clip.mp4"))
    sound = download(page, page.get_by_role("link", name="Download talk.mp3"))
    assert files.probed(film, "mp4").codecs == ("h264", "aac")
    assert files.probed(sound, "mp3").codecs == ("mp3",)
    for name, values in page.evaluate("window.seen").items():
        between = [each for each in values if 0 < each < 100]
        assert len(set(between)) >= 2, (name, values)
        assert values == sorted(values), name
    assert len(page.evaluate("window.seen")) == 2
