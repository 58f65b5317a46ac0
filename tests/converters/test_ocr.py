"""Recognised text: how many letters are right, in which languages, and what is refused before it takes too long."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from engine.families.ocr import engine, options, reader
from engine.families.ocr.page import Line, Page, Paragraph, Word
from engine.families.ocr.texts import markdown
from engine.families.ocr.tilt import tilt_of
from engine.families.registry import CONVERTERS
from engine.toolkit.failures import InvalidOption, OverLimit
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.families.ocr.vectors import PROSE, errors, note, saved, scan, two_pages

ROOT = Path(__file__).resolve().parents[2]


def convert(slug: str, data: bytes, folder: Path, **values: object) -> tuple[str, Warn]:
    converter = CONVERTERS[slug]
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(data)
    warn = Warn()
    converter.run(source, target, build(converter.options, values), warn)
    return target.read_text("utf-8"), warn


@pytest.mark.parametrize("tilt", [2.0, -3.5])
def test_a_tilted_noisy_scan_is_read_nearly_without_errors(tilt: float, tmp_path: Path) -> None:
    text, warn = convert("png-to-txt", saved(scan(tilt=tilt, noise=0.35), "png"), tmp_path)
    assert errors(PROSE, text) <= 0.012
    assert warn.warnings == ()


def test_paragraphs_stay_apart_and_lines_of_one_are_joined(tmp_path: Path) -> None:
    text, _ = convert("png-to-markdown", saved(scan(tilt=1.0, noise=0.2), "png"), tmp_path)
    assert len(text.split("\n\n")) == len(PROSE.split("\n\n"))
    assert errors(PROSE, text) <= 0.012


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_a_page_that_does_not_stand_upright_is_turned(angle: int, tmp_path: Path) -> None:
    image = scan(tilt=0.5).rotate(angle, expand=True)
    text, _ = convert("png-to-txt", saved(image, "png"), tmp_path)
    assert errors(PROSE, text) <= 0.012


@pytest.mark.parametrize("angle", [-5.0, -1.2, 0.0, 0.4, 2.0, 4.4])
def test_the_tilt_is_found(angle: float) -> None:
    assert abs(tilt_of(scan(tilt=angle)) + angle) <= 0.1


def test_small_letters_of_a_screen_are_read(tmp_path: Path) -> None:
    small = scan(dpi=96, text=PROSE[:400])
    text, _ = convert("png-to-txt", saved(small.crop((0, 0, small.width, 400)), "png"), tmp_path)
    assert errors(PROSE[:400], text) <= 0.02


def test_umlauts_are_read_in_german(tmp_path: Path) -> None:
    known = (
        "Über den Dächern schwebte süßer Ölgeruch, als Jürgen größere Äpfel für die Gäste schälte. Die Straße "
        "führte früher bis zur Mühle, wo man täglich frische Brötchen und Käse kaufen konnte."
    )
    image = saved(scan(text=known).crop((0, 0, 1654, 700)), "png")
    for language, most in (("deu", 0.02), ("de", 0.02), ("deu+eng", 0.02), ("eng,de", 0.04)):
        assert errors(known, convert("png-to-txt", image, tmp_path, language=language)[0]) <= most
    assert "ß" not in convert("png-to-txt", image, tmp_path, language="eng")[0]


def test_a_language_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption) as raised:
        convert("png-to-txt", saved(note("Hello"), "png"), tmp_path, language="eng+tlh")
    assert raised.value.option == "language"
    assert "TESSDATA_PREFIX" in str(raised.value)


def test_models_of_another_folder_are_found_and_mixed(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "xyz.traineddata").symlink_to(options.MODELS["deu"])
    (tmp_path / "input.png").write_bytes(saved(note("Größe", "and size"), "png"))
    code = (
        "from pathlib import Path; from engine.families.registry import CONVERTERS as c; "
        "from engine.toolkit.options import build; from engine.toolkit.warnings import Warn; "
        f"each = c['png-to-txt']; folder = Path({str(tmp_path)!r}); "
        "each.run(folder / 'input.png', folder / 'output.txt', build(each.options, {'language': 'xyz+eng'}), Warn()); "
        "print(each.engine.available)"
    )
    environment = {**os.environ, "TESSDATA_PREFIX": str(tmp_path / "models")}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.stdout == "True\n", done.stderr
    assert "Größe" in (tmp_path / "output.txt").read_text("utf-8")


def test_a_folder_without_models_ends_the_start(tmp_path: Path) -> None:
    code = "import os; os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'; import django; django.setup()"
    for folder, started in ((str(tmp_path), False), (str(Path(options.MODELS["eng"]).parent), True)):
        environment = {**os.environ, "TESSDATA_PREFIX": folder}
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
        assert (done.returncode == 0) == started, done.stderr
        assert started or f"TESSDATA_PREFIX is {folder}" in done.stderr


def test_without_any_model_the_slugs_are_absent() -> None:
    code = (
        "from engine.families.ocr import options; options.MODELS = {}; "
        "options.model_file = lambda: '/nowhere'; from engine.families import registry; "
        "print(any(each.engine.distribution == 'tesserocr' for each in registry.CONVERTERS.values()), "
        "'png-to-txt' in registry.MISSING)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "False True\n"


def test_pages_that_can_hardly_be_read_are_named(tmp_path: Path) -> None:
    _, warn = convert("png-to-txt", saved(scan(noise=2.4, text=PROSE[:900]), "png"), tmp_path)
    assert {each.code for each in warn.warnings} & {"LOW_CONFIDENCE", "NO_TEXT"}
    assert "page 1" in warn.warnings[0].message or "the picture" in warn.warnings[0].message


def test_pages_are_chosen(tmp_path: Path) -> None:
    text, _ = convert("tiff-to-txt", two_pages(), tmp_path, pages="2")
    assert text.split() == ["Second", "page"]
    with pytest.raises(InvalidOption):
        convert("tiff-to-txt", two_pages(), tmp_path, pages="3")


def test_a_huge_picture_is_read_at_a_smaller_scale(tmp_path: Path) -> None:
    page = scan()
    huge = page.resize((page.width * 3, page.height * 3))
    assert huge.width * huge.height > reader.MOST_PIXELS
    text, _ = convert("png-to-txt", saved(huge, "png"), tmp_path)
    assert errors(PROSE, text) <= 0.012


def test_letters_as_high_as_a_hand_are_read(tmp_path: Path) -> None:
    text, _ = convert("png-to-txt", saved(note("Hello", "World 42").resize((3_000, 3_000)), "png"), tmp_path)
    assert text.split() == ["Hello", "World", "42"]


def test_more_pixels_than_there_is_time_for_are_refused_before() -> None:
    reader.check_cost([3_900_000] * 38)
    with pytest.raises(OverLimit) as raised:
        reader.check_cost([3_900_000] * 39)
    assert raised.value.reason == "timeout"


def test_reading_ends_when_its_time_is_over() -> None:
    with pytest.raises(OverLimit) as raised:
        engine.Recogniser("eng").read(scan(), 200, 0.2)
    assert raised.value.reason == "timeout"


def _line(text: str, height: float) -> Line:
    return Line(tuple(Word(each, 90, (0, 0, 9, 9), (0, 9, 9, 9)) for each in text.split()), height)


def test_headings_lists_and_marks_become_markdown() -> None:
    page = Page(
        (
            Paragraph((_line("Title", 60),)),
            Paragraph((_line("Some words that end in a hy-", 30), _line("phen and * a star", 30))),
            Paragraph((_line("• one", 30), _line("• two", 30), _line("goes on", 30))),
            Paragraph((_line("1. first", 30), _line("2. second", 30))),
            Paragraph((_line("Smaller title", 42),)),
            Paragraph((_line("Last words of the page", 30),)),
        ),
        (800, 1000),
    )
    assert markdown([page]) == (
        "# Title\n\nSome words that end in a hyphen and \\* a star\n\n- one\n- two goes on\n1. first\n2. second\n\n"
        "## Smaller title\n\nLast words of the page\n"
    )


def test_the_sizes_of_letters_are_those_of_the_picture() -> None:
    image = scan(dpi=96, text=PROSE[:200])
    reading = reader.Reader(language="eng", deskew=False, rotate=False, warn=Warn())
    page = reading.read(image, "page 1")
    assert page.size == image.size
    first = next(page.words)
    assert first.text == "The"
    ink = Image.eval(image, lambda value: 255 if value < 128 else 0).getbbox()
    assert ink is not None
    assert abs(first.box[0] - ink[0]) < 3
    assert abs(first.box[1] - ink[1]) < 3


@pytest.mark.parametrize("pictured", [True, False])
def test_picture_on_a_scan_that_was_read_is_named(tmp_path: Path, pictured: bool) -> None:
    page = scan(tilt=1.0, noise=0.2).copy()
    if pictured:
        page.paste(90, (500, page.height - 560, 1100, page.height - 160))
    file = io.BytesIO()
    page.save(file, "PDF", resolution=200)
    text, warn = convert("pdf-to-markdown", file.getvalue(), tmp_path)
    assert "harbour" in text
    assert [each.code for each in warn.warnings] == ["CONTENT_DROPPED"] * pictured


@pytest.mark.parametrize(("slug", "options"), [("png-to-pdf", '{"ocr": "auto"}'), ("png-to-txt", "{}")])
def test_a_page_is_read_within_a_hundred_megabytes(tmp_path: Path, slug: str, options: str) -> None:
    source, target = tmp_path / "scan.png", tmp_path / "read"
    source.write_bytes(saved(scan(tilt=3.5, noise=0.35), "png"))
    # Started by another program that is small: a child begins with the peak of whoever made it.
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    command = [sys.executable, "-c", code, sys.executable, "-m", "benchmarks.convert", slug, str(source), str(target)]
    done = subprocess.run([*command, options], cwd=ROOT, check=True, capture_output=True, text=True)
    assert target.stat().st_size > 0
    assert int(done.stdout) * 1024 <= 100_000_000
