"""A part of the OpenAPI document that is a whole document itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

_HERE = "#/components/"


def excerpt(document: dict[str, Any], keep: Callable[[str], bool]) -> dict[str, Any]:
    """The document with only the paths that `keep` wants, and only the components that these refer to.

    Security schemes stay: operations name them without a reference (OpenAPI 3.1, section 4.8.30).
    """
    paths = {path: item for path, item in document["paths"].items() if keep(path)}
    components: dict[str, dict[str, Any]] = {"securitySchemes": document["components"].get("securitySchemes", {})}
    wanted = list(_references(paths))
    while wanted:
        kind, _, name = wanted.pop().partition("/")
        if name not in components.setdefault(kind, {}):
            components[kind][name] = document["components"][kind][name]
            wanted += _references(components[kind][name])
    return {**document, "paths": paths, "components": components}


def _references(value: Any) -> Iterator[str]:
    """What a part of the document refers to, as `schemas/Name`."""
    if isinstance(value, dict):
        target = value.get("$ref")
        if isinstance(target, str):
            yield target.removeprefix(_HERE)
        for each in value.values():
            yield from _references(each)
    elif isinstance(value, list):
        for each in value:
            yield from _references(each)
