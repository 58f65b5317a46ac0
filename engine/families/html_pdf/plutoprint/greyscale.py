"""Draw the pages of PlutoPrint in shades of grey."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Any

import pikepdf

from engine.toolkit.warnings import Kind, Warn

WEIGHTS = (0.2126, 0.7152, 0.0722)
"""The part of red, green and blue in a shade, as in CSS (Filter Effects 1, 9.1)."""
_QUALITY = 90
_RGB, _CMYK = ("rg", "RG"), ("k", "K")
_COLOURED = ("/DeviceRGB", "/CalRGB")
_LEFT = Kind("CONTENT_DROPPED", "Pictures or gradients stayed coloured: {count}.")


def make_grey(pdf: pikepdf.Pdf, warn: Warn) -> None:
    """Replace the colours of texts, lines, gradients and pictures by shades; those that can't be are named."""
    left = 0
    for each in list(pdf.objects):
        if isinstance(each, pikepdf.Stream):
            if each.get("/Subtype") == "/Image":
                left += not _picture(each)
            elif each.get("/Subtype") == "/Form" or "/PatternType" in each:
                _content(pdf, each)
        elif isinstance(each, pikepdf.Dictionary) and "/ShadingType" in each:
            left += not _shading(each)
    for page in pdf.pages:
        page.contents_coalesce()
        _content(pdf, page.obj.Contents)
        for font in page.resources.get("/Font", pikepdf.Dictionary()).values():
            for glyph in font.get("/CharProcs", pikepdf.Dictionary()).values():
                _content(pdf, glyph)
    warn.tally(_LEFT, left)


def shade(values: Sequence[Any]) -> float:
    """The shade of a colour of one, three or four parts from 0 to 1 (ISO 32000-1, 10.3)."""
    parts = [float(each) for each in values]
    if len(parts) == 4:
        *inks, black = parts
        parts = [1 - min(1.0, ink + black) for ink in inks]
    return parts[0] if len(parts) == 1 else sum(weight * part for weight, part in zip(WEIGHTS, parts, strict=True))


def _content(pdf: pikepdf.Pdf, stream: pikepdf.Object) -> None:
    instructions: list[Any] = []
    changed = False
    for each in pikepdf.parse_content_stream(stream):
        operator = str(each.operator)
        if operator in _RGB or operator in _CMYK:
            name = "g" if operator in ("rg", "k") else "G"
            grey = pikepdf.ContentStreamInstruction([round(shade(list(each.operands)), 5)], pikepdf.Operator(name))
            instructions.append(grey)
            changed = True
        else:
            instructions.append(each)
    if changed:
        stream.write(pikepdf.unparse_content_stream(instructions))


def _picture(image: pikepdf.Stream) -> bool:
    """Make a picture grey; False for one in colours that can't be read."""
    if image.get("/ImageMask") or image.get("/ColorSpace") in ("/DeviceGray", "/CalGray"):
        return True
    try:
        drawn = pikepdf.PdfImage(image).as_pil_image().convert("RGB")
    except (pikepdf.models.image.UnsupportedImageTypeError, NotImplementedError, ValueError):
        return False
    grey = drawn.convert("L", (*WEIGHTS, 0.0))
    image.ColorSpace, image.BitsPerComponent = pikepdf.Name.DeviceGray, 8
    for name in ("/Decode", "/DecodeParms"):
        if name in image:
            del image[name]
    if image.get("/Filter") == "/DCTDecode":
        coded = io.BytesIO()
        grey.save(coded, "JPEG", quality=_QUALITY)
        image.write(coded.getvalue(), filter=pikepdf.Name.DCTDecode)
    else:
        image.write(grey.tobytes())
    return True


def _shading(shading: pikepdf.Dictionary) -> bool:
    if shading.ColorSpace == "/DeviceGray":
        return True
    if shading.ColorSpace not in _COLOURED or shading.get("/Function") is None:
        return False
    functions = list(_functions(shading.Function))
    if any(each.FunctionType != 2 for each in functions):
        return False
    for each in functions:
        for end in ("/C0", "/C1"):
            if end in each and len(each[end]) > 1:
                each[end] = pikepdf.Array([round(shade(list(each[end])), 5)])
    shading.ColorSpace = pikepdf.Name.DeviceGray
    if "/Background" in shading:
        shading.Background = pikepdf.Array([round(shade(list(shading.Background)), 5)])
    return True


def _functions(function: pikepdf.Object) -> Iterable[Any]:
    """The functions of two ends that a stitching function joins, or the only one (ISO 32000-1, 7.10.4)."""
    if function.FunctionType == 3:
        for each in function.Functions:
            yield from _functions(each)
    else:
        yield function
