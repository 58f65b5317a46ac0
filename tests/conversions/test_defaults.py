"""What a file becomes if nobody says: a default for every input, in the catalogue of targets in each language."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import translation

from conversions.models import Restriction
from conversions.pages import targets
from conversions.work import offer
from engine.families.registry import DECLARED
from engine.toolkit.formats import FORMATS
from tests.conftest import Person
from tests.conversions.samples import PEOPLE

OFFICE = "engine.families.libreoffice.converters"


@pytest.mark.parametrize("without", [(), (OFFICE,)], ids=["with LibreOffice", "without LibreOffice"])
def test_every_input_has_a_default_that_is_one_of_its_conversions(without: tuple[str, ...]) -> None:
    pairs = {(each.input.id, each.output.id) for each in DECLARED if each.declared_in not in without}
    inputs = {source for source, _ in pairs}
    assert len(inputs) > 100
    assert [id for id in sorted(inputs) if not any((id, target) in pairs for target in FORMATS[id].becomes)] == []


def test_wishes_are_formats_other_than_the_input() -> None:
    for each in FORMATS.values():
        assert len(set(each.becomes)) == len(each.becomes) > 0, each.id
        assert set(each.becomes) <= FORMATS.keys() - {each.id}, each.id


def test_the_first_available_wish_is_the_default(db: None) -> None:
    json_format = FORMATS["json"]
    assert offer.current().usual(json_format).slug == "json-to-csv"  # type: ignore[union-attr]
    Restriction.objects.create(scope="slug", name="json-to-csv", plan=None)
    assert offer.current().usual(json_format).slug == "json-to-xlsx"  # type: ignore[union-attr]
    assert json.loads(Client().get(_address("en-gb")).content)["usual"]["json"] == "xlsx"


def test_a_form_without_a_target_makes_the_default(guest: Person) -> None:
    answer = guest.client.post("/", {"file": SimpleUploadedFile("people.json", PEOPLE), "target": ""}, follow=True)
    assert "people.csv" in answer.content.decode()


def test_the_list_without_scripts_is_grouped_and_begins_with_the_default(guest: Person) -> None:
    page = guest.client.get("/", headers={"accept-language": "de"}).content.decode()
    choices = page.partition('<select name="target"')[2].partition("</select>")[0]
    assert choices.index('<option value="">') < choices.index("<optgroup")
    assert '<optgroup label="Dokumente">' in choices
    assert choices.index('value="docx"') < choices.index("<optgroup", choices.index('value="docx"'))


def _address(language: str) -> str:
    with translation.override(language):
        return targets.address()


def test_names_are_in_the_language_of_the_address_whatever_the_browser_prefers(db: None) -> None:
    german = Client().get(_address("de"), headers={"accept-language": "ja"})
    found: dict[str, Any] = json.loads(german.content)
    assert found["formats"]["docx"][0] == "Word-Dokument"
    assert found["groups"]["pictures"] == "Bilder"
    assert "immutable" in german["Cache-Control"]
    assert "Vary" not in german or "Cookie" not in german["Vary"]
    # An old address of another language is answered in that language, too.
    stale = Client().get(f"/targets/ja/{'0' * 16}.json", headers={"accept-language": "de"})
    assert json.loads(stale.content)["formats"]["docx"][0] == "Word 文書"
    assert "immutable" not in stale["Cache-Control"]
    assert len({_address(code) for code, _ in settings.LANGUAGES}) == len(settings.LANGUAGES)


def test_an_unknown_language_has_no_catalogue(db: None) -> None:
    assert Client().get("/targets/xx/0.json").status_code == 404


def test_formats_are_found_by_the_words_that_people_use(db: None) -> None:
    aliases = json.loads(Client().get(_address("de")).content)["aliases"]
    assert {"word", "Word", "document"} <= set(aliases["docx"].split())
    assert "excel" in aliases["xlsx"]
