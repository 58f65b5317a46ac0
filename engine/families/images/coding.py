"""The pictures to write and their encoder settings."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

from engine.families.images.options import Effort

PNG_LEVEL = {"fast": 1, "balanced": 3, "small": 9}
"""PNG compression levels: 24 megapixels take less than 5 s on one core with `balanced`."""


@dataclass(frozen=True)
class Coding:
    """The settings of all writers, named after their options."""

    quality: int = 85
    effort: Effort = "balanced"
    lossless: bool = False
    dither: bool = True
    background: str = "#ffffff"
    compression: str = "lzw"
    sizes: str = "16,24,32,48,64,128,256"
    target_size: int | None = None

    @classmethod
    def from_options(cls, options: object) -> Coding:
        """Settings from the fields of `options`, with defaults for the others."""
        names = [each.name for each in dataclasses.fields(cls) if hasattr(options, each.name)]
        return cls(**{name: getattr(options, name) for name in names})


@dataclass(frozen=True)
class Movie:
    """Frames of equal size: `delays` in milliseconds, `plays` is the number of runs, 0 for endless."""

    frames: Sequence[Image.Image]
    delays: tuple[int, ...] = (0,)
    plays: int = 0

    @property
    def first(self) -> Image.Image:
        return self.frames[0]

    @property
    def moves(self) -> bool:
        return len(self.frames) > 1
