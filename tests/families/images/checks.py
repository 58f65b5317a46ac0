"""What pictures are looked at for in the format that came out, and what a picture to convert is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.converters.pairs import Given, broken
from tests.converters.vector import Check
from tests.families.images import files as pictures
from tests.families.images.files import CORNERS, FRAMES, SIZE
from tests.families.images.looks import Look, look, near

WRITTEN = ("png", "jpg", "webp", "avif", "heic", "gif", "bmp", "tiff", "ico")
ANIMATED = ("png", "webp", "avif", "gif")
OPAQUE = ("jpg", "bmp", "pdf")
CARRYING = ("png", "jpg", "webp", "avif", "heic", "tiff")
LOSSY = ("jpg", "webp", "avif", "heic")
DRAWN = {"ico": (256, 192)}
"""Format id to the size of a drawing that is 64 x 48, where it is drawn larger."""
DEEP = ("png", "tiff")
WHITE, RED = (255, 255, 255), (220, 30, 30)

Seen = Callable[[Look], None]


def tolerance_of(*formats: str) -> int:
    return 24 if set(formats) & set(LOSSY) else 2


def seen_in(output: str, check: Seen) -> Check:
    return lambda data: check(look(data, output))


def size_as(output: str, width: int, height: int) -> tuple[int, int]:
    """An icon's pictures are squares."""
    return (max(width, height),) * 2 if output == "ico" else (width, height)


def shows_the_photo(output: str, source: str, *, size: tuple[int, int] = SIZE, tolerance: int = 0) -> Seen:
    def check(seen: Look) -> None:
        assert (seen.width, seen.height) == size_as(output, *size)
        top = (seen.height - size[1]) // 2
        for (x, y), colour in CORNERS.items():
            found = seen.at(x * size[0] // SIZE[0], top + y * size[1] // SIZE[1])
            assert near(found, colour, max(tolerance, tolerance_of(output, source))), (x, y, found, colour)

    return check


def has_the_disc(output: str, *, tolerance: int = 0) -> Seen:
    def check(seen: Look) -> None:
        assert (seen.width, seen.height) == size_as(output, *SIZE)
        down = (seen.height - 48) // 2
        assert near(seen.at(32, 12 + down), RED, max(tolerance, tolerance_of(output)))
        outside = seen.at(2, 2 + down)
        if output in OPAQUE:
            assert near(outside, WHITE, tolerance_of(output))
        else:
            assert outside[-1] == 0

    return check


def half_shows_white(output: str) -> Seen:
    def check(seen: Look) -> None:
        down = (seen.height - 48) // 2
        glass, clear = seen.at(40, 24 + down), seen.at(4, 24 + down)
        if output in (*OPAQUE, "gif"):
            assert near(glass, (127, 127, 255), tolerance_of("avif", output))
        else:
            assert near(glass, (0, 0, 255), tolerance_of("avif", output))
            assert abs(glass[3] - 128) <= 4
        assert near(clear, WHITE, tolerance_of("avif")) if output in OPAQUE else clear[-1] <= 2

    return check


def moves(source: str, *, clear: bool) -> Callable[[str], Seen]:
    def of(output: str) -> Seen:
        def check(seen: Look) -> None:
            down = (seen.height - 48) // 2
            # libvips reads only the first frame of an animated PNG or AVIF.
            readable = 3 if output in ("gif", "webp") else 1
            assert seen.frames == (3 if output == "avif" else readable)
            for frame in range(readable):
                assert near(seen.at(frame * 20 + 8, 24 + down, frame), FRAMES[frame], tolerance_of(output, source))
                outside = seen.at((frame * 20 + 40) % 64, 24 + down, frame)
                if clear:
                    assert near(outside, WHITE, tolerance_of(output)) if output in OPAQUE else outside[-1] == 0
                else:
                    assert near(outside, (128, 128, 128), tolerance_of(output, source))
            if readable == 3:
                assert seen.fields["delay"] == [200, 300, 400]
                assert seen.fields["loop"] == (0 if source == "avif" else 3)

        return check

    return of


def all_red(output: str, size: tuple[int, int] = SIZE) -> Seen:
    def check(seen: Look) -> None:
        assert (seen.width, seen.height) == size_as(output, *size)
        assert near(seen.at(seen.width // 2, seen.height // 2), RED, 8 + tolerance_of(output))

    return check


def deep_red(output: str) -> Seen:
    """All red, with 16 bits a channel where the format has them."""
    if output not in DEEP:
        return all_red(output)

    def check(seen: Look) -> None:
        assert (seen.width, seen.height) == SIZE
        found = seen.at(seen.width // 2, seen.height // 2)
        assert max(found) > 255
        assert near(tuple(value // 257 for value in found), RED, 4)

    return check


def has_the_icon(output: str) -> Seen:
    def check(seen: Look) -> None:
        assert (seen.width, seen.height) == (64, 64)
        assert near(seen.at(32, 32), RED, tolerance_of(output))
        outside = seen.at(2, 2)
        assert near(outside, WHITE, tolerance_of(output)) if output in OPAQUE else outside[-1] == 0

    return check


def when(condition: bool, *codes: str) -> set[str]:
    return set(codes) if condition else set()


@dataclass(frozen=True)
class Picture(Given):
    """A picture with how it looks in each format, and with what is lost of it there."""

    looks: Callable[[str], Seen] = all_red
    lost: Callable[[str], set[str]] = lambda output: set()
    size: tuple[int, int] = SIZE


def photo(
    source: str, make: Callable[[], bytes], *, size: tuple[int, int] = SIZE, tolerance: int = 0
) -> tuple[Picture, Given]:
    """The photo in a format, and the first part of it."""

    def looks(output: str) -> Seen:
        gif = "gif" in (source, output)
        return shows_the_photo(output, source, size=size, tolerance=60 if gif else tolerance)

    def lost(output: str) -> set[str]:
        return when(output == "gif" != source, "COLOR_CONVERTED")

    return (
        Picture("a photo", "ordinary", make, looks=looks, lost=lost, size=size),
        broken("a photo that ends before its pixels", lambda: pictures.start(make())),
    )


def odd(name: str, make: Callable[[], bytes], looks: Callable[[str], Seen], lost: Callable[[str], set[str]]) -> Picture:
    """A picture with something special."""
    return Picture(name, "awkward", make, looks=looks, lost=lost)
