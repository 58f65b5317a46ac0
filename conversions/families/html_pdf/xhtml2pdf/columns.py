"""How wide the columns of a table are (CSS 2.1, 17.5.2.2, with what it leaves open as browsers do it)."""

from __future__ import annotations

from collections.abc import Sequence

MOST_SHRUNK = 2.0
"""A table too wide for its place is drawn at half its size at most; beyond that its words are broken."""

Declared = float | str | None


def column_widths(
    lows: Sequence[float], highs: Sequence[float], declared: Sequence[Declared], total: float | None, room: float
) -> tuple[float, list[float]]:
    """The factor by which the table must be shrunk to fit into `room`, at least 1, and its columns' widths before that.

    `lows` and `highs` are the least and the most that the columns' contents can use; `declared` are points, a
    percentage such as `30%`, or None; `total` is the table's own width, or None where its content decides.
    """
    count = len(lows)
    least = list(lows)
    most = [max(low, high) for low, high in zip(lows, highs, strict=True)]
    shares: dict[int, float] = {}
    fixed: set[int] = set()
    for at, width in enumerate(declared[:count]):
        if isinstance(width, str):
            shares[at] = float(width[:-1]) / 100
        elif width:
            most[at] = max(least[at], float(width))
            least[at] = max(least[at], min(float(width), most[at]))
            fixed.add(at)
    if total is None:
        total = room if shares else min(room, sum(most))
    needed = sum(lows)
    zoom = 1.0
    if needed > total:
        total = min(max(needed, total), room)
        if needed > room:
            zoom = min(needed / room, MOST_SHRUNK)
            total = room * zoom
            if needed > total + 0.01:
                return zoom, _capped(lows, total)
    for at, share in shares.items():
        least[at] = most[at] = max(lows[at], share * total)
    if sum(least) > total:
        least = _between(lows, least, total)
        return zoom, least
    if sum(most) > total:
        return zoom, _between(least, most, total)
    open_ = [at for at in range(count) if at not in shares and at not in fixed] or [
        at for at in range(count) if at not in shares
    ]
    return zoom, _spread(most, total, open_ or list(range(count)))


def _between(least: Sequence[float], most: Sequence[float], total: float) -> list[float]:
    """Widths from `least` to `most` that add up to `total`, each with the same part of what it lacks."""
    lacking = sum(most) - sum(least)
    part = (total - sum(least)) / lacking if lacking > 0 else 0.0
    return [low + (high - low) * part for low, high in zip(least, most, strict=True)]


def _spread(widths: Sequence[float], total: float, columns: Sequence[int]) -> list[float]:
    """`widths` with what is left of `total` given to `columns`, in proportion to their own widths."""
    left = total - sum(widths)
    whole = sum(widths[at] for at in columns)
    result = list(widths)
    for at in columns:
        result[at] += left * widths[at] / whole if whole else left / len(columns)
    return result


def _capped(lows: Sequence[float], total: float) -> list[float]:
    """`lows` cut to the one width that makes them add up to `total`: narrow columns keep theirs."""
    left, open_ = total, len(lows)
    for low in sorted(lows):
        cap = left / open_
        if low > cap:
            return [min(width, cap) for width in lows]
        left, open_ = left - low, open_ - 1
    return list(lows)
