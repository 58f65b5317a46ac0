"""The hard links of a tar are files with the bytes of the entry that they refer to."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest

from engine.conversion import convert
from engine.toolkit.failures import OverLimit

_PACKED = {"tar": "w", "tgz": "w:gz", "tbz2": "w:bz2", "txz": "w:xz"}


def _archive(mode: str, *members: tuple[str, bytes | str]) -> bytes:
    """A tar of files, as bytes, and hard links, as the name of their entry."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in members:
            info = tarfile.TarInfo(name)
            if isinstance(content, str):
                info.type, info.linkname = tarfile.LNKTYPE, content
                archive.addfile(info)
            else:
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    return whole.getvalue()


def _converted(folder: Path, data: bytes, input: str, output: str) -> tuple[Path, list[str]]:
    source = folder / f"input.{input}"
    source.write_bytes(data)
    result = convert(source, folder / f"output.{output}", sandbox=False, slug=f"{input}-to-{output}")
    return result.path, [str(each.message) for each in result.warnings]


@pytest.mark.parametrize("format", _PACKED)
def test_a_hard_link_is_a_file_with_the_same_bytes(format: str, tmp_path: Path) -> None:
    linked = _archive(
        _PACKED[format], ("a.txt", b"first"), ("b.txt", b"second"), ("c.txt", "a.txt"), ("d.txt", "b.txt"),
        ("e.txt", "c.txt"), ("f.txt", b"last"),
    )  # fmt: skip
    made, said = _converted(tmp_path, linked, format, "zip")
    with zipfile.ZipFile(made) as packed:
        found = {each: packed.read(each) for each in packed.namelist()}
    assert found == {
        "a.txt": b"first", "b.txt": b"second", "c.txt": b"first", "d.txt": b"second", "e.txt": b"first",
        "f.txt": b"last",
    }  # fmt: skip
    assert said == []


def test_a_hard_link_is_listed_as_a_file_of_its_size(tmp_path: Path) -> None:
    made, said = _converted(tmp_path, _archive("w", ("a.txt", b"first"), ("c.txt", "a.txt")), "tar", "json")
    listed = json.loads(made.read_text())
    assert [(each["name"], each["type"], each["size"]) for each in listed] == [
        ("a.txt", "file", 5),
        ("c.txt", "file", 5),
    ]
    assert said == []


def test_a_hard_link_to_nothing_is_named(tmp_path: Path) -> None:
    data = _archive("w", ("a.txt", b"first"), ("c.txt", "/etc/passwd"))
    made, said = _converted(tmp_path, data, "tar", "zip")
    assert zipfile.ZipFile(made).namelist() == ["a.txt"]
    assert said == ["Links were left out: 1 (c.txt)."]


def test_hard_links_count_towards_what_an_archive_may_unpack_to(tmp_path: Path) -> None:
    large = ("a", bytes(1_000_000))
    data = _archive("w:gz", large, *((f"link {each}", "a") for each in range(60)))
    with pytest.raises(OverLimit):
        _converted(tmp_path, data, "tgz", "zip")
