"""What is translated has the placeholders and plurals of its message; what is not is English.

How much is translated is no test: `make release-check` lists what every language lacks.
"""

from __future__ import annotations

import gettext
import io
import json
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from django.core.management import CommandError, call_command
from django.utils import translation

from conversions.wording import option_help
from engine.families.ocr.options import LANGUAGES
from engine.families.registry import CONVERTERS
from engine.toolkit.options import describe
from languages import catalogue
from languages.available import translated
from languages.compiled import compiled_file, po_file

POLISH = r"""
msgid ""
msgstr "Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 ? 1 : 2);\n"

msgid "Translated"
msgstr "Przetłumaczone"

msgid "Not translated"
msgstr ""

#, fuzzy
msgid "Guessed"
msgstr "Zgadnięte"

msgid "{count} file"
msgid_plural "{count} files"
msgstr[0] "{count} plik"
msgstr[1] ""
msgstr[2] ""
"""


@pytest.mark.parametrize("domain", catalogue.DOMAINS)
@pytest.mark.parametrize("language", translated())
def test_translations_have_the_placeholders_and_plurals_of_their_messages(language: str, domain: str) -> None:
    assert catalogue.mistakes(language, domain) == []


@pytest.fixture
def half_translated(tmp_path: Path, settings: Any) -> None:
    """Catalogues in the place of the translators', of which there is little."""
    settings.LOCALE_PATHS = [tmp_path]
    for domain in catalogue.DOMAINS:
        file = po_file("pl", domain)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(POLISH)
    catalogue.compile_all()


@pytest.mark.usefixtures("half_translated")
def test_what_is_not_translated_is_english() -> None:
    with compiled_file("pl", "django").open("rb") as file:
        polish = gettext.GNUTranslations(file)
    assert polish.gettext("Translated") == "Przetłumaczone"
    assert polish.gettext("Not translated") == "Not translated"
    assert polish.gettext("Guessed") == "Guessed"
    assert polish.gettext("Not in the catalogue") == "Not in the catalogue"
    assert [polish.ngettext("{count} file", "{count} files", each) for each in (1, 2, 5)] == [
        "{count} plik", "{count} files", "{count} files",
    ]  # fmt: skip


@pytest.mark.usefixtures("half_translated")
def test_scripts_are_given_no_translation_that_lacks_a_part() -> None:
    script = compiled_file("pl", "djangojs").read_text()
    given = json.loads(script.removeprefix("globalThis.dictionary=").rstrip(";\n"))
    assert given["texts"] == {"Translated": "Przetłumaczone"}


@pytest.mark.usefixtures("half_translated")
def test_the_check_of_a_release_names_what_a_language_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Catalog()
    for each in ("Translated", "Not translated", "Guessed", "New"):
        source.add(each)
    monkeypatch.setattr(catalogue, "collect", lambda domain: source)
    output = io.StringIO()
    with pytest.raises(CommandError):
        call_command("messages", "check", "pl", stdout=output)
    named = {line.strip() for line in output.getvalue().splitlines()}
    assert named >= {
        "untranslated: Not translated", "untranslated: Guessed", "untranslated: {count} file", "missing: New",
        "obsolete: {count} file",
    }  # fmt: skip


@pytest.mark.parametrize("language", translated())
def test_machine_dependent_texts_are_translated_in_every_language(language: str) -> None:
    (option,) = (each for each in describe(CONVERTERS["png-to-txt"].options) if each.name == "language")
    with translation.override(language):
        help_text = option_help(option)
    assert help_text != option.description
    assert ", ".join(LANGUAGES) in help_text
    assert ", ".join(LANGUAGES) in option.description
