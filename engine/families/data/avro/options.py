"""The options of Avro files."""

from __future__ import annotations

from typing import Literal

from engine.toolkit.options import option, options


@options
class AvroOut:
    """Writing Avro."""

    compression: Literal["deflate", "snappy", "zstandard", "uncompressed"] = option(
        "deflate",
        "Compression of the row blocks.",
        choices={
            "deflate": "Deflate: Supported by every program that reads Avro.",
            "snappy": "Snappy: Fast to read and write, slightly larger.",
            "zstandard": "Zstandard: Smallest file, for newer programs.",
            "uncompressed": "None: Largest file, fastest to write.",
        },
    )
