"""A font to WOFF2, compared with fontTools' own command, which uses the same compressor."""

from __future__ import annotations

from pathlib import Path

from fontTools import subset

from benchmarks.row import Row

SIZE = 760_000
_FONT = Path(__file__).parents[2] / "engine" / "fonts" / "symbola" / "Symbola.ttf"


def _font(path: Path) -> None:
    """A subset with the first glyphs of a large font, of about SIZE."""
    options = subset.Options()
    options.layout_features, options.name_IDs, options.notdef_outline = ["*"], ["*"], True
    font = subset.load_font(str(_FONT), options)
    codes = sorted(font.getBestCmap())
    chosen = subset.Subsetter(options)
    chosen.populate(unicodes=codes[: len(codes) * SIZE * 7 // (_FONT.stat().st_size * 5)])
    chosen.subset(font)
    subset.save_font(font, str(path), options)


ROWS: tuple[Row, ...] = (
    Row(
        name="760 KB of TrueType",
        input="font.ttf",
        make=_font,
        slug="ttf-to-woff2",
        peer_name="fontTools' command",
        peer=("{python}", "-m", "fontTools.ttLib.woff2", "compress", "-o", "{output}", "{input}"),
        needs=("fontTools",),
        goal=1.1,
        seconds=6,
        job=True,
        process=False,
    ),
)
