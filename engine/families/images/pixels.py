"""The bit depth, orientation, size, colour space and transparency of a decoded picture."""

from __future__ import annotations

import io

from PIL import Image, ImageCms, ImageColor

from engine.families.images.geometry import Geometry
from engine.toolkit.census import ALL
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

DEEP = {"png", "tiff"}
"""Formats written with 16 bits per channel."""

MODES = {
    "png": ("1", "L", "LA", "P", "RGB", "RGBA", "I;16"),
    "jpg": ("L", "RGB"),
    "webp": ("RGB", "RGBA"),
    "avif": ("L", "RGB", "RGBA"),
    "heic": ("L", "RGB", "RGBA"),
    "gif": ("1", "L", "P", "RGB", "RGBA"),
    "bmp": ("1", "L", "P", "RGB"),
    "tiff": ("1", "L", "LA", "P", "RGB", "RGBA", "I;16"),
    "ico": ("RGBA",),
    "pdf": ("1", "L", "P", "RGB"),
    "svg": ("RGB", "RGBA"),
}
"""The pixel modes of each writer by format id; formats without an alpha mode have no transparency here."""

PROFILED = {"png", "jpg", "webp", "avif", "heic", "tiff", "pdf"}
"""Formats that carry a colour profile."""

# Exif 2.32, tag 0x0112: the transformation to upright.
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
_PROFILE_SPACES = {"RGB ": ("RGB", "RGBA"), "GRAY": ("L", "LA"), "CMYK": ("CMYK",)}


def turned(size: tuple[int, int], orientation: int) -> tuple[int, int]:
    """The size of a picture once it is upright."""
    return (size[1], size[0]) if orientation in (5, 6, 7, 8) else size


def upright(image: Image.Image, orientation: int) -> Image.Image:
    """`image` rotated to upright; an undefined orientation counts as upright."""
    turn = _TURNS.get(orientation)
    return image.transpose(turn) if turn is not None else image


def shallow(image: Image.Image, target: str, warn: Warn) -> Image.Image:
    """`image` with 8 bits per channel, or 16 if it is grey and the target format supports that."""
    if image.mode == "I" and image.format == "PPM":
        image = image.convert("I;16")  # the format supports no more
    if image.mode.startswith("I;16"):
        if target in DEEP and "transparency" not in image.info:
            return image if image.mode == "I;16" else image.convert("I").convert("I;16")
        warn("COLOR_CONVERTED", "The picture had 16 bits per channel and was reduced to 8.")
        warn.account("bits", ALL)
        return image.convert("I").point(lambda value: value * (1 / 257) + 0.5).convert("L")
    if image.mode in ("I", "F"):
        warn("COLOR_CONVERTED", "The picture had 32 bits per channel and was reduced to 8.")
        warn.account("bits", ALL)
        low, high = image.getextrema()
        assert isinstance(low, (int, float))
        assert isinstance(high, (int, float))
        if image.mode == "F" and low >= 0 and high <= 1:
            return image.point(lambda value: value * 255 + 0.5).convert("L")
        if low >= 0 and high <= 255:
            return image.convert("L")
        low, high = (0, 65535) if low >= 0 and high <= 65535 else (low, high)
        scale = 255 / (high - low or 1)
        return image.point(lambda value: value * scale - low * scale).convert("L")
    return image


def resized(image: Image.Image, geometry: Geometry) -> Image.Image:
    """`image` cropped and scaled with a Lanczos filter; palettes and bilevel pixels are expanded first."""
    if not geometry.changes(image.size):
        return image
    left, top, right, bottom = geometry.crop
    width, height = geometry.size
    if right - left == width and bottom - top == height and left == round(left) and top == round(top):
        return image.crop((round(left), round(top), round(right), round(bottom)))
    if image.mode in ("1", "P", "PA") or "transparency" in image.info:
        image = _unpacked(image)
    return image.resize(geometry.size, Image.Resampling.LANCZOS, box=geometry.crop, reducing_gap=3.0)


def coloured(
    image: Image.Image, profile: bytes | None, *, srgb: bool, target: str, warn: Warn
) -> tuple[Image.Image, bytes | None]:
    """`image` in a colour space of the target format, and its profile.

    CMYK, Lab and YCbCr become sRGB. Other profiles are kept unless `srgb` is requested or the format has no profiles.
    """
    parsed = _profile(profile, image, warn)
    if image.mode in ("CMYK", "LAB"):
        warn("COLOR_CONVERTED", say("The colours were converted from {mode} to sRGB.", mode=image.mode))
        warn.account("profiles", 1)
        warn.account("channels", len(image.getbands()) - 3)
        if image.mode == "LAB":
            parsed = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB"))
        return (_to_srgb(image, parsed, warn) if parsed else image.convert("RGB")), None
    if image.mode in ("YCbCr", "HSV", "RGBX"):
        image = image.convert("RGB")
    elif image.mode in ("RGBa", "La"):
        image = image.convert("RGBA" if image.mode == "RGBa" else "LA")
    if parsed is None:
        return image, None
    # A grey profile does not apply once the picture is converted to colour.
    turns_coloured = parsed.profile.xcolor_space == "GRAY" and (
        target == "webp" or (image.has_transparency_data and target in ("jpg", "pdf"))
    )
    if not srgb and target in PROFILED and not turns_coloured:
        return image, profile
    warn.account("profiles", 1)
    if _is_srgb(parsed):
        return image, None
    if target not in PROFILED and not srgb:
        warn("COLOR_CONVERTED", "The colours were converted to sRGB because the format has no colour profiles.")
    return _to_srgb(_unpacked(image), parsed, warn), None


