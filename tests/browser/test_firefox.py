"""The main story in another engine: by keyboard alone, a guest converts a file in Firefox and saves the result."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conversions.models import Conversion
from tests.conftest import Person
from tests.conversions.samples import PEOPLE, PEOPLE_CSV

FIREFOX = "/usr/bin/firefox-esr"


def _missing() -> str:
    if shutil.which(FIREFOX) is None:
        return f"no {FIREFOX}: install Debian's firefox-esr to run this test"
    if importlib.util.find_spec("websockets") is None:
        return "websockets is not installed: install requirements-dev.txt to run this test"
    return ""


@pytest.fixture(params=["light", "dark"])
def colours(request: pytest.FixtureRequest) -> Iterator[tuple[Any, str]]:
    """A Firefox of one test's own, and the colours that its owner likes."""
    missing = _missing()
    if missing and os.environ.get("REQUIRE_BROWSER") == "1":
        pytest.fail(missing)
    if missing:
        pytest.skip(missing)
    from tests.browser import firefox  # its library may be missing

    with firefox.running(dark=request.param == "dark") as browser:
        yield browser, request.param


@pytest.mark.parametrize("width", [360, 1280])
def test_a_guest_converts_and_saves_by_keyboard(
    colours: tuple[Any, str], width: int, live_server: Any, guest: Person, tmp_path: Path
) -> None:
    browser, scheme = colours
    source = tmp_path / "people.json"
    source.write_bytes(PEOPLE)
    page = browser.open(width=width, height=800)
    page.go(f"{live_server.url}/")
    assert page.value("innerWidth") == width
    assert page.value(f"matchMedia('(prefers-color-scheme: {scheme})').matches")

    page.tab_to("#file")
    page.choose(source)
    page.until("document.querySelector('.file[data-state=ready]')")
    page.tab_to(".file select")
    for key in "CSV":
        page.press(key)
    page.until("document.querySelector('.file select').value === 'json-to-csv'")
    page.tab_to("#start")
    page.press("Enter")
    page.until("document.querySelector('.file[data-state=done]')")
    page.until("document.activeElement.matches('.file .state')")
    page.tab_to(".file-actions a")
    assert page.value("document.documentElement.scrollWidth <= innerWidth")
    page.press("Enter")
    assert page.downloaded() == PEOPLE_CSV
    assert [each.slug for each in Conversion.objects.filter(status="completed")] == ["json-to-csv"]

    asked = {each["request"]["url"] for each in browser.events_of("network.beforeRequestSent")}
    assert all(each.startswith((live_server.url, "blob:", "data:")) for each in asked)
    assert [each["text"] for each in browser.events_of("log.entryAdded") if each["level"] in ("error", "warn")] == []
