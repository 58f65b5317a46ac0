"""A converter whose program is an interpreter: what a program that was taken over could try, it tries."""

from __future__ import annotations

import os
from pathlib import Path

import conversions
from conversions.toolkit import programs
from conversions.toolkit.declaring import Converter, Engine
from conversions.toolkit.formats import JSON, TXT
from conversions.toolkit.warnings import Warn
from tests.sandbox import attempts
from tests.sandbox.attempts import AttemptOptions

INTERPRETER = os.path.realpath("/usr/bin/python3")
_PACKAGE = str(Path(conversions.__file__ or "").parent)
_TRIES = Path(attempts.__file__).read_text()
_CODE = "import sys; sys.path.insert(0, '.'); import attempts; print(attempts.judge(sys.argv[1], sys.argv[2]))"


def run(source: Path, target: Path, options: AttemptOptions, warn: Warn) -> None:
    folder = target.parent
    (folder / "attempts.py").write_text(_TRIES)
    (folder / "conversions.py").write_text(f"__path__ = [{_PACKAGE!r}]\n")
    said: list[str] = []
    arguments = ["-S", "-B", "-c", _CODE, options.name, options.context]
    status, errors = programs.run(INTERPRETER, arguments, folder=folder, hear=said.append)
    target.write_text("".join(said) or f"{status} {errors}")


def run_another(source: Path, target: Path, options: AttemptOptions, warn: Warn) -> None:
    programs.run(options.name, [], folder=target.parent)


_ENGINE = Engine("tests", programs=(f"tests/{os.path.relpath(INTERPRETER, Path(__file__).resolve().parents[1])}",))

CONVERTERS = (
    Converter("attempt", JSON, TXT, "Try something.", AttemptOptions, "media", _ENGINE, run),
    Converter("another", JSON, TXT, "Run something.", AttemptOptions, "media", _ENGINE, run_another),
)
