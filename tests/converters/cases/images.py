"""Vectors of the picture converters: each pair of formats with a photo, something awkward and a damaged file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.converters.cases import pictures
from tests.converters.cases.looks import Look, look, members, near, pdf
from tests.converters.cases.pictures import CORNERS, FRAMES, SIZE
from tests.converters.vector import Vector

WRITTEN = ("png", "jpg", "webp", "avif", "heic", "gif", "bmp", "tiff", "ico")
READ = WRITTEN
ANIMATED = ("png", "webp", "avif", "gif")
OPAQUE = ("jpg", "bmp", "pdf")
CARRYING = ("png", "jpg", "webp", "avif", "heic", "tiff")
LOSSY = ("jpg", "webp", "avif", "heic")
DRAWN = {"ico": (256, 192)}
"""Format id to the size of a drawing that is 64 x 48, where it is drawn larger."""
DEEP = ("png", "tiff")
WHITE, RED = (255, 255, 255), (220, 30, 30)

Check = Callable[[Look], None]


def tolerance_of(*formats: str) -> int:
    return 24 if set(formats) & set(LOSSY) else 2


def seen_in(output: str, check: Check) -> Callable[[bytes], None]:
    return lambda data: check(look(data, output))


def size_as(output: str, width: int, height: int) -> tuple[int, int]:
    """An icon's pictures are squares."""
    return (max(width, height),) * 2 if output == "ico" else (width, height)


