"""Judge and complete a finished animation."""

from __future__ import annotations

from pathlib import Path

from engine.families.images.counting import gif_blocks, streams
from engine.toolkit.warnings import Warn

_JOINING = {"png": streams.png, "gif": gif_blocks.gif, "webp": streams.webp}
"""Formats whose encoders merge equal frames, with the function that counts a file's frames."""
_ROUNDING = 5
"""Milliseconds by which a format may round the duration of a frame."""
_WEBP_FLAGS, _WEBP_ALPHA = 20, 0x10


def account_joined(frames: int, delays: list[int], target: Path, format: str, warn: Warn) -> None:
    """Account for frames that the encoder merged because they are equal: the total duration is unchanged."""
    if format not in _JOINING:
        return
    made = _JOINING[format](target.read_bytes())
    if abs(made.milliseconds - sum(delays)) <= _ROUNDING * frames:
        warn.account("frames", max(0, frames - made.frames))


def account_greys(target: Path, warn: Warn) -> None:
    """Account for the channels of a GIF whose palette is grey, as its colours were."""
    if gif_blocks.gif(target.read_bytes()).colours == 1:
        warn.account("channels", 2)


def mark_transparent(target: Path) -> None:
    """Set the transparency flag in the header of an animated WebP.

    The encoder sets it only if a frame is transparent, not if frames don't cover the canvas (RFC 9649, 2.7.1).
    """
    with target.open("r+b") as file:
        file.seek(_WEBP_FLAGS)
        (flags,) = file.read(1)
        file.seek(_WEBP_FLAGS)
        file.write(bytes([flags | _WEBP_ALPHA]))
