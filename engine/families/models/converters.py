"""Convert triangle meshes between STL, OBJ, PLY, GLB, OFF and 3MF, and draw them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from engine.families.models.options import View
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.formats import FORMATS, GLB, OBJ, OFF, PLY, PNG, STL, THREE_MF
from engine.toolkit.options import NoOptions
from engine.toolkit.warnings import Warn

TRIMESH = Engine("trimesh", lazy=("trimesh", "numpy", "lxml"))
_PICTURED = dataclasses.replace(TRIMESH, modules=("PIL",), further=("pillow",))

MODELS = (STL, OBJ, PLY, GLB, OFF, THREE_MF)


def _convert(source: Path, target: Path, options: NoOptions, warn: Warn) -> None:
    """Convert the model in {input} to {output}."""
    from engine.families.models import reading, writing

    input, output = FORMATS[source.suffix[1:]], FORMATS[target.suffix[1:]]
    writing.write(reading.read(source, input, warn), target, output, warn)


def _draw(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert the model in {input} to a shaded picture from one or several sides."""
    from engine.families.models import drawing, reading

    input = FORMATS[source.suffix[1:]]
    drawing.draw(reading.read(source, input, warn), target, options, warn, upright=input in (GLB, OBJ))


converter(MODELS, MODELS, profile="image", engine=TRIMESH)(_convert)
converter(MODELS, PNG, profile="image", engine=_PICTURED, options=View)(_draw)
