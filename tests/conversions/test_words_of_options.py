"""Options in people's words: a label and a line for each choice, in page, OpenAPI document, listing and shell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import make_dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from django.test import Client

from conversions.work import listing
from engine import shell
from engine.families.registry import CONVERTERS
from engine.toolkit.options import Option, describe, option
from tests.conftest import Person


def _choices() -> Iterator[tuple[str, Option]]:
    seen = set()
    for slug, converter in CONVERTERS.items():
        for each in describe(converter.options):
            if each.choices and (each.name, each.choices, each.choice_labels) not in seen:
                seen.add((each.name, each.choices, each.choice_labels))
                yield slug, each


def test_each_choice_has_a_label_of_its_own_and_a_line_that_explains_it() -> None:
    found = list(_choices())
    assert len(found) > 60
    for slug, each in found:
        where = f"{slug}: {each.name}"
        assert tuple(choice.value for choice in each.choice_labels) == each.choices, (
            f"{where} has no words for its choices"
        )
        labels = [choice.label for choice in each.choice_labels]
        assert len(set(labels)) == len(labels), where
        for choice in each.choice_labels:
            assert choice.label, where
            assert choice.help.endswith("."), f"{where}: {choice.value} is not explained"
            assert choice.label[0].isupper() or choice.label[0].isdigit(), f"{where}: {choice.label}"


def test_words_for_other_values_than_those_of_the_choice_are_refused() -> None:
    declared = make_dataclass("Wrong", [("way", Literal["a", "b"], option("a", "Way.", choices={"a": "One: This."}))])
    with pytest.raises(TypeError, match="way"):
        describe(declared)


def test_the_words_are_in_the_listing_the_document_the_page_and_the_shell(guest: Person) -> None:
    line = "The whole picture, no larger than width and height."
    (fit,) = (each for each in listing.describe_converter(CONVERTERS["png-to-jpg"])["options"] if each["name"] == "fit")
    assert fit["words"]["inside"] == f"Fit inside, no cropping: {line}"
    document: dict[str, Any] = Client().get("/api/v1/schema?part=png").json()
    form = next(
        each["properties"]["fit"]
        for each in document["components"]["schemas"].values()
        if "fit" in each.get("properties", {})
    )
    assert f"* `inside`: Fit inside, no cropping. {line}" in form["description"]
    page = guest.client.get("/convert/png-to-jpg").content.decode()
    assert re.search(rf'<option value="inside" data-line="{line}"[^>]*>Fit inside, no cropping</option>', page)
    explanation = shell.convert(["a.png", "b.jpg", "--explain"], prefix="convert", data=Path(), unconfined=True)
    assert f"inside: Fit inside, no cropping. {line}" in explanation
    assert "--width: integer from 1 to" in explanation
