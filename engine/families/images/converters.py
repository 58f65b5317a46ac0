"""Convert raster pictures to each other, and draw SVG and metafiles."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from engine.families.images import options as groups
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.formats import (
    AVIF,
    BMP,
    DDS,
    EMF,
    GIF,
    HEIC,
    ICNS,
    ICO,
    JP2,
    JPG,
    JXL,
    PCX,
    PNG,
    PPM,
    PSD,
    QOI,
    RAW,
    SGI,
    SVG,
    TGA,
    TIFF,
    WEBP,
    WMF,
    ZIP,
    Format,
)
from engine.toolkit.options import NoOptions, combine
from engine.toolkit.warnings import Warn

PILLOW = Engine(
    "pillow", modules=("PIL", "engine.families.images.heif", "engine.families.images.raster"), lazy=("pyvips",)
)
ASSEMBLY = dataclasses.replace(PILLOW, modules=(*PILLOW.modules, "engine.families.images.assembly"))
VIPS = Engine("pyvips-binary", modules=("pyvips", "PIL", "lightningcss", "cssselect2", "engine.families.images.vector"))
METAFILES = dataclasses.replace(
    VIPS,
    distribution="metafile-render",
    modules=(*VIPS.modules, "metafile_render", "engine.toolkit.metafiles.drawing"),
    further=(VIPS.distribution,),
)
VTRACER = Engine("vtracer", modules=("PIL", "engine.families.images.tracing"), lazy=("vtracer",))

READ = (PNG, JPG, WEBP, AVIF, HEIC, GIF, BMP, TIFF, ICO, PSD, JP2, TGA, QOI, PCX, DDS, ICNS, PPM, SGI)

WRITTEN: dict[Format, tuple[type, ...]] = {
    PNG: (groups.PngCoding, groups.Box, groups.Enlarge, groups.Edit, groups.Tags),
    JPG: (groups.JpgCoding, groups.TargetSize, groups.Box, groups.Enlarge, groups.Edit, groups.Tags),
    WEBP: (groups.WebpCoding, groups.TargetSize, groups.Box, groups.Enlarge, groups.Edit, groups.Tags),
    AVIF: (groups.AvifCoding, groups.TargetSize, groups.Box, groups.Enlarge, groups.Edit, groups.Tags),
    HEIC: (groups.HeicCoding, groups.TargetSize, groups.Box, groups.Enlarge, groups.Edit, groups.Tags),
    GIF: (groups.GifCoding, groups.Box, groups.Enlarge, groups.Edit),
    BMP: (groups.BmpCoding, groups.Box, groups.Enlarge, groups.Edit),
    TIFF: (groups.TiffCoding, groups.Box, groups.Enlarge, groups.Edit, groups.Tags),
    ICO: (groups.IcoCoding, groups.Edit),
}
"""The option groups of each format, whatever its pictures are made from."""


def _name(prefix: str, output: Format) -> str:
    return f"{prefix}{output.id.capitalize()}Options"


def _raster(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Convert {input} to {output}, with optional resizing and recompression."""
    from engine.families.images import raster

    return raster.convert(source, target, options, warn)


def _drawing(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to {output} at any size."""
    from engine.families.images import vector

    vector.convert(source, target, options, warn)


def _metafile(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to {output} at any size."""
    from engine.families.images import vector

    vector.convert_metafile(source, target, options, warn)


EXTRAS = {
    JXL: dataclasses.replace(PILLOW, distribution="pylibjxl", lazy=("pyvips", "pylibjxl")),
    RAW: dataclasses.replace(PILLOW, distribution="rawpy", lazy=("pyvips", "rawpy")),
}
"""Formats to the engines that read them, which need not be installed."""


def writing(output: Format, engine: Engine) -> Engine:
    """The engine with the library that writes `output`, which need not be installed."""
    if output is not HEIC:
        return engine
    return dataclasses.replace(engine, lazy=(*engine.lazy, "pillow_heif"), further=(*engine.further, "pillow-heif"))


for _output, _groups in WRITTEN.items():
    for _input, _engine in EXTRAS.items():
        converter(
            _input,
            _output,
            profile="image",
            engine=writing(_output, _engine),
            options=combine(_name("", _output), *_groups),
        )(_raster)
    _pictures = tuple(each for each in READ if each is not TIFF)
    converter(
        _pictures,
        _output,
        profile="image",
        engine=writing(_output, PILLOW),
        options=combine(_name("", _output), *_groups),
        same=True,
    )(_raster)
    converter(
        TIFF,
        _output,
        profile="image",
        engine=writing(_output, PILLOW),
        options=combine(_name("Tiff", _output), groups.Pages, *_groups),
        packs=_output is not TIFF,
    )(_raster)
    _drawn = [each for each in _groups if each not in (groups.Enlarge, groups.Edit, groups.Tags)]
    if groups.Box in _groups:
        _drawn.append(groups.Scale)
    converter(
        SVG,
        _output,
        profile="image",
        engine=writing(_output, VIPS),
        options=combine(_name("Svg", _output), *_drawn),
    )(_drawing)
    converter(
        (EMF, WMF),
        _output,
        profile="image",
        engine=writing(_output, METAFILES),
        options=combine(_name("Svg", _output), *_drawn),
    )(_metafile)


@converter(
    (GIF, WEBP, PNG, AVIF),
    ZIP,
    profile="image",
    engine=PILLOW,
    options=combine("FramesOptions", groups.PngCoding, groups.Box, groups.Enlarge, groups.Edit),
)
def frames_to_zip(source: Path, target: Path, options: Any, warn: Warn) -> Format:
    """Extract the frames of {input}, one PNG each."""
    from engine.families.images import animation

    return animation.split(source, target, options, warn)


def _animation(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert the pictures in a ZIP to an animated {output}, ordered by name."""
    from engine.families.images import assembly

    assembly.convert(source, target, options, warn)


for _output in (GIF, WEBP, PNG, AVIF):
    _groups = tuple(each for each in WRITTEN[_output] if each is not groups.Tags)
    converter(
        ZIP,
        _output,
        profile="image",
        engine=ASSEMBLY,
        options=combine(_name("Animated", _output), groups.Assembly, *_groups),
    )(_animation)


@converter(
    (PNG, JPG, WEBP, GIF, BMP),
    SVG,
    profile="image",
    engine=VTRACER,
    options=combine("TracingOptions", groups.Tracing, groups.Edit),
)
def picture_to_svg(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to vector shapes, for logos and drawings."""
    from engine.families.images import tracing

    tracing.convert(source, target, options, warn)


@converter((EMF, WMF), SVG, profile="image", engine=METAFILES)
def metafile_to_svg(source: Path, target: Path, options: NoOptions, warn: Warn) -> None:
    """Convert {input} to SVG. Lines and text stay vector."""
    from engine.toolkit.metafiles import drawing

    drawn = drawing.drawn(source.read_bytes())
    drawn.report(warn)
    target.write_bytes(drawn.svg)
