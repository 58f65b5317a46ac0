"""Convert one file, in the sandbox or in this process."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from engine.families import auditing
from engine.families.registry import CONVERTERS
from engine.sandbox import installed, second_engine
from engine.sandbox.answers import Answer
from engine.sandbox.client import Zygote
from engine.sandbox.errors import Unavailable
from engine.sandbox.limits import limits_for
from engine.toolkit import last_words
from engine.toolkit.declaring import NEEDS_CONFINEMENT, Converter
from engine.toolkit.fields import parse
from engine.toolkit.formats import Format, by_filename
from engine.toolkit.options import Value, build
from engine.toolkit.warnings import Warn, Warning

Option = str | int | float | bool


class UnknownConversion(ValueError):
    """There is no conversion between these two formats, or its engine is not installed."""


@dataclass(frozen=True)
class Result:
    """A converted file, the facts `detected` about its input, and the converter's own time."""

    path: Path
    format: Format
    warnings: tuple[Warning, ...]
    detected: Mapping[str, str | int | float | bool]
    milliseconds: float


def convert(
    source: str | Path, target: str | Path, *, slug: str | None = None, sandbox: bool = True, **options: Option
) -> Result:
    """Convert the file `source` to `target`, which is written completely or not at all.

    The extensions determine the formats, unless `slug` names the conversion (`json-to-csv`). `options` are those of the
    API, by public name. Without the `sandbox` the work is done in this process: only for files that you trust.

    Raises UnknownConversion; InvalidFields for unknown or invalid options; ConversionError for a file that can't be
    converted (Unreadable, with line and column if known, InvalidOption, OverLimit); Crashed for a bug in the converter;
    Unavailable if the sandbox can't start or can't confine the work; OSError for files that can't be read or written.
    """
    source, target = Path(source), Path(target)
    converter = _converter(source, target, slug)
    values = parse(converter.options, {name: _text(value) for name, value in options.items()})
    if not sandbox:
        return _here(converter, source, target, values)
    with Sandboxes() as sandboxes, source.open("rb") as file:
        _, answer = sandboxes.convert(converter, values, file)
        with answer.output:
            save(answer.output, target)
    return Result(target, answer.format, answer.warnings, answer.detected, answer.milliseconds)


class Sandboxes(contextlib.ExitStack):
    """A zygote for each conversion, owned by this process or, if `data` is the folder of a service, shared with it.

    `unconfined` accepts a sandbox that is too weak for the conversion.
    """

    def __init__(self, *, data: Path | None = None, unconfined: bool = False) -> None:
        super().__init__()
        self._unconfined = unconfined
        self._running: dict[tuple[str, str], Zygote] = {}
        self._address = None if data is None else installed.address(data)

    def convert(self, converter: Converter, options: Any, file: BinaryIO) -> tuple[Converter, Answer]:
        """Convert an open file, and return the converter that did; raises the errors of a zygote.

        `options` is an instance of `converter.options`.
        """

        def ask(engine: Converter, values: dict[str, Value], within: float | None) -> Answer:
            return self._zygote(engine).convert(engine.slug, values, file.fileno(), within=within)

        return second_engine.convert(converter, options, ask, wall=limits_for(converter.profile).wall)

    def _zygote(self, converter: Converter) -> Zygote:
        key = (converter.slug, converter.profile)
        zygote = self._running.get(key)
        if zygote is None:
            zygote = Zygote(converter.profile, limits_for(converter.profile), only=converter, at=self._address)
            self.enter_context(contextlib.closing(zygote))
            if converter.profile in NEEDS_CONFINEMENT and not self._unconfined and not zygote.canary().confined:
                raise Unavailable("the sandbox does not confine here")
            self._running[key] = zygote
        return zygote


def save(content: BinaryIO, target: Path) -> None:
    """Write a file atomically: a reader of the folder never sees part of it."""
    if target.exists() and not target.is_file():  # such as /dev/stdout, which must not be replaced
        with target.open("wb") as out:
            shutil.copyfileobj(content, out)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    # A name that nobody can guess, in a file of our own: others may write to the folder, too, and leave links there.
    part = target.with_name(f".{os.urandom(8).hex()}.part")
    try:
        with part.open("xb") as out:
            shutil.copyfileobj(content, out)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _here(converter: Converter, source: Path, target: Path, values: Any) -> Result:
    made, warn = _written_here(converter, source, target, values)
    other = None if converter.otherwise is None else second_engine.values_for(converter.otherwise, values)
    if warn.undrawn and converter.otherwise is not None and other is not None:
        return _written_here(converter.otherwise, source, target, build(converter.otherwise.options, other))[0]
    return made


def _written_here(converter: Converter, source: Path, target: Path, values: Any) -> tuple[Result, Warn]:
    warn = Warn()
    with tempfile.TemporaryDirectory() as name:
        given, made = Path(name, f"input.{converter.input.id}"), Path(name, f"output.{converter.output.id}")
        shutil.copyfile(source, given)
        started = time.perf_counter()
        try:
            written = auditing.run(converter, given, made, values, warn)
        finally:
            last_words.take_back()
        elapsed = time.perf_counter() - started
        with made.open("rb") as content:
            save(content, target)
    return Result(target, written or converter.output, warn.warnings, warn.detected, elapsed * 1000), warn


def _converter(source: Path, target: Path, slug: str | None) -> Converter:
    if slug is None:
        slug = "-to-".join(each.id for each in (by_filename(source.name), by_filename(target.name)) if each)
    if slug not in CONVERTERS:
        raise UnknownConversion(f"There is no conversion from {source.name} to {target.name}.")
    return CONVERTERS[slug]


def _text(value: Option) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)
