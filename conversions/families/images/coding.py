"""Coding: what is written, a picture or frames in a row, and with which settings."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

from conversions.families.images.options import Effort

PNG_LEVEL = {"fast": 1, "balanced": 3, "small": 9}
"""How hard a PNG is packed: 24 million pixels take less than 5 s on one core with `balanced`."""


@dataclass(frozen=True)
class Coding:
    """The settings of all writers; a field has the name and the meaning of the option it comes from."""

    quality: int = 85
    effort: Effort = "balanced"
    lossless: bool = False
    dither: bool = True
    background: str = "#ffffff"
    compression: str = "lzw"
    sizes: str = "16,24,32,48,64,128,256"
    target_size: int | None = None

    @classmethod
    def of(cls, options: object) -> Coding:
        """The settings that `options` has a field for, and the defaults of the others."""
        names = [each.name for each in dataclasses.fields(cls) if hasattr(options, each.name)]
        return cls(**{name: getattr(options, name) for name in names})


@dataclass(frozen=True)
class Movie:
    """Frames in a row, all of one size: `delays` in milliseconds, `plays` how often they run, 0 for ever."""

    frames: Sequence[Image.Image]
    delays: tuple[int, ...] = (0,)
    plays: int = 0

    @property
    def first(self) -> Image.Image:
        return self.frames[0]

    @property
    def moves(self) -> bool:
        return len(self.frames) > 1