def grey(image: Image.Image) -> Image.Image:
    """`image`, in sRGB, as greyscale; transparency is kept."""
    if image.mode in ("1", "L", "LA") or image.mode.startswith("I;16"):
        return image
    return image.convert("LA" if image.has_transparency_data else "L")


def has_alpha(image: Image.Image) -> bool:
    """Whether any pixel is not opaque."""
    if not image.has_transparency_data:
        return False
    alpha = (image if image.mode in ("RGBA", "LA") else _unpacked(image)).getchannel("A")
    return bool(alpha.getextrema()[0] != 255)


def fitted(image: Image.Image, target: str, background: str, warn: Warn) -> Image.Image:
    """`image` in a mode of the target format, blended onto `background` if the format has no transparency."""
    modes = MODES[target]
    if image.has_transparency_data and not any("A" in mode for mode in modes):
        if has_alpha(image):
            warn(
                "ALPHA_FLATTENED",
                say("Transparent parts were filled with the background colour {background}.", background=background),
            )
        warn.account("transparency", 1)  # it was reported, or nothing was transparent
        image = flattened(image, background)
    elif "transparency" in image.info and not (image.mode == "P" and target in ("png", "gif")):
        image = _unpacked(image)
    if image.mode in modes:
        return image
    for mode in ("LA", "RGBA") if image.has_transparency_data else ("L", "RGB", "RGBA"):
        if mode in modes and (image.mode in ("1", "L", "LA") or mode not in ("L", "LA")):
            return image.convert(mode)
    return image.convert("RGB")


def flattened(image: Image.Image, background: str) -> Image.Image:
    """`image` blended onto an opaque background."""
    full = image.convert("RGBA")
    canvas = Image.new("RGB", full.size, ImageColor.getrgb(background))
    canvas.paste(full, mask=full.getchannel("A"))
    if image.mode in ("L", "LA") and len(set(ImageColor.getrgb(background))) == 1:
        return canvas.convert("L")
    return canvas


def _unpacked(image: Image.Image) -> Image.Image:
    """`image` in a mode with direct colours: no palette and no transparent colour key."""
    if image.mode in ("1", "L", "LA", "I;16"):
        return image.convert("LA" if image.has_transparency_data else "L") if image.mode != "I;16" else image
    if image.mode == "RGB" and not image.has_transparency_data:
        return image
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def usable_profile(data: bytes | None, mode: str, warn: Warn) -> bytes | None:
    """A colour profile of the input, if it is valid and applies to this pixel mode."""
    return data if _profile(data, Image.new(mode, (1, 1)), warn) is not None else None


def _is_srgb(profile: ImageCms.ImageCmsProfile) -> bool:
    try:
        return "sRGB" in ImageCms.getProfileDescription(profile)
    except ImageCms.PyCMSError:  # its name is in another code page than ASCII
        return False


def _profile(data: bytes | None, image: Image.Image, warn: Warn) -> ImageCms.ImageCmsProfile | None:
    if not data:
        return None
    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(data))
        space = profile.profile.xcolor_space
    except (OSError, ImageCms.PyCMSError):
        warn("METADATA_DROPPED", "The embedded colour profile is damaged and was left out.")
        warn.account("profiles", 1)
        return None
    mode = {"1": "L", "I;16": "L", "P": "RGB", "PA": "RGB", "La": "L", "RGBa": "RGB", "RGBX": "RGB"}
    if mode.get(image.mode, image.mode) not in _PROFILE_SPACES.get(space, ()):
        warn("METADATA_DROPPED", "The embedded colour profile doesn't match the picture and was left out.")
        warn.account("profiles", 1)
        return None
    return profile


def _to_srgb(image: Image.Image, profile: ImageCms.ImageCmsProfile, warn: Warn) -> Image.Image:
    alpha = image.getchannel("A") if image.mode in ("RGBA", "LA") else None
    if image.mode in ("RGBA", "LA"):
        image = image.convert(image.mode[:-1])
    elif image.mode not in ("RGB", "L", "CMYK", "LAB"):
        image = image.convert("RGB")
    try:
        result = ImageCms.profileToProfile(
            image,
            profile,
            _SRGB,
            ImageCms.Intent.RELATIVE_COLORIMETRIC,
            "RGB",
            flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
        )
    except ImageCms.PyCMSError:
        warn("METADATA_DROPPED", "The embedded colour profile can't be used and was left out.")
        result = image.convert("RGB")
    assert result is not None
    if alpha is not None:
        result.putalpha(alpha)
    return result
