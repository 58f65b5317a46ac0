"""Fonts: TrueType, OpenType and the two web formats among each other, and specimens of them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from conversions.families.fonts.options import Cut, Specimen
from conversions.families.html_pdf.options import HTML_PDF
from conversions.toolkit.declaring import Engine, converter
from conversions.toolkit.formats import FORMATS, OTF, PDF, PNG, TTF, WOFF, WOFF2, Format
from conversions.toolkit.warnings import Warn

_LAZY = ("fontTools", "brotli", "conversions.families.fonts.exchange")
FONTTOOLS = Engine("fonttools", lazy=_LAZY)
_DRAWN = dataclasses.replace(FONTTOOLS, modules=HTML_PDF.modules, further=(HTML_PDF.distribution,))
_PICTURED = Engine("fonttools", modules=("PIL",), lazy=_LAZY, further=("pillow",))

FONTS = (TTF, OTF, WOFF, WOFF2)


def _convert(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to {output}, all of it or the characters that are needed."""
    from conversions.families.fonts import exchange

    exchange.convert(source, target, FORMATS[target.suffix[1:]], options, warn)


def _predict(source: Path, output: Format, options: Any) -> float:
    from conversions.families.fonts import foresight

    return 0.0 if options.subset or options.ranges else foresight.seconds(source, output)


def _specimen(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Show the letters of {input} in several sizes as {output}."""
    from conversions.families.fonts import specimen

    specimen.write(source, target, FORMATS[target.suffix[1:]], options, warn)


for _source in FONTS:
    for _target in FONTS:
        if _source is not _target or _source in (TTF, WOFF2):
            converter(_source, _target, profile="image", engine=FONTTOOLS, options=Cut, predict=_predict)(_convert)
    converter(_source, PDF, profile="pdf", engine=_DRAWN, options=Specimen)(_specimen)
    converter(_source, PNG, profile="image", engine=_PICTURED, options=Specimen)(_specimen)
