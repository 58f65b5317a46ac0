"""Operations of the OpenAPI document, prepared for pages: parameters, responses and errors."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from errors import TooMany, Unavailable, declared

Node = Mapping[str, Any]
DEFAULT = "Default: "
"""What the default of a field stands behind, at the end of its description."""
_METHODS = ("get", "post", "put", "patch", "delete")
_JSON = "application/json"
_FORM = "multipart/form-data"
_PLACES = ("path", "body", "query", "header")
_ENDLESS = 10**12
"""Larger bounds come from database columns and are not shown."""


@dataclass(frozen=True)
class Parameter:
    """A field or parameter; `where` is path, body, query, header or answer."""

    name: str
    where: str
    type: str
    required: bool
    text: str

    @property
    def place(self) -> str:
        """`where` in words."""
        return {"path": _("path"), "query": _("query"), "header": _("header")}.get(self.where, self.where)


@dataclass(frozen=True)
class ErrorInfo:
    """An error; `retry` says when to retry."""

    status: int
    code: str
    text: str | Promise
    retry: str


@dataclass(frozen=True)
class ResponseInfo:
    """A response: `fields` are those of its `data`, `example` is a body, or empty."""

    status: str
    text: str
    media: tuple[str, ...]
    fields: tuple[Parameter, ...]
    example: str


@dataclass(frozen=True)
class Operation:
    """`credentials` names the accepted kinds, `open` means that none are needed; `body` is a JSON example."""

    name: str
    method: str
    path: str
    title: str
    text: str
    tag: str
    credentials: tuple[str, ...]
    open: bool
    parameters: tuple[Parameter, ...]
    body: str
    takes_file: bool
    responses: tuple[ResponseInfo, ...]
    errors: tuple[ErrorInfo, ...]

    @property
    def in_url(self) -> list[Parameter]:
        return [each for each in self.parameters if each.where in ("path", "query")]


def operations(document: Node) -> Iterator[Operation]:
    """All operations, in the document's order."""
    for path, methods in document["paths"].items():
        for method in _METHODS:
            if method in methods:
                yield _operation(document, path, method, methods[method])


def _operation(document: Node, path: str, method: str, node: Node) -> Operation:
    kinds = [name for each in node.get("security", [{}]) for name in each]
    title = node.get("summary") or node["operationId"]
    text = node.get("description", "")
    content = node.get("requestBody", {}).get("content", {})
    media = _FORM if _FORM in content else _JSON
    schema = _resolved(document, content.get(media, {}).get("schema", {}))
    parameters = [_parameter(_resolved(document, each)) for each in node.get("parameters", ())]
    parameters = [each for each in parameters if each.name != "X-CSRFToken"]
    return Operation(
        name=node["operationId"],
        method=method.upper(),
        path=path,
        title=title,
        text=text.removeprefix(title).lstrip(". \n"),
        tag=node.get("tags", ["service"])[0],
        credentials=tuple(kinds),
        open=any(not each for each in node.get("security", [{}])),
        parameters=tuple(sorted([*parameters, *_fields(document, schema)], key=lambda each: _PLACES.index(each.where))),
        body=_example(document, schema) if media == _JSON and schema else "",
        takes_file=_FORM in content,
        responses=tuple(_responses(document, node)),
        errors=tuple(_errors(document, node)),
    )  # fmt: skip


