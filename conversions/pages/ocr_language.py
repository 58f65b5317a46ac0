"""Preselects the language of text recognition by the browser's Accept-Language."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation.trans_real import parse_accept_lang_header

from engine.families.ocr import options as recognising
from engine.toolkit.declaring import Converter
from engine.toolkit.options import describe

_OPTION = "language"


def preset(request: HttpRequest, converter: Converter | None) -> dict[str, str]:
    """The value for the browser's first language that has an installed model; empty for the default."""
    if converter is None or not any(
        each.name == _OPTION and each.default == recognising.DEFAULT for each in describe(converter.options)
    ):
        return {}
    for tag, _ in parse_accept_lang_header(request.headers.get("Accept-Language", "").lower()):
        model = recognising.SHORT.get(tag.partition("-")[0])
        if model in recognising.LANGUAGES:
            return {} if model == recognising.DEFAULT else {_OPTION: str(model)}
    return {}
