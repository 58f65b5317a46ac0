"""The options of Apache ORC."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from conversions.toolkit.options import option


@dataclass(frozen=True)
class OrcOut:
    """Writing ORC."""

    compression: Literal["zstd", "zlib", "snappy", "lz4", "uncompressed"] = option(
        "zstd", "How the columns are compressed."
    )
