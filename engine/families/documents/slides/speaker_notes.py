"""Count the speaker notes of a presentation that its pages leave out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from engine.families.documents.ooxml.package import Package
from engine.families.documents.slides.deck import Deck, Slide
from engine.toolkit.failures import Unreadable
from engine.toolkit.warnings import Kind, Warn

_UNSPOKEN = Kind("CONTENT_DROPPED", "Speaker notes were left out: {count}{places}. Use notes to add them.", drawn=True)


def report(slides: Iterable[Slide], warn: Warn) -> None:
    """Report the slides with notes, by the first words of each."""
    spoken = [words for each in slides if (words := _words(each))]
    warn.tally(_UNSPOKEN, len(spoken), (f"“{each[:60]}”" for each in spoken))


def report_file(source: Path, warn: Warn, *, hidden: bool) -> None:
    """Report those of a file that another program draws."""
    try:
        with Package(source) as package:
            report(Deck(package).slides(hidden=hidden), warn)
    except Unreadable:
        # The other program has opened what this reader refuses: the file is to be drawn all the same.
        warn.not_counted(["notes"])


def _words(slide: Slide) -> str:
    return " ".join(" ".join("".join(each.itertext()) for each in slide.notes).split())
