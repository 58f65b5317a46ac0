"""The options of presentations: which slides, and what the speaker says."""

from __future__ import annotations

from dataclasses import dataclass

from conversions.toolkit.options import option


@dataclass(frozen=True)
class HiddenSlides:
    """Which slides."""

    hidden_slides: bool = option(False, "Include hidden slides.")


@dataclass(frozen=True)
class SlidesOptions(HiddenSlides):
    """Which slides, and what beside them."""

    speaker_notes: bool = option(True, "Add the notes of the speaker after each slide.")
