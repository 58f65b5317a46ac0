"""The options of Apache ORC."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from conversions.toolkit.options import option


@dataclass(frozen=True)
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
