"""What wheels bring beside Python: every library, program and compiled module is named with its licence."""

from __future__ import annotations

import platform
import re
from collections import defaultdict
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest

from tests.test_dependencies import canonical, names

ROOT = Path(__file__).resolve().parents[1]
LICENCES = (ROOT / "docs" / "licences.md").read_text()
MACHINE_CODE = (b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
"""The first bytes of what Linux, Windows and macOS run; the last are those of Java's classes, too."""
LARGE = 50_000_000


def part(title: str) -> str:
    """A chapter of the document."""
    return LICENCES.partition(f"## {title}\n")[2].partition("\n## ")[0]


def rows(chapter: str) -> list[list[str]]:
    """The cells of its tables."""
    lines = [line for line in chapter.splitlines() if line.startswith("| ") and not line.startswith("| Package")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def distributions() -> dict[str, metadata.Distribution]:
    """Those that are installed of what services need or may add."""
    offered = names("requirements.lock") | names("requirements-extras.txt")
    found = {canonical(each.name): each for each in metadata.distributions()}
    return {name: found[name] for name in sorted(found.keys() & offered)}


def stem(file: Path) -> str:
    """The name of a library or program without hash, version and machine: `libjpeg` of `libjpeg-6dc8d115.so.62.4.0`."""
    return re.sub(r"-[0-9a-f]{8}(?=[.])|\.so(\.\d.*)?$|-linux-.*$|\.exe$", "", file.name)


def is_module(file: Path) -> bool:
    """Whether Python imports the file."""
    tagged = re.search(r"\.(cpython-[^.]+|abi3)\.so$", file.name)
    return bool(tagged) or (file.suffix == ".so" and not file.name.startswith("lib"))


@cache
def compiled() -> dict[str, tuple[Path, ...]]:
    """Distribution to its files of machine code, found by what is in them."""
    found: dict[str, list[Path]] = defaultdict(list)
    for name, distribution in distributions().items():
        for each in distribution.files or ():
            file = Path(str(distribution.locate_file(each)))
            if file.is_file() and file.suffix not in (".pyc", ".py"):
                with file.open("rb") as opened:
                    if opened.read(4).startswith(MACHINE_CODE):
                        found[name].append(file)
    return {name: tuple(files) for name, files in found.items()}


def files_named() -> set[tuple[str, str]]:
    chapter = part("Libraries and programs that are files of their own")
    return {(package, file) for package, files, *_ in rows(chapter) for file in re.findall(r"`([^`]+)`", files)}


def files_there() -> set[tuple[str, str]]:
    return {(name, stem(file)) for name, files in compiled().items() for file in files if not is_module(file)}


def test_the_name_of_a_library_is_told_from_hash_and_version() -> None:
    for file, name in {
        "libjpeg-6dc8d115.so.62.4.0": "libjpeg", "liblber-2-d20824ef.4.so.2.10.9": "liblber-2.4",
        "libarrow.so.2600.1.0": "libarrow", "ffmpeg-linux-x86_64-v9.0.2": "ffmpeg", "libpdfium.so": "libpdfium",
    }.items():  # fmt: skip
        assert stem(Path(file)) == name


def test_every_library_and_program_in_a_wheel_is_named_with_its_licence() -> None:
    assert len(files_there()) > 20
    assert files_there() - files_named() == set()


@pytest.mark.skipif(platform.machine() != "x86_64", reason="other machines have other wheels")
def test_no_file_is_named_that_a_wheel_no_longer_has() -> None:
    assert {each for each in files_named() if each[0] in distributions()} - files_there() == set()


def test_every_package_with_compiled_modules_is_named() -> None:
    offered = names("requirements.lock")
    there = {name for name, files in compiled().items() if name in offered and any(map(is_module, files))}
    assert there - {package for package, *_ in rows(part("Extension modules"))} == set()


def test_of_what_all_services_have_only_programs_and_one_known_library_are_under_the_gpl() -> None:
    chapter = part("Libraries and programs that are files of their own")
    found = {
        file
        for package, files, *_, licence in rows(chapter)
        for file in re.findall(r"`([^`]+)`", files)
        if "GPL" in licence and "LGPL" not in licence and package in names("requirements.lock")
    }
    assert found == {"ffmpeg", "pandoc", "libjbig"}


def test_every_row_has_a_licence() -> None:
    for chapter in ("Libraries and programs that are files of their own", "Extension modules"):
        assert rows(part(chapter))
        assert [cells for cells in rows(part(chapter)) if not cells[-1] or len(cells) < 3] == []


def test_every_large_package_is_said_to_be_there_for_something() -> None:
    counted = {name for packages, *_ in rows(part("What the 1,209 MB are for")) for name in packages.split(", ")}
    offered = names("requirements.lock")
    large = {
        name
        for name, distribution in distributions().items()
        if name in offered and sum(each.size or 0 for each in distribution.files or ()) > LARGE
    }
    assert large
    assert large - counted == set()
