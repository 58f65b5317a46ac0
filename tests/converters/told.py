"""Whether translators were given the message that a converter's warning or error was made from."""

from __future__ import annotations

import functools

from conversions.sayings.declared import messages
from conversions.sayings.patterns import Patterns


@functools.cache
def _collected() -> tuple[frozenset[str], Patterns]:
    given = frozenset(text if isinstance(text, str) else text[0] for _, text in messages())
    return given, Patterns(sorted(given))


def is_known(message: str) -> bool:
    """Whether the text, or what stands behind the name of a file in it, is of a message that is collected."""
    given, patterns = _collected()
    rest = message.partition(": ")[2]
    return message in given or patterns.find(message) is not None or (bool(rest) and is_known(rest))
