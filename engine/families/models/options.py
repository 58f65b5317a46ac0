"""Options of drawing models: size, view and frames."""

from __future__ import annotations

from dataclasses import dataclass

from engine.toolkit.options import option


@dataclass(frozen=True)
class View:
    """The view of a model."""

    width: int = option(1024, "Width of the picture in pixels.", minimum=64, maximum=4096, unit="px")
    angle: int = option(30, "Degrees to rotate the model, from the front to the right.", minimum=0, maximum=359)
    views: int = option(1, "Number of views side by side, evenly spaced around the model.", minimum=1, maximum=12)
