"""The decorator that declares a function as a converter, and the engine behind it."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from engine.toolkit.formats import Format
from engine.toolkit.options import NoOptions, OptionGroups
from engine.toolkit.warnings import Warn

Profile = Literal["text", "image", "pdf", "office", "libreoffice", "ocr", "media"]
"""The sandbox a converter runs in, which decides its preloaded modules, limits and access."""

NEEDS_CONFINEMENT: frozenset[Profile] = frozenset({"image", "pdf", "office", "libreoffice", "ocr", "media"})
"""Profiles whose libraries have a history of exploits through crafted input."""

LAUNCHED: frozenset[Profile] = frozenset({"media"})
"""Profiles whose programs need a dynamic loader, so that only a separate process may start them."""

Run = Callable[[Path, Path, Any, Warn], Format | None]
Measure = Callable[[Path, Any, Warn], float]
"""Seconds of audio or video that a conversion with these options would process; raises ConversionError for bad input.
"""

Predict = Callable[[Path, Format, Any], float]
"""Estimated seconds that a conversion with these options would take; raises ConversionError for bad input."""


@functools.cache
def _importable(root: str) -> bool:
    return importlib.util.find_spec(root) is not None


@dataclass(frozen=True)
class Engine:
    """The library that does the work of a conversion.

    `distribution` is its name on PyPI. `modules` are imported before the first job; all of them must be importable, and
    `file` must exist, for the engine to count as installed. Jobs may run `programs`, each a file of a package such as
    `pypandoc/files/pandoc`, and read `folders`. `further` distributions do a second part of the work, such as laying
    out what the first one has read. `lazy` modules must be importable too, but are too large to preload.
    """

    distribution: str
    modules: tuple[str, ...] = ()
    lazy: tuple[str, ...] = ()
    file: str | None = None
    programs: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    further: tuple[str, ...] = ()

    @functools.cached_property
    def absent(self) -> tuple[str, ...]:
        """The modules and the file that are not there."""
        roots = {module.partition(".")[0] for module in (*self.modules, *self.lazy)}
        lost = sorted(each for each in roots if not _importable(each))
        return (*lost, *([self.file] if self.file is not None and not Path(self.file).is_file() else []))

    @property
    def available(self) -> bool:
        return not self.absent

    @functools.cached_property
    def label(self) -> str:
        """Name and version, such as `xhtml2pdf 0.2.28`, of each distribution."""
        from importlib import metadata  # 2 MB that a zygote doesn't need

        found = []
        for name in (self.distribution, *self.further):
            try:
                found.append(f"{name} {metadata.version(name)}")
            except metadata.PackageNotFoundError:
                found.append(name)
        return ", ".join(found)


@dataclass(frozen=True)
class Converter:
    """One declared conversion: `run(source, target, options, warn)` reads `source` and writes `target`.

    The files are named `input.<input format id>` and `output.<output format id>`. `run` returns None, or the format it
    wrote if that is not `output`; a converter that `packs` may write a ZIP of several files. It raises ConversionError
    for bad input; any other exception is a bug in the converter. `module` is the declaring module if it differs from
    that of `run`. A converter with the name of an `alternative` is used only if the settings choose it, or if the
    default engine of its slug is not installed. `otherwise` is the converter for files that this one doesn't draw
    completely. `renames` means that the output has its own names for what it holds, so
    that its values are not those of the input. `restated` are the kinds of content that it states otherwise, such as
    values as a program shows them, which are not compared. `measure` gives the seconds that a conversion paid by the
    minute would write, or process if its output has no length; its run reports the fact `minutes`. `predict` estimates
    the duration of conversions that may be slow. `summary_template` is the summary with `{input}` and `{output}` as
    placeholders.
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
    otherwise: Converter | None = None
    module: str | None = None
    renames: bool = False
    packs: bool = False
    restated: frozenset[str] = frozenset()
    measure: Measure | None = None
    predict: Predict | None = None
    summary_template: str = ""

    @property
    def declared_in(self) -> str:
        """The module that declares it."""
        return self.module or str(getattr(self.run, "func", self.run).__module__)

    @functools.cached_property
    def options(self) -> type:
        """The frozen dataclass that `run` receives an instance of; converters declared together share it."""
        return self.declared.options if isinstance(self.declared, OptionGroups) else self.declared


_declared: list[Converter] = []


def declared() -> Sequence[Converter]:
    """All converters declared by the families imported so far."""
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
    renames: bool = False,
    packs: bool = False,
    restated: frozenset[str] = frozenset(),
    measure: Measure | None = None,
    predict: Predict | None = None,
) -> Callable[[Run], Run]:
    """Declare a function as the converter of each pair of `inputs` and `outputs`.

    If several pairs are declared, pairs of equal formats are skipped unless `same`. The first sentence of the docstring
    is the summary shown to users, with `{input}` and `{output}` replaced by the formats' names; `summary` overrides it.
    The other parameters are described at Converter. Prices are not declared here: they are rows in the database.
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
                    renames=renames,
                    packs=packs,
                    restated=restated,
                    measure=measure,
                    predict=predict,
                    summary_template=text,
                )
            )
        return run

    return declare
