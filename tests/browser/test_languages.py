"""What scripts say in a browser, in the language of the page."""

from __future__ import annotations

import gettext
import re
from typing import Any

import pytest
from django.utils.translation import override
from playwright.sync_api import expect

from accounts.templatetags.quantities import milliseconds, size, thousands
from languages import catalogue
from languages.available import translated
from tests.browser.conftest import true_in
from tests.conftest import Person
from tests.conversions.samples import PEOPLE

_SAID = """() => {
  window.said = [];
  const note = (changes) => {
    for (const { target } of changes) {
      const part = target.closest?.(".state, #announce");
      if (part?.textContent) window.said.push(part.textContent);
    }
  };
  new MutationObserver(note).observe(document.getElementById("widget"), { childList: true, subtree: true });
}"""
_WORKER = "navigator.serviceWorker.ready.then(() => true)"
_CONTROLLED = """() => new Promise((resolve) => {
  if (navigator.serviceWorker.controller) resolve();
  navigator.serviceWorker.addEventListener("controllerchange", resolve);
})"""
_KEPT = """async () => (await caches.match("/offline", { ignoreVary: true })).headers.get("Content-Language")"""


def _choose(page: Any, *files: tuple[str, bytes]) -> None:
    page.set_input_files("#file", [{"name": name, "mimeType": "", "buffer": content} for name, content in files])
    page.locator(".file[data-state=ready]").nth(len(files) - 1).wait_for()


def test_a_conversion_in_german_shows_no_english(visit: Any, guest: Person) -> None:
    page = visit("about:blank", locale="de-DE")
    asked: list[str] = []
    page.on("request", lambda each: asked.append(each.url) if "/texts/" in each.url else None)
    page.goto("/")
    page.evaluate(_SAID)
    _choose(page, ("people.json", PEOPLE), ("cities.json", PEOPLE))
    rows = page.locator(".file")
    expect(page.locator("#batch-words")).to_have_text("2 Dateien", use_inner_text=True)
    expect(rows.nth(0).locator(".state")).to_have_text("Bereit", use_inner_text=True)
    page.get_by_label("people.json umwandeln in").select_option("json-to-csv")
    page.get_by_label("cities.json umwandeln in").select_option("json-to-csv")
    expect(page.locator(".settings-count").first).to_have_text("Standardwerte", use_inner_text=True)
    page.get_by_role("button", name="2 Dateien umwandeln", exact=True).click()
    page.locator(".file[data-state=done]").nth(1).wait_for()
    row = rows.nth(0)
    assert re.fullmatch(r"Fertig in [\d,]+ (ms|s), \d+ B.*", row.locator(".state").inner_text())
    expect(row.get_by_role("link", name="people.csv herunterladen")).to_have_count(1)
    expect(row.get_by_role("button", name="Vorschau von people.csv")).to_have_count(1)
    expect(row.get_by_role("button", name="people.json entfernen")).to_have_text("Entfernen", use_inner_text=True)
    true_in(page, """() => document.getElementById("announce").textContent.includes("ist fertig")""")
    expect(page.locator("#batch-words")).to_have_text("2 von 2 Dateien fertig", use_inner_text=True)
    texts = page.evaluate("window.said")
    assert "2 Dateien hinzugefügt." in texts
    german = re.compile(
        r"Mögliche Ziele werden gesucht|Bereit|In der Warteschlange|Wird hochgeladen, .*|Wird umgewandelt.*"
        r"|Fertig in .*|\d Dateien hinzugefügt\.|(people|cities)\.csv ist fertig\."
        r"|(people|cities)\.json: .* umgewandelt\."
    )
    assert [each for each in texts if not german.fullmatch(each)] == []
    assert len(asked) == 1


def test_a_refusal_is_in_the_language_of_the_page(visit: Any, watch: Any, guest: Person) -> None:
    watch.refusals_expected = True
    page = visit("/", locale="pl-PL")
    _choose(page, ("broken.json", b'[{"id": 1,, "name": "Ada"}]'))
    page.get_by_role("button", name="Konwertuj", exact=True).click()
    row = page.locator(".file[data-state=failed]")
    row.wait_for()
    expect(row.locator(".state")).to_have_text("Nie skonwertowano", use_inner_text=True)
    expect(row.get_by_role("button", name="Spróbuj ponownie: broken.json")).to_be_visible()


def test_scripts_work_in_english_if_their_translations_fail_to_load(visit: Any, watch: Any, guest: Person) -> None:
    watch.failures_expected = True
    page = visit("about:blank", locale="de-DE")
    page.route("**/texts/**", lambda route: route.abort())
    page.goto("/")
    _choose(page, ("people.json", PEOPLE))
    expect(page.locator(".file .state")).to_have_text("Ready", use_inner_text=True)
    assert page.evaluate("document.documentElement.classList.contains('js')")


@pytest.mark.parametrize("language", ["en-gb", *translated()])
def test_sizes_times_and_numbers_are_written_as_the_server_writes_them(
    visit: Any, guest: Person, language: str
) -> None:
    page = visit("/login", locale=language)
    sizes = [0, 999, 1000, 1550, 99_949, 100_500, 4_200_000, 987_654_321, 1_000_000_000, 2_340_000_000]
    times = [0, 85, 999, 1000, 1300, 100_400, 119_999, 120_000, 7_200_000]
    numbers = [0, 7, 999, 1000, 1234, 12_345, 1_234_567]
    written = page.evaluate(
        """async ([sizes, times, numbers]) => {
          const { size, duration } = await import("/static/words.js");
          const { thousands } = await import("/static/texts.js");
          return [sizes.map(size), times.map(duration), numbers.map(thousands)];
        }""",
        [sizes, times, numbers],
    )
    with override(language):
        expected = [[*map(size, sizes)], [*map(milliseconds, times)], [*map(thousands, numbers)]]
    assert written == expected


@pytest.mark.parametrize("language", translated())
def test_the_browser_chooses_the_same_plural_as_the_catalogue(visit: Any, guest: Person, language: str) -> None:
    page = visit("/login", locale=language)
    numbers = [*range(130), 1000, 1001, 1_000_000]
    chosen = page.evaluate(
        """async (numbers) => {
          const { plural } = await import("/static/texts.js");
          globalThis.dictionary.texts["one of these"] = globalThis.dictionary.forms.map((each, at) => String(at));
          return numbers.map((each) => Number(plural("one of these", "", each)));
        }""",
        numbers,
    )
    place = gettext.c2py(catalogue.load(language, "djangojs").plural_expr)
    assert chosen == [place(each) for each in numbers]


def test_without_a_network_the_language_is_that_of_the_page_before(visit: Any, watch: Any, guest: Person) -> None:
    watch.failures_expected = True
    page = visit("/login", locale="en-GB", service_workers="allow")
    assert page.evaluate(_WORKER)
    page.reload()
    page.evaluate(_CONTROLLED)
    page.context.add_cookies([{"name": "language", "value": "de", "url": page.url}])
    page.goto("/login")
    true_in(page, f"{_KEPT}".replace("async () =>", "(async () =>") + ")().then((each) => each === 'de')")
    page.context.set_offline(True)
    page.goto("/history")
    expect(page.locator("html")).to_have_attribute("lang", "de")
