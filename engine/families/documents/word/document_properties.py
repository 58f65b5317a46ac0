"""The properties of an Office document by their names in fields (ECMA-376, part 1, 15.2.12)."""

from __future__ import annotations

from engine.families.documents.ooxml.package import Package

_CORE = {
    "title": "title", "subject": "subject", "creator": "author", "keywords": "keywords", "description": "comments",
    "lastModifiedBy": "lastsavedby", "category": "category",
}  # fmt: skip
_LONGEST, _MOST = 1_000, 1_000


def read(package: Package) -> dict[str, str]:
    """The texts of the core and custom properties by their names in lower case."""
    found = {}
    if (name := package.related("", "core-properties")) is not None:
        for each in package.xml(name):
            if isinstance(each.tag, str) and (known := _CORE.get(each.tag.rpartition("}")[2])) and each.text:
                found[known] = each.text[:_LONGEST]
    if (name := package.related("", "custom-properties")) is not None:
        for each in package.xml(name)[:_MOST]:
            if own := each.get("name"):
                found.setdefault(own.lower(), "".join(each.itertext())[:_LONGEST])
    return found
