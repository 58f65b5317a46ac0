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
        "Heading level that starts a new slide. Higher levels become title slides, lower ones "
        "stay on the slide. If not given, the highest level followed by text is used.",
        minimum=1,
        maximum=6,
    )
    aspect_ratio: Literal["16:9", "4:3"] = option(
        "16:9",
        "Ratio of slide width to height.",
        choices={
            "16:9": "Wide, 16:9: For current screens and projectors.",
            "4:3": "Classic, 4:3: For older projectors and for printing.",
        },
    )
