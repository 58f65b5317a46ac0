"""`manage.py convert`: the same conversions from a shell."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from PIL import Image

from engine import shell
from engine.conversion import save
from tests.conversions.samples import INVOICE, PEOPLE, PEOPLE_CSV

ROOT = Path(__file__).resolve().parents[2]


def test_a_file_is_converted_by_its_extensions(tmp_path: Path) -> None:
    source, target = tmp_path / "people.json", tmp_path / "people.csv"
    source.write_bytes(PEOPLE)
    out = StringIO()
    call_command("convert", str(source), str(target), stdout=out)
    assert target.read_bytes() == PEOPLE_CSV
    assert str(len(PEOPLE_CSV)) in out.getvalue()


def test_options_have_the_names_of_the_api(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "page.htm", tmp_path / "page.pdf"
    source.write_bytes(INVOICE.replace(b"<h1>", b"<img src='http://tracker.example/x.png'><h1>"))
    call_command("convert", str(source), str(target), "--pageSize", "A5", stdout=StringIO())
    assert target.read_bytes().startswith(b"%PDF")
    assert "REMOTE_RESOURCE_BLOCKED" in capfd.readouterr().err


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
def test_an_impossible_conversion_is_reported_and_writes_nothing(
    tmp_path: Path, source: str, target: str, more: tuple[str, ...]
) -> None:
    (tmp_path / "people.json").write_bytes(PEOPLE)
    (tmp_path / "bad.json").write_bytes(b"{")
    with pytest.raises(CommandError):
        call_command("convert", str(tmp_path / source), str(tmp_path / target), *more, stdout=StringIO())
    assert not (tmp_path / target).exists()


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", "convert", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def test_the_command_line_converts_without_loading_django(tmp_path: Path) -> None:
    source, target = tmp_path / "people.json", tmp_path / "people.csv"
    source.write_bytes(PEOPLE)
    result = run(source, target, "--delimiter=;")
    assert (result.returncode, result.stderr) == (0, "")
    assert target.read_bytes() == PEOPLE_CSV.replace(b",", b";")
    code = "import sys, config.engines, engine.shell; print('django.db' in sys.modules, 'polars' in sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert loaded.stdout.split() == ["False", "False"]


def test_an_existing_name_in_the_temporary_folder_causes_no_failure(tmp_path: Path) -> None:
    temporary, data = tmp_path / "temporary", tmp_path / "data"
    temporary.mkdir()
    data.mkdir()
    (temporary / f"sandbox-of-conversions-{os.geteuid()}").touch()
    (tmp_path / "people.json").write_bytes(PEOPLE)
    words = [sys.executable, "manage.py", "convert", str(tmp_path / "people.json"), str(tmp_path / "people.csv")]
    environment = {**os.environ, "TMPDIR": str(temporary), "DATA_DIR": str(data)}
    subprocess.run(words, env=environment, cwd=ROOT, check=True)
    assert (tmp_path / "people.csv").read_bytes() == PEOPLE_CSV
    assert [each.name for each in data.iterdir()] == [f"sandbox-of-conversions-{os.geteuid()}"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("people.zzz",), ".zzz"),
        (("out.csv", "--delimiter", ";;"), "--delimiter"),
        (("out.csv", "--delimiter"), "--delimiter"),
        (("out.csv", "--pageSize", "A4", "--header", "perhaps"), "--pageSize"),
    ],
)
def test_the_command_line_fails_with_a_message(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    source = tmp_path / "people.json"
    source.write_bytes(PEOPLE)
    result = run(source, tmp_path / words[0], *words[1:])
    assert result.returncode == 1
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert list(tmp_path.iterdir()) == [source]


def test_an_error_in_the_file_is_reported_with_its_position(tmp_path: Path) -> None:
    source = tmp_path / "bad.json"
    source.write_text('[\n{"a": 1},\n{"b": }]')
    result = run(source, tmp_path / "out.csv")
    assert result.returncode == 1
    assert "line 3" in result.stderr


def test_a_folder_is_converted_file_by_file(tmp_path: Path) -> None:
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "in" / "people.json").write_bytes(PEOPLE)
    (tmp_path / "in" / "deep" / "rows.ndjson").write_bytes(b'{"a": 1}\n')
    (tmp_path / "in" / "bad.json").write_bytes(b"[")
    (tmp_path / "in" / "notes.txt").write_text("left alone")
    result = run(tmp_path / "in", tmp_path / "out", "--to", "csv", "--delimiter", ";")
    assert result.returncode == 1
    assert "2 files converted, 1 left alone, 1 failed" in result.stderr
    assert "bad.json" in result.stderr
    assert (tmp_path / "out" / "people.csv").read_bytes() == PEOPLE_CSV.replace(b",", b";")
    assert (tmp_path / "out" / "deep" / "rows.csv").read_bytes() == b"a\r\n1\r\n"
    assert sorted(each.name for each in (tmp_path / "out").rglob("*")) == ["deep", "people.csv", "rows.csv"]
    (tmp_path / "in" / "bad.json").unlink()
    again = run(tmp_path / "in", tmp_path / "out", "--to", "csv", "--update")
    assert (again.returncode, again.stdout) == (0, "0 files converted, 3 left alone.\n")
    assert run(tmp_path / "in", tmp_path / "out").returncode == 1


def test_pipes_are_read_and_written(tmp_path: Path) -> None:
    command = [sys.executable, "manage.py", "convert", "-", "-", "--from", "json", "--to", "csv"]
    done = subprocess.run(command, input=PEOPLE, capture_output=True, check=True, cwd=ROOT)
    assert (done.stdout, done.stderr) == (PEOPLE_CSV, b"")
    unnamed = subprocess.run(command[:-2], input=PEOPLE, capture_output=True, check=False, cwd=ROOT)
    assert unnamed.returncode == 1
    assert b"--to" in unnamed.stderr


def test_a_result_of_several_files_is_named_as_the_archive_that_it_is(tmp_path: Path) -> None:
    pages = [Image.new("RGB", (8, 8), colour) for colour in ("red", "green", "blue")]
    folder = tmp_path / "in"
    folder.mkdir()
    source = folder / "three.tiff"
    pages[0].save(source, save_all=True, append_images=pages[1:])
    result = run(source, tmp_path / "x.png")
    assert result.returncode == 0
    assert f"{tmp_path / 'x.zip'}, and not x.png." in result.stderr
    assert result.stdout.startswith(f"{tmp_path / 'x.zip'}: ")
    assert not (tmp_path / "x.png").exists()
    with zipfile.ZipFile(tmp_path / "x.zip") as archive:
        assert len(archive.namelist()) == 3
    first = run(folder, tmp_path / "out", "--to", "png", "--update")
    assert "1 file converted, 0 left alone" in first.stdout
    assert "0 files converted, 1 left alone" in run(folder, tmp_path / "out", "--to", "png", "--update").stdout
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["three.zip"]


def test_files_of_a_folder_never_replace_the_results_of_others(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "people.json").write_bytes(PEOPLE)
    (tmp_path / "in" / "people.yaml").write_text("other: 1\n")
    for more in ((), ("--update",)):
        done = run(tmp_path / "in", tmp_path / "out", "--to", "csv", *more)
        assert done.returncode == 1
        assert "people.yaml" in done.stderr
        assert (tmp_path / "out" / "people.csv").read_bytes() == PEOPLE_CSV


def test_nothing_of_a_file_controls_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a\x1b[2J\nforged.json").write_bytes(b'[{"k\\u001b[31m": 1, "k\\u001b[31m": 2}]')
    Path(os.fsdecode(os.fsencode(tmp_path / "in") + b"/\xff.json")).write_bytes(PEOPLE)
    (tmp_path / "in" / "z\x1b]0;.json").write_bytes(b"{")
    done = run(tmp_path / "in", tmp_path / "out", "--to", "csv")
    printed = done.stdout + done.stderr
    assert (done.returncode, len(list((tmp_path / "out").iterdir()))) == (1, 2)
    assert "DUPLICATE_KEY" in printed
    assert not set(printed) & {"\x1b", "\x07"}
    assert not any(line.startswith("forged") for line in printed.splitlines())


def test_a_link_that_somebody_left_is_not_written_through(tmp_path: Path) -> None:
    precious, target = tmp_path / "precious", tmp_path / "people.csv"
    precious.write_text("precious")
    target.symlink_to(precious)
    seen: list[str] = []

    class Content(BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            seen.extend(each.name for each in tmp_path.iterdir() if each.suffix == ".part")
            return super().read(size)

    save(Content(b"new"), target)
    assert (precious.read_text(), target.read_text(), target.is_symlink()) == ("precious", "new", False)
    assert len(set(seen)) == 1
    assert str(os.getpid()) not in seen[0].split(".")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["people.csv", "precious"]


def test_warnings_of_a_folder_say_which_file_they_are_about(tmp_path: Path) -> None:
    for name in ("one.json", "deep/two.json"):
        path = tmp_path / "in" / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_bytes(b'[{"a": 1, "a": 2}]')
    result = run(tmp_path / "in", tmp_path / "out", "--to", "csv")
    assert result.returncode == 0
    places = sorted(line.partition(": DUPLICATE_KEY: ")[0] for line in result.stderr.splitlines())
    assert places == [str(tmp_path / "in" / name) for name in ("deep/two.json", "one.json")]
    alone = run(tmp_path / "in" / "one.json", tmp_path / "one.csv")
    assert alone.stderr.startswith("DUPLICATE_KEY: ")


@pytest.mark.parametrize(
    "words", [("json", "csv"), ("people.json", "csv"), ("JSON", ".csv"), ("-", "csv", "--from", "json")]
)
def test_options_are_explained_for_formats_without_files(words: tuple[str, ...]) -> None:
    assert "--delimiter" in shell.convert([*words, "--explain"], prefix="convert", data=Path(), unconfined=True)


@pytest.mark.parametrize("words", [("json", "csv"), ("json", "x.csv")])
def test_a_format_is_a_file_without_extension_where_there_is_something_to_convert(words: tuple[str, ...]) -> None:
    with pytest.raises(shell.Refused):
        shell.convert(words, prefix="convert", data=Path(), unconfined=True)
