"""The colours of gradients at their places, as the stops of an SVG gradient (CSS Images 3, 3.4)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.families.html_pdf.css.room_lengths import Length


@dataclass(frozen=True)
class Stop:
    """A colour and how opaque it is, at a place along the gradient; None is between its neighbours."""

    at: Length | None
    colour: str
    alpha: float


def of(stop: Stop) -> Length:
    """The place of a stop."""
    return stop.at or Length()


def in_pixels(stops: list[Stop]) -> bool:
    """Whether the places are lengths from the beginning."""
    return not any(of(each).share for each in stops) and any(of(each).pixels for each in stops)


def placed(stops: list[Stop], *, repeating: bool) -> list[Stop]:
    """The stops with all their places (CSS Images 3, 3.4.3).

    Without a last one that only goes on to the end, unless the gradient is `repeating` and begins again there.
    """
    ends = [
        replace(stops[0], at=stops[0].at or Length()),
        *stops[1:-1],
        replace(stops[-1], at=stops[-1].at or Length(1.0)),
    ]
    before_last, last = ends[-2:]
    if not repeating and len(ends) > 2 and before_last.at is not None and last == replace(before_last, at=Length(1.0)):
        ends.pop()
    found: list[Stop] = []
    known = (at for at, each in enumerate(ends) if each.at is not None)
    after = next(known)
    for at, each in enumerate(ends):
        if each.at is None:
            while after < at:
                after = next(known)
            before, end = of(found[-1]), of(ends[after])
            step = 1 / (after - at + 1)
            each = replace(each, at=before.times(1 - step) + end.times(step))
        elif found and each.at == Length():
            each = replace(each, at=found[-1].at)
        found.append(each)
    return [one for at in range(len(found)) for one in _seen_through(found, at)]


def _seen_through(stops: list[Stop], at: int) -> list[Stop]:
    """A stop; a transparent one in the colours beside it, which don't change their tone towards it."""
    stop = stops[at]
    beside = [stops[other].colour for other in (at - 1, at + 1) if 0 <= other < len(stops)]
    return [replace(stop, colour=each) for each in dict.fromkeys(beside)] if stop.alpha == 0 else [stop]


def ends_of(places: list[float], *, repeating: bool) -> tuple[float, float]:
    """Where the gradient begins and ends along its line: beyond the last stop, as PDF has one colour at the end."""
    if repeating:
        return places[0], max(places[-1], places[0] + 1e-3)
    return 0.0, max(places[-1], 1e-3) * 2


def lines(stops: list[Stop], places: list[float], first: float, last: float) -> str:
    """The stops of a gradient that begins at `first` and ends at `last`."""
    offsets = [round((at - first) / (last - first), 6) for at in places]
    # Without a stop at both ends, PlutoPrint's PDFs have only one colour.
    ended = zip((0.0, *offsets, 1.0), (stops[0], *stops, stops[-1]), strict=True)
    return "".join(
        f'<stop offset="{at:g}" stop-color="{stop.colour}" stop-opacity="{stop.alpha:g}"/>' for at, stop in ended
    )
