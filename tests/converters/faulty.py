"""HTML to PDF with a mistake in one of its own modules, for a zygote of tests."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from engine.families.html_pdf.options import PageOptions
from engine.families.registry import CONVERTERS as REGISTERED
from engine.toolkit.warnings import Warn


def mistaken(source: Path, target: Path, options: PageOptions, warn: Warn) -> None:
    from engine.families.html_pdf.xhtml2pdf import context, engine

    # As if the fonts had lost a name that the context asks them for.
    vars(context)["fonts"] = None
    engine.render(source.read_bytes(), target, options, warn)


CONVERTERS = (dataclasses.replace(REGISTERED["html-to-pdf"], run=mistaken),)
