"""HTML to PDF by xhtml2pdf, whatever the settings say, for a zygote of tests."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from conversions.families.html_pdf.options import PageOptions
from conversions.families.registry import CONVERTERS as REGISTERED
from conversions.toolkit.warnings import Warn


def drawn(source: Path, target: Path, options: PageOptions, warn: Warn) -> None:
    from conversions.families.html_pdf.xhtml2pdf import engine

    engine.render(source.read_bytes(), target, options, warn)


CONVERTERS = (dataclasses.replace(REGISTERED["html-to-pdf"], run=drawn),)
