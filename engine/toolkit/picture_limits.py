"""Limits on the number of pixels and pages of a conversion."""

from __future__ import annotations

from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

MAX_PIXELS = 100_000_000
"""Pixels of one picture: as RGBA these take 400 MB, and the memory of a conversion holds two copies.

That many take 20 s as gif, 10 s as webp and less in other formats.
"""

MOST_WRITTEN = {"avif": 50_000_000, "heic": 50_000_000}
"""Lower limits for writing, by format id: what the encoder has memory for.

49 million pixels of noise take 11 s as AVIF, and 18 s with transparency.
"""

MOST_READ = {"jp2": 60_000_000, "qoi": 25_000_000, "raw": 60_000_000}
"""Lower limits for reading, by format id: what the decoder has memory and time for."""

MAX_FRAME_PIXELS = 400_000_000
"""Pixels of all frames of an animation together, which are decoded one after the other."""

MAX_PAGES = 1_000
"""Pictures in one file; that many small ones become a PDF in 0.7 s."""


def check_pixels(width: int, height: int, format: str = "", *, read_as: str = "") -> None:
    """Raise OverLimit if a picture of this size, in pixels, is too large to read, or to write as `format`."""
    most = min(MOST_WRITTEN.get(format, MAX_PIXELS), MOST_READ.get(read_as, MAX_PIXELS))
    if width * height > most:
        advice = say(" Set a smaller width.") if format else ""
        raise OverLimit(
            "memory",
            say(
                "The picture has {width} x {height} pixels, and the limit is {most} million.{advice}",
                width=width,
                height=height,
                most=most // 1_000_000,
                advice=advice,
            ),
        )


def check_frames(count: int, decoded: tuple[int, int], written: tuple[int, int]) -> None:
    """Raise OverLimit if `count` frames of these sizes, in pixels, are too many."""
    if count * decoded[0] * decoded[1] > MAX_FRAME_PIXELS:
        raise OverLimit(
            "memory",
            say(
                "The animation has {count} frames of {decoded} x {decoded2} pixels, and the limit is "
                "{max_frame_pixels} million pixels in all frames.",
                count=count,
                decoded=decoded[0],
                decoded2=decoded[1],
                max_frame_pixels=MAX_FRAME_PIXELS // 1_000_000,
            ),
        )
    if count * written[0] * written[1] > MAX_PIXELS:
        raise OverLimit(
            "memory",
            say(
                "{count} frames of {written} x {written2} pixels are too many for one animation: the "
                "limit is {max_pixels} million pixels in total. Set a smaller width.",
                count=count,
                written=written[0],
                written2=written[1],
                max_pixels=MAX_PIXELS // 1_000_000,
            ),
        )


def check_pages(count: int) -> None:
    """Raise OverLimit for a file with too many pages."""
    if count > MAX_PAGES:
        raise OverLimit(
            "output",
            say("The file has {count} pages, and the limit is {max_pages}.", count=count, max_pages=MAX_PAGES),
        )
