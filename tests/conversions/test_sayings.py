"""What converters declare and say reaches readers of other languages in theirs."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from django.template import Context, Template
from django.test import Client
from django.utils import translation
from django.utils.translation import trans_real

from conversions.models import Conversion
from conversions.sayings import telling
from conversions.sayings.declared import messages
from conversions.sayings.patterns import Patterns, split
from conversions.sayings.reading import sayings
from conversions.serializers import shown
from conversions.toolkit.warnings import MAX_MESSAGE, Kind, Warn
from languages import catalogue
from languages.spoken import translated
from tests.conftest import Person

POLISH = {
    "{comments} comments were left out.": (
        "Pominięto {comments} komentarz.",
        "Pominięto {comments} komentarze.",
        "Pominięto {comments} komentarzy.",
    )
}
GERMAN: dict[str, str] = {
    "The drawing is animated; only its first frame was drawn.": "Nur das erste Bild wurde gezeichnet.",
    "There is no column “{unwind}”. Name the keys from the row down.": "Keine Spalte „{unwind}“. Schlüssel nennen.",
    "Empty rows were left out: {count}{places}. Use emptyRows to keep them.": "Ohne {count} leere Zeilen{places}.",
    "The table has more than {max_cells} cells once it is unwound.": "Über {max_cells} Zellen.",
    "A picture was left out: {reason}.": "Ein Bild fehlt: {reason}.",
    "it has too many pixels": "es hat zu viele Pixel",
    "{message} (line {line}, column {column})": "{message} (Zeile {line}, Spalte {column})",
    "The SVG is not well-formed XML.": "Das SVG ist kein wohlgeformtes XML.",
    "Write {{page}} where the number is to stand, such as Page {{page}} of {{pages}}.": "Mit {{page}} schreiben.",
    "Compress PDF": "PDF verkleinern",
    "Make a PDF small enough to mail or upload.": "Damit ein PDF in eine Mail passt.",
}


@pytest.fixture
def spoken(tmp_path: Path, settings: Any) -> Iterator[None]:
    """Catalogues of a few messages in the place of the translators'."""
    for language, given in (("de", GERMAN), ("pl", POLISH)):
        catalog = Catalog(locale=language)
        for one, text in given.items():
            catalog.add((one, one) if isinstance(text, tuple) else one, text)
        folder = tmp_path / language / "LC_MESSAGES"
        folder.mkdir(parents=True)
        binary = io.BytesIO()
        write_mo(binary, catalog)
        (folder / "django.mo").write_bytes(binary.getvalue())
    settings.LOCALE_PATHS = [tmp_path]
    _forget()
    yield
    _forget()


def _forget() -> None:
    trans_real._translations = {}  # type: ignore[attr-defined]
    telling._patterns.cache_clear()
    telling._told.cache_clear()


def told(text: str, language: str = "de") -> str:
    with translation.override(language):
        return telling.told(text)


