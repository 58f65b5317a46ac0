"""Declaring: the decorator that makes a function a converter, and the engine that does its work."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from conversions.toolkit.formats import Format
from conversions.toolkit.options import NoOptions, OptionGroups
from conversions.toolkit.warnings import Warn

Profile = Literal["text", "image", "pdf", "office", "libreoffice", "ocr", "media"]
"""The sandbox that a converter runs in: what is imported there ahead, and what a job may use and reach."""

NEEDS_CONFINEMENT: frozenset[Profile] = frozenset({"image", "pdf", "office", "libreoffice", "ocr", "media"})
"""Profiles whose libraries have a history of being taken over by their input."""

LAUNCHED: frozenset[Profile] = frozenset({"media"})
"""Profiles whose programs need a loader, which makes it a process's own right to start them."""

Comparison = Literal["cells", "values", "words", "pixels"]
"""What a pair promises to keep, so that its result can be read back and compared with its input."""

Run = Callable[[Path, Path, Any, Warn], Format | None]
Measure = Callable[[Path, Any], float]
"""The seconds of sound or film that a conversion with these options takes on; raises ConversionError for bad input."""

Predict = Callable[[Path, Format, Any], float]
"""The seconds that a conversion of a file to a format with these options would take; raises ConversionError, too."""


@functools.cache
def _importable(root: str) -> bool:
    return importlib.util.find_spec(root) is not None


@dataclass(frozen=True)
class Engine:
    """The library that does a conversion's work.

    `distribution` is its name on PyPI; `modules` are what the sandbox imports ahead of the first job, and all of them
    must be importable for the engine to count as installed; `file` must exist.
    Its jobs may run `programs`, each a file of a package such as `pypandoc/files/pandoc`, and read `folders`.
    `further` distributions do a second part of the work, such as laying out what the first one has read.
    `lazy` modules must be importable, too, but are too heavy to have in memory before a job needs them.
    """

    distribution: str
    modules: tuple[str, ...] = ()
    lazy: tuple[str, ...] = ()
    file: str | None = None
    programs: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    further: tuple[str, ...] = ()

    @functools.cached_property
    def available(self) -> bool:
        roots = {module.partition(".")[0] for module in (*self.modules, *self.lazy)}
        return all(map(_importable, roots)) and (self.file is None or Path(self.file).is_file())

    @functools.cached_property
    def label(self) -> str:
        """Name and version, such as `xhtml2pdf 0.2.28`; of several engines, one after the other."""
        from importlib import metadata  # 2 MB that a zygote has no use for

        found = []
        for name in (self.distribution, *self.further):
            try:
                found.append(f"{name} {metadata.version(name)}")
            except metadata.PackageNotFoundError:
                found.append(name)
        return ", ".join(found)


@dataclass(frozen=True)
class Converter:
    """One declared conversion; `run(source, target, options, warn)` reads `source` and writes `target`.

    The files are named `input.<input format id>` and `output.<output format id>`. `run` returns None, or the format it
    wrote where that is not `output`: one that `packs` may make a ZIP of several files. It raises ConversionError for
    bad input; any other exception is a fault of the converter. `module` declares it where that of `run` does not. One
    with the name of an `alternative` takes part only where the settings choose it, or where the engine of the slug's
    own is not installed. What it promises to keep is what it `compares` where a result is verified, None for nothing.
    One that can be paid for by the minute has a `measure` of what it takes on; what may take longer than a moment can
    `predict` how long. `told` is the summary with `{input}` and `{output}` in place of the formats.
    """

    slug: str
    input: Format
    output: Format
    summary: str
    declared: type | OptionGroups
    profile: Profile
    engine: Engine
    run: Run
    alternative: str | None = None
    module: str | None = None
    compares: Comparison | None = None
    packs: bool = False
    measure: Measure | None = None
    predict: Predict | None = None
    told: str = ""

    @property
    def declared_in(self) -> str:
        """The module that declares it."""
        return self.module or str(getattr(self.run, "func", self.run).__module__)

    @functools.cached_property
    def options(self) -> type:
        """A frozen dataclass, whose instances `run` is given; Converters declared at once have the same."""
        return self.declared.options if isinstance(self.declared, OptionGroups) else self.declared


_declared: list[Converter] = []


def declared() -> Sequence[Converter]:
    """All converters that the imported families have declared so far."""
    return tuple(_declared)


def converter(
    inputs: Format | tuple[Format, ...],
    outputs: Format | tuple[Format, ...],
    *,
    profile: Profile,
    engine: Engine,
    options: type | OptionGroups = NoOptions,
    summary: str | None = None,
    same: bool = False,
    module: str | None = None,
    alternative: str | None = None,
    compares: Comparison | None = None,
    packs: bool = False,
    measure: Measure | None = None,
    predict: Predict | None = None,
) -> Callable[[Run], Run]:
    """Declare a function as the converter of each pair of `inputs` and `outputs`.

    A pair of equal formats is skipped when several pairs are declared at once, unless `same`. The first sentence of the
    docstring is the summary that users see, with `{input}` and `{output}` replaced by the formats' names; `summary`
    overrides it. An `alternative` is not listed. `module` is the name of the declaring module, where that is not the
    function's; `compares` is what is compared to verify a result; `packs` says that the result may be a ZIP instead;
    `measure` says how long the input is, so that it can be paid for by the minute; `predict` says how long the work
    would take. What a conversion costs is no part of it: rows of the database say so.
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
                    profile=profile,
                    engine=engine,
                    run=run,
                    module=module,
                    alternative=alternative,
                    compares=compares,
                    packs=packs,
                    measure=measure,
                    predict=predict,
                    told=text,
                )
            )
        return run

    return declare
