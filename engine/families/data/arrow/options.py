"""The options of Apache Arrow."""

from __future__ import annotations

from typing import Literal

from engine.toolkit.options import option, options


@options
class ArrowOut:
    """Writing Arrow."""

    compression: Literal["zstd", "lz4", "uncompressed"] = option(
        "zstd",
        "Compression of the columns.",
        choices={
            "zstd": "Zstandard: Small and fast.",
            "lz4": "LZ4: Fastest to read, slightly larger.",
            "uncompressed": "None: For programs that memory-map the file.",
        },
    )