def shows_the_photo(output: str, source: str, *, size: tuple[int, int] = SIZE, tolerance: int = 0) -> Check:
    def check(seen: Look) -> None:
        assert (seen.width, seen.height) == size_as(output, *size)
        top = (seen.height - size[1]) // 2
        for (x, y), colour in CORNERS.items():
            found = seen.at(x * size[0] // SIZE[0], top + y * size[1] // SIZE[1])
            assert near(found, colour, max(tolerance, tolerance_of(output, source))), (x, y, found, colour)

    return check


def page_shows_the_photo(source: str, *, size: tuple[int, int] = SIZE, turn: int = 0) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        pages = pdf(data).pages
        assert len(pages) == 1
        assert pages[0].rotation == turn
        assert (round(pages[0].mediabox.width / 0.75), round(pages[0].mediabox.height / 0.75)) == size
        picture = pages[0].images[0].image.convert("RGB")
        assert picture.size == size
        for (x, y), colour in CORNERS.items() if not turn else ():
            place = (x * size[0] // SIZE[0], y * size[1] // SIZE[1])
            assert near(picture.getpixel(place), colour, max(8 * (size != SIZE), tolerance_of(source))), (x, y)

    return check


def _ordinary() -> Iterator[Vector]:
    for source in READ:
        for output in WRITTEN:
            yield Vector(
                slug=f"{source}-to-{output}",
                name="a photo",
                kind="ordinary",
                source=lambda source=source: pictures.photo(source),
                check=seen_in(
                    output, shows_the_photo(output, source, tolerance=60 if "gif" in (source, output) else 0)
                ),
                warnings=frozenset({"COLOR_CONVERTED"} if output == "gif" and source != "gif" else ()),
            )
        yield Vector(
            slug=f"{source}-to-pdf",
            name="a photo",
            kind="ordinary",
            source=lambda source=source: pictures.photo(source),
            check=page_shows_the_photo("jpg" if source == "gif" else source),
        )
    for output in WRITTEN:
        yield Vector(
            slug=f"svg-to-{output}",
            name="a drawing with a text",
            kind="ordinary",
            source=lambda: pictures.DRAWING,
            check=seen_in(output, shows_the_photo(output, "svg", size=DRAWN.get(output, SIZE))),
            warnings=frozenset({"ALPHA_FLATTENED"} if output in (*OPAQUE, "gif") else ()),
        )


def _failing() -> Iterator[Vector]:
    for source in READ:
        for output in (*WRITTEN, "pdf"):
            yield Vector(
                slug=f"{source}-to-{output}",
                name="a photo that ends too early",
                kind="failing",
                source=lambda source=source: pictures.half(pictures.photo(source)),
                error="UNSUPPORTED_FORMAT",
            )
    for output in WRITTEN:
        yield Vector(
            slug=f"svg-to-{output}",
            name="an element that is not closed",
            kind="failing",
            source=lambda: pictures.SVG_HEAD + b'width="9" height="9">\n<g><g></g></svg>',
            error="UNSUPPORTED_FORMAT",
            line=2,
            column=13,
        )


@dataclass(frozen=True)
class Awkward:
    """A picture with something special, and what is demanded of it in each format."""

    name: str
    source: Callable[[], bytes]
    check: Callable[[str], Check]
    warnings: Callable[[str], set[str]]


def has_the_disc(output: str, *, tolerance: int = 0) -> Check:
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


def half_shows_white(output: str) -> Check:
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


def _moves(source: str, *, clear: bool) -> Callable[[str], Check]:
    def of(output: str) -> Check:
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


def all_red(output: str, size: tuple[int, int] = SIZE) -> Check:
    def check(seen: Look) -> None:
        assert (seen.width, seen.height) == size_as(output, *size)
        assert near(seen.at(seen.width // 2, seen.height // 2), RED, 8 + tolerance_of(output))

    return check


def deep_red(output: str) -> Check:
    """All red, with 16 bits a channel where the format has them."""
    if output not in DEEP:
        return all_red(output)

    def check(seen: Look) -> None:
        assert (seen.width, seen.height) == SIZE
        found = seen.at(seen.width // 2, seen.height // 2)
        assert max(found) > 255
        assert near(tuple(value // 257 for value in found), RED, 4)

    return check


def has_the_icon(output: str) -> Check:
    def check(seen: Look) -> None:
        assert (seen.width, seen.height) == (64, 64)
        assert near(seen.at(32, 32), RED, tolerance_of(output))
        outside = seen.at(2, 2)
        assert near(outside, WHITE, tolerance_of(output)) if output in OPAQUE else outside[-1] == 0

    return check


def when(condition: bool, *codes: str) -> set[str]:
    return set(codes) if condition else set()


AWKWARD: dict[str, Awkward] = {
    "png": Awkward(
        "a logo with a palette and transparency",
        pictures.logo,
        has_the_disc,
        lambda output: when(output in OPAQUE, "ALPHA_FLATTENED"),
    ),
    "jpg": Awkward(
        "a portrait stored on its side",
        pictures.sideways,
        lambda output: shows_the_photo(output, "jpg", tolerance=60 if output == "gif" else 0),
        lambda output: when(output not in CARRYING, "METADATA_DROPPED") | when(output == "gif", "COLOR_CONVERTED"),
    ),
    "webp": Awkward(
        "an animation",
        lambda: pictures.film("webp"),
        _moves("png", clear=False),
        lambda output: when(output not in ANIMATED, "ANIMATION_DROPPED") | when(output == "avif", "CONTENT_DROPPED"),
    ),
    "avif": Awkward(
        "half transparent glass",
        lambda: pictures.glass("avif"),
        half_shows_white,
        lambda output: when(output in (*OPAQUE, "gif"), "ALPHA_FLATTENED"),
    ),
    "heic": Awkward(
        "ten bits a channel", pictures.ten_bit, deep_red, lambda output: when(output not in DEEP, "COLOR_CONVERTED")
    ),
    "gif": Awkward(
        "an animation on nothing",
        lambda: pictures.film("gif", clear=True),
        _moves("gif", clear=True),
        lambda output: (
            when(output not in ANIMATED, "ANIMATION_DROPPED")
            | when(output == "avif", "CONTENT_DROPPED")
            | when(output in OPAQUE, "ALPHA_FLATTENED")
        ),
    ),
    "bmp": Awkward(
        "16 bits a pixel, from the top down",
        pictures.high_colour,
        lambda output: shows_the_photo(
            output, "bmp", tolerance=60 if output == "gif" else 26 if output in LOSSY else 9
        ),
        lambda output: when(output == "gif", "COLOR_CONVERTED"),
    ),
    "ico": Awkward(
        "an icon of four sizes",
        pictures.icon,
        has_the_icon,
        lambda output: {"CONTENT_DROPPED"} | when(output in OPAQUE, "ALPHA_FLATTENED"),
    ),
    "svg": Awkward(
        "scripts and addresses",
        lambda: pictures.TRAPPED,
        lambda output: all_red(output, DRAWN.get(output, SIZE)),
        lambda output: {"SCRIPT_REMOVED", "REMOTE_RESOURCE_BLOCKED"},
    ),
}


def _awkward() -> Iterator[Vector]:
    for source, case in AWKWARD.items():
        for output in WRITTEN:
            yield Vector(
                slug=f"{source}-to-{output}",
                name=case.name,
                kind="awkward",
                source=case.source,
                check=seen_in(output, case.check(output)),
                warnings=frozenset(case.warnings(output)),
            )
    yield from _scans()
    yield from _awkward_pages()


def _scans() -> Iterator[Vector]:
    def check_pages(output: str) -> Callable[[bytes], None]:
        def check(data: bytes) -> None:
            files = members(data)
            assert list(files) == [f"page-00{number}.{output}" for number in (1, 2, 3)]
            seen = [look(file, output) for file in files.values()]
            assert [(each.width, each.height) for each in seen] == [
                size_as(output, *size) for size in ((32, 32), SIZE, SIZE)
            ]
            shows_the_photo(output, "tiff", tolerance=60 if output == "gif" else 0)(seen[2])

        return check

    def check_tiff(data: bytes) -> None:
        seen = look(data, "tiff")
        assert seen.frames == 3
        assert (seen.width, seen.height) == (32, 32)

    for output in WRITTEN:
        yield Vector(
            slug=f"tiff-to-{output}",
            name="a scan of three pages",
            kind="awkward",
            source=pictures.scan,
            check=check_tiff if output == "tiff" else check_pages(output),
            output=None if output == "tiff" else "zip",
            warnings=frozenset({"COLOR_CONVERTED"} if output == "gif" else ()),
        )
    yield Vector(
        slug="tiff-to-png",
        name="one page of a scan",
        kind="awkward",
        source=pictures.scan,
        options={"pages": "3"},
        check=seen_in("png", shows_the_photo("png", "tiff")),
    )
    yield Vector(
        slug="tiff-to-jpg",
        name="a page that the scan does not have",
        kind="failing",
        source=pictures.scan,
        options={"pages": "2-4"},
        error="VALIDATION_ERROR",
    )


def has_a_page(size: tuple[int, int] = SIZE, count: int = 1) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        pages = pdf(data).pages
        assert len(pages) == count
        assert (round(pages[0].mediabox.width / 0.75), round(pages[0].mediabox.height / 0.75)) == size
        assert len(pages[0].images) == 1

    return check


def _awkward_pages() -> Iterator[Vector]:
    """Pictures put into PDF."""

    for source, case in AWKWARD.items():
        if source in ("svg", "jpg"):
            continue
        yield Vector(
            slug=f"{source}-to-pdf",
            name=case.name,
            kind="awkward",
            source=case.source,
            check=has_a_page((64, 64) if source == "ico" else SIZE),
            warnings=frozenset(case.warnings("pdf")),
        )

    def is_untouched(data: bytes) -> None:
        page = pdf(data).pages[0]
        assert page.rotation == 90
        picture = page["/Resources"]["/XObject"]["/Im0"]  # type: ignore[index]
        assert picture["/Filter"] == "/DCTDecode"
        stored = picture._data
        # The coded pixels are those of the input, bit by bit; what names the place is gone.
        scan = pictures.sideways()[pictures.sideways().index(b"\xff\xda") :]
        assert stored.endswith(scan)
        assert b"Exif" not in stored

    yield Vector(
        slug="jpg-to-pdf",
        name="a portrait stored on its side",
        kind="awkward",
        source=pictures.sideways,
        check=is_untouched,
        warnings=frozenset({"METADATA_DROPPED"}),
    )
    yield Vector(
        slug="jpg-to-pdf",
        name="a mirrored photo",
        kind="awkward",
        source=lambda: pictures.sideways(2),
        options={"dpi": 96},
        check=page_shows_the_photo("jpg"),
        warnings=frozenset({"METADATA_DROPPED"}),
    )
    yield Vector(slug="jpg-to-pdf", name="CMYK", kind="awkward", source=pictures.cmyk, check=has_a_page())

    def has_paper(data: bytes) -> None:
        sizes = [(round(page.mediabox.width), round(page.mediabox.height)) for page in pdf(data).pages]
        assert sizes == [(595, 842), (842, 595), (842, 595)]

    yield Vector(
        slug="tiff-to-pdf",
        name="a scan of three pages on A4",
        kind="awkward",
        source=pictures.scan,
        options={"pageSize": "A4", "margin": 10.0},
        check=has_paper,
    )
    yield Vector(
        slug="png-to-pdf",
        name="a margin larger than the paper",
        kind="failing",
        source=lambda: pictures.photo("png"),
        options={"pageSize": "A5", "margin": 80.0},
        error="VALIDATION_ERROR",
    )


def _special() -> Iterator[Vector]:
    """What belongs to one pair only."""
    for slug, warnings in {
        "jpg-to-png": {"COLOR_CONVERTED"}, "jpg-to-jpg": {"COLOR_CONVERTED"}, "jpg-to-webp": {"COLOR_CONVERTED"},
    }.items():  # fmt: skip
        output = slug[-4:].lstrip("-")
        yield Vector(
            slug=slug,
            name="CMYK",
            kind="awkward",
            source=pictures.cmyk,
            check=seen_in(output, shows_the_photo(output, "jpg", tolerance=40)),
            warnings=frozenset(warnings),
        )

    def ramps(output: str, top: int) -> Check:
        def check(seen: Look) -> None:
            assert abs(seen.at(0, 20)[0]) <= top // 60
            assert abs(seen.at(63, 20)[0] - top) <= top // 60
            assert abs(seen.at(32, 20)[0] - top * 32 // 63) <= top // 60

        return check

    for output, top, warnings in (
        ("png", 65535, set()), ("tiff", 65535, set()), ("jpg", 255, {"COLOR_CONVERTED"}),
        ("webp", 255, {"COLOR_CONVERTED"}), ("bmp", 255, {"COLOR_CONVERTED"}),
    ):  # fmt: skip
        yield Vector(
            slug=f"png-to-{output}",
            name="16 bits of grey",
            kind="awkward",
            source=pictures.deep_grey,
            check=seen_in(output, ramps(output, top)),
            warnings=frozenset(warnings),
        )
    for output in ("png", "tiff", "jpg", "webp"):
        yield Vector(
            slug=f"png-to-{output}",
            name="16 bits a channel",
            kind="awkward",
            source=pictures.deep_colour,
            check=seen_in(output, deep_red(output)),
            warnings=frozenset(when(output not in DEEP, "COLOR_CONVERTED")),
        )
    for name, options, size in (
        ("fitted inside a box", {"width": 32, "height": 32}, (32, 24)),
        ("no larger than it is", {"width": 640}, (64, 48)),
        ("enlarged", {"width": 128, "enlarge": True}, (128, 96)),
        ("stretched", {"width": 30, "height": 40, "fit": "fill"}, (30, 40)),
    ):
        yield Vector(
            slug="png-to-png",
            name=name,
            kind="awkward",
            source=lambda: pictures.photo("png"),
            options=options,
            check=seen_in("png", shows_the_photo("png", "png", size=size, tolerance=8)),
        )

    def covers(seen: Look) -> None:
        assert (seen.width, seen.height) == (48, 48)
        assert near(seen.at(1, 1), CORNERS[(8, 8)], 3)
        assert near(seen.at(46, 46), CORNERS[(56, 40)], 3)

    yield Vector(
        slug="png-to-png",
        name="cropped to a square",
        kind="awkward",
        source=lambda: pictures.photo("png"),
        options={"width": 48, "height": 48, "fit": "cover"},
        check=seen_in("png", covers),
    )
    yield Vector(
        slug="png-to-jpg",
        name="glass on green",
        kind="awkward",
        source=lambda: pictures.glass("png"),
        options={"background": "#00ff00"},
        check=seen_in("jpg", lambda seen: _assert(near(seen.at(4, 24), (0, 255, 0), 24))),
        warnings=frozenset({"ALPHA_FLATTENED"}),
    )
    yield Vector(
        slug="svg-to-png",
        name="drawn at another size",
        kind="awkward",
        source=lambda: pictures.DRAWING,
        options={"width": 640},
        check=seen_in("png", shows_the_photo("png", "svg", size=(640, 480))),
    )


def _with_options() -> Iterator[Vector]:
    """Options that reach a library which the others have no need of."""

    def is_grey_corner(seen: Look) -> None:
        assert (seen.width, seen.height) == (16, 24)
        assert near(seen.at(8, 4)[:1], (84,), 8)  # the red block, which a quarter turn puts on the right
        assert len(set(seen.at(8, 4)[:3])) == 1

    yield Vector(
        slug="png-to-png",
        name="a part, turned and grey",
        kind="awkward",
        source=lambda: pictures.photo("png"),
        options={"crop": "0,0,24,16", "rotate": "90", "grayscale": True},
        check=seen_in("png", is_grey_corner),
    )

    def is_narrow(seen: Look) -> None:
        assert (seen.width, seen.height) == (16, 48)

    for slug in ("png-to-webp", "svg-to-webp"):
        yield Vector(
            slug=slug,
            name="cropped to what draws the eye",
            kind="awkward",
            source=(lambda: pictures.photo("png")) if slug.startswith("png") else (lambda: pictures.DRAWING),
            options={"width": 16, "height": 48, "fit": "smart"},
            check=seen_in("webp", is_narrow),
        )
    yield Vector(
        slug="png-to-jpg",
        name="no larger than a kilobyte",
        kind="awkward",
        source=lambda: pictures.photo("png"),
        options={"targetSize": 1},
        check=lambda data: _assert(len(data) <= 1000),
    )
    yield Vector(
        slug="svg-to-png",
        name="drawn for print",
        kind="awkward",
        source=lambda: pictures.DRAWING,
        options={"dpi": 192},
        check=seen_in("png", shows_the_photo("png", "svg", size=(128, 96))),
    )


def _assert(fact: bool) -> None:
    assert fact


VECTORS: tuple[Vector, ...] = (*_ordinary(), *_awkward(), *_special(), *_with_options(), *_failing())
