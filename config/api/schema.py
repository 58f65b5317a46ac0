"""Post-processing of the OpenAPI document: envelopes, and the errors of each operation."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings

from config.api.envelope import failure
from config.reference.operations import DEFAULT
from errors import Internal, Invalid, PublicError, TooMany, Unauthorized, Unavailable, declared

ERRORS = "x-errors"
"""Extension by which a view, or a kind of credentials, lists its error codes."""

PAGED = "x-paged"

FILE = "x-file"
"""Extension by which a conversion lists the media types of its result."""

JSON = "application/json"

_METHODS = ("get", "post", "put", "patch", "delete", "head")


def finish(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """A post-processing hook of drf-spectacular: completes every operation in place."""
    result["servers"] = [{"url": settings.SITE_URL}]
    result["components"].setdefault("schemas", {}).update(_schemas())
    schemes = result["components"].get("securitySchemes", {})
    credentials = {name: scheme.pop(ERRORS, []) for name, scheme in schemes.items()}
    for path in result["paths"].values():
        for method, operation in path.items():
            if method in _METHODS:
                _summary(operation)
                converts = FILE in operation
                _envelope(operation)
                if converts:
                    _share(operation, result["components"])
                _errors(operation, result["components"].setdefault("responses", {}), credentials)
                _form(operation, result["components"]["schemas"])
    return result


def _summary(operation: dict[str, Any]) -> None:
    """Use the first sentence of a description as the missing summary."""
    if operation.get("description"):
        operation.setdefault("summary", operation["description"].partition("\n")[0].partition(". ")[0].rstrip("."))


def _share(operation: dict[str, Any], components: dict[str, Any]) -> None:
    """Move what conversions share into components: parameters, headers, and the response to a dry run."""
    operation["parameters"] = [
        _shared(components, "parameters", each["name"], each) for each in operation.get("parameters", ())
    ]
    for response in operation["responses"].values():
        headers = response.get("headers", {})
        response |= {"headers": {name: _shared(components, "headers", name, headers[name]) for name in headers}}
    # Client generators take the lowest status as the result, which must be the conversion.
    operation["responses"]["2XX"] = _shared(components, "responses", "DryRun", operation["responses"].pop("200"))


def _shared(components: dict[str, Any], kind: str, name: str, part: dict[str, Any]) -> dict[str, Any]:
    known = components.setdefault(kind, {}).setdefault(name, part)
    assert known == part, f"{name} is not the same everywhere"
    return {"$ref": f"#/components/{kind}/{name}"}


def _schemas() -> dict[str, Any]:
    return {
        "Error": {
            "type": "object",
            "required": ["success", "code", "message", "requestId"],
            "properties": {
                "success": {"type": "boolean", "enum": [False]},
                "code": {
                    "type": "string",
                    "description": "What happened, for programs.",
                    "enum": list(declared()),
                },
                "message": {"type": "string", "description": "What happened and what to do next, for people."},
                "requestId": {"type": "string"},
                "details": {"type": "array", "items": {"$ref": "#/components/schemas/ErrorDetail"}},
                "meta": {"type": "object", "additionalProperties": True},
            },
        },
        "ErrorDetail": {
            "type": "object",
            "required": ["field", "message"],
            "properties": {
                "field": {"type": "string"},
                "message": {"type": "string"},
                "line": {"type": "integer", "minimum": 1},
                "column": {"type": "integer", "minimum": 1},
            },
        },
        "PageMeta": {
            "type": "object",
            "required": ["page", "pageSize", "total", "totalPages"],
            "properties": {name: {"type": "integer"} for name in ("page", "pageSize", "total", "totalPages")},
        },
    }


def _envelope(operation: dict[str, Any]) -> None:
    paged = operation.pop(PAGED, False)
    for status, response in operation["responses"].items():
        if not status.startswith("2"):
            continue
        content = response.get("content")
        if operation.get("x-bytes"):
            # Binary data has no schema (OpenAPI 3.1, 4.8.14.3): a string schema would not fit a JSON file.
            response["content"] = {media: {} for media in content or {}}
            continue
        if content is None and status == "200":
            content = response["content"] = {"application/json": {"schema": {"type": "object"}}}
        body = (content or {}).get(JSON)
        if body is None:
            continue
        wrapped: dict[str, Any] = {
            "type": "object",
            "required": ["success", "data"],
            "properties": {"success": {"type": "boolean", "enum": [True]}, "data": body["schema"]},
        }
        if paged:
            wrapped["required"].append("meta")
            wrapped["properties"]["meta"] = {"$ref": "#/components/schemas/PageMeta"}
        body["schema"] = wrapped
        for media in (content or {}).keys() & {*operation.get(FILE, ())} if status == "201" else ():
            # Binary data has no schema, as above; the record shares its media type with JSON files.
            content[media] = {**content[media], "schema": {"anyOf": [wrapped, {}]}} if media == JSON else {}
        for example in body.get("examples", {}).values():
            example["value"] = {"success": True, "data": example["value"]}
    operation.pop("x-bytes", None)
    operation.pop(FILE, None)


def _form(operation: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Forbid additional fields in forms: a mistyped option is refused, not ignored."""
    form = operation.get("requestBody", {}).get("content", {}).get("multipart/form-data")
    if form is not None:
        schema = schemas[form["schema"]["$ref"].rpartition("/")[2]]
        schema["additionalProperties"] = False
        for field in schema["properties"].values():
            # Some generators require every field with a default, and others send each; tools in a browser start from
            # the example.
            if "default" in field:
                field["x-default"] = field["example"] = field.pop("default")
                text = field.get("description", "")
                # After a list, Markdown takes what follows in the same paragraph for part of the last item.
                gap = "\n\n" if "\n* " in text else " "
                field["description"] = f"{text}{gap}{DEFAULT}{_default(field['x-default'])}."


