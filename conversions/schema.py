"""OpenAPI operations of the converters, derived from their declarations."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import serializers

from accounts.errors import GuestQuotaExceeded, PaymentRequired
from conversions.errors import (
    FileTooLarge,
    GuestFileTooLarge,
    NoFile,
    UnexpectedFile,
    UnsupportedFileType,
    UnsupportedFormat,
    UploadError,
)
from conversions.models import LEAST_CREDITS
from conversions.progress import following
from conversions.serializers import CompletedConversionSerializer, DryRunSerializer, serializer_for
from conversions.work.delivery import DOWNLOAD, DRY_RUN, RETENTION, VERIFY
from conversions.work.offer import Offer
from conversions.work.verification import can_verify
from engine.toolkit.declaring import Converter
from engine.toolkit.formats import ZIP
from errors import AccessDenied, Invalid, TooMany, codes

ERRORS = codes(
    UploadError,
    FileTooLarge,
    GuestFileTooLarge,
    NoFile,
    UnexpectedFile,
    UnsupportedFileType,
    UnsupportedFormat,
    Invalid,
    GuestQuotaExceeded,
    AccessDenied,
    PaymentRequired,
    TooMany,
)
_HEADERS = [
    OpenApiParameter("RateLimit-Limit", int, OpenApiParameter.HEADER, description="Requests a minute.", response=True),
    OpenApiParameter("RateLimit-Remaining", int, OpenApiParameter.HEADER, description="Left now.", response=True),
    OpenApiParameter("RateLimit-Reset", int, OpenApiParameter.HEADER, description="In seconds.", response=True),
    OpenApiParameter("X-Conversion-Id", str, OpenApiParameter.HEADER, description="Of the record.", response=[201]),
    OpenApiParameter("X-Warnings", int, OpenApiParameter.HEADER, description="How many there are.", response=[201]),
    OpenApiParameter("X-Credits-Remaining", int, OpenApiParameter.HEADER, description="For accounts.", response=[201]),
]
_RECORD = OpenApiResponse(
    CompletedConversionSerializer,
    description="The conversion record, with the file at `downloadUrl`, or the file itself.",
)
_FILE = OpenApiResponse(OpenApiTypes.BINARY, description=_RECORD.description)
_JSON = "application/json"
_DOWNLOAD = OpenApiParameter(
    DOWNLOAD,
    {"type": "integer", "enum": [0, 1]},
    description="1 returns the file instead of its record, as does an `Accept` header with the file's "
    "type instead of JSON. The other query parameters are the converter's options and, if "
    "the body is the file, `filename`.",
)
_DRY_RUN = OpenApiParameter(
    DRY_RUN,
    {"type": "integer", "enum": [0, 1]},
    description="1 returns 200 with a preview: the file's format, options, credits, seconds and "
    "warnings. Nothing is charged or stored. It counts towards the rate limit like any "
    "request.",
)
_VERIFY = OpenApiParameter(
    VERIFY,
    {"type": "integer", "enum": [0, 1]},
    description="1 compares the result with the file by counting their content by kind; the record's "
    "`verified` has the outcome. A difference is not a failure. This takes longer and "
    "doubles the cost, unless `ok` is null: then the two can't be compared, and the check is "
    "free. Options that leave nothing to compare are rejected.",
)
_RETENTION = OpenApiParameter(
    RETENTION,
    {"type": "integer", "minimum": 0},
    description="Whole hours to keep the result, up to the plan's maximum. 0 deletes it with its first "
    "download, which is then whole or none.",
)
_IDEMPOTENCY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    OpenApiParameter.HEADER,
    description="1 to 255 visible ASCII characters. The same key with the same file and options is "
    "processed and charged once in 24 hours. If the first response's file no longer exists, "
    "`fileExpired` is true and `downloadUrl` is null.",
)

_PROGRESS = OpenApiParameter(
    following.HEADER,
    {"type": "string", "pattern": f"^{following.PATTERN}$"},
    OpenApiParameter.HEADER,
    description="16 to 64 characters of your choice, new for each request. `GET "
    "/api/v1/converter/progress/{id}` returns the progress.",
)


def request_serializer(converter: Converter) -> type[serializers.Serializer[Any]]:
    """The multipart form of a converter: the file and its options."""
    accepted = ", ".join("." + each for each in converter.input.extensions)
    fields: dict[str, Any] = {"file": serializers.FileField(help_text=f"One {converter.input.name} file ({accepted}).")}
    fields |= serializer_for(converter.options).fields
    name = "".join(part.capitalize() for part in converter.slug.split("-"))
    return type(f"{name}Serializer", (serializers.Serializer,), fields)


def documented(view: Any, converter: Converter) -> Any:
    """The view class with its converter's OpenAPI operation."""
    files = _files(converter)
    operation = extend_schema(
        operation_id=converter.slug.replace("-", "_"),
        summary=f"{converter.input.name} to {converter.output.name}",
        description=converter.summary,
        request={"multipart/form-data": request_serializer(converter), "application/octet-stream": OpenApiTypes.BINARY},
        # The record comes first, for client generators; a JSON file shares its entry (config.api.schema).
        responses={(201, _JSON): _RECORD}
        | {(201, each): _FILE for each in files if each != _JSON}
        | {(200, _JSON): OpenApiResponse(DryRunSerializer, description="With `dryRun=1`: what would happen.")},
        parameters=[
            _DOWNLOAD,
            _DRY_RUN,
            *([_VERIFY] if can_verify(converter) else []),
            _RETENTION,
            _IDEMPOTENCY,
            _PROGRESS,
            *_HEADERS,
        ],
        tags=["converter"],
        examples=[_example(converter)],
        extensions={"x-errors": ERRORS, "x-file": files},
    )
    return extend_schema_view(create=operation)(view)


