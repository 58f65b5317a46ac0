"""Handles unexpected files in forms of pages."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler


class NoFiles(FileUploadHandler):
    """Skips files in small forms, and refuses large forms before reading them.

    Django limits the fields of a form but not its files, which it would write to disk before the view is called.
    Converters receive their files themselves. Raises RequestDataTooBig.
    """

    def handle_raw_input(
        self, input_data: Any, META: dict[str, str], content_length: int, boundary: str, encoding: str | None = None
    ) -> None:
        if content_length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise RequestDataTooBig

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        return None

    def file_complete(self, file_size: int) -> None:
        return None
