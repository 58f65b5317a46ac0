"""What programs read of a page is the same in every language: numbers, ids, addresses and values of its attributes."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from django.test import Client

from tests.conftest import make_user

READ_BY_PEOPLE = {
    "title", "alt", "aria-label", "aria-description", "aria-roledescription", "placeholder", "label", "data-label",
    "lang", "selected",
}  # fmt: skip
OF_THIS_ANSWER = {"csrfmiddlewaretoken", "form"}
"""Fields of forms that count once."""
DICTIONARY = "data-dictionary"
"""The script with a language's texts, which pages in English do not have."""
CATALOGUE = "data-catalogue"
"""The address of the names of formats, which names their language."""
NOWHERE = "/nothing-here"
FOR_ALL = (
    "/",
    "/tasks",
    "/formats",
    "/plans",
    "/docs",
    "/offline",
    "/json-to-csv",
    "/login",
    "/signup",
    "/nothing-here",
)
OF_AN_ACCOUNT = (
    "/", "/account", "/history", "/usage", "/api-keys", "/account/logins", "/account/factor", "/teams", "/kept",
    "/account/password", "/account/email",
)  # fmt: skip
OF_STAFF = ("/admin/", "/admin/accounts/user/", "/admin/accounts/plan/", "/admin/billing/planprice/")


class Attributes(HTMLParser):
    """Collects every attribute that is not for people to read."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if DICTIONARY in given:
            return
        spoken = tag == "meta" or given.get("name") in OF_THIS_ANSWER or given.get("type") == "submit"
        for name, value in given.items():
            if name not in READ_BY_PEOPLE and name != CATALOGUE and not (spoken and name in ("content", "value")):
                self.found.append((tag, name, value))


def attributes(client: Client, path: str, language: str) -> list[tuple[str, str, str]]:
    parser = Attributes()
    response = client.get(path, headers={"Accept-Language": language})
    assert response["Content-Type"].startswith("text/html"), path
    assert response.status_code == (404 if path == NOWHERE else 200), path
    parser.feed(response.content.decode())
    # Choices are in the order of their names, which is another one in each language.
    options = sorted(each for each in parser.found if each[0] == "option")
    return [each for each in parser.found if each[0] != "option"] + options


def assert_same(client: Client, path: str) -> None:
    english = attributes(client, path, "en")
    assert english
    for language in ("de", "pl"):
        assert attributes(client, path, language) == english, f"{path} in {language}"


@pytest.mark.parametrize("path", FOR_ALL)
def test_the_attributes_of_pages_for_all_are_the_same_in_every_language(db: None, path: str) -> None:
    assert_same(Client(), path)


@pytest.mark.parametrize("path", OF_AN_ACCOUNT)
def test_the_attributes_of_pages_of_an_account_are_the_same_in_every_language(db: None, path: str) -> None:
    client = Client()
    client.force_login(make_user("pro"))
    assert_same(client, path)


@pytest.mark.parametrize("path", OF_STAFF)
def test_the_attributes_of_pages_of_staff_are_the_same_in_every_language(staff: Client, path: str) -> None:
    english, german = attributes(staff, path, "en"), attributes(staff, path, "de")
    numbers = [[each for each in found if each[0] in ("svg", "rect", "path", "input")] for found in (english, german)]
    assert numbers[0] == numbers[1]
