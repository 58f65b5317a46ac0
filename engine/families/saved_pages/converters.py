"""Convert pages that come with their files to PDF, one HTML file, and documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.families.documents.options import Contents, LineWidth, Pictures, TitleOptions
from engine.families.html_pdf.options import HTML_PDF, PRINTED
from engine.toolkit.declaring import Engine, Profile, converter
from engine.toolkit.formats import DOCX, FORMATS, HTML, HTMLZ, MARKDOWN, MHTML, PDF, WEBARCHIVE, Format
from engine.toolkit.options import combine
from engine.toolkit.warnings import Warn

_OURS = "engine.families.saved_pages.exchange"
_PANDOC = Engine(
    "pypandoc-binary",
    ("nh3", "engine.families.documents.exchange", _OURS),
    lazy=("pypandoc",),
    programs=("pypandoc/files/pandoc",),
    further=("lxml",),
)
_PROFILES: dict[Format, tuple[Profile, Engine, tuple[type, ...]]] = {
    PDF: ("pdf", Engine(HTML_PDF.distribution, (*HTML_PDF.modules, _OURS)), (PRINTED,)),
    HTML: ("office", Engine("lxml", ("lxml.html", "engine.families.saved_pages.standalone", _OURS)), ()),
    MARKDOWN: ("office", _PANDOC, (TitleOptions, LineWidth, Pictures)),
    DOCX: ("office", _PANDOC, (Contents, TitleOptions)),
}


def _convert(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Convert {input} to {output} with its styles, pictures and fonts; nothing is loaded from the web."""
    from engine.families.saved_pages import exchange

    return exchange.convert(source, target, FORMATS[source.suffix[1:]], FORMATS[target.suffix[1:]], options, warn)


for _source in (MHTML, WEBARCHIVE, HTMLZ):
    for _target, (_profile, _engine, _groups) in _PROFILES.items():
        converter(
            _source,
            _target,
            profile=_profile,
            engine=_engine,
            options=combine(f"{_source.id}_to_{_target.id}".title(), *_groups),
            packs=Pictures in _groups,
        )(_convert)
