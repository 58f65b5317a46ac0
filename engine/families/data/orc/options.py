"""The options of Apache ORC."""

from __future__ import annotations

from typing import Literal

from engine.toolkit.options import option, options


@options
class OrcOut:
    """Writing ORC."""

    compression: Literal["zstd", "zlib", "snappy", "lz4", "uncompressed"] = option(
        "zstd",
        "How the columns are compressed.",
        choices={
            "zstd": "Zstandard: Small and quick; for current programs.",
            "zlib": "Zlib: What older programs expect.",
            "snappy": "Snappy: Quick, somewhat larger.",
            "lz4": "LZ4: Quickest to read, somewhat larger.",
            "uncompressed": "None: Largest.",
        },
    )
