"""Options of archive conversions: encoding of names, password and output compression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.toolkit.options import option


@dataclass(frozen=True)
class Names:
    """The encoding of names in an archive."""

    name_encoding: str | None = option(
        None,
        "Character encoding of file names not marked as Unicode, such as cp866; guessed if not given.",
        min_length=1,
        max_length=40,
        pattern=r"[A-Za-z0-9_.:-]+",
    )


@dataclass(frozen=True)
class Locked:
    """The password of an archive."""

    password: str | None = option(
        None, "Password of the archive, if it has one.", min_length=1, max_length=200, secret=True
    )


@dataclass(frozen=True)
class Packing:
    """The compression of the output."""

    compression: Literal["fast", "normal", "best"] = option(
        "normal",
        "Compression level: fast for a larger archive, best for a smaller one that takes longer.",
        choices={
            "fast": "Fast: Faster, slightly larger file.",
            "normal": "Normal: Balances speed and size.",
            "best": "Best: Smallest file, takes longer.",
        },
    )