def _files(converter: Converter) -> list[str]:
    """The media types of the file."""
    return [converter.output.content_type, *([ZIP.content_type] if converter.packs else [])]


def price(schema: dict[str, Any], offered: Offer) -> None:
    """Add prices and plan restrictions to the document."""
    for path, operations in schema["paths"].items():
        found = offered.converters.get(path.rpartition("/converter/")[2])
        if found is None or "post" not in operations:
            continue
        operation = operations["post"]
        operation["description"] += f"\n\nCosts {offered.cost(found)}."
        if found.slug in offered.plans:
            operation["description"] += f" Only on the plans {', '.join(sorted(offered.plans[found.slug]))}."
        answers = [media for each in operation["responses"].values() for media in each.get("content", {}).values()]
        for example in (each for media in answers for each in media.get("examples", {}).values()):
            if "credits" in example["value"]:
                example["value"]["credits"] = offered.cost(found).credits


def _example(converter: Converter) -> OpenApiExample:
    extension = converter.output.extension
    key = f"0123456789abcdef0123456789abcdef.{extension}"
    return OpenApiExample(
        "Converted",
        response_only=True,
        status_codes=["201"],
        value={
            "id": "4b0a2d7e-2f5c-4e0b-9f0a-4a8b3a8f6f10",
            "slug": converter.slug,
            "status": "completed",
            "inputName": f"report.{converter.input.extension}",
            "inputBytes": 18_204,
            "outputName": f"report.{extension}",
            "outputBytes": 9_312,
            "contentType": converter.output.content_type,
            "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "options": {},
            "detected": {},
            "engine": converter.engine.label,
            "warnings": [],
            "credits": LEAST_CREDITS,
            "durationMs": 12,
            "createdAt": "2026-01-31T12:00:00.000000Z",
            "expiresAt": "2026-02-01T12:00:00.000000Z",
            "downloadUrl": f"/api/v1/files/{key}",
        },
    )
