"""Suggestions for a misspelled slug."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from django.utils.translation import gettext as _

from conversions.errors import UnknownConversion
from engine.families.registry import resolve
from engine.toolkit.declaring import Converter
from engine.toolkit.formats import by_name

MOST = 5
_LONGEST = 60

SPOKEN_NAMES = {
    "word": "docx", "excel": "xlsx", "powerpoint": "pptx", "text": "txt", "spreadsheet": "xlsx", "calendar": "ics",
    "contacts": "vcf", "contact": "vcf", "photoshop": "psd", "mp4v": "mp4", "picture": "png", "image": "png",
}  # fmt: skip
"""Other names of formats."""


def nearest(slug: str, among: Mapping[str, Converter]) -> list[str]:
    """At most MOST slugs of `among`, best first: by other names of the formats, by the same formats, by similarity."""
    slug = slug[:_LONGEST].lower().removesuffix("/")
    source, _, target = slug.replace("_", "-").replace("2", "-to-").partition("-to-")
    source, target = SPOKEN_NAMES.get(source, source), SPOKEN_NAMES.get(target, target)
    same = resolve(f"{source}-to-{target}") or resolve(f"{target}-to-{source}")
    found = [same.slug] if same and same.slug in among and same.slug != slug else []
    spelled = difflib.get_close_matches(f"{source}-to-{target}", among, n=MOST, cutoff=0.75)
    formats = (by_name(source), by_name(target))
    of_source = [each.slug for each in among.values() if each.input is formats[0]]
    to_target = [each.slug for each in among.values() if each.output is formats[1]]
    related = of_source if formats[0] else to_target
    if all(formats):
        # Both formats exist but not the pair: other targets of the input, then similar slugs.
        spelled = []
        related = [each for pair in zip(of_source, to_target, strict=False) for each in pair]
    return list(dict.fromkeys([*found, *spelled, *related]))[:MOST]


def unknown(slug: str, among: Mapping[str, Converter]) -> UnknownConversion:
    """The error for an unknown slug."""
    found = nearest(slug, among)
    if not found:
        text = _("There is no conversion %(slug)r. GET /api/v1/converter/formats lists all of them.")
        return UnknownConversion(text % {"slug": slug[:60]})
    text = _(
        "There is no conversion %(slug)r. Did you mean %(meant)s? GET /api/v1/converter/formats lists all of them."
    )
    return UnknownConversion(text % {"slug": slug[:60], "meant": _(" or ").join(found[:3])}, alternatives=found)
