"""Render HTML as a PDF or picture, fetching nothing and reporting every loss."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.families.html_pdf.options import HTML_PDF, PageOptions, PrintOptions, Standard, Viewport
from engine.families.html_pdf.paper import LARGEST, PT, margins, paper
from engine.families.html_pdf.parts import Part
from engine.families.html_pdf.source.reading import with_styles
from engine.families.html_pdf.visibility import pages
from engine.families.html_pdf.visibility.against_html import check
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

engine = HTML_PDF.distribution
"""The engine in use: `plutoprint` or `xhtml2pdf`."""


def render(html: str | bytes, target: Path, options: PageOptions, warn: Warn, *, title: str | None = None) -> None:
    """Write `html` as a PDF to `target`.

    `title` is the fallback if neither the options nor the document have one. Raises Unreadable for bytes that are not
    HTML and markup that can't be laid out, OverLimit for too much content, and InvalidOption for a paper size or
    margins that leave no room, and pages that do not exist.
    """
    sources = [html]
    if isinstance(options, PrintOptions):
        html = with_styles(html, options.css, warn)
        sources = [html, *options.beside]
    _engine().render(html, target, options, warn, title=title)
    check(target, sources, warn, media=options.media_type, whole=not options.page_ranges)


def bound(
    parts: Sequence[Part],
    target: Path,
    options: PageOptions,
    warn: Warn,
    *,
    title: str | None,
    places: frozenset[str] = frozenset(),
) -> None:
    """Bind several HTML pages, each with its own paper, into one PDF; raises what `render` does.

    `places` are the ids that links may target across pages. Notes that don't fit on their page go to the end of their
    part, with a warning. Only with PlutoPrint.
    """
    drawn: list[str] = []

    def noted(part: Part) -> Part:
        def running(width: float, height: float, numbers: Sequence[int], total: int) -> str | None:
            html = part.running(width, height, numbers, total)
            drawn.extend((html,) if html else ())
            return html

        return replace(part, running=running)

    _binding().bind([*map(noted, parts)], target, options, warn, title=title, elsewhere=places)
    for part in parts:
        drawn += [part.html, *(part.notes.texts.values() if part.notes is not None else ())]
    check(target, drawn, warn, media=options.media_type, whole=not options.page_ranges)


def report_fonts(fonts: Mapping[str, Collection[str]], warn: Warn, *, east_asian: Iterable[str] = ()) -> None:
    """Warn of the fonts of a document, with the characters set in each, that others stand for; only with PlutoPrint.

    The `east_asian` ones are not in the page, as browsers take one font for all scripts.
    """
    missing_fonts = importlib.import_module("engine.families.html_pdf.plutoprint.missing_fonts")
    missing_fonts.report_unlike(fonts, warn)
    missing_fonts.report_absent(east_asian, warn)


def page_places(
    parts: Sequence[Part],
    scratch: Path,
    options: PageOptions,
    *,
    places: frozenset[str],
    look: Callable[[Path], None] = lambda path: None,
) -> dict[str, tuple[int, float]]:
    """Where each of the `places` is when the parts are `bound`: the index of its page, and points from its upper edge.

    `scratch` is a file to write, which `look` may read; warns of nothing. Raises what `bound` does.
    Only with PlutoPrint.
    """
    whole: Any = replace(options, page_ranges=None)
    if isinstance(options, Standard):
        whole = replace(whole, pdf_standard="none")
    _binding().bind(parts, scratch, whole, Warn(), title=None, elsewhere=places)
    found: dict[str, tuple[int, float]] = _binding().page_places(scratch)
    look(scratch)
    scratch.unlink()
    return found


def height(html: str, width: float, warn: Warn) -> float:
    """The height of an HTML page without margins on endless paper of a `width`, in points; only with PlutoPrint."""
    return float(_binding().height(html, width, warn))


def picture(html: str | bytes, target: Path, options: Viewport, warn: Warn) -> None:
    """Render `html` as on a screen to `target`, a picture whose extension is its format id.

    `options` include those of that format. Only with PlutoPrint. Raises Unreadable as `render` does, and OverLimit for
    too many pixels.
    """
    from engine.families.html_pdf.plutoprint import engine
    from engine.families.images import raster

    format = target.suffix[1:]
    drawn = engine.on_screen(html, options, format, warn)
    raster.drawn(raster.within(drawn, format, warn), target, options, warn)


def draw(svg: bytes, size: tuple[float, float], target: Path, warn: Warn) -> None:
    """Write a drawing without active content as a one-page PDF; `size` is its width and height in CSS pixels.

    A drawing longer than 14,400 points is scaled down, with a warning. Raises Unreadable if it can't be drawn.
    """
    width, height = (each * PT["px"] for each in size)
    scale = min(1.0, LARGEST / max(width, height))
    if scale < 1:
        warn(
            "SIZE_REDUCED",
            say(
                "The drawing was scaled to {scale}, because a PDF page can be at most 5 m long.",
                scale=f"{scale:.0%}",
            ),
        )
    _engine().draw(svg, (width * scale, height * scale), target, warn)
    pages.check(target, warn)


def _binding() -> Any:
    return importlib.import_module("engine.families.html_pdf.plutoprint.binding")


def _engine() -> Any:
    return importlib.import_module(f"engine.families.html_pdf.{engine}.engine")


def widths(page_size: str, margin: str) -> tuple[float, float]:
    """The widths between the margins in points, on portrait and landscape paper. Raises InvalidOption for an invalid
    paper size or margin."""
    sides = margins(margin)
    upright, lying = sorted(paper(page_size))
    return upright - sides.left - sides.right, lying - sides.left - sides.right
