"""Windows icons: one picture at several sizes, centred in squares."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from engine.families.images.coding import Movie


def edges(sizes: str) -> list[int]:
    """The edge lengths in pixels in the option `sizes`, smallest first."""
    return sorted({int(each) for each in sizes.split(",")})


def write(movie: Movie, target: Path, sizes: str) -> None:
    """Write the requested sizes, each from the frame that has it, else from the first one, which is not enlarged."""
    ready = {max(frame.size): frame for frame in reversed(movie.frames)}
    wanted = edges(sizes)
    longest = max(movie.first.size)
    taken = [edge for edge in wanted if edge <= longest or edge in ready] or wanted[:1]
    squares = [_square(ready.get(edge, movie.first), edge) for edge in taken]
    squares[-1].save(target, "ICO", sizes=[(edge, edge) for edge in taken], append_images=squares[:-1])


def _square(image: Image.Image, edge: int) -> Image.Image:
    """`image` centred in a transparent square with this edge, scaled down if necessary."""
    scale = min(1.0, edge / max(image.size))
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    inner = image if size == image.size else image.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)
    canvas = Image.new("RGBA", (edge, edge))
    canvas.paste(inner, ((edge - size[0]) // 2, (edge - size[1]) // 2))
    return canvas
