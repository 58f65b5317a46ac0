"""Whether translators were given the message that a converter's warning or error was made from."""

from __future__ import annotations

import functools
import gc

from conversions.sayings.declared import messages
from conversions.sayings.patterns import Patterns


@functools.cache
def _collected() -> tuple[frozenset[str], Patterns]:
    # The trees of all sources are no garbage, and a third of the time would go into looking whether they are.
    gc.disable()
    try:
        given = frozenset(text if isinstance(text, str) else text[0] for _, text in messages())
    finally:
        gc.enable()
    return given, Patterns(sorted(given))


def is_known(message: str) -> bool:
    """Whether the text, or what stands behind the name of a file in it, is of a message that is collected."""
    given, patterns = _collected()
    rest = message.partition(": ")[2]
    return message in given or patterns.find(message) is not None or (bool(rest) and is_known(rest))
