"""Limits of pictures: how many pixels a conversion takes on, and what is said when there are more."""

from __future__ import annotations

from conversions.toolkit.failures import OverLimit

MAX_PIXELS = 100_000_000
"""Of one picture: as RGBA these are 400 MB, and two copies of them fit into the memory of a conversion."""

MOST_WRITTEN = {"avif": 50_000_000, "heic": 50_000_000}
"""Format id to the pixels of a picture that its encoder finds memory for, where these are fewer."""

MOST_READ = {"jp2": 60_000_000, "qoi": 25_000_000, "raw": 60_000_000}
"""Format id to the pixels of a picture that its decoder has memory and time for, where these are fewer."""

MAX_FRAME_PIXELS = 400_000_000
"""Of all frames of an animation together, as they are decoded one after the other."""

MAX_PAGES = 1_000
"""Pictures that one file may hold."""


def check_pixels(width: int, height: int, format: str = "", *, read_as: str = "") -> None:
    """Raise OverLimit where a picture of this size, in pixels, is more than is read, or written as `format`."""
    most = min(MOST_WRITTEN.get(format, MAX_PIXELS), MOST_READ.get(read_as, MAX_PIXELS))
    if width * height > most:
        advice = " Set a smaller width." if format else ""
        raise OverLimit(
            "memory",
            f"The picture has {width} x {height} pixels; at most {most // 1_000_000} million are converted.{advice}",
        )


def check_frames(count: int, decoded: tuple[int, int], written: tuple[int, int]) -> None:
    """Raise OverLimit where `count` frames of these sizes, in pixels, are more than a conversion takes on."""
    if count * decoded[0] * decoded[1] > MAX_FRAME_PIXELS:
        raise OverLimit(
            "memory",
            f"The animation has {count} frames of {decoded[0]} x {decoded[1]} pixels; at most "
            f"{MAX_FRAME_PIXELS // 1_000_000} million pixels in all frames are converted.",
        )
    if count * written[0] * written[1] > MAX_PIXELS:
        raise OverLimit(
            "memory",
            f"{count} frames of {written[0]} x {written[1]} pixels are too much for one animation, which can have "
            f"{MAX_PIXELS // 1_000_000} million pixels in all. Set a smaller width.",
        )


def check_pages(count: int) -> None:
    """Raise OverLimit for a file of more pages than a conversion takes on."""
    if count > MAX_PAGES:
        raise OverLimit("output", f"The file has {count} pages; at most {MAX_PAGES} are converted.")
