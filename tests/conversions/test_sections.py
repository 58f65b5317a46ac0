"""Rare options of a form are folded by section, and shown where they are set or wrong."""

from __future__ import annotations

import pytest
from django.test import Client

from conversions.pages.controls import controls
from conversions.templatetags.forms import Section, sections
from engine.families.html_pdf.options import PLUTOPRINT
from engine.families.registry import CONVERTERS

if not PLUTOPRINT.available:
    pytest.skip("there is no wheel of PlutoPrint for this platform", allow_module_level=True)


def _of(values: dict[str, str], problems: dict[str, str] | None = None) -> dict[str, Section]:
    return {each.heading: each for each in sections(controls(CONVERTERS["html-to-pdf"], values, problems))}


def test_each_section_is_there_once_and_closed() -> None:
    found = _of({})
    assert [len(each.controls) > 3 for each in found.values()] == [True] * 3
    assert not any(each.is_open for each in found.values())


@pytest.mark.parametrize(("values", "problems"), [({"headerLeft": "x"}, None), ({}, {"headerLeft": "too long"})])
def test_a_section_with_a_set_or_wrong_option_is_open(values: dict[str, str], problems: dict[str, str] | None) -> None:
    assert [heading for heading, each in _of(values, problems).items() if each.is_open] == ["Headers and footers"]


@pytest.mark.django_db
def test_the_page_folds_its_sections(client: Client) -> None:
    page = client.get("/convert/html-to-pdf").content.decode()
    main, *folded = page.split('<details class="settings-section">')
    assert len(folded) == 2
    assert 'name="headerText"' in main
    assert 'name="headerHtml"' in folded[0]
    assert 'name="coverHtml"' in folded[1]
