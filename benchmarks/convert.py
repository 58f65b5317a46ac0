"""Run one conversion as a whole process, without service and sandbox: `benchmarks.convert SLUG INPUT OUTPUT [JSON]`."""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from engine.sandbox.environment import ENVIRONMENT
from engine.toolkit import declaring
from engine.toolkit.declaring import Converter, declared
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

_FOLDER = Path(declaring.__file__).parents[1] / "families"
_QUICK = ("data.json_csv", "data", "html_pdf", "documents", "images", "pdf")


def families(slug: str) -> Iterator[str]:
    """The families in the order in which to look for the slug: those that are quick to import, and those that its input
    names, come first."""
    yield from sorted(_QUICK, key=lambda family: not family.startswith(slug.partition("-")[0]))
    yield from sorted({".".join(each.parts[len(_FOLDER.parts) : -1]) for each in _FOLDER.rglob("converters.py")})


def find(slug: str) -> Converter:
    """The converter of one slug, for a process that needs no other: families are imported until one has declared it."""
    for family in families(slug):
        importlib.import_module(f"engine.families.{family}.converters")
        for each in declared():
            if each.slug == slug and each.alternative is None and each.engine.available:
                return each
    for each in declared():
        if each.slug == slug and each.engine.available:
            return each
    raise KeyError(slug)


os.environ["POLARS_MAX_THREADS"] = ENVIRONMENT["POLARS_MAX_THREADS"]


def main(slug: str, source: str, target: str, options: str = "{}") -> None:
    converter = find(slug)
    folder = Path(f"{target}.job")
    folder.mkdir()
    inside = folder / f"input.{converter.input.id}"
    os.link(source, inside)
    try:
        output = folder / f"output.{converter.output.id}"
        converter.run(inside, output, build(converter.options, json.loads(options)), Warn())
        output.replace(target)
    finally:
        inside.unlink()
        if any(folder.iterdir()):
            import shutil  # takes longer to import than a small file to convert

            shutil.rmtree(folder)
        else:
            folder.rmdir()


if __name__ == "__main__":
    main(*sys.argv[1:])
    os._exit(0)  # as a job of the sandbox ends: the kernel frees all of its memory at once
