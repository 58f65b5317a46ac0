"""The document of `/converter/formats`."""

from __future__ import annotations

from typing import Any

from conversions.wording import option_help, summary, translated
from conversions.work.offer import Offer, current
from engine.families.auditing import audited_kinds
from engine.families.media import options as media
from engine.toolkit.declaring import Converter
from engine.toolkit.formats import FORMATS, KINDS
from engine.toolkit.options import Option, describe


def _option(option: Option) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "name": option.name,
        "type": option.kind,
        "default": None if option.nullable else option.default,
        "description": option_help(option),
    }
    bounds = {
        "choices": list(option.choices) or None,
        "words": {each.value: f"{translated(each.label)}: {translated(each.help)}" for each in option.choice_labels}
        or None,
        "unit": option.unit or None,
        "minimum": option.minimum,
        "maximum": option.maximum,
        "minLength": option.min_length,
        "maxLength": option.max_length,
        "pattern": option.pattern,
    }
    return shown | {name: value for name, value in bounds.items() if value is not None}


def describe_converter(converter: Converter) -> dict[str, Any]:
    return _described(converter, current(), options=True)


def _described(converter: Converter, offered: Offer, *, options: bool) -> dict[str, Any]:
    cost, plans = offered.cost(converter), offered.plans.get(converter.slug)
    return {
        "slug": converter.slug,
        "input": converter.input.id,
        "output": converter.output.id,
        "summary": summary(converter),
        "credits": cost.credits,
        **({"creditsPerMinute": cost.credits} if cost.per_minute else {}),
        **({"plans": sorted(plans)} if plans is not None else {}),
        "engine": converter.engine.label,
        "audited": sorted(audited_kinds(converter)),
        **({"options": [_option(each) for each in describe(converter.options)]} if options else {}),
    }


def document(offered: Offer, *, options: bool = True) -> dict[str, Any]:
    """All formats in use and all conversions, sorted by slug. Whoever serves it remembers its bytes."""
    ids = {each for converter in offered.converters.values() for each in (converter.input.id, converter.output.id)}
    used = [each for each in FORMATS.values() if each.id in ids]
    by_kind = {kind: [each.id for each in used if each.kind == kind] for kind in KINDS}
    return {
        "formats": [
            {
                "id": each.id,
                "name": translated(each.name),
                "extensions": list(each.extensions),
                "contentType": each.content_type,
                "kind": each.kind,
            }
            for each in used
        ],
        "kinds": [
            {"id": kind, "name": translated(KINDS[kind]), "formats": found} for kind, found in by_kind.items() if found
        ],
        "conversions": [_described(each, offered, options=options) for each in offered.converters.values()],
    }


def programs() -> dict[str, str]:
    """Programs used by engines, by name, with the versions they report."""
    version = media.version()
    return {} if version is None else {"ffmpeg": version}
