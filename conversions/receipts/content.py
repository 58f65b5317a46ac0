"""The content of a receipt: input, conversion, output, and when both files were deleted."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils import timezone

from conversions.models import Conversion
from conversions.receipts import keys
from conversions.wording import restored
from storage import files

VERSION = 1


def receipt_of(conversion: Conversion) -> dict[str, Any]:
    """The current facts of a conversion, and the same signed."""
    facts = _facts(conversion)
    payload = json.dumps(facts, ensure_ascii=False, separators=(",", ":")).encode()
    return {"receipt": facts, "jws": keys.sign(payload)}


def _facts(conversion: Conversion) -> dict[str, Any]:
    completed = conversion.status == Conversion.Status.COMPLETED
    return {
        "version": VERSION,
        "issuer": settings.SERVICE_NAME,
        "issuedAt": _moment(timezone.now()),
        "id": str(conversion.id),
        "slug": conversion.slug,
        "status": conversion.status,
        "createdAt": _moment(conversion.created_at),
        "engine": conversion.engine,
        "options": conversion.options,
        "warnings": [each["code"] for each in conversion.warnings],
        "verified": _verified(conversion),
        "credits": conversion.credits,
        "input": {
            "name": conversion.input_name,
            "bytes": conversion.input_bytes,
            "sha256": conversion.input_sha256 or None,
            "deletedAt": _moment(conversion.input_deleted_at),
        },
        "output": _output(conversion) if completed else None,
        "error": None if completed else conversion.error_code,
    }


def _verified(conversion: Conversion) -> dict[str, Any] | None:
    """Return the result of verification in English: a receipt is the same for all readers."""
    if conversion.verified is None:
        return None
    compared, differences = conversion.verified["compared"], conversion.verified["differences"]
    return {
        "ok": conversion.verified["ok"],
        "compared": str(restored(compared)),
        "differences": [str(restored(each)) for each in differences],
    }


def _output(conversion: Conversion) -> dict[str, Any]:
    return {
        "name": conversion.output_name,
        "bytes": conversion.output_bytes,
        "contentType": conversion.content_type,
        "sha256": conversion.sha256 or None,
        "expiresAt": _moment(conversion.expires_at),
        "deletedAt": _moment(files.removed_at(conversion.file_key)),
    }


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.strftime(str(settings.REST_FRAMEWORK["DATETIME_FORMAT"]))
