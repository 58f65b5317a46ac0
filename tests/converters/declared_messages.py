"""Whether translators are given the message of a converter's warning or error."""

from __future__ import annotations

import functools

from conversions.declared import messages
from engine.toolkit.messages import Message


@functools.cache
def _declared() -> frozenset[str]:
    return frozenset(text for _, text in messages())


def is_known(message: Message) -> bool:
    """Whether the template of a message, and of each message inside it, is declared."""
    inside = (each for each in message.values.values() if isinstance(each, Message))
    return message.template in _declared() and all(map(is_known, inside))
