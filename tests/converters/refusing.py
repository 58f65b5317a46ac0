"""HTML to PDF whose library refuses a page, for a zygote of tests."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from reportlab.platypus.doctemplate import LayoutError

from engine.families.html_pdf.options import PageOptions
from engine.families.registry import CONVERTERS as REGISTERED
from engine.toolkit.warnings import Warn


def refused(source: Path, target: Path, options: PageOptions, warn: Warn) -> None:
    from engine.families.html_pdf.xhtml2pdf import engine, layout

    def build(self: Any, story: Any) -> None:
        raise LayoutError("too large")

    layout.PagedDocument.build = build  # type: ignore[method-assign]
    engine.render(source.read_bytes(), target, options, warn)


CONVERTERS = (dataclasses.replace(REGISTERED["html-to-pdf"], run=refused),)
