"""One conversion as a whole process, without service and sandbox: `benchmarks.convert SLUG INPUT OUTPUT [JSON]`."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

from conversions.converters import find
from conversions.options import build
from conversions.warnings import Warn


def main(slug: str, source: str, target: str, options: str = "{}") -> None:
    converter = find(slug)
    with tempfile.TemporaryDirectory(dir=Path(target).parent) as folder:
        inside = Path(folder, f"input.{converter.input.id}")
        os.link(source, inside)
        output = Path(folder, f"output.{converter.output.id}")
        converter.run(inside, output, build(converter.options, json.loads(options)), Warn())
        output.replace(target)


if __name__ == "__main__":
    main(*sys.argv[1:])
