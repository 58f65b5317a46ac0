"""The language that a visitor reads, as the first choice for the text in their pictures."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation.trans_real import parse_accept_lang_header

from conversions.families.ocr import options as recognising
from conversions.toolkit.declaring import Converter
from conversions.toolkit.options import describe

_OPTION = "language"


def preset(request: HttpRequest, converter: Converter | None) -> dict[str, str]:
    """The option's value for the first language of the browser whose model is installed; none for the default."""
    if converter is None or not any(
        each.name == _OPTION and each.default == recognising.DEFAULT for each in describe(converter.options)
    ):
        return {}
    for tag, _ in parse_accept_lang_header(request.headers.get("Accept-Language", "").lower()):
        model = recognising.SHORT.get(tag.partition("-")[0])
        if model in recognising.LANGUAGES:
            return {} if model == recognising.DEFAULT else {_OPTION: str(model)}
    return {}
