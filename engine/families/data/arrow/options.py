"""The options of Apache Arrow."""

from __future__ import annotations

from typing import Literal

from engine.toolkit.options import option, options


@options
class ArrowOut:
    """Writing Arrow."""

    compression: Literal["zstd", "lz4", "uncompressed"] = option(
        "zstd",
        "How the columns are compressed.",
        choices={
            "zstd": "Zstandard: Small and quick.",
            "lz4": "LZ4: Quickest to read, somewhat larger.",
            "uncompressed": "None: For programs that map the file into memory.",
        },
    )
