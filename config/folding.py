"""The OpenAPI document for client generators: all conversions as one operation, each option described once."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from engine.toolkit.declaring import Converter
from engine.toolkit.options import Option, describe

PATH = "/api/v1/converter/{slug}"
CONVERSIONS = "x-conversions"
"""Extension of the operation: which conversions take which options, by reference."""
_FORM = "ConvertRequest"
_FORMS = "#/components/schemas/"
_ENUM = "x-spec-enum-id"
"""An extension of drf-spectacular for itself."""

Schema = dict[str, Any]


def representatives(converters: Mapping[str, Converter]) -> list[str]:
    """The first slug of each set of options: their operations are all that folding needs."""
    return [slugs[0] for slugs in _sets(converters).values()]


def _sets(converters: Mapping[str, Converter]) -> dict[tuple[Option, ...], list[str]]:
    """The slugs by the options that they take."""
    found: defaultdict[tuple[Option, ...], list[str]] = defaultdict(list)
    for slug, each in converters.items():
        found[tuple(describe(each.options))].append(slug)
    return dict(found)


def fold(document: Schema, converters: Mapping[str, Converter]) -> None:
    """Replace the operations of representatives by one for all conversions, in place."""
    schemas: Schema = document["components"]["schemas"]
    options = _Options()
    operations, conversions = [], []
    for slugs in _sets(converters).values():
        operations.append(document["paths"].pop(PATH.format(slug=slugs[0]))["post"])
        form = _taken(schemas, operations[-1])
        conversions.append({"slugs": slugs, "options": options.refer(form)})
    schemas |= options.described
    schemas[_FORM] = _form(form, options.by_name)
    # Not every conversion can be verified: take the operation with all parameters.
    whole = max(operations, key=lambda each: len(each["parameters"]))
    path = document["paths"][PATH]
    unknown = path["get"]["responses"]["404"]
    path["post"] = {**_operation(whole, unknown), CONVERSIONS: conversions}


def _taken(schemas: Schema, operation: Schema) -> Schema:
    """Remove and return the form of a representative."""
    reference: str = operation["requestBody"]["content"]["multipart/form-data"]["schema"]["$ref"]
    form: Schema = schemas.pop(reference.removeprefix(_FORMS))
    return form


class _Options:
    """Distinct descriptions of options: `option.dpi`, and `option.dpi.2` where it is described otherwise."""

    def __init__(self) -> None:
        self.described: Schema = {}
        self.by_name: defaultdict[str, list[Schema]] = defaultdict(list)
        self._names: dict[str, str] = {}

    def refer(self, form: Schema) -> list[str]:
        """The names of the descriptions of a form's options."""
        return [self._name(name, each) for name, each in form["properties"].items() if name != "file"]

    def _name(self, option: str, schema: Schema) -> str:
        text = json.dumps([option, schema], sort_keys=True)
        known = self._names.get(text)
        if known is None:
            same = self.by_name[option]
            number = f".{len(same) + 1}" if same else ""
            known = self._names[text] = f"option.{option}{number}"
            self.described[known] = {key: value for key, value in schema.items() if key != _ENUM}
            same.append({"$ref": f"{_FORMS}{known}"})
        return known


def _form(sample: Schema, options: Mapping[str, list[Schema]]) -> Schema:
    file = {**sample["properties"]["file"], "description": "One file of the slug's input format."}
    return {
        "type": "object",
        "description": f"The file and the options of its conversion, which `{CONVERSIONS}` of the operation lists.",
        "properties": {
            "file": file,
            **{name: each[0] if len(each) == 1 else {"anyOf": each} for name, each in sorted(options.items())},
        },
        "required": ["file"],
        "additionalProperties": False,
    }


def _operation(whole: Schema, unknown: Schema) -> Schema:
    """The operation of a representative without what only that conversion has, and with an answer to unknown slugs."""
    answers = dict(sorted({**whole["responses"], "404": unknown}.items()))
    record = answers["201"]["content"]["application/json"]
    answers["201"] = {**answers["201"], "content": {"application/json": {"schema": record["schema"]}, "*/*": {}}}
    slug = {
        "name": "slug",
        "in": "path",
        "required": True,
        "description": f"`<input>-to-<output>`; `{CONVERSIONS}` lists all.",
        "schema": {"type": "string"},
    }
    content = dict(whole["requestBody"]["content"]) | {"multipart/form-data": {"schema": {"$ref": f"{_FORMS}{_FORM}"}}}
    return whole | {
        "operationId": "convert",
        "summary": "Convert a file",
        "description": f"Convert a file. `{CONVERSIONS}` lists the conversions in groups with the same options, each "
        f"named by its schema. `GET {PATH}` describes one of them.",
        "parameters": [slug, *whole["parameters"]],
        "requestBody": {"content": content},
        "responses": answers,
    }
