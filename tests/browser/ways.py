"""The ways in which a story is told: how wide the screen is, whether scripts run, and in which language."""

from __future__ import annotations

from dataclasses import dataclass
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
        expect(page.locator("html")).to_have_attribute("lang", self.language)
        self.fits(page)

    def fits(self, page: Any) -> None:
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


def ways(*told: tuple[int, bool, str]) -> Any:
    """Tell a story in some ways; each width, each language, and with or without scripts, is among them."""
    made = [Way(*each) for each in told]
    assert {each.width for each in made} == {360, 1280}
    assert {each.scripts for each in made} == {True, False}
    assert {each.language for each in made} == {"en", "de", "ja"}
    return pytest.mark.parametrize("way", made, ids=str)
