"""Open the files of a ZIP, also with a password."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say

ENCRYPTED = 1
"""The flag of a file that needs a password."""


def packed_otherwise(info: Any) -> Unreadable:
    method = zipfile.compressor_names.get(info.compress_type, str(info.compress_type))  # type: ignore[attr-defined]
    return Unreadable(
        say(
            "Files of the archive are packed by a method that is not read here ({method}): pack them with Deflate, as "
            "most programs do.",
            method=method,
        )
    )


def opened(archive: Any, info: Any) -> Any:
    return archive.open(info)


def unlocked(source: Path, password: str | None) -> Any:
    import pyzipper

    archive = pyzipper.AESZipFile(source)
    archive.setpassword((password or "").encode())
    return archive
