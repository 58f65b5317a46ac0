"""Responses of the API: JSON in the envelope, whatever the Accept header."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from config.api.envelope import Envelope, success


class EnvelopeRenderer(JSONRenderer):
    """Wraps a view's result in the envelope, unless it already is one."""

    charset = "utf-8"

    def get_indent(self, accepted_media_type: str | None, renderer_context: Mapping[str, Any] | None) -> None:
        """Never indent: the `indent` parameter of the Accept header is not supported."""

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        if not isinstance(data, Envelope):
            data = success({} if data is None else data)
        try:
            rendered: bytes = super().render(data, accepted_media_type, renderer_context)
        except UnicodeEncodeError:
            # A message that quotes a lone surrogate of the request: UTF-8 has none.
            rendered = super().render(_without_surrogates(data), accepted_media_type, renderer_context)
        return rendered


def _without_surrogates(data: Any) -> Any:
    """The data with U+FFFD for each lone surrogate in its texts and names."""
    if isinstance(data, str):
        return data.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(data, Mapping):
        return {_without_surrogates(name): _without_surrogates(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [_without_surrogates(each) for each in data]
    return data


class AlwaysJSON(BaseContentNegotiation):
    """Selects the first parser for the content type, and always JSON for responses."""

    def select_parser(self, request: Request, parsers: Iterable[Any]) -> Any:
        content_type = (request.content_type or "").partition(";")[0].strip().lower()
        return next((each for each in parsers if each.media_type in (content_type, "*/*")), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        first = next(iter(renderers))
        return first, first.media_type
