"""Patterns of SVG for tiles of any size, which PlutoPrint rounds and so leaves gaps between, and viewports."""

from __future__ import annotations

from engine.families.html_pdf.css.room_lengths import Length


def pattern(name: str, size: tuple[float | str, float | str], inside: str, *, moved: str = "") -> str:
    """A pattern of a tile with elements inside; a side in percent has only one tile. It may be `moved` first."""
    sides = [max(round(each), 1) if isinstance(each, float) else each for each in size]
    scales = [own / whole if isinstance(own, float) and isinstance(whole, int) else 1.0
              for own, whole in zip(size, sides, strict=True)]  # fmt: skip
    if scales != [1.0, 1.0]:
        inside = f'<g transform="scale({1 / scales[0]:.8g} {1 / scales[1]:.8g})">{inside}</g>'
        moved = f"{moved} scale({scales[0]:.8g} {scales[1]:.8g})".strip()
    transform = f' patternTransform="{moved}"' if moved else ""
    return (
        f'<pattern id="{name}" patternUnits="userSpaceOnUse" width="{sides[0]}" height="{sides[1]}"{transform}>'
        f"{inside}</pattern>"
    )


def viewport(across: Length, down: Length, box: str, inside: str, *, overflow: str) -> str:
    """A viewport that begins at a place."""
    view = f'<svg x="{across.share * 100:g}%" y="{down.share * 100:g}%" {box} overflow="{overflow}">{inside}</svg>'
    if not across.pixels and not down.pixels:
        return view
    return f'<g transform="translate({across.pixels:g} {down.pixels:g})">{view}</g>'
