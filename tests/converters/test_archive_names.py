"""Names in archives that are not marked as Unicode are read in the code page that their letters fit."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest

from engine.conversion import convert

NAMES = {
    ("cp866", "cp1251", "koi8_r"): ("Отчёт за январь.txt", "Фотографии/Лето.jpg", "ДОГОВОР.DOC", "Новая папка.zip"),
    ("cp437", "cp850", "cp1252"): ("Übersicht.txt", "Größe und Länge.xlsx", "Straße.pdf"),
    ("cp850", "cp1252"): ("Relatório de ações.doc", "São João.jpg"),
    ("cp852", "cp1250"): ("Zażółć gęślą jaźń.txt", "Łódź.jpg"),
    ("cp857", "cp1254"): ("Özgeçmiş.doc", "Türkçe şarkılar.mp3"),
    ("cp737", "cp1253"): ("Ελληνικά.txt", "Τιμολόγιο πώλησης.pdf"),
    ("cp862", "cp1255"): ("שלום.txt", "חשבונית מס.pdf"),
    ("cp932",): ("テスト資料.docx", "写真/夏休み.jpg", "請求書.pdf"),
    ("gbk",): ("测试报告.docx", "照片/夏天.jpg", "合同.pdf"),
    ("cp949",): ("보고서.docx", "사진/여름.jpg"),
    ("big5",): ("測試報告.docx", "照片/夏天.jpg", "發票明細表.xls"),
}
WRITTEN = [(codec, names) for codecs, names in NAMES.items() for codec in codecs]


def _unmarked_zip(names: tuple[str, ...], codec: str) -> bytes:
    class Unmarked(zipfile.ZipInfo):
        def _encodeFilenameFlags(self) -> tuple[bytes, int]:
            return self.filename.encode(codec), self.flag_bits

    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for each in names:
            archive.writestr(Unmarked(each), b"x")
    return file.getvalue()


def _old_tar(names: tuple[str, ...], codec: str) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.USTAR_FORMAT, encoding=codec) as archive:
        for each in names:
            archive.addfile(tarfile.TarInfo(each))
    return file.getvalue()


def _listed(folder: Path, name: str, data: bytes) -> tuple[list[str], list[str]]:
    source = folder / name
    source.write_bytes(data)
    result = convert(source, folder / "output.json", sandbox=False)
    return [each["name"] for each in json.loads(result.path.read_text("utf-8"))], [
        f"{each.code} {each.message}" for each in result.warnings
    ]


@pytest.mark.parametrize(("codec", "names"), [each for each in WRITTEN if not each[0].startswith(("cp125", "koi8"))])
def test_names_of_a_zip_without_a_flag_are_read_by_their_letters(
    codec: str, names: tuple[str, ...], tmp_path: Path
) -> None:
    listed, warned = _listed(tmp_path, "input.zip", _unmarked_zip(names, codec))
    assert listed == [*names]
    assert len(warned) == 1
    assert warned[0].startswith("ENCODING_GUESSED")


@pytest.mark.parametrize(("codec", "names"), [each for each in WRITTEN if each[0].startswith(("cp125", "koi8", "gbk"))])
def test_names_of_an_old_tar_are_read_by_their_letters(codec: str, names: tuple[str, ...], tmp_path: Path) -> None:
    listed, warned = _listed(tmp_path, "input.tar", _old_tar(names, codec))
    assert listed == [*names]
    assert {each.partition(" ")[0] for each in warned} == {"ENCODING_GUESSED"}


def test_the_warning_says_what_was_guessed(tmp_path: Path) -> None:
    assert _listed(tmp_path, "input.zip", _unmarked_zip(("Отчёт за январь.txt",), "cp866"))[1] == [
        "ENCODING_GUESSED File names not marked as Unicode were read as cp866."
    ]


def test_many_names_in_an_old_tar_are_read(tmp_path: Path) -> None:
    names = tuple(f"Привет {each}.txt" for each in range(600))
    assert _listed(tmp_path, "input.tar", _old_tar(names, "koi8_r"))[0] == [*names]
