"""Convert fonts between TrueType, OpenType, WOFF and WOFF2, and draw specimens."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from engine.families.fonts.options import Cut, Specimen
from engine.families.html_pdf.options import HTML_PDF
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.formats import FORMATS, OTF, PDF, PNG, TTF, WOFF, WOFF2, Format
from engine.toolkit.warnings import Warn

_LAZY = ("fontTools", "brotli", "engine.families.fonts.exchange")
FONTTOOLS = Engine("fonttools", lazy=_LAZY)
_DRAWN = dataclasses.replace(FONTTOOLS, modules=HTML_PDF.modules, further=(HTML_PDF.distribution,))
_PICTURED = Engine("fonttools", modules=("PIL",), lazy=_LAZY, further=("pillow",))

FONTS = (TTF, OTF, WOFF, WOFF2)


def _convert(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to {output}, with all or only selected characters."""
    from engine.families.fonts import exchange

    exchange.convert(source, target, FORMATS[target.suffix[1:]], options, warn)


def _predict(source: Path, output: Format, options: Any) -> float:
    from engine.families.fonts import estimate

    return 0.0 if options.subset or options.ranges else estimate.seconds(source, output)


def _specimen(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Show {input} in several sizes as {output}."""
    from engine.families.fonts import specimen

    specimen.write(source, target, FORMATS[target.suffix[1:]], options, warn)


for _source in FONTS:
    for _target in FONTS:
        if _source is not _target or _source in (TTF, WOFF2):
            converter(_source, _target, profile="image", engine=FONTTOOLS, options=Cut, predict=_predict)(_convert)
    converter(_source, PDF, profile="pdf", engine=_DRAWN, options=Specimen)(_specimen)
    converter(_source, PNG, profile="image", engine=_PICTURED, options=Specimen)(_specimen)