def _default(default: Any) -> str:
    """A default as one enters it into a form."""
    return f"`{default}`" if isinstance(default, str) and default.strip() else json.dumps(default)


def _errors(operation: dict[str, Any], shared: dict[str, Any], credentials: dict[str, list[str]]) -> None:
    """Add the responses for the operation's error codes; each set of codes is described once.

    `credentials` has the codes by kind of credentials.
    """
    kinds = declared()
    codes = [*operation.pop(ERRORS, []), Internal.default_code, Unavailable.default_code]
    if any(operation.get("security", ())):
        codes.append(Unauthorized.default_code)
    codes += [code for each in operation.get("security", ()) for name in each for code in credentials.get(name, ())]
    by_status: dict[int, list[type[PublicError]]] = {}
    for code in dict.fromkeys(codes):
        by_status.setdefault(kinds[code].status_code, []).append(kinds[code])
    for status, several in sorted(by_status.items()):
        name = f"Error{status}-" + "-".join(sorted(each.default_code for each in several))
        if name not in shared:
            shared[name] = _response(status, several)
        operation["responses"][str(status)] = {"$ref": f"#/components/responses/{name}"}


def _response(status: int, kinds: list[type[PublicError]]) -> dict[str, Any]:
    response: dict[str, Any] = {
        "description": " ".join(f"`{each.default_code}`: {each.default_detail}" for each in kinds),
        "content": {
            "application/json": {
                "schema": {"$ref": "#/components/schemas/Error"},
                "examples": {each.default_code: {"value": _example(each)} for each in kinds},
            }
        },
    }
    if issubclass(kinds[0], TooMany | Unavailable):
        response["headers"] = {
            "Retry-After": {"description": "Whole seconds to wait.", "schema": {"type": "integer", "minimum": 1}}
        }
    return response


def _example(kind: type[PublicError]) -> dict[str, Any]:
    message = str(kind.default_detail)
    details = None
    if issubclass(kind, Invalid):
        details = [{"field": "name", "message": "This field is required."}]
        message = f"{details[0]['field']}: {details[0]['message']}"
    return failure(kind.default_code, message, request_id="5f0c2a…", details=details)
