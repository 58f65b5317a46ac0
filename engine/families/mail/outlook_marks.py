"""Tell how an Outlook message is marked: importance, flag, categories, votes, reactions (MS-OXOMSG, MS-OXOFLAG)."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.families.mail.outlook_items import moment

_IMPORTANCE, _IMPORTANCES = 0x0017, {0: "low", 2: "high"}
_SENSITIVITY, _SENSITIVITIES = 0x0036, {1: "personal", 2: "private", 3: "company-confidential"}
_FLAG, _COMPLETE, _FLAGGED = 0x1090, 1, 2
_REQUEST, _DUE, _VOTES, _VOTE = 0x8530, 0x8105, 0x8520, 0x8524
_CATEGORIES, _REACTIONS, _OWN_REACTION = "Keywords", "ReactionsCount", "OwnerReactionType"
_VOTING, _AFTER_NAMES = 4, 29
"""The type of a verb that is a vote, and the bytes of a verb behind its names (MS-OXOMSG, 2.2.1.74.1)."""


@dataclass(frozen=True)
class Properties:
    """The properties of a message: texts and lists of texts, bytes and numbers; `named` has the number of each name."""

    text: Callable[[int], str]
    texts: Callable[[int], list[str]]
    raw: Callable[[int], bytes | None]
    fixed: dict[int, int]
    named: dict[int | str, int]


def headers(found: Properties) -> Iterator[tuple[str, str]]:
    """Yield the name and value of each mark, as headers (RFC 4021) where there is one."""

    def number(name: int | str) -> int:
        return found.named.get(name, 0)

    def marks() -> Iterator[tuple[str, str]]:
        yield "Importance", _IMPORTANCES.get(found.fixed.get(_IMPORTANCE, 1) & 0xFFFFFFFF, "")
        yield "Sensitivity", _SENSITIVITIES.get(found.fixed.get(_SENSITIVITY, 0) & 0xFFFFFFFF, "")
        yield "Keywords", ", ".join(found.texts(number(_CATEGORIES)))
        state = found.fixed.get(_FLAG, 0) & 0xFFFFFFFF
        due = moment(_DUE, found.fixed.get(number(_DUE), 0))
        if state in (_COMPLETE, _FLAGGED):
            request = found.text(number(_REQUEST)) or "Follow up"
            yield "Flag", f"{request}{', completed' if state == _COMPLETE else ''}{due and f', due {due}'}"
        yield "Voting", ", ".join(_votes(found.raw(number(_VOTES)) or b""))
        yield "Vote", found.text(number(_VOTE))
        count, own = found.fixed.get(number(_REACTIONS), 0) & 0xFFFFFFFF, found.text(number(_OWN_REACTION))
        yield "Reactions", ", ".join(filter(None, (str(count) if count else "", own)))

    return ((name, value) for name, value in marks() if value)


def _votes(stream: bytes) -> list[str]:
    """The names of the voting buttons; of a damaged stream, none."""
    try:
        (count,) = struct.unpack_from("<I", stream, 2)
        at, kinds = 6, list[int]()
        for _ in range(min(count, len(stream))):
            kinds.append(struct.unpack_from("<I", stream, at)[0])
            at += 4
            for _ in range(4):  # the name, a class of messages, a text that is not used, and the name again
                at += 1 + stream[at]
            at += _AFTER_NAMES
        at += 2
        names = []
        for _ in kinds:
            size = 2 * stream[at]
            names.append(stream[at + 1 : at + 1 + size].decode("utf-16-le", "replace"))
            at += 1 + size
            at += 1 + 2 * stream[at]
    except (struct.error, IndexError):
        return []
    return [name for kind, name in zip(kinds, names, strict=True) if kind == _VOTING and name]
