"""A zygote as a program: `python -I __main__.py DESCRIPTOR`, where the descriptor is its control socket."""

from __future__ import annotations

import sys
from pathlib import Path

# Last, so that no folder of the project can stand in for a module of the standard library.
sys.path.append(str(Path(__file__).resolve().parents[2]))

from conversions.sandbox import zygote

zygote.main(int(sys.argv[1]))
