"""Indexed pictures: at most 256 colours, one of them transparent (GIF89a)."""

from __future__ import annotations

from PIL import Image, ImageColor

from engine.families.images.coding import Coding
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn


def indexed(frame: Image.Image, coding: Coding, warn: Warn) -> Image.Image:
    """`frame` with a palette of at most 256 colours, one of them fully transparent where any pixel is."""
    if frame.mode in ("1", "L"):
        return frame
    if frame.mode == "P" and not isinstance(frame.info.get("transparency"), bytes):
        return frame
    clear: Image.Image | None = None
    if frame.has_transparency_data:
        frame = frame.convert("RGBA")
        alpha = frame.getchannel("A")
        levels = {level for _, level in alpha.getcolors(256) or ()}
        if levels - {0, 255}:
            warn(
                "ALPHA_FLATTENED",
                say(
                    "Partly transparent pixels were filled with the background colour {background}.",
                    background=coding.background,
                ),
            )
            canvas = Image.new("RGBA", frame.size, (*ImageColor.getrgb(coding.background)[:3], 255))
            canvas.alpha_composite(frame)
            clear, frame = alpha.point([255] * 128 + [0] * 128, "1"), canvas.convert("RGB")
            warn.account("transparency", int(clear.getbbox() is None))
        else:
            clear, frame = alpha.point([255] + [0] * 255, "1"), frame.convert("RGB")
        if clear.getbbox() is None:
            clear = None
        else:
            frame.paste(_an_opaque_colour(frame, clear), mask=clear)
    room = 255 if clear else 256
    if frame.getcolors(room) is not None:
        # Median cut is exact if the palette has room for every colour.
        reduced = frame.quantize(room, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    else:
        warn(
            "COLOR_CONVERTED",
            say("The picture had more than {room} colours and was reduced to that number.", room=room),
        )
        reduced = frame.quantize(room, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        if coding.dither:
            reduced = frame.quantize(palette=reduced, dither=Image.Dither.FLOYDSTEINBERG)
    if clear:
        palette = (reduced.getpalette() or [])[: room * 3]
        reduced.putpalette([*palette, *[0] * (768 - len(palette))])
        reduced.paste(255, mask=clear)
        reduced.info["transparency"] = 255
    return reduced


def _an_opaque_colour(frame: Image.Image, clear: Image.Image) -> tuple[int, ...]:
    """The colour of some pixel of `frame` outside `clear`, or black: transparent pixels then need no palette entry."""
    opaque = clear.point([255] + [0] * 255)
    box = opaque.getbbox()
    if box is None:
        return (0, 0, 0)
    row = opaque.crop((0, box[1], frame.width, box[1] + 1)).getbbox()
    assert row is not None
    colour = frame.getpixel((row[0], box[1]))
    assert isinstance(colour, tuple)
    return colour
