"""Both engines of HTML to PDF: each does what every vector demands, and the setting chooses one of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pypdf
import pytest
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured

from conversions.work import listing
from conversions.work.offer import current
from engine.families.html_pdf import render
from engine.families.html_pdf.options import ENGINE_SETTING, HTML_PDF, PLUTOPRINT, XHTML2PDF, PageOptions
from engine.families.registry import CONVERTERS
from engine.toolkit.failures import InvalidOption, OverLimit, Unreadable
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.conftest import Person
from tests.converters.vector import Vector
from tests.families.html_pdf import vectors as markup

ROOT = Path(__file__).parents[2]
ENGINES = [each.distribution for each in (PLUTOPRINT, XHTML2PDF) if each.available]
BOTH = [
    pytest.param(engine, vector, id=f"{engine}: {vector.name}")
    for engine in ENGINES
    for vector in markup.vectors(engine)
]


@pytest.mark.parametrize(("engine", "vector"), BOTH)
def test_each_engine_gives_what_the_vector_demands(
    engine: str, vector: Vector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(render, "engine", engine)
    target, warn = tmp_path / "output.pdf", Warn()
    options = build(PageOptions, dict(vector.options))
    if vector.error:
        with pytest.raises((Unreadable, OverLimit, InvalidOption)):
            render.render(vector.source(), target, options, warn)
        return
    render.render(vector.source(), target, options, warn)
    assert vector.check is not None
    vector.check(target.read_bytes())
    assert {each.code for each in warn.warnings} == vector.warnings


@pytest.mark.parametrize("engine", ENGINES)
def test_page_ranges_keep_pages_and_refuse_those_that_there_are_not(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(render, "engine", engine)
    page = "<p>one<p style='page-break-before: always'>two<p style='page-break-before: always'>three"
    target = tmp_path / "output.pdf"
    render.render(page, target, PageOptions(page_ranges="1,3-"), Warn())
    assert [each.extract_text().strip() for each in pypdf.PdfReader(target).pages] == ["one", "three"]
    with pytest.raises(InvalidOption) as refused:
        render.render(page, target, PageOptions(page_ranges="2-4"), Warn())
    assert refused.value.option == "pageRanges"


def test_options_without_effect_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "engine", "xhtml2pdf")
    warn = Warn()
    options = PageOptions(scale=0.5, background=False, media_type="screen", fit_to_width=False)
    render.render("<p>x", tmp_path / "output.pdf", options, warn)
    ignored = [each.message.partition("=")[0] for each in warn.warnings if each.code == "OPTION_IGNORED"]
    assert ignored == ["scale", "fitToWidth", "background", "mediaType"]


CODE = (
    "import django; django.setup(); import io; from conversions.work import runner; "
    "from engine.families.registry import CONVERTERS; from engine.toolkit.options import build; "
    "import tempfile; source = tempfile.TemporaryFile(); source.write(b'<h1>Hello</h1>'); source.flush(); "
    "made = CONVERTERS['html-to-pdf']; outcome = runner.convert(made, source, build(made.options, {})); "
    "import pypdf; reader = pypdf.PdfReader(outcome.output); runner.shutdown(); "
    "print(outcome.engine.split()[0], reader.metadata['/Producer'].split()[0].lower(), "
    "reader.pages[0].extract_text().strip())"
)


@pytest.mark.parametrize("engine", ENGINES)
def test_setting_chooses_the_engine_in_the_service_and_in_its_sandbox(engine: str) -> None:
    name, producer, text = _python(CODE, engine).split()
    assert (name, text) == (engine, "Hello")
    assert producer == engine


def test_setting_needs_the_engine(settings: Any) -> None:
    settings.HTML_PDF_ENGINE = ({"plutoprint", "xhtml2pdf"} - {HTML_PDF.distribution}).pop()
    with pytest.raises(ImproperlyConfigured, match=ENGINE_SETTING):
        apps.get_app_config("conversions").ready()


def test_another_engine_takes_over_where_there_is_no_wheel() -> None:
    code = (
        "import sys; sys.modules['plutoprint'] = None\n"
        "import importlib.util; find = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *rest: None if name == 'plutoprint' else find(name, *rest)\n"
        "from engine.families.html_pdf.options import HTML_PDF; print(HTML_PDF.distribution)"
    )
    assert _python(code, "auto") == "xhtml2pdf"


def test_an_engine_imports_no_network_library() -> None:
    code = (
        f"import importlib, sys; [importlib.import_module(name) for name in {HTML_PDF.modules!r}]; "
        "print({'http.client', 'ssl', 'urllib.request'} & set(sys.modules))"
    )
    assert _python(code, HTML_PDF.distribution) == "set()"


def test_listing_names_the_engine_of_each_conversion(guest: Person) -> None:
    listed = {each["slug"]: each["engine"] for each in guest.get("/converter/formats").json()["data"]["conversions"]}
    assert listed == {slug: each.engine.label for slug, each in CONVERTERS.items()}
    assert listed["html-to-pdf"] == HTML_PDF.label
    assert HTML_PDF.label in listed["markdown-to-pdf"]
    assert listing.document(current())["conversions"][0]["engine"]


def _python(code: str, engine: str) -> str:
    """What a fresh interpreter prints."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", ENGINE_SETTING: engine}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
