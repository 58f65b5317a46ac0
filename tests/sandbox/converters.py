"""Tiny converters for the tests of the sandbox, given to a zygote by name and never registered."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conversions.converters.base import Converter, Engine, Family, InvalidOption, OverLimit, Unreadable
from conversions.formats import JSON, TXT, ZIP, Format
from conversions.options import NoOptions, option
from conversions.warnings import Warn


@dataclass(frozen=True)
class EchoOptions:
    prefix: str = option("", "Text before the rest.", max_length=100_000)


def echo(source: Path, target: Path, options: EchoOptions, warn: Warn) -> None:
    warn("NO_TEXT", f"in {os.getcwd() == os.environ['TMPDIR']}")
    warn.detect(delimiter=";", rows=3)
    target.write_bytes(options.prefix.encode() + source.read_bytes())


def names(source: Path, target: Path, options: Any, warn: Warn) -> None:
    target.write_text(f"{source.name} {target.name} {sorted(os.listdir(os.curdir))}")


def environment(source: Path, target: Path, options: Any, warn: Warn) -> None:
    target.write_text("\n".join(sorted(os.environ)))


def zipped(source: Path, target: Path, options: Any, warn: Warn) -> Format:
    target.write_bytes(b"PK\x05\x06" + bytes(18))
    return ZIP


def unreadable(source: Path, target: Path, options: Any, warn: Warn) -> None:
    raise Unreadable("Line 3 is not JSON.", line=3, column=7)


def refused(source: Path, target: Path, options: Any, warn: Warn) -> None:
    raise InvalidOption("pageRange", "There is no page 9.")


def too_much(source: Path, target: Path, options: Any, warn: Warn) -> None:
    raise OverLimit("output", "There would be too many columns.")


def nested(source: Path, target: Path, options: Any, warn: Warn) -> None:
    nested(source, target, options, warn)


def sleeps(source: Path, target: Path, options: Any, warn: Warn) -> None:
    time.sleep(3600)


def naps(source: Path, target: Path, options: Any, warn: Warn) -> None:
    time.sleep(0.3)
    target.write_text("rested")


def spins(source: Path, target: Path, options: Any, warn: Warn) -> None:
    while True:
        pass


def hoards(source: Path, target: Path, options: Any, warn: Warn) -> None:
    held = []
    while True:
        held.append(bytearray(16 << 20))


def aborts_on_memory(source: Path, target: Path, options: Any, warn: Warn) -> None:
    os.write(2, b"memory allocation of 549755813888 bytes failed\n")
    os.abort()


def floods(source: Path, target: Path, options: Any, warn: Warn) -> None:
    with target.open("wb") as file:
        while True:
            file.write(bytes(1 << 20))


def litters(source: Path, target: Path, options: Any, warn: Warn) -> None:
    number = 0
    while True:
        number += 1
        (target.parent / str(number)).write_bytes(bytes(1 << 20))
        time.sleep(0.02)


def segfaults(source: Path, target: Path, options: Any, warn: Warn) -> None:
    import ctypes

    ctypes.string_at(8)


def fails(source: Path, target: Path, options: Any, warn: Warn) -> None:
    raise LookupError("secret of the converter\x1b[2J")


def exits(source: Path, target: Path, options: Any, warn: Warn) -> None:
    os._exit(0)


def writes_nothing(source: Path, target: Path, options: Any, warn: Warn) -> None:
    pass


def _converter(
    slug: str, run: Callable[..., Format | None], options: type = NoOptions, given: Format = JSON
) -> Converter:
    family: Family = "text"
    return Converter(slug, given, TXT, slug, options, 1, family, Engine("tests"), run)


CONVERTERS = (
    _converter("echo", echo, EchoOptions),
    *(
        _converter(run.__name__.replace("_", "-"), run)
        for run in (
            names, environment, zipped, unreadable, refused, too_much, nested, sleeps, naps, spins, hoards,
            aborts_on_memory, floods, litters, segfaults, fails, exits, writes_nothing,
        )
    ),
)  # fmt: skip
BY_SLUG = {each.slug: each for each in CONVERTERS}
