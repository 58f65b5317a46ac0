"""The table of all conversions: import families, refuse duplicates, skip missing engines."""

from __future__ import annotations

import dataclasses
import importlib
from types import MappingProxyType

from engine.toolkit import declaring
from engine.toolkit.formats import Format, by_name

FAMILIES = (
    "archives",
    "books",
    "data",
    "data.agenda",
    "data.arrow",
    "data.avro",
    "data.bibliographies",
    "data.databases",
    "data.feeds",
    "data.json_csv",
    "data.orc",
    "data.pages",
    "data.places",
    "data.settings",
    "documents",
    "documents.markup",
    "documents.old_office",
    "documents.presenting",
    "documents.slides",
    "fonts",
    "geo",
    "html_pdf",
    "images",
    "libreoffice",
    "mail",
    "media",
    "models",
    "ocr",
    "pdf",
    "pdf.pictured",
    "pdf.writers",
    "pdf.tasks",
    "saved_pages",
    "subtitles",
)
"""The folders beside this module; each declares its conversions in a module `converters`."""


for _family in FAMILIES:
    importlib.import_module(f"engine.families.{_family}.converters")

DECLARED = tuple(declaring.declared())
"""All converters of all families, alternatives included, whether or not their engine is installed."""


SUITE = "libreoffice"
"""The alternative that completes the default engines of its slugs."""


def _load() -> tuple[dict[str, declaring.Converter], tuple[str, ...]]:
    table: dict[str, declaring.Converter] = {}
    missing: set[str] = set()
    for each in DECLARED:
        if each.alternative is not None:
            continue
        if each.slug in table or each.slug in missing:
            raise RuntimeError(f"{each.slug} is declared twice")
        if each.engine.available:
            table[each.slug] = each
        else:
            missing.add(each.slug)
    for each in DECLARED:
        if each.alternative is None:
            continue
        if not each.engine.available:
            missing |= {each.slug} - table.keys()
        elif each.slug not in table:
            missing.discard(each.slug)
            table[each.slug] = each
        elif each.alternative == SUITE:
            table[each.slug] = dataclasses.replace(table[each.slug], otherwise=each)
    return dict(sorted(table.items())), tuple(sorted(missing))


_table, MISSING = _load()
CONVERTERS = MappingProxyType(_table)
"""Converters by slug, in order; MISSING names the slugs whose engine is not installed."""

ALTERNATIVES: tuple[declaring.Converter, ...] = tuple(
    each for each in DECLARED if each.alternative is not None and each.engine.available
)
"""Alternatives whose libraries are installed; one replaces the default if that engine is missing, or if `choose`
selects it."""

INPUTS: frozenset[Format] = frozenset(each.input for each in CONVERTERS.values())


def choose(engine: str) -> bool:
    """Use one engine of several; return False if it is not installed.

    `auto` leaves to the other one what the default engines don't draw completely, `own` leaves nothing, and the name of
    an alternative replaces the default engines of its slugs. Call it before anything is derived from the table, because
    it changes the options and summaries of slugs.
    """
    if engine == "own":
        both = {slug: each for slug, each in _table.items() if each.otherwise is not None}
        _table.update({slug: dataclasses.replace(each, otherwise=None) for slug, each in both.items()})
        return True
    chosen = {each.slug: each for each in ALTERNATIVES if each.alternative == engine}
    _table.update(chosen)
    return bool(chosen) or engine == "auto"


def resolve(slug: str) -> declaring.Converter | None:
    """The converter of a slug, which may use other extensions of the same formats (`md-to-pdf`)."""
    if slug in CONVERTERS:
        return CONVERTERS[slug]
    source, separator, target = slug.partition("-to-")
    input_format, output_format = by_name(source), by_name(target)
    if not (separator and input_format and output_format):
        return None
    return CONVERTERS.get(f"{input_format.id}-to-{output_format.id}")
