"""`manage.py convert in.html out.pdf --pageSize A4`: one conversion from a shell, in the same sandbox."""

from __future__ import annotations

import shutil
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rest_framework.exceptions import ValidationError

from conversions import runner
from conversions.converters.base import ConversionError, Converter, Unreadable
from conversions.formats import by_filename
from conversions.options import describe
from conversions.registry import CONVERTERS
from conversions.serializers import parse_options


class Command(BaseCommand):
    help = "Convert a file; the formats are told by the extensions. Options are those of the API, as --name value."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", type=Path)
        parser.add_argument("target", type=Path)
        names = sorted({each.name for converter in CONVERTERS.values() for each in describe(converter.options)})
        for name in names:
            parser.add_argument(f"--{name}", dest=f"option_{name}", metavar="VALUE")

    def handle(self, *args: Any, source: Path, target: Path, **given: Any) -> None:
        converter = _converter(source, target)
        fields = {
            name.removeprefix("option_"): value
            for name, value in given.items()
            if name.startswith("option_") and value is not None
        }
        try:
            options = parse_options(converter.options, fields)
        except ValidationError as error:
            raise CommandError("; ".join(f"--{name}: {reason}" for name, reason in _reasons(error))) from error
        try:
            with source.open("rb") as file:
                outcome = runner.convert(converter, file, options)
        except OSError as error:
            raise CommandError(f"{source}: {error.strerror}.") from error
        except ConversionError as error:
            place = f" (line {error.line})" if isinstance(error, Unreadable) and error.line else ""
            raise CommandError(f"{source}: {error}{place}") from error
        except (runner.Crashed, runner.Unavailable) as error:
            raise CommandError("The conversion failed by a fault of ours; the log says more.") from error
        with outcome.output, target.open("wb") as out:
            shutil.copyfileobj(outcome.output, out)
        for warning in outcome.warnings:
            self.stderr.write(f"{warning.code}: {warning.message}")
        self.stdout.write(f"{target}: {outcome.size:,} bytes of {outcome.format.name} by {outcome.engine}")


def _converter(source: Path, target: Path) -> Converter:
    formats = [by_filename(each.name) for each in (source, target)]
    converter = CONVERTERS.get("-to-".join(each.id for each in formats if each))
    if converter is None:
        raise CommandError(
            f"There is no conversion from {source.suffix or source.name} to {target.suffix or target.name}."
        )
    return converter


def _reasons(error: ValidationError) -> list[tuple[str, str]]:
    detail: Any = error.detail
    return [(name, " ".join(str(each) for each in reasons)) for name, reasons in detail.items()]
