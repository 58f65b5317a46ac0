"""HEIC: register the library that reads it with Pillow, and the one that writes it if it is installed."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

# The wheel of pillow-heif contains x265, which is under the GPL: it is optional. Both have the same interface.
library: Any = import_module("pillow_heif" if find_spec("pillow_heif") else "pi_heif")

library.register_heif_opener(thumbnails=False, depth_images=False, aux_images=False, decode_threads=1)
