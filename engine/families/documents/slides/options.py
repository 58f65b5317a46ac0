"""Options of presentations: slides and speaker notes."""

from __future__ import annotations

from dataclasses import dataclass

from engine.families.images.options import Pages
from engine.toolkit.options import option


@dataclass(frozen=True)
class HiddenSlides:
    """Whether hidden slides are included."""

    hidden_slides: bool = option(False, "Include hidden slides.")


@dataclass(frozen=True)
class SlidesOptions(HiddenSlides):
    """The slides and notes to include."""

    speaker_notes: bool = option(True, "Add the speaker notes after each slide.")


@dataclass(frozen=True)
class PresentationOptions(Pages):
    """The slides to draw, and whether their notes are included."""

    hidden_slides: bool = option(False, "Include hidden slides.")
    notes: bool = option(False, "Add a page with notes for each slide after the slides.")
