"""The table of conversions: all families imported, duplicates refused, missing engines left out."""

from __future__ import annotations

from types import MappingProxyType

from conversions.converters import FAMILIES, base, load
from conversions.formats import Format, by_name


def _load() -> tuple[dict[str, base.Converter], tuple[str, ...]]:
    table: dict[str, base.Converter] = {}
    missing = []
    for family in FAMILIES:
        load(family)
    for each in base.declared():
        if each.alternative is not None:
            continue
        if each.slug in table or each.slug in missing:
            raise RuntimeError(f"{each.slug} is declared twice")
        if each.engine.available:
            table[each.slug] = each
        else:
            missing.append(each.slug)
    return dict(sorted(table.items())), tuple(sorted(missing))


_table, MISSING = _load()
CONVERTERS = MappingProxyType(_table)
"""Slug to converter, sorted by slug; MISSING names the slugs whose engine is not installed."""

ALTERNATIVES: tuple[base.Converter, ...] = tuple(
    each for each in base.declared() if each.alternative is not None and each.engine.available
)
"""Second engines of listed slugs, whose libraries are installed; `prefer` puts them in place."""

INPUTS: frozenset[Format] = frozenset(each.input for each in CONVERTERS.values())


def prefer(alternative: str) -> int:
    """Put every installed alternative of this name in its slug's place, and return how many there are.

    Options and summary of the slug are then its own, so it has to happen before anything is derived from the table.
    """
    chosen = {each.slug: each for each in ALTERNATIVES if each.alternative == alternative}
    _table.update(chosen)
    return len(chosen)


def resolve(slug: str) -> base.Converter | None:
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
