"""Settings of a service whose storage gives out no file before it is told to, and says when it is asked for one."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from django.core.files import File
from django.core.files.storage import FileSystemStorage

from config.settings import *  # noqa: F403
from config.settings import STORAGES

STORAGES["default"]["BACKEND"] = f"{__name__}.SlowStorage"


class SlowStorage(FileSystemStorage):
    """A file is asked for where there is one called `asked` beside the files, and given out where there is `given`."""

    def _open(self, name: str, mode: str = "rb") -> File[Any]:
        folder = Path(self.location)
        (folder / "asked").touch()
        while not (folder / "given").exists():
            time.sleep(0.02)
        found: File[Any] = super()._open(name, mode)
        return found
