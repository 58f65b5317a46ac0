"""Catalogues are brought up to date with what the service says, and keep their translations."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from languages import catalogue


def test_plurals_of_a_template_stay_where_the_source_has_one_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "po_file", lambda language, domain: tmp_path / f"{language}.po")
    template = "{count} pages were left out."
    (tmp_path / "de.po").write_text(
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
        '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
        f'msgid "{template}"\nmsgid_plural "{template}"\n'
        'msgstr[0] "Eine Seite fehlt."\nmsgstr[1] "{count} Seiten fehlen."\n'
    )
    source = Catalog()
    source.add(template)
    source.add("New.")
    catalogue.update("de", "django", source)
    kept = catalogue.load("de", "django")
    assert kept[template].string == ("Eine Seite fehlt.", "{count} Seiten fehlen.")
    assert not kept[template].fuzzy
    assert kept["New."].string == ""
    assert source[template].id == template
