"""Options of presentations made from documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.toolkit.options import option


@dataclass(frozen=True)
class PresentingOptions:
    """The heading level that starts slides, and the slide format."""

    slide_level: int | None = option(
        None,
        "Level of the headings that begin a slide; those above it get a slide of their own, those below stand on it. "
        "If not given, the highest level that has text below it.",
        minimum=1,
        maximum=6,
    )
    aspect_ratio: Literal["16:9", "4:3"] = option(
        "16:9",
        "Width to height of the slides.",
        choices={
            "16:9": "Wide, 16:9: For the screens and projectors of today.",
            "4:3": "Classic, 4:3: For older projectors, and closer to paper.",
        },
    )