def _resolved(document: Node, node: Node) -> Node:
    while "$ref" in node:
        found: Any = document
        for part in node["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        node = found
    if "allOf" in node and len(node["allOf"]) == 1:
        return {**_resolved(document, node["allOf"][0]), **node}
    return node


def _parameter(node: Node) -> Parameter:
    text = node.get("description", "")
    return Parameter(node["name"], node["in"], _type(node.get("schema", {})), bool(node.get("required")), text)


def _fields(document: Node, schema: Node, *, where: str = "body") -> Iterator[Parameter]:
    required = schema.get("required", ())
    for name, each in schema.get("properties", {}).items():
        found = _resolved(document, each)
        yield Parameter(
            name,
            where,
            _type(found),
            where == "body" and name in required,
            each.get("description") or found.get("description", ""),
        )


def _type(schema: Node) -> str:
    """A schema in words, in the language of the page: `integer, 1 to 100`."""
    if "enum" in schema:
        choices = ", ".join(json.dumps(each) if each in ("", None) else str(each) for each in schema["enum"])
        return _("one of %(choices)s") % {"choices": choices}
    kind = schema.get("type", "")
    names = [each for each in (kind if isinstance(kind, list) else [kind]) if each]
    if schema.get("format") == "binary":
        return _("file")
    text = _(" or ").join(names) or _("any value")
    if names[:1] == ["string"] and "format" in schema:
        text = {"date-time": _("timestamp (ISO 8601, UTC)"), "uuid": "UUID", "date": _("day (ISO 8601)")}.get(
            schema["format"], text
        )
    low, high = (schema.get(each) for each in ("minimum", "maximum"))
    if low is not None and high is not None and high < _ENDLESS:
        bounds = {"type": text, "least": _number(low), "most": _number(high)}
        return _("%(type)s, %(least)s to %(most)s") % bounds
    if schema.get("maxLength"):
        least, most = schema.get("minLength", 0), schema["maxLength"]
        if least == most:
            template = ngettext(
                "%(type)s, exactly %(number)s character", "%(type)s, exactly %(number)s characters", most
            )
            return template % {"type": text, "number": _number(most)}
        template = ngettext(
            "%(type)s, %(least)s to %(most)s character", "%(type)s, %(least)s to %(most)s characters", most
        )
        return template % {"type": text, "least": _number(least), "most": _number(most)}
    return text


def _number(value: float) -> str:
    return str(number_format(value, use_l10n=True, force_grouping=True))


def _example(document: Node, schema: Node) -> str:
    return json.dumps(_value(document, schema), ensure_ascii=False, indent=2)


_TEXTS = {
    "email": "ada@example.org",
    "uuid": "4b0a2d7e-2f5c-4e0b-9f0a-4a8b3a8f6f10",
    "date-time": "2026-01-31T12:00:00Z",
}


def _value(document: Node, schema: Node, depth: int = 0) -> Any:
    """An example value for a schema; deep levels are left out."""
    found = _resolved(document, schema)
    if "example" in found:
        return found["example"]
    if "enum" in found:
        return found["enum"][0]
    kind = found.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object" or "properties" in found:
        inner = found.get("properties", {}) if depth < 4 else {}
        return {name: _value(document, each, depth + 1) for name, each in inner.items()}
    if kind == "array":
        return [_value(document, found["items"], depth + 1)] if depth < 4 and "items" in found else []
    if kind == "string":
        return _TEXTS.get(found.get("format", ""), "…")
    return {"integer": found.get("minimum", 1), "number": found.get("minimum", 1), "boolean": True}.get(str(kind))


def _responses(document: Node, node: Node) -> Iterator[ResponseInfo]:
    for status, each in node["responses"].items():
        if status[0] in "23":
            found = _resolved(document, each)
            content = found.get("content", {})
            schema = _resolved(document, content.get(_JSON, {}).get("schema", {}))
            schema = _resolved(document, schema["anyOf"][0]) if "anyOf" in schema else schema
            data = _resolved(document, schema.get("properties", {}).get("data", {}))
            items = _resolved(document, data["items"]) if data.get("type") == "array" and "items" in data else data
            examples = [one["value"] for one in content.get(_JSON, {}).get("examples", {}).values()]
            example = examples[0] if examples else _value(document, schema) if schema else None
            yield ResponseInfo(
                status="200" if status == "2XX" else status,
                text=found.get("description", ""),
                media=tuple(content),
                fields=tuple(_fields(document, items, where="answer")),
                example=json.dumps(example, ensure_ascii=False, indent=2) if example else "",
            )


def _errors(document: Node, node: Node) -> Iterator[ErrorInfo]:
    kinds = declared()
    for status, each in node["responses"].items():
        if status[0] in "45":
            for code in _resolved(document, each).get("content", {}).get(_JSON, {}).get("examples", {}):
                yield error_info(code, kinds[code])


def error_info(code: str, kind: Any) -> ErrorInfo:
    """An error code for the reference."""
    if issubclass(kind, TooMany | Unavailable):
        retry = gettext_noop("After the seconds in Retry-After.")
    elif kind.status_code >= 500:
        retry = gettext_noop("Once, then send us the request ID.")
    else:
        retry = gettext_noop("No, change the request first.")
    return ErrorInfo(kind.status_code, code, kind.default_detail, retry)
