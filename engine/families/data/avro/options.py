"""The options of Avro files."""

from __future__ import annotations

from typing import Literal

from engine.toolkit.options import option, options


@options
class AvroOut:
    """Writing Avro."""

    compression: Literal["deflate", "snappy", "zstandard", "uncompressed"] = option(
        "deflate",
        "How the blocks of rows are compressed.",
        choices={
            "deflate": "Deflate: Read by every program that knows Avro.",
            "snappy": "Snappy: Quick to read and write, a little larger.",
            "zstandard": "Zstandard: The smallest, for newer programs.",
            "uncompressed": "None: Largest, and the quickest to write.",
        },
    )
