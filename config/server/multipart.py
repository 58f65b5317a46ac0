"""Handles forms of pages: unexpected files, and parts that crash Django's parser."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler
from django.core.handlers.wsgi import WSGIRequest
from django.http.multipartparser import MultiPartParserError


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


class FormRequest(WSGIRequest):
    """A request whose malformed form is refused: 400."""

    def parse_file_upload(self, META: Any, post_data: Any) -> Any:
        """Django's own; its parser raises TypeError for mixed continuations in a header (RFC 2231, section 4.1)."""
        try:
            return super().parse_file_upload(META, post_data)
        except TypeError as error:
            raise MultiPartParserError("The header of a part is malformed.") from error
