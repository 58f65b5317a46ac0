"""Vectors of pictures that belong to one pair only, and of options."""

from __future__ import annotations

from collections.abc import Iterator

from tests.converters.vector import Vector, refuse, take
from tests.families.images import files as pictures
from tests.families.images.checks import DEEP, Seen, deep_red, seen_in, shows_the_photo, when
from tests.families.images.files import CORNERS
from tests.families.images.looks import Look, near


def _scans() -> Iterator[Vector]:
    yield take(
        "tiff-to-png", "one page of a scan", pictures.scan, seen_in("png", shows_the_photo("png", "tiff")), pages="3"
    )
    yield refuse("tiff-to-jpg", "a page that the scan does not have", pictures.scan, pages="2-4")


def _special() -> Iterator[Vector]:
    for slug, warnings in {
        "jpg-to-png": {"COLOR_CONVERTED"}, "jpg-to-jpg": {"COLOR_CONVERTED"}, "jpg-to-webp": {"COLOR_CONVERTED"},
    }.items():  # fmt: skip
        output = slug[-4:].lstrip("-")
        yield take(
            slug, "CMYK", pictures.cmyk, seen_in(output, shows_the_photo(output, "jpg", tolerance=40)), *warnings
        )

    def ramps(output: str, top: int) -> Seen:
        def check(seen: Look) -> None:
            assert abs(seen.at(0, 20)[0]) <= top // 60
            assert abs(seen.at(63, 20)[0] - top) <= top // 60
            assert abs(seen.at(32, 20)[0] - top * 32 // 63) <= top // 60

        return check

    for output, top, warnings in (
        ("png", 65535, set()), ("tiff", 65535, set()), ("jpg", 255, {"COLOR_CONVERTED"}),
        ("webp", 255, {"COLOR_CONVERTED"}), ("bmp", 255, {"COLOR_CONVERTED"}),
    ):  # fmt: skip
        yield take(
            f"png-to-{output}", "16 bits of grey", pictures.deep_grey, seen_in(output, ramps(output, top)), *warnings
        )
    for output in ("png", "tiff", "jpg", "webp"):
        yield take(
            f"png-to-{output}",
            "16 bits per channel",
            pictures.deep_colour,
            seen_in(output, deep_red(output)),
            *(when(output not in DEEP, "COLOR_CONVERTED")),
        )
    for name, options, size in (
        ("fitted inside a box", {"width": 32, "height": 32}, (32, 24)),
        ("no larger than it is", {"width": 640}, (64, 48)),
        ("enlarged", {"width": 128, "enlarge": True}, (128, 96)),
        ("stretched", {"width": 30, "height": 40, "fit": "fill"}, (30, 40)),
    ):
        yield take(
            "png-to-png",
            name,
            lambda: pictures.photo("png"),
            seen_in("png", shows_the_photo("png", "png", size=size, tolerance=8)),
            **options,
        )

    def covers(seen: Look) -> None:
        assert (seen.width, seen.height) == (48, 48)
        assert near(seen.at(1, 1), CORNERS[(8, 8)], 3)
        assert near(seen.at(46, 46), CORNERS[(56, 40)], 3)

    yield take(
        "png-to-png",
        "cropped to a square",
        lambda: pictures.photo("png"),
        seen_in("png", covers),
        width=48,
        height=48,
        fit="cover",
    )
    yield take(
        "png-to-jpg",
        "glass on green",
        lambda: pictures.glass("png"),
        seen_in("jpg", lambda seen: _assert(near(seen.at(4, 24), (0, 255, 0), 24))),
        "ALPHA_FLATTENED",
        background="#00ff00",
    )
    yield take(
        "svg-to-png",
        "drawn at another size",
        lambda: pictures.DRAWING,
        seen_in("png", shows_the_photo("png", "svg", size=(640, 480))),
        width=640,
    )


def _with_options() -> Iterator[Vector]:
    """Options that reach a library which the others have no need of."""

    def is_grey_corner(seen: Look) -> None:
        assert (seen.width, seen.height) == (16, 24)
        assert near(seen.at(8, 4)[:1], (84,), 8)  # the red block, which a quarter turn puts on the right
        assert len(set(seen.at(8, 4)[:3])) == 1

    yield take(
        "png-to-png",
        "a part, turned and grey",
        lambda: pictures.photo("png"),
        seen_in("png", is_grey_corner),
        crop="0,0,24,16",
        rotate="90",
        grayscale=True,
    )

    def is_narrow(seen: Look) -> None:
        assert (seen.width, seen.height) == (16, 48)

    for slug in ("png-to-webp", "svg-to-webp"):
        yield take(
            slug,
            "cropped to what draws the eye",
            (lambda: pictures.photo("png")) if slug.startswith("png") else (lambda: pictures.DRAWING),
            seen_in("webp", is_narrow),
            width=16,
            height=48,
            fit="smart",
        )
    yield take(
        "png-to-jpg",
        "no larger than a kilobyte",
        lambda: pictures.photo("png"),
        lambda data: _assert(len(data) <= 1000),
        targetSize=1,
    )
    yield take(
        "svg-to-png",
        "drawn for print",
        lambda: pictures.DRAWING,
        seen_in("png", shows_the_photo("png", "svg", size=(128, 96))),
        dpi=192,
    )


def _assert(fact: bool) -> None:
    assert fact


VECTORS: tuple[Vector, ...] = (*_scans(), *_special(), *_with_options())
