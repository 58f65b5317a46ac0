"""`manage.py convert`: the same conversions from a shell."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.conversions.samples import INVOICE, PEOPLE, PEOPLE_CSV


def test_a_file_is_converted_by_its_extensions(tmp_path: Path) -> None:
    source, target = tmp_path / "people.json", tmp_path / "people.csv"
    source.write_bytes(PEOPLE)
    out = StringIO()
    call_command("convert", str(source), str(target), stdout=out)
    assert target.read_bytes() == PEOPLE_CSV
    assert str(len(PEOPLE_CSV)) in out.getvalue()


def test_options_have_the_names_of_the_api(tmp_path: Path) -> None:
    source, target = tmp_path / "page.htm", tmp_path / "page.pdf"
    source.write_bytes(INVOICE.replace(b"<h1>", b"<img src='http://tracker.example/x.png'><h1>"))
    err = StringIO()
    call_command("convert", str(source), str(target), "--pageSize", "A5", stdout=StringIO(), stderr=err)
    assert target.read_bytes().startswith(b"%PDF")
    assert "REMOTE_RESOURCE_BLOCKED" in err.getvalue()


@pytest.mark.parametrize(
    ("source", "target", "more"),
    [
        ("people.json", "people.zzz", ()),
        ("people", "people.csv", ()),
        ("missing.json", "people.csv", ()),
        ("people.json", "people.csv", ("--delimiter", ";;")),
        ("people.json", "people.csv", ("--pageSize", "A4")),
        ("bad.json", "people.csv", ()),
    ],
)
def test_what_can_not_be_done_is_said_and_writes_nothing(
    tmp_path: Path, source: str, target: str, more: tuple[str, ...]
) -> None:
    (tmp_path / "people.json").write_bytes(PEOPLE)
    (tmp_path / "bad.json").write_bytes(b"{")
    with pytest.raises(CommandError):
        call_command("convert", str(tmp_path / source), str(tmp_path / target), *more, stdout=StringIO())
    assert not (tmp_path / target).exists()
