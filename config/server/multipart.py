"""What becomes of files in the forms of pages that ask for none."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler


class NoFiles(FileUploadHandler):
    """Lets files pass unread in a form that is small, and refuses a large one before any of it is read.

    Django limits the fields of a form but no file in it, which it would put on disk before a page has said whether it
    wants one. The converters receive theirs by themselves. Raises RequestDataTooBig.
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