@pytest.mark.usefixtures("spoken")
class TestTold:
    def test_a_message_without_varying_parts(self) -> None:
        assert told("The drawing is animated; only its first frame was drawn.") == GERMAN[
            "The drawing is animated; only its first frame was drawn."
        ]  # fmt: skip

    def test_what_is_quoted_from_the_file_stays_as_it_is(self) -> None:
        assert told("There is no column “1,000”. Name the keys from the row down.") == (
            "Keine Spalte „1,000“. Schlüssel nennen."
        )

    def test_numbers_are_written_as_the_language_does(self) -> None:
        assert told("The table has more than 1,000,000 cells once it is unwound.") == "Über 1.000.000 Zellen."

    def test_what_was_counted_is_told_with_its_places(self) -> None:
        warn = Warn()
        kind = Kind("CONTENT_DROPPED", "Empty rows were left out", "Use emptyRows to keep them.")
        warn.tally(kind, 1234, ["“A: 3. (x)”", "“B”"])
        assert told(warn.warnings[0].message) == "Ohne 1.234 leere Zeilen (“A: 3. (x)”, “B”, …)."

    def test_a_saying_inside_of_another_is_told_too(self) -> None:
        assert told("A picture was left out: it has too many pixels.") == "Ein Bild fehlt: es hat zu viele Pixel."

    def test_the_place_in_a_file_is_told_with_what_is_wrong_there(self) -> None:
        assert told("The SVG is not well-formed XML. (line 3, column 14)") == (
            "Das SVG ist kein wohlgeformtes XML. (Zeile 3, Spalte 14)"
        )

    def test_a_message_behind_the_name_of_an_option(self) -> None:
        assert told("fields: The SVG is not well-formed XML.") == "fields: Das SVG ist kein wohlgeformtes XML."

    def test_braces_of_a_message_are_no_places(self) -> None:
        assert told("Write {page} where the number is to stand, such as Page {page} of {pages}.") == (
            "Mit {page} schreiben."
        )

    def test_english_readers_and_unknown_messages_get_the_text_itself(self) -> None:
        known = "The table has more than 1,000,000 cells once it is unwound."
        assert told(known, "en-gb") == known
        assert told("Nothing that anybody translates.") == "Nothing that anybody translates."

    @pytest.mark.parametrize("text", ["{unwind}", "%(x)s %s", "<b>&", "{{}}", "“”", "{0.__class__}", "{"])
    def test_what_a_hostile_file_is_quoted_with_changes_nothing_around_it(self, text: str) -> None:
        message = f"There is no column “{text}”. Name the keys from the row down."
        assert told(message) == f"Keine Spalte „{text}“. Schlüssel nennen."

    def test_a_page_escapes_what_is_told(self) -> None:
        message = "There is no column “<script>”. Name the keys from the row down."
        with translation.override("de"):
            shown = Template("{% load sayings %}{{ text|told }}").render(Context({"text": message}))
        assert shown == "Keine Spalte „&lt;script&gt;“. Schlüssel nennen."

    def test_a_message_that_was_cut_is_told_as_far_as_it_goes(self) -> None:
        whole = f"There is no column “{'x' * MAX_MESSAGE}”. Name the keys from the row down."
        assert told(whole[: MAX_MESSAGE - 1] + "…").startswith("Keine Spalte „xxx")

    @pytest.mark.parametrize(
        ("number", "form"), [("1", "komentarz."), ("3", "komentarze."), ("5", "komentarzy."), ("22", "komentarze.")]
    )
    def test_the_form_of_a_word_follows_its_number(self, number: str, form: str) -> None:
        assert told(f"{number} comments were left out.", "pl") == f"Pominięto {number} {form}"

    @pytest.mark.django_db
    def test_a_task_is_shown_and_found_by_its_words(self, client: Client) -> None:
        found = client.get("/search", {"q": "verkleinern", "part": "1"}, headers={"Accept-Language": "de"})
        assert "PDF verkleinern" in found.content.decode()
        page = client.get("/compress-pdf", headers={"Accept-Language": "de"}).content.decode()
        assert "<h1>PDF verkleinern</h1>" in page
        assert "<h1>Compress PDF</h1>" in client.get("/compress-pdf").content.decode()

    @pytest.mark.django_db
    def test_warnings_and_errors_of_the_history_are_told_by_page_and_by_api(self, paying: Person) -> None:
        failed = paying.convert("svg-to-png", b"<svg", "a.svg", headers={"Accept-Language": "de"}).json()
        assert failed["message"].startswith("Das SVG ist kein wohlgeformtes XML. (Zeile 1")
        assert failed["details"][0]["message"] == "Das SVG ist kein wohlgeformtes XML."
        kept = Conversion.objects.get()
        assert kept.error_message.startswith("The SVG is not well-formed XML. (line 1")
        with translation.override("de"):
            assert shown(kept)["error"]["message"] == failed["message"]
        assert shown(kept)["error"]["message"] == kept.error_message


def test_every_message_is_found_again_by_itself_or_one_with_the_same_words() -> None:
    patterns = Patterns(each.text for each in sayings())
    wrong = []
    for each in sayings():
        fixed, names = split(each.text)
        values = {name: f"¤{at}" for at, name in enumerate(names)}
        text = "".join(part for piece, name in zip(fixed, names, strict=False) for part in (piece, values[name]))
        found = patterns.find(text + fixed[-1])
        if names and (found is None or "".join(split(found[0])[0]) != "".join(fixed)):
            wrong.append((each.text, found))
    assert not wrong


def test_messages_are_collected_with_their_tables_and_their_plurals() -> None:
    found = {text if isinstance(text, str) else text[0]: text for _, text in messages()}
    assert "Compress PDF" in found
    assert found["{comments} comments were left out."] == ("{comments} comments were left out.",) * 2
    assert "Empty rows were left out: {count}{places}. Use emptyRows to keep them." in found
    assert "“{address}” is not part of the file and was not loaded." in found
    assert not [each for each in found if "</" in each or not each.strip()]


def test_the_time_grows_with_the_length_of_the_message() -> None:
    patterns = Patterns(each.text for each in sayings())
    hostile = ["“" * 500, "The file " * 55, ": " * 250, "“a” is “a” is " * 35, "{x} " * 125]
    started = time.process_time()
    for _ in range(20):
        for text in hostile:
            patterns.find(text[:MAX_MESSAGE])
    assert time.process_time() - started < 1.0


@pytest.mark.parametrize("language", translated())
def test_translations_have_the_places_of_their_message_and_all_forms(language: str) -> None:
    assert catalogue.mistakes(language, "django") == []
