"""Help for a terminal on the options of a conversion."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from engine.toolkit.options import Option, describe

_WIDTH = 100


def explained(options: Any) -> str:
    """Return one paragraph per option: its name and values, what it does, and its choices."""
    return "\n\n".join("\n".join(_lines(each)) for each in describe(options)) or "It has no options."


def _lines(option: Option) -> Iterator[str]:
    bounds = "" if option.minimum is None else f" from {option.minimum:g} to {option.maximum:g} {option.unit}".rstrip()
    default = "" if option.nullable or option.secret else f", {option.default!r} if not given"
    yield f"--{option.name}: {option.kind}{bounds}{default}"
    yield from textwrap.wrap(option.description, _WIDTH, initial_indent="    ", subsequent_indent="    ")
    for each in option.choice_labels:
        words = f"{each.value}: {each.label}. {each.help}"
        yield from textwrap.wrap(words, _WIDTH, initial_indent="      ", subsequent_indent="        ")
