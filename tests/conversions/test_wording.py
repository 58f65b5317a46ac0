"""What converters declare and say reaches readers of other languages in theirs."""

from __future__ import annotations

import ast
import io
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

from conversions import wording
from conversions.declared import messages, templates
from conversions.models import Conversion
from conversions.serializers import shown
from conversions.work import runner
from engine.families.registry import MISSING
from engine.toolkit.declaring import declared
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import MAX_DEPTH, Message, message_of, say, unpacked
from engine.toolkit.options import describe
from engine.toolkit.warnings import MAX_MESSAGE, Kind, Warn
from tests.conftest import Person

POLISH = {
    "{comments} comments were left out.": (
        "Pominięto {comments} komentarz.",
        "Pominięto {comments} komentarze.",
        "Pominięto {comments} komentarzy.",
    )
}
GERMAN: dict[str, str] = {
    "The drawing is animated; only its first frame was kept.": "Nur das erste Bild wurde gezeichnet.",
    "There is no column “{unwind}”. List the keys starting from the row.": "Keine Spalte „{unwind}“. Schlüssel nennen.",
    "Empty rows were left out: {count}{places}. Use emptyRows to keep them.": "Ohne {count} leere Zeilen{places}.",
    "The table has more than {max_cells} cells when unwound.": "Über {max_cells} Zellen.",
    "A picture was left out: {reason}.": "Ein Bild fehlt: {reason}.",
    "it has too many pixels": "es hat zu viele Pixel",
    "{message} (line {line}, column {column})": "{message} (Zeile {line}, Spalte {column})",
    "The SVG is not well-formed XML.": "Das SVG ist kein wohlgeformtes XML.",
    "Put {{page}} where the number should be, such as Page {{page}} of {{pages}}.": "Mit {{page}} schreiben.",
    "Compress PDF": "PDF verkleinern",
    "Make a PDF small enough to email or upload.": "Damit ein PDF in eine Mail passt.",
}
COLUMN = "There is no column “{unwind}”. List the keys starting from the row."


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
    trans_real._translations = {}  # type: ignore[attr-defined]
    yield
    trans_real._translations = {}  # type: ignore[attr-defined]


def worded(message: str, language: str = "de") -> str:
    with translation.override(language):
        return wording.worded(message)


@pytest.mark.usefixtures("spoken")
class TestWorded:
    def test_a_message_without_values(self) -> None:
        text = "The drawing is animated; only its first frame was kept."
        assert worded(text) == GERMAN[text]

    def test_what_is_quoted_from_the_file_stays_as_it_is(self) -> None:
        assert worded(say(COLUMN, unwind="1,000")) == "Keine Spalte „1,000“. Schlüssel nennen."
        assert (
            worded(say("A picture was left out: {reason}.", reason="Compress PDF")) == "Ein Bild fehlt: Compress PDF."
        )

    def test_numbers_are_written_as_the_language_does(self) -> None:
        many = say("The table has more than {max_cells} cells when unwound.", max_cells=1_000_000)
        assert worded(many) == "Über 1.000.000 Zellen."
        assert many == "The table has more than 1,000,000 cells when unwound."

    def test_a_count_with_examples_is_translated(self) -> None:
        warn = Warn()
        kind = Kind("CONTENT_DROPPED", "Empty rows were left out: {count}{places}. Use emptyRows to keep them.")
        warn.tally(kind, 1234, ["“A: 3. (x)”", "“B”"])
        assert worded(warn.warnings[0].message) == "Ohne 1.234 leere Zeilen (“A: 3. (x)”, “B”, …)."

    def test_a_message_inside_another_is_translated_too(self) -> None:
        message = say("A picture was left out: {reason}.", reason=say("it has too many pixels"))
        assert worded(message) == "Ein Bild fehlt: es hat zu viele Pixel."

    def test_braces_of_a_text_are_no_placeholders(self) -> None:
        text = "Put {page} where the number should be, such as Page {page} of {pages}."
        assert message_of(text) == text
        assert worded(text) == "Mit {page} schreiben."

    def test_english_readers_and_messages_without_translation_get_the_english_text(self) -> None:
        known = say("The table has more than {max_cells} cells when unwound.", max_cells=3)
        assert worded(known, "en-gb") == known
        assert worded("Nothing that anybody translates.") == "Nothing that anybody translates."

    @pytest.mark.parametrize("text", ["{unwind}", "%(x)s %s", "<b>&", "{{}}", "“”", "{0.__class__}", "{"])
    def test_what_a_hostile_file_is_quoted_with_changes_nothing_around_it(self, text: str) -> None:
        message = say(COLUMN, unwind=text)
        assert worded(message) == f"Keine Spalte „{text}“. Schlüssel nennen."
        assert message == f"There is no column “{text}”. List the keys starting from the row."

    def test_a_page_escapes_what_it_quotes(self) -> None:
        row = wording.as_stored(say(COLUMN, unwind="<script>"))
        with translation.override("de"):
            page = Template("{% load wording %}{{ row|worded }}").render(Context({"row": row}))
        assert page == "Keine Spalte „&lt;script&gt;“. Schlüssel nennen."

    @pytest.mark.parametrize(
        ("number", "form"), [(1, "komentarz."), (3, "komentarze."), (5, "komentarzy."), (22, "komentarze.")]
    )
    def test_the_form_of_a_word_follows_its_number(self, number: int, form: str) -> None:
        message = say("{comments} comments were left out.", comments=number)
        assert worded(message, "pl") == f"Pominięto {number} {form}"

    @pytest.mark.django_db
    def test_a_task_is_shown_and_found_by_its_words(self, client: Client) -> None:
        found = client.get("/search", {"q": "verkleinern", "part": "1"}, headers={"Accept-Language": "de"})
        assert "PDF verkleinern" in found.content.decode()
        page = client.get("/compress-pdf", headers={"Accept-Language": "de"}).content.decode()
        assert "<h1>PDF verkleinern</h1>" in page
        assert "<h1>Compress PDF</h1>" in client.get("/compress-pdf").content.decode()

    @pytest.mark.django_db
    def test_a_refusal_is_answered_in_the_language_asked_for_and_kept_for_all(self, paying: Person) -> None:
        failed = paying.convert("svg-to-png", b"<svg", "a.svg", headers={"Accept-Language": "de"}).json()
        assert failed["message"].startswith("Das SVG ist kein wohlgeformtes XML. (Zeile 1")
        assert failed["details"][0]["message"] == "Das SVG ist kein wohlgeformtes XML."
        kept = Conversion.objects.get()
        assert kept.error_message.startswith("The SVG is not well-formed XML. (line 1")
        with translation.override("de"):
            assert shown(kept)["error"]["message"] == failed["message"]
        assert shown(kept)["error"]["message"] == kept.error_message


