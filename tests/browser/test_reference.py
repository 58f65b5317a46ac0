"""The API reference in a browser: operations tried with a key, as a guest, and what a refusal looks like."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from apikeys.models import ApiKey
from conversions.models import Conversion
from tests.conftest import Person
from tests.conversions.samples import PEOPLE

FILE = {"name": "people.json", "mimeType": "text/plain", "buffer": PEOPLE}


def _sent(page: Any, status: str) -> str:
    page.get_by_role("button", name="Send").click()
    page.locator("#answer h3", has_text=status).wait_for()
    return str(page.inner_text("#answer code"))


def test_a_conversion_is_tried_with_the_key_and_without(visit: Any, watch: Any, paying: Person) -> None:
    watch.refusals_expected = True
    _, secret = ApiKey.issue(paying.account, name="Trial")
    page = visit("/docs/json-to-csv", viewport={"width": 360, "height": 740})
    page.set_input_files("#sent-file", FILE)
    page.get_by_text("Options", exact=True).click()
    page.get_by_label("Delimiter").fill(";")
    page.get_by_label("API key or access token").fill(secret)
    assert '"delimiter": ";"' in _sent(page, "201")
    assert Conversion.objects.get().owner == paying.user
    page.get_by_label("API key or access token").fill("fc_wrong")
    assert '"code": "UNAUTHORIZED"' in _sent(page, "401")
    page.get_by_label("API key or access token").fill("")
    _sent(page, "201")
    assert Conversion.objects.filter(owner=None).count() == 1
    expect(page.get_by_role("link", name="Download the result")).to_be_visible()
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_an_operation_with_a_body_and_one_with_an_address_are_tried(visit: Any, watch: Any, paying: Person) -> None:
    watch.refusals_expected = True
    page = visit("/docs/create_api_key", user=paying.user)
    page.get_by_label("Body").fill('{"name": "From the reference"}')
    assert '"keyPrefix"' in _sent(page, "201")
    assert ApiKey.objects.get().name == "From the reference"
    page.goto("/docs/describe")
    page.get_by_label("slug").fill("json-to-csv")
    assert '"summary"' in _sent(page, "200")
    page.get_by_label("slug").fill("x-to-y")
    assert '"code": "UNKNOWN_CONVERSION"' in _sent(page, "404")
