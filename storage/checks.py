"""A system check: DOWNLOAD_MODE must fit the storage."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error


def check_download_mode(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    mode = settings.DOWNLOAD_MODE
    remote = not settings.STORAGES["default"]["BACKEND"].endswith(".FileSystemStorage")
    if mode == "redirect" and not remote:
        return [Error("DOWNLOAD_MODE=redirect needs files in S3: set S3_BUCKET, or another mode.", id="storage.E001")]
    if mode == "x-accel" and remote:
        return [Error("DOWNLOAD_MODE=x-accel needs files in a local folder, not in S3.", id="storage.E002")]
    return []
