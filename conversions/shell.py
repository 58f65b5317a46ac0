"""`convert in.html out.pdf --pageSize A4` from a shell: one conversion in the sandbox of the service, without a server.

Nothing of Django is imported: it would take several times as long as a small conversion.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from conversions.families.registry import CONVERTERS, prefer
from conversions.sandbox.client import Zygote
from conversions.sandbox.errors import Crashed, Unavailable
from conversions.sandbox.limits import limits_for
from conversions.toolkit.declaring import NEEDS_CONFINEMENT, Converter
from conversions.toolkit.failures import ConversionError, InvalidFields, Unreadable
from conversions.toolkit.fields import parse
from conversions.toolkit.formats import by_filename
from conversions.toolkit.options import describe


class Refused(Exception):
    """What can't be done, in words for whoever typed the command."""


def main(arguments: Sequence[str], *, prefix: str, alternatives: Sequence[str] = (), unconfined: bool = False) -> int:
    """Run the command line behind `prefix`, the words that call it; gives the exit status.

    `alternatives` are the engines that the settings choose; `unconfined` lets a weak sandbox do all of it.
    """
    for each in alternatives:
        if not prefer(each):
            print(f"{prefix}: {each} is not installed here.", file=sys.stderr)
            return 1
    try:
        print(convert(arguments, prefix=prefix, unconfined=unconfined))
    except Refused as error:
        print(f"{prefix}: {error}", file=sys.stderr)
        return 1
    return 0


def convert(arguments: Sequence[str], *, prefix: str, unconfined: bool) -> str:
    """Convert as `arguments` say, with warnings on the standard error stream; gives what was done. Raises Refused."""
    source, target, fields = _parse(arguments, prefix)
    converter = _converter(source, target)
    try:
        options = parse(converter.options, fields)
    except InvalidFields as error:
        raise Refused("; ".join(f"--{name}: {reason}" for name, reason in error.reasons.items())) from error
    values = {each.name: getattr(options, each.attribute) for each in describe(converter.options)}
    limits = dataclasses.replace(limits_for(converter.profile), spares=1)
    try:
        with source.open("rb") as file, contextlib.closing(Zygote(converter.profile, limits, only=converter)) as zygote:
            if converter.profile in NEEDS_CONFINEMENT and not unconfined and not zygote.canary().confined:
                raise Refused("The sandbox does not confine here: see manage.py check --tag security.")
            answer = zygote.convert(converter.slug, values, file.fileno())
    except OSError as error:
        raise Refused(f"{source}: {error.strerror}.") from error
    except ConversionError as error:
        place = f" (line {error.line})" if isinstance(error, Unreadable) and error.line else ""
        raise Refused(f"{source}: {error}{place}") from error
    except (Crashed, Unavailable) as error:
        raise Refused(f"The conversion failed because of an error in the service: {error}.") from error
    with answer.output, target.open("wb") as out:
        shutil.copyfileobj(answer.output, out)
    for warning in answer.warnings:
        print(f"{warning.code}: {warning.message}", file=sys.stderr)
    return f"{target}: {answer.size:,} bytes of {answer.format.name} by {converter.engine.label}"


def _parse(arguments: Sequence[str], prefix: str) -> tuple[Path, Path, dict[str, str]]:
    """Source, target, and the options by public name."""
    parser = argparse.ArgumentParser(
        prog=prefix,
        description="Convert a file; the extensions tell the formats. Options are those of the API, as --name value.",
    )
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    given, rest = parser.parse_known_args(arguments)
    fields: dict[str, str] = {}
    words = iter(rest)
    for word in words:
        name, equals, value = word.removeprefix("--").partition("=")
        if not word.startswith("--") or not name:
            raise Refused(f"{word} is no option: options are --name value.")
        text = value if equals else next(words, None)
        if text is None:
            raise Refused(f"--{name} needs a value.")
        fields[name] = text
    return given.source, given.target, fields


def _converter(source: Path, target: Path) -> Converter:
    formats = [by_filename(each.name) for each in (source, target)]
    converter = CONVERTERS.get("-to-".join(each.id for each in formats if each))
    if converter is None:
        raise Refused(f"There is no conversion from {source.suffix or source.name} to {target.suffix or target.name}.")
    return converter
