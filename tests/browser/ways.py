"""The ways in which stories are told: how wide the screen is, whether scripts run, and in which language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from django.utils.translation import gettext, override
from playwright.sync_api import expect

from accounts.templatetags.quantities import thousands


@dataclass(frozen=True)
class Way:
    width: int
    scripts: bool
    language: str

    def __str__(self) -> str:
        return f"{self.width}-{'scripts' if self.scripts else 'plain'}-{self.language}"

    @property
    def options(self) -> dict[str, Any]:
        """How a browser is opened that goes this way."""
        return {
            "viewport": {"width": self.width, "height": 800},
            "java_script_enabled": self.scripts,
            "locale": self.language,
            "reduced_motion": "reduce",
        }

    def said(self, message: str, **values: str) -> str:
        """A message as the pages say it."""
        with override(self.language):
            said = gettext(message)
        return said % values if values else said

    def number(self, number: int) -> str:
        with override(self.language):
            return thousands(number)

    def holds(self, page: Any) -> None:
        """The page that is open is in the language, and no wider than the screen."""
        expect(page.locator("html")).to_have_attribute("lang", re.compile(rf"^{self.language}(-|$)"))
        self.fits(page)

    def fits(self, page: Any) -> None:
        page.wait_for_load_state()  # before, a page may be without its style sheets
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), page.url

    def follow(self, page: Any, path: str) -> None:
        """Go to a path of the service by the link in the navigation."""
        menu = page.locator("details.menu")
        if menu.is_visible():
            menu.locator("> summary").click()
            menu.locator(f'nav > a[href="{path}"]').click()
        else:
            page.locator(f'nav.wide > a[href="{path}"]').click()
        page.wait_for_url(f"**{path}")
        self.holds(page)


LANGUAGES = ("en", "de", "ja")
PLACES = ((1280, True), (360, False), (1280, False), (360, True))
"""Widths in px, and whether scripts run there."""
PEOPLE = ("guest", "user", "buyer", "owner", "member", "operator")
WAYS = tuple(Way(width, scripts, language) for (width, scripts), language in product(PLACES, LANGUAGES))


def ways_of(person: str) -> tuple[Way, ...]:
    """The ways of one story, one for each language.

    Any three places that follow each other have both widths, with and without scripts; each person begins at another
    place, so that four people go all ways.
    """
    first = PEOPLE.index(person)
    return tuple(
        Way(*PLACES[(first + number) % len(PLACES)], language=language) for number, language in enumerate(LANGUAGES)
    )


def told_of(person: str) -> Any:
    """Tell a person's story in each of their ways."""
    return pytest.mark.parametrize("way", ways_of(person), ids=str)
