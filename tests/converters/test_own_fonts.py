"""Fonts of the operator: PDFs and pictures use them, and a folder that is none ends the start."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pikepdf
import pytest
from fontTools.ttLib import TTFont
from fontTools.ttLib.ttCollection import TTCollection
from PIL import Image

from engine.toolkit import own_fonts, typefaces

ROOT = Path(__file__).resolve().parents[2]


def own(style: str, family: str = "Acme Sans") -> TTFont:
    """The bundled typewriter font under another name."""
    font = TTFont(own_fonts.FONTS / f"liberation/LiberationMono-{style}.ttf")
    names = {1: family, 4: f"{family} {style}", 6: f"{family.replace(' ', '')}-{style}", 16: family}
    for record in font["name"].names:
        record.string = names.get(record.nameID, str(record))
    return font


@pytest.fixture(scope="module")
def fonts() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as made:  # where all users can read, unlike the folders of pytest
        yield filled(Path(made))


def filled(folder: Path) -> Path:
    (folder / "acme").mkdir()
    own("Regular").save(folder / "acme/a.ttf")
    own("Bold").save(folder / "acme/b.ttf")
    pair = TTCollection()
    pair.fonts = [own("Regular", "First"), own("BoldItalic", "Second")]
    pair.save(folder / "pair.ttc")
    own("Regular", "Arial").save(folder / "arial.ttf")
    (folder / "broken.ttf").write_bytes(b"no font")
    folder.chmod(0o755)
    return folder


def converted(source: Path, target: Path, fonts: Path | str) -> str:
    """What the command says of a conversion, made in a sandbox of its own."""
    environment = {**os.environ, "FONTS_DIR": str(fonts), "DATA_DIR": str(target.parent / "data")}
    command = [sys.executable, "manage.py", "convert", str(source), str(target)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return done.stderr


def faces(target: Path) -> set[str]:
    with pikepdf.open(target) as document:
        found = {str(each.BaseFont) for page in document.pages for each in page.Resources.Font.values()}
    return {each.partition("+")[2] for each in found}


def test_pages_are_set_in_the_fonts_of_the_folder(fonts: Path, tmp_path: Path) -> None:
    source, target = tmp_path / "page.html", tmp_path / "page.pdf"
    source.write_text("<p style=\"font-family: 'Acme Sans'\">one <b>two</b><p style='font: 12px Arial'>three<p>four")
    assert "FONT_SUBSTITUTED" not in converted(source, target, fonts)
    assert faces(target) == {"AcmeSans-Regular", "AcmeSans-Bold", "Arial-Regular", "LiberationSerif"}


def test_without_the_folder_its_fonts_are_replaced_and_named(tmp_path: Path) -> None:
    source, target = tmp_path / "page.html", tmp_path / "page.pdf"
    source.write_text("<p style=\"font-family: 'Acme Sans'\">one")
    assert "FONT_SUBSTITUTED" in converted(source, target, "")
    assert faces(target) == {"LiberationSerif"}


def test_fonts_in_data_folders_of_the_machine_are_not_used(fonts: Path, tmp_path: Path) -> None:
    source, target = tmp_path / "page.html", tmp_path / "page.pdf"
    source.write_text("<p style=\"font-family: 'Acme Sans'\">one")
    environment = {**os.environ, "FONTS_DIR": "", "XDG_DATA_DIRS": str(fonts)}
    command = [sys.executable, "-m", "benchmarks.convert", "html-to-pdf", str(source), str(target)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    assert faces(target) == {"LiberationSerif"}


def test_drawings_are_set_in_the_fonts_of_the_folder(fonts: Path, tmp_path: Path) -> None:
    source = tmp_path / "drawing.svg"
    source.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40">'
        '<text x="0" y="30" font-family="Acme Sans" font-size="20">iiiiiiiiii</text></svg>'
    )
    assert "FONT_SUBSTITUTED" not in converted(source, tmp_path / "own.png", fonts)
    assert "FONT_SUBSTITUTED" in converted(source, tmp_path / "none.png", "")
    own_box, other_box = (Image.open(tmp_path / f"{each}.png").getchannel("A").getbbox() for each in ("own", "none"))
    assert own_box
    assert other_box
    assert own_box[2] > 2 * other_box[2]


def test_what_a_child_can_not_read_of_the_folder_is_skipped(fonts: Path, tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder, elsewhere = Path(made) / "fonts", Path(made) / "elsewhere.ttf"
        folder.mkdir()
        own("Regular").save(elsewhere)
        own("Bold", "Other").save(folder / "other.ttf")
        (folder / "folder.ttf").mkdir()
        (folder / "linked.ttf").symlink_to(elsewhere)
        (folder / "lost.ttf").symlink_to("nowhere")
        Path(made).chmod(0o755)
        for name, text in (
            ("a.svg", '<svg xmlns="http://www.w3.org/2000/svg"><text y="30" font-family="Acme Sans">one</text></svg>'),
            ("a.html", "<p style=\"font-family: 'Acme Sans'\">one"),
        ):
            source, target = tmp_path / name, tmp_path / f"{name}.{'png' if name == 'a.svg' else 'pdf'}"
            source.write_text(text)
            assert "FONT_SUBSTITUTED" in converted(source, target, folder)
            assert target.stat().st_size


def test_faces_are_known_by_family_and_style(fonts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FONTS_DIR", str(fonts))
    typefaces.typefaces.cache_clear()
    typefaces.by_family.cache_clear()
    try:
        found = typefaces.by_family()
    finally:
        monkeypatch.undo()
        typefaces.typefaces.cache_clear()
        typefaces.by_family.cache_clear()
    assert sorted(found) == ["acmesans", "arial", "first", "second"]
    assert sorted((each.bold, each.italic) for each in found["acmesans"]) == [(False, False), (True, False)]
    (second,) = found["second"]
    assert (second.index, second.bold, second.italic) == (1, True, True)


@pytest.mark.parametrize(
    "which",
    ["own", "empty", "above the data", "above the results", "missing", "closed", "closed inside", "linked", "lost"],
)
def test_only_a_folder_of_fonts_apart_from_other_data_is_accepted(which: str, fonts: Path, tmp_path: Path) -> None:
    code = "import os; os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'; import django; django.setup()"
    own("Regular").save(tmp_path / "a.ttf")
    (tmp_path / "empty").mkdir()
    others = {"empty": tmp_path / "empty", "above the data": tmp_path, "missing": tmp_path / "none"}
    for link, target in (("linked", tmp_path / "a.ttf"), ("lost", Path("nowhere"))):
        others[link] = tmp_path / link
        others[link].mkdir()
        own("Regular").save(others[link] / "b.ttf")
        (others[link] / "a.ttf").symlink_to(target)
    (fonts / "arial.ttf").chmod(0o600 if which == "closed" else 0o644)
    (fonts / "acme").chmod(0o700 if which == "closed inside" else 0o755)
    environment = {**os.environ, "FONTS_DIR": str(others.get(which, fonts)), "DATA_DIR": str(tmp_path / "data")}
    if which == "above the results":
        environment["FILES_DIR"] = str(fonts / "results")
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
    (fonts / "arial.ttf").chmod(0o644)
    (fonts / "acme").chmod(0o755)
    if which.startswith("closed") and os.geteuid():
        pytest.skip("only root's children are other users")
    assert (done.returncode == 0) == (which == "own"), done.stderr
    assert which == "own" or "FONTS_DIR is" in done.stderr
    assert which not in ("linked", "lost") or str(others[which] / "a.ttf") in done.stderr
