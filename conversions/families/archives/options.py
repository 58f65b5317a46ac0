"""What a conversion of archives is told: how its names are read, its password, and how the new one is packed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from conversions.toolkit.options import option


@dataclass(frozen=True)
class Names:
    """How the names in an archive are read."""

    name_encoding: str | None = option(
        None,
        "Character encoding of file names that are not marked as Unicode, such as cp866; guessed if not given.",
        min_length=1,
        max_length=40,
        pattern=r"[A-Za-z0-9_.:-]+",
    )


@dataclass(frozen=True)
class Locked:
    """What opens an archive."""

    password: str | None = option(
        None, "Password of the archive, if it has one.", min_length=1, max_length=200, secret=True
    )


@dataclass(frozen=True)
class Packing:
    """How the files are packed."""

    compression: Literal["fast", "normal", "best"] = option(
        "normal",
        "How hard the files are packed: fast for a larger archive, best for a smaller one that takes longer.",
        choices={
            "fast": "Fast: Done soon, somewhat larger.",
            "normal": "Normal: A good middle.",
            "best": "Best: As small as it gets; takes longer.",
        },
    )
