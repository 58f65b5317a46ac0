"""What every converter is made of: the decorator that declares one, its engine, and the errors it may raise."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from conversions.formats import PDF, Format
from conversions.options import NoOptions, Together
from conversions.warnings import Warn

Family = Literal["text", "image", "pdf", "office", "libreoffice"]
Run = Callable[[Path, Path, Any, Warn], Format | None]
LimitReason = Literal["timeout", "memory", "output"]


class ConversionError(Exception):
    """A conversion that can't be done, by reason of its input; the message is shown to the user."""


class Unreadable(ConversionError):
    """The input can't be parsed; `line` and `column` count from 1 and are given where the parser knows them."""

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class InvalidOption(ConversionError):
    """An option that is well-formed but does not fit this input; `option` is its public (camelCase) name."""

    def __init__(self, option: str, message: str) -> None:
        super().__init__(message)
        self.option = option


class OverLimit(ConversionError):
    """The work would pass a limit of the service, as the converter itself can tell."""

    def __init__(self, reason: LimitReason, message: str) -> None:
        super().__init__(message)
        self.reason: LimitReason = reason


@functools.cache
def _importable(root: str) -> bool:
    return importlib.util.find_spec(root) is not None


@functools.cache
def _on_path(program: str) -> bool:
    import shutil  # and with it four libraries of compression, which few need

    return shutil.which(program) is not None


@dataclass(frozen=True)
class Engine:
    """The library (or program) that does a conversion's work.

    `distribution` is its name on PyPI; `modules` are what the sandbox imports ahead of the first job, and all of them
    must be importable for the engine to count as installed; `program` is an executable that must be on the PATH, `file`
    one that must exist.
    `lazy` modules must be importable, too, but are too heavy to have in memory before a job needs them.
    """

    distribution: str
    modules: tuple[str, ...] = ()
    program: str | None = None
    lazy: tuple[str, ...] = ()
    file: str | None = None

    @functools.cached_property
    def available(self) -> bool:
        roots = {module.partition(".")[0] for module in (*self.modules, *self.lazy)}
        return (
            all(map(_importable, roots))
            and (self.program is None or _on_path(self.program))
            and (self.file is None or Path(self.file).is_file())
        )

    @functools.cached_property
    def label(self) -> str:
        """Name and version, such as `xhtml2pdf 0.2.28`."""
        from importlib import metadata  # 2 MB that a zygote has no use for

        try:
            return f"{self.distribution} {metadata.version(self.distribution)}"
        except metadata.PackageNotFoundError:
            return self.distribution


@dataclass(frozen=True)
class Converter:
    """One declared conversion; `run(source, target, options, warn)` reads `source` and writes `target`.

    The files are named `input.<input format id>` and `output.<output format id>`. `run` returns None, or the format
    it wrote where that is not `output` (several files become one ZIP). It raises ConversionError for bad input; any
    other exception is a fault of the converter. One with the name of an `alternative` takes part only where the
    settings choose it, in place of the slug's own.
    """

    slug: str
    input: Format
    output: Format
    summary: str
    declared: type | Together
    credits: int
    family: Family
    engine: Engine
    run: Run
    alternative: str | None = None

    @functools.cached_property
    def options(self) -> type:
        """A frozen dataclass, whose instances `run` is given; Converters declared at once have the same."""
        return self.declared.options if isinstance(self.declared, Together) else self.declared


_declared: list[Converter] = []


def declared() -> Sequence[Converter]:
    """All converters that the imported families have declared so far."""
    return tuple(_declared)


def converter(
    inputs: Format | tuple[Format, ...],
    outputs: Format | tuple[Format, ...],
    *,
    family: Family,
    engine: Engine,
    options: type | Together = NoOptions,
    credits: int | None = None,
    summary: str | None = None,
    same: bool = False,
    alternative: str | None = None,
) -> Callable[[Run], Run]:
    """Declare a function as the converter of each pair of `inputs` and `outputs`.

    A pair of equal formats is skipped when several pairs are declared at once, unless `same`. The first sentence of the
    docstring is the summary that users see, with `{input}` and `{output}` replaced by the formats' names; `summary`
    overrides it. `credits` is 2 where the output is a PDF, else 1, unless given. An `alternative` is not listed.
    """
    sources = inputs if isinstance(inputs, tuple) else (inputs,)
    targets = outputs if isinstance(outputs, tuple) else (outputs,)
    pairs = [(source, target) for source in sources for target in targets]

    def declare(run: Run) -> Run:
        text = summary or " ".join((run.__doc__ or "").strip().split("\n\n")[0].split())
        if not text:
            raise TypeError(f"{run} needs a docstring: its first sentence is what users see")
        for source, target in pairs:
            if source is target and len(pairs) > 1 and not same:
                continue
            _declared.append(
                Converter(
                    slug=f"{source.id}-to-{target.id}",
                    input=source,
                    output=target,
                    summary=text.replace("{input}", source.name).replace("{output}", target.name),
                    declared=options,
                    credits=credits if credits is not None else 2 if target is PDF else 1,
                    family=family,
                    engine=engine,
                    run=run,
                    alternative=alternative,
                )
            )
        return run

    return declare
