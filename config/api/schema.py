"""The OpenAPI document's finish: the envelope around every answer, and every error that an operation can give."""

from __future__ import annotations

from typing import Any

STATUS_OF = {
    "VALIDATION_ERROR": 400,
    "UNSUPPORTED_FILE_TYPE": 400,
    "NO_FILE": 400,
    "UNEXPECTED_FILE": 400,
    "UPLOAD_ERROR": 400,
    "INVALID_FILE_KEY": 400,
    "UNAUTHORIZED": 401,
    "PAYMENT_REQUIRED": 402,
    "API_KEYS_REQUIRE_PAID_PLAN": 403,
    "API_KEY_LIMIT_REACHED": 403,
    "GUEST_QUOTA_EXCEEDED": 403,
    "ACCESS_DENIED": 403,
    "NOT_FOUND": 404,
    "UNKNOWN_CONVERSION": 404,
    "PRECONDITION_FAILED": 412,
    "FILE_TOO_LARGE": 413,
    "GUEST_FILE_TOO_LARGE": 413,
    "RANGE_NOT_SATISFIABLE": 416,
    "UNSUPPORTED_FORMAT": 422,
    "TOO_MANY_REQUESTS": 429,
    "INTERNAL_ERROR": 500,
    "SERVICE_UNAVAILABLE": 503,
}
ERRORS = "x-errors"
"""The extension in which a view lists the codes that it can give, beside those of its authentication."""

PAGED = "x-paged"

_TITLES = {
    400: "The request is not right as it stands.",
    401: "The credentials are missing, invalid or expired.",
    402: "There are not enough credits.",
    403: "This is not allowed for you.",
    404: "There is no such thing for you.",
    412: "The file is not the one that the condition asks for.",
    413: "The file is too large.",
    416: "The range lies outside the file.",
    422: "The file can't be converted.",
    429: "Too much at once; `Retry-After` says how many seconds to wait.",
    500: "Something went wrong on our side.",
    503: "The service is not able to answer at the moment.",
}
_METHODS = ("get", "post", "put", "patch", "delete", "head")


def finish(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """A post-processing hook of drf-spectacular: completes every operation in place."""
    result["components"].setdefault("schemas", {}).update(_schemas())
    for path in result["paths"].values():
        for method, operation in path.items():
            if method in _METHODS:
                _summary(operation)
                _envelope(operation)
                _errors(operation, result["components"].setdefault("responses", {}))
                _form(operation, result["components"]["schemas"])
    return result


def _summary(operation: dict[str, Any]) -> None:
    """Name an operation that has only a description by the description's first sentence, as lists of operations do."""
    if operation.get("description"):
        operation.setdefault("summary", operation["description"].partition("\n")[0].partition(". ")[0].rstrip("."))


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
                    "enum": [*STATUS_OF, "METHOD_NOT_ALLOWED"],
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
            # Bytes of any type have no schema (OpenAPI 3.1, 4.8.14.3): one of strings would not fit a file of JSON.
            response["content"] = {media: {} for media in content or {}}
            continue
        if content is None and status == "200":
            content = response["content"] = {"application/json": {"schema": {"type": "object"}}}
        body = (content or {}).get("application/json")
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
        for example in body.get("examples", {}).values():
            example["value"] = {"success": True, "data": example["value"]}
    operation.pop("x-bytes", None)


def _form(operation: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Say that a form takes no other fields than those that it names: a mistyped option is refused, not ignored."""
    form = operation.get("requestBody", {}).get("content", {}).get("multipart/form-data")
    if form is not None:
        schemas[form["schema"]["$ref"].rpartition("/")[2]]["additionalProperties"] = False


def _errors(operation: dict[str, Any], shared: dict[str, Any]) -> None:
    """Refer to the responses for the operation's codes; each set of codes of one status is described once."""
    codes = [*operation.pop(ERRORS, []), "INTERNAL_ERROR", "SERVICE_UNAVAILABLE"]
    # Either credential will do; drf-spectacular lists the names of one class as needed together.
    operation["security"] = [
        {name: []} if name else {} for each in operation.get("security", []) for name in each or [""]
    ]
    if any(operation["security"]):
        codes += ["UNAUTHORIZED", "API_KEYS_REQUIRE_PAID_PLAN"]
    by_status: dict[int, list[str]] = {}
    for code in codes:
        if code not in by_status.setdefault(STATUS_OF[code], []):
            by_status[STATUS_OF[code]].append(code)
    for status, several in sorted(by_status.items()):
        name = f"Error{status}-" + "-".join(sorted(several))
        if name not in shared:
            shared[name] = _response(status, several)
        operation["responses"][str(status)] = {"$ref": f"#/components/responses/{name}"}


def _response(status: int, codes: list[str]) -> dict[str, Any]:
    response: dict[str, Any] = {
        "description": f"{_TITLES[status]} Codes: {', '.join(f'`{each}`' for each in codes)}.",
        "content": {
            "application/json": {
                "schema": {"$ref": "#/components/schemas/Error"},
                "examples": {each: {"value": _example(each)} for each in codes},
            }
        },
    }
    if status == 429:
        response["headers"] = {
            "Retry-After": {"description": "Whole seconds to wait.", "schema": {"type": "integer", "minimum": 1}}
        }
    return response


def _example(code: str) -> dict[str, Any]:
    message = _TITLES[STATUS_OF[code]].replace("; `Retry-After` says how many seconds to wait", "")
    body: dict[str, Any] = {"success": False, "code": code, "message": message, "requestId": "5f0c2a…"}
    if code == "VALIDATION_ERROR":
        body["details"] = [{"field": "name", "message": "This field is required."}]
    return body
