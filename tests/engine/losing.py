"""Results that lose something, and the kinds that are then named."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.families import auditing
from engine.families.registry import CONVERTERS
from engine.toolkit.census import LOSSES
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

Tear = Callable[[bytes], bytes]


def each_part(old: str, new: str = "") -> Tear:
    """A change of all XML in a ZIP."""

    def tear(made: bytes) -> bytes:
        whole = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(made)) as before, zipfile.ZipFile(whole, "w") as after:
            for each in before.infolist():
                data = before.read(each)
                if not each.filename.endswith((".png", ".jpg", ".jpeg")):
                    data = re.sub(old.encode(), new.encode(), data, flags=re.DOTALL)
                after.writestr(each, data)
        return whole.getvalue()

    return tear


def change(old: str, new: str = "") -> Tear:
    return lambda made: re.sub(old.encode(), new.encode(), made, flags=re.DOTALL)


def lost(folder: Path, slug: str, data: bytes, tear: Tear | None, **options: Any) -> set[str]:
    """The kinds that are said to be lost beside those that are of a whole result."""
    converter = CONVERTERS[slug]
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(data)

    def run(given: Path, made: Path, values: Any, warn: Warn) -> Any:
        written = converter.run(given, made, values, warn)
        if tear is not None:
            whole = made.read_bytes()
            torn = tear(whole)
            assert torn != whole
            made.write_bytes(torn)
        return written

    warn = Warn()
    auditing.run(replace(converter, run=run), source, target, build(converter.options, options), warn)
    said = {str(each.message.template) for each in warn.warnings}
    return {kind for kind, loss in LOSSES.items() if loss.template in said}
