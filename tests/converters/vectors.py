"""All test vectors: the lists of the families, joined."""

from __future__ import annotations

from tests.converters.cases import markup
from tests.converters.vector import Vector

VECTORS: tuple[Vector, ...] = (*markup.VECTORS,)
