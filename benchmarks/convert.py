"""One conversion as a whole process, without service and sandbox: `benchmarks.convert SLUG INPUT OUTPUT [JSON]`."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from conversions.converters import find
from conversions.options import build
from conversions.warnings import Warn


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
