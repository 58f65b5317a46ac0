"""Which conversions somebody may have meant by a slug that there is not."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from django.utils.translation import gettext as _

from conversions.errors import UnknownConversion
from conversions.families.registry import resolve
from conversions.toolkit.declaring import Converter
from conversions.toolkit.formats import by_name

MOST = 5
_LONGEST = 60

SPOKEN = {
    "word": "docx", "excel": "xlsx", "powerpoint": "pptx", "text": "txt", "spreadsheet": "xlsx", "calendar": "ics",
    "contacts": "vcf", "contact": "vcf", "photoshop": "psd", "mp4v": "mp4", "picture": "png", "image": "png",
}  # fmt: skip
"""What people call a format that has another id."""


def nearest(slug: str, among: Mapping[str, Converter]) -> list[str]:
    """At most MOST slugs of `among`, the likeliest first: the same by other names, of the same formats, alike."""
    slug = slug[:_LONGEST].lower().removesuffix("/")
    source, _, target = slug.replace("_", "-").replace("2", "-to-").partition("-to-")
    source, target = SPOKEN.get(source, source), SPOKEN.get(target, target)
    same = resolve(f"{source}-to-{target}") or resolve(f"{target}-to-{source}")
    found = [same.slug] if same and same.slug in among and same.slug != slug else []
    spelled = difflib.get_close_matches(f"{source}-to-{target}", among, n=MOST, cutoff=0.75)
    formats = (by_name(source), by_name(target))
    of_source = [each.slug for each in among.values() if each.input is formats[0]]
    to_target = [each.slug for each in among.values() if each.output is formats[1]]
    related = of_source if formats[0] else to_target
    if all(formats):
        # Both ends are known and no pair: what the file can become instead, and what comes close to the wish.
        spelled = []
        related = [each for pair in zip(of_source, to_target, strict=False) for each in pair]
    return list(dict.fromkeys([*found, *spelled, *related]))[:MOST]


def unknown(slug: str, among: Mapping[str, Converter]) -> UnknownConversion:
    """The error that answers such a slug."""
    found = nearest(slug, among)
    if not found:
        text = _("There is no conversion %(slug)r. GET /api/v1/converter/formats lists all of them.")
        return UnknownConversion(text % {"slug": slug[:60]})
    text = _(
        "There is no conversion %(slug)r. Did you mean %(meant)s? GET /api/v1/converter/formats lists all of them."
    )
    return UnknownConversion(text % {"slug": slug[:60], "meant": _(" or ").join(found[:3])}, alternatives=found)
