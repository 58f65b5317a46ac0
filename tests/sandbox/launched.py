"""A converter whose program is an interpreter: what a program that was taken over could try, it tries."""

from __future__ import annotations

import os
from pathlib import Path

import engine
from engine.toolkit import programs
from engine.toolkit.declaring import Converter, Engine
from engine.toolkit.formats import JSON, TXT
from engine.toolkit.warnings import Warn
from tests.sandbox import attempts
from tests.sandbox.attempts import AttemptOptions

INTERPRETER = os.path.realpath("/usr/bin/python3")
_PACKAGE = str(Path(engine.__file__ or "").parent)
_TRIES = Path(attempts.__file__).read_text()
_CODE = "import sys; sys.path.insert(0, '.'); import attempts; print(attempts.judge(sys.argv[1], sys.argv[2]))"


def run(source: Path, target: Path, options: AttemptOptions, warn: Warn) -> None:
    folder = target.parent
    (folder / "attempts.py").write_text(_TRIES)
    (folder / "engine.py").write_text(f"__path__ = [{_PACKAGE!r}]\n")
    heard: list[str] = []
    arguments = ["-S", "-B", "-c", _CODE, options.name, options.context]
    status, errors = programs.run(INTERPRETER, arguments, folder=folder, on_line=heard.append)
    target.write_text("".join(heard) or f"{status} {errors}")


def run_another(source: Path, target: Path, options: AttemptOptions, warn: Warn) -> None:
    programs.run(options.name, [], folder=target.parent)


_ENGINE = Engine("tests", programs=(f"tests/{os.path.relpath(INTERPRETER, Path(__file__).resolve().parents[1])}",))

CONVERTERS = (
    Converter("attempt", JSON, TXT, "Try something.", AttemptOptions, "media", _ENGINE, run),
    Converter("another", JSON, TXT, "Run something.", AttemptOptions, "media", _ENGINE, run_another),
)
