"""Convert messages and mailboxes to pages, texts and data, and extract attachments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.families.html_pdf.options import HTML_PDF, PageOptions
from engine.families.mail.options import Attachments
from engine.toolkit.declaring import Engine, Profile, converter
from engine.toolkit.formats import EML, FORMATS, HTML, JSON, MARKDOWN, MBOX, MSG, PDF, TXT, ZIP, Format
from engine.toolkit.options import combine
from engine.toolkit.warnings import Warn

_LAZY = ("olefile", "engine.families.mail.exchange")
_PLAIN = Engine("olefile", lazy=_LAZY)
_PROGRAMS = ("pypandoc/files/pandoc",)

_PROFILES: dict[Format, tuple[Profile, Engine]] = {
    PDF: ("pdf", Engine(HTML_PDF.distribution, (*HTML_PDF.modules, "nh3", *_LAZY), further=("olefile",))),
    HTML: ("office", Engine("olefile", ("nh3", *_LAZY))),
    MARKDOWN: ("office", Engine("olefile", ("nh3", *_LAZY), lazy=("pypandoc",), programs=_PROGRAMS)),
    TXT: ("office", Engine("olefile", ("nh3", *_LAZY), lazy=("pypandoc",), programs=_PROGRAMS)),
    JSON: ("text", _PLAIN),
    ZIP: ("text", _PLAIN),
}


def _convert(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Convert {input} to {output}, with headers, text, pictures and a list of attachments."""
    from engine.families.mail import exchange

    return exchange.convert(source, target, FORMATS[source.suffix[1:]], FORMATS[target.suffix[1:]], options, warn)


def _attached(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Extract the attachments of {input} as a ZIP archive."""
    from engine.families.mail import exchange

    exchange.convert(source, target, FORMATS[source.suffix[1:]], ZIP, options, warn)


for _source in (EML, MSG, MBOX):
    for _target, (_profile, _engine) in _PROFILES.items():
        _groups = () if _target is ZIP else (Attachments, PageOptions) if _target is PDF else (Attachments,)
        converter(
            _source,
            _target,
            profile=_profile,
            engine=_engine,
            options=combine(f"{_source.id}_to_{_target.id}".title(), *_groups),
            packs=_target is not ZIP,
        )(_attached if _target is ZIP else _convert)
