"""What a tool answers: text, a link to the file, and the record of the conversion."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rest_framework.exceptions import APIException
from rest_framework.request import Request

from conversions.delivery import row_of
from conversions.pipeline import Result as Conversion
from conversions.serializers import shown
from errors import details_of, kind_of, message_of, wait_of
from storage import files

MOST_TEXT = 100_000
"""How many bytes of a text come back in the answer; more is behind its link."""

_TEXTS = (
    "text/",
    "application/json",
    "application/x-ndjson",
    "application/xml",
    "application/yaml",
    "application/toml",
)
_PER_TOKEN = 4
_LONGEST_CHARACTER = 4
"""Bytes in UTF-8."""


@dataclass(frozen=True)
class Result:
    """Content blocks, and the same for programs as `structured`."""

    content: list[dict[str, Any]]
    structured: dict[str, Any] | None = None
    is_error: bool = field(default=False, kw_only=True)

    def shown(self) -> dict[str, Any]:
        told = {"content": self.content, "isError": self.is_error}
        return told if self.structured is None else told | {"structuredContent": self.structured}


def text(content: str, structured: dict[str, Any] | None = None) -> Result:
    return Result([{"type": "text", "text": content}], structured)


def refused(error: APIException) -> Result:
    """An error of the API as the error of a tool, which the agent reads and can mend."""
    code = kind_of(error).default_code
    told: dict[str, Any] = {"code": code, "message": message_of(error)}
    told |= {name: value for name, value in (("details", details_of(error)), ("meta", _meta(error))) if value}
    return Result([{"type": "text", "text": f"{code}: {told['message']}"}], told, is_error=True)


def _meta(error: APIException) -> dict[str, Any]:
    wait = wait_of(error)
    return getattr(error, "meta", {}) | ({} if wait is None else {"retryAfter": wait})


def converted(request: Request, result: Conversion) -> Result:
    """A conversion's record, a link to its file, and the file itself where it is text of a size to be read."""
    record = _record(request, result)
    content = [_link(record)]
    if record["contentType"].startswith(_TEXTS) and record["outputBytes"] <= MOST_TEXT:
        content.insert(0, {"type": "text", "text": _text_of(result)})
    return Result([*content, *_warnings(record)], record)


def markdown(request: Request, result: Conversion, *, tokens: int) -> Result:
    """The Markdown itself, at most so many tokens of it."""
    record = _record(request, result)
    most = tokens * _PER_TOKEN
    # The file may be as large as any result: no more of it is read than can be shown.
    begun = _text_of(result, most=(most + 1) * _LONGEST_CHARACTER)
    content = [{"type": "text", "text": begun[:most]}]
    if len(begun) > most:
        left = f"[Cut off after {most:,} characters. All {record['outputBytes']:,} bytes: {record['downloadUrl']}]"
        content += [{"type": "text", "text": left}, _link(record)]
    return Result([*content, *_warnings(record)])


def _record(request: Request, result: Conversion) -> dict[str, Any]:
    record = shown(result.conversion)
    return record | {"downloadUrl": request.build_absolute_uri(record["downloadUrl"])}


def _link(record: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "resource_link",
        "uri": record["downloadUrl"],
        "name": record["outputName"],
        "mimeType": record["contentType"],
        "size": record["outputBytes"],
    }


def _warnings(record: dict[str, Any]) -> list[dict[str, Any]]:
    told = "\n".join(f"{each['code']}: {each['message']}" for each in record["warnings"])
    return [{"type": "text", "text": f"Warnings:\n{told}"}] if told else []


def _text_of(result: Conversion, *, most: int = MOST_TEXT) -> str:
    """The beginning of the file, `most` bytes of it."""
    row = row_of(result.conversion)
    with files.open(row, length=min(most, row.size)) as source:
        return source.read().decode("utf-8", "replace")
