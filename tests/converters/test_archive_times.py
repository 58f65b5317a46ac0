"""Times of changes stay to the second between archives, though the times of DOS in a ZIP count by two."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from engine.conversion import convert

ODD = 1_580_608_923
"""2020-02-02, three seconds past 02:02, UTC."""


@pytest.mark.parametrize("moment", [ODD, ODD - 1, 315_532_801, -1, 2**31 - 1])
def test_odd_seconds_of_a_tar_stay_in_a_zip_and_back(moment: int, tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        info = tarfile.TarInfo("a.txt")
        info.size, info.mtime = 1, moment
        archive.addfile(info, io.BytesIO(b"x"))
    assert convert(tmp_path / "a.tar", tmp_path / "b.zip", sandbox=False).warnings == ()
    with zipfile.ZipFile(tmp_path / "b.zip") as packed:
        extra = packed.getinfo("a.txt").extra
        assert (extra[:5], extra[5:]) == (b"UT\5\0\1", moment.to_bytes(4, "little", signed=True))
    convert(tmp_path / "b.zip", tmp_path / "c.tar", sandbox=False)
    with tarfile.open(tmp_path / "c.tar") as back:
        assert back.getmember("a.txt").mtime == moment