class TestMessage:
    def test_a_message_comes_through_json_as_it_was(self) -> None:
        message = say("A picture was left out: {reason}.", reason=say("{count} parts", count=3))
        found = unpacked(message.packed(), longest=MAX_MESSAGE)
        assert (found, found.template, found.values) == (message, message.template, message.values)

    @pytest.mark.parametrize(
        "given",
        [
            "text", None, [], ["{a}"], ["{a}", {}], ["{a}", {"a": None}], ["{a}", {"a": True}], [1, {}], ["x", []],
            ["{a}", {"a": float("nan")}], ["{a}", {"a": 10**20}], ["{a}", {"a": "x" * 600}], ["x" * 1001, {}],
            ["{a}", {"a": ["{b}", {"b": ["{c}", {"c": ["{d}", {"d": ["{e}", {"e": 1}]}]}]}]}],
        ],
    )  # fmt: skip
    def test_what_no_honest_child_sends_is_refused(self, given: object) -> None:
        with pytest.raises(ValueError):
            unpacked(given, longest=MAX_MESSAGE)

    def test_a_template_reaches_nothing_but_its_values(self) -> None:
        assert Message("{a.__class__} {0} {a}", {"a": "x", "0": "y"}) == "{a.__class__} y x"

    def test_a_long_quote_is_cut_and_the_sentence_stays(self) -> None:
        message = say(COLUMN, unwind="x" * 2 * MAX_MESSAGE).cut(MAX_MESSAGE)
        assert len(message) <= MAX_MESSAGE
        assert message.template == COLUMN
        assert message.endswith("…”. List the keys starting from the row.")

    def test_a_long_text_without_values_is_cut_at_its_end(self) -> None:
        assert message_of("x" * 2 * MAX_MESSAGE).cut(MAX_MESSAGE) == "x" * (MAX_MESSAGE - 1) + "…"


def test_templates_are_found_where_messages_are_made() -> None:
    code = """
warn("GLYPH_MISSING", "One." if x else "Two {brace}.")
self._report("GLYPH_MISSING", say("{count} three.", count=1))
raise Unreadable("Four.", line=1)
raise OverLimit("memory", say("Five {a}.", a=2))
KIND = Kind("CONTENT_DROPPED", "Six: {count}{places}.")
log.info("No message.")
"""
    assert set(templates(ast.parse(code))) == {
        "One.", "Two {{brace}}.", "{count} three.", "Four.", "Five {a}.", "Six: {count}{places}.",
    }  # fmt: skip


def test_translators_are_given_what_is_declared_and_what_the_engine_says() -> None:
    found = {text for _, text in messages()}
    assert "Compress PDF" in found
    assert "{message} (line {line}, column {column})" in found
    assert "Empty rows were left out: {count}{places}. Use emptyRows to keep them." in found
    assert "“{address}” is not part of the file and was not loaded." in found


def test_catalogues_are_the_same_whatever_is_installed() -> None:
    texts = {text for _, text in messages()}
    elsewhere = [each for each in declared() if each.slug in MISSING]
    assert [each.slug for each in elsewhere if each.summary_template not in texts] == []
    assert {option.description_template for each in elsewhere for option in describe(each.options)} <= texts


def test_a_failure_as_deep_as_a_converter_may_report_is_shown_in_the_history(
    paying: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is stored one level deeper, with its line: read back, it made each page of the history fail."""
    deepest: list[Any] = ["bad", {}]
    for _ in range(MAX_DEPTH - 1):
        deepest = ["in {part}", {"part": deepest}]
    error = Unreadable(unpacked(deepest, longest=MAX_MESSAGE), line=3, reason="damaged")

    def fail(*args: Any, **kwargs: Any) -> None:
        raise error

    monkeypatch.setattr(runner, "convert", fail)
    assert paying.convert("json-to-csv", b"[1,").status_code == 422
    assert paying.get("/converter/history").json()["data"][0]["error"]["message"] == "in in in bad (line 3)"
    client = Client()
    client.force_login(paying.account)
    assert "in in in bad (line 3)" in client.get("/history").content.decode()
