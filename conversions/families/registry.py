"""The table of conversions: all families imported, duplicates refused, missing engines left out."""

from __future__ import annotations

import importlib
from types import MappingProxyType

from conversions.toolkit import declaring
from conversions.toolkit.formats import Format, by_name

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
    "pdf.writers",
    "pdf.tasks",
    "subtitles",
)
"""The folders beside this module; each declares its conversions in a module `converters`."""


def _load() -> tuple[dict[str, declaring.Converter], tuple[str, ...]]:
    table: dict[str, declaring.Converter] = {}
    missing: list[str] = []
    for family in FAMILIES:
        importlib.import_module(f"conversions.families.{family}.converters")
    for each in declaring.declared():
        if each.alternative is not None:
            continue
        if each.slug in table or each.slug in missing:
            raise RuntimeError(f"{each.slug} is declared twice")
        if each.engine.available:
            table[each.slug] = each
        else:
            missing.append(each.slug)
    for each in declaring.declared():
        if each.alternative is not None and each.slug in missing and each.engine.available:
            missing.remove(each.slug)
            table[each.slug] = each
    return dict(sorted(table.items())), tuple(sorted(missing))


_table, MISSING = _load()
CONVERTERS = MappingProxyType(_table)
"""Slug to converter, sorted by slug; MISSING names the slugs whose engine is not installed."""

ALTERNATIVES: tuple[declaring.Converter, ...] = tuple(
    each for each in declaring.declared() if each.alternative is not None and each.engine.available
)
"""Second engines whose libraries are installed; one takes its slug's place where the slug's own engine is missing, or
where `prefer` puts it."""

INPUTS: frozenset[Format] = frozenset(each.input for each in CONVERTERS.values())


def prefer(alternative: str) -> int:
    """Put every installed alternative of this name in its slug's place, and return how many there are.

    Options and summary of the slug are then its own, so it has to happen before anything is derived from the table.
    """
    chosen = {each.slug: each for each in ALTERNATIVES if each.alternative == alternative}
    _table.update(chosen)
    return len(chosen)


def choose(engine: str) -> bool:
    """Put the engine that a setting names in place: `auto` is LibreOffice where it is installed; False if it is not."""
    return bool(prefer("libreoffice" if engine == "auto" else engine)) or engine == "auto"


def resolve(slug: str) -> declaring.Converter | None:
    """The converter of a slug, also where it is spelled with other extensions of the same formats (`md-to-pdf`)."""
    if slug in CONVERTERS:
        return CONVERTERS[slug]
    source, separator, target = slug.partition("-to-")
    input_format, output_format = by_name(source), by_name(target)
    if not (separator and input_format and output_format):
        return None
    return CONVERTERS.get(f"{input_format.id}-to-{output_format.id}")


def alternatives(format: Format) -> list[str]:
    """The slugs that take `format` as their input."""
    return [each.slug for each in CONVERTERS.values() if each.input is format]
