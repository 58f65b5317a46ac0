"""Register what is counted in 3D models, by format."""

from __future__ import annotations

import functools
from pathlib import Path

from engine.toolkit.census import Census, Counting
from engine.toolkit.formats import GLB, OBJ, OFF, PLY, STL, THREE_MF, Format


def _count(path: Path, *, format: Format) -> Census:
    from engine.families.models import counting

    return counting.count(path, format)


_KINDS = frozenset({"faces", "colours", "textures"})
COUNTINGS = {
    format: Counting(functools.partial(_count, format=format), _KINDS, modules=("engine.families.models.counting",))
    for format in (STL, OBJ, PLY, OFF, GLB, THREE_MF)
}
