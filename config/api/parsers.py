"""JSON request bodies: strict, with limited nesting, and always an object."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from engine.toolkit.json_values import is_deep_text


class ObjectParser(JSONParser):
    """Parses a JSON object (RFC 8259); raises ParseError for anything else, including deep nesting."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        text = stream.read()
        try:
            body = super().parse(BytesIO(text), media_type, parser_context)
            deep = is_deep_text(text)
        except RecursionError:
            deep = True
        if deep:
            raise ParseError(_("The JSON body is nested too deeply."))
        if not isinstance(body, dict):
            raise ParseError(_("The JSON body must be an object."))
        return body
