"""The options of Apache ORC."""

from __future__ import annotations

from typing import Literal

from engine.toolkit.options import option, options


@options
class OrcOut:
    """Writing ORC."""

    compression: Literal["zstd", "zlib", "snappy", "lz4", "uncompressed"] = option(
        "zstd",
        "Compression of the columns.",
        choices={
            "zstd": "Zstandard: Small and fast; for current programs.",
            "zlib": "Zlib: For older programs.",
            "snappy": "Snappy: Fast, slightly larger.",
            "lz4": "LZ4: Fastest to read, slightly larger.",
            "uncompressed": "None: Largest file.",
        },
    )
