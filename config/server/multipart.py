"""Handles forms of pages: unexpected files, parts that crash Django's parser, and other encodings than UTF-8."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler
from django.core.handlers.wsgi import WSGIRequest
from django.http.multipartparser import MultiPartParserError
from django.utils.http import parse_header_parameters

_FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")
_UTF_8 = ("utf-8", "utf8")


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
    """A request whose text is UTF-8, and whose malformed form is refused: 400."""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        """Django's own, but `charset` does not choose the codec that decodes query and body.

        Django takes any codec of Python's, also those that aren't for text, and `punycode`, which takes the square of
        the length: 100 s of processor time for a body of 1 MB. URLs and JSON are UTF-8 (RFC 3986, section 2.5, and
        RFC 8259, section 8.1).
        """
        self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))

    def _load_post_and_files(self) -> None:
        """Django's own; refuses a form in another encoding, whose texts would be wrong."""
        charset = (self.content_params or {}).get("charset", "utf-8")
        if self.method == "POST" and self.content_type in _FORMS and charset.lower() not in _UTF_8:
            raise BadRequest("Forms must be encoded in UTF-8.")
        super()._load_post_and_files()

    def parse_file_upload(self, META: Any, post_data: Any) -> Any:
        """Django's own; its parser raises TypeError for mixed continuations in a header (RFC 2231, section 4.1)."""
        try:
            return super().parse_file_upload(META, post_data)
        except TypeError as error:
            raise MultiPartParserError("The header of a part is malformed.") from error
