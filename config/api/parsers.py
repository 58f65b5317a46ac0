"""How the API reads JSON bodies: strict, shallow, and an object or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class ObjectParser(JSONParser):
    """Parses a JSON object (RFC 8259); raises ParseError for anything else, however deep it nests."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        try:
            body = super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError(_("The JSON body is nested too deeply.")) from None
        if not isinstance(body, dict):
            raise ParseError(_("The JSON body must be an object."))
        return body
