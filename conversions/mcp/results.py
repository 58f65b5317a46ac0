"""Tool results: text, a link to the file, and the conversion's record."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rest_framework.exceptions import APIException

from accounts import links
from conversions.serializers import shown
from conversions.work.delivery import row_of
from conversions.work.pipeline import Result as Conversion
from errors import details_of, kind_of, message_of, wait_of
from storage import files

MOST_TEXT = 100_000
"""Bytes of text returned inline; the rest is behind the link."""

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
"""Size in UTF-8."""


@dataclass(frozen=True)
class Result:
    """Content blocks, and the same as `structured` content for programs."""

    content: list[dict[str, Any]]
    structured: dict[str, Any] | None = None
    is_error: bool = field(default=False, kw_only=True)

    def shown(self) -> dict[str, Any]:
        content = {"content": self.content, "isError": self.is_error}
        return content if self.structured is None else content | {"structuredContent": self.structured}


def text(content: str, structured: dict[str, Any] | None = None) -> Result:
    return Result([{"type": "text", "text": content}], structured)


def refused(error: APIException) -> Result:
    """An API error as a tool error, which the agent can read and fix."""
    code = kind_of(error).default_code
    failure: dict[str, Any] = {"code": code, "message": message_of(error)}
    failure |= {name: value for name, value in (("details", details_of(error)), ("meta", _meta(error))) if value}
    # Many clients show models the text only: it has to name each field.
    fields = [f"{each['field']}: {each['message']}" for each in failure.get("details", ())]
    told = "\n".join(fields) if len(fields) > 1 else failure["message"]
    return Result([{"type": "text", "text": f"{code}: {told}"}], failure, is_error=True)


def _meta(error: APIException) -> dict[str, Any]:
    wait = wait_of(error)
    return getattr(error, "meta", {}) | ({} if wait is None else {"retryAfter": wait})


def converted(result: Conversion) -> Result:
    """A conversion's record, a link to its file, and the file itself if it is short text."""
    record = _record(result)
    content = [_link(record)]
    if record["contentType"].startswith(_TEXTS) and record["outputBytes"] <= MOST_TEXT:
        content.insert(0, {"type": "text", "text": _text_of(result)})
    return Result([*content, *_warnings(record)], record)


def markdown(result: Conversion, *, tokens: int) -> Result:
    """The Markdown itself, cut to a number of tokens."""
    record = _record(result)
    most = tokens * _PER_TOKEN
    # The file may be large: read only as much as can be returned.
    begun = _text_of(result, most=(most + 1) * _LONGEST_CHARACTER)
    content = [{"type": "text", "text": begun[:most]}]
    if len(begun) > most:
        left = f"[Cut off after {most:,} characters. All {record['outputBytes']:,} bytes: {record['downloadUrl']}]"
        content += [{"type": "text", "text": left}, _link(record)]
    return Result([*content, *_warnings(record)])


def _record(result: Conversion) -> dict[str, Any]:
    record = shown(result.conversion)
    return record | {"downloadUrl": links.absolute(record["downloadUrl"])}


def _link(record: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "resource_link",
        "uri": record["downloadUrl"],
        "name": record["outputName"],
        "mimeType": record["contentType"],
        "size": record["outputBytes"],
    }


def _warnings(record: dict[str, Any]) -> list[dict[str, Any]]:
    failure = "\n".join(f"{each['code']}: {each['message']}" for each in record["warnings"])
    return [{"type": "text", "text": f"Warnings:\n{failure}"}] if failure else []


def _text_of(result: Conversion, *, most: int = MOST_TEXT) -> str:
    """The first `most` bytes of the file."""
    row = row_of(result.conversion)
    with files.open(row, length=min(most, row.size)) as source:
        return source.read().decode("utf-8", "replace")
