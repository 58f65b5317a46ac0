"""The tour of the README, done word for word: its commands by a shell and the real curl, its program by Python."""

from __future__ import annotations

import csv
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import User
from apikeys.models import ApiKey
from tests.conversions.samples import INVOICE

ROOT = Path(__file__).resolve().parents[1]


def tour() -> str:
    return (ROOT / "README.md").read_text().partition("## Five minutes")[2].partition("\n### ")[0]


def commands(text: str) -> list[str]:
    """The indented commands, each with its continued lines."""
    lines = "\n".join(each[4:] for each in re.findall(r"^    .*|^$", text, re.MULTILINE) if each)
    return lines.replace("\\\n", " ").splitlines()


def run(command: str, folder: Path) -> str:
    command = command.replace(
        "python manage.py", f"{shlex.quote(sys.executable)} {shlex.quote(str(ROOT / 'manage.py'))}"
    )
    program = shlex.split(command)[0]
    if shutil.which(program) is None:
        pytest.skip(f"no {program}")
    done = subprocess.run(["sh", "-ec", command], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def at_home(live_server: Any) -> Any:
    """The README's address of the service, replaced by that of the one under test."""
    return lambda text: text.replace("http://127.0.0.1:8000", live_server.url)


def test_every_command_for_guests_gives_what_it_says(at_home: Any, tmp_path: Path) -> None:
    guest = commands(at_home(tour().partition("**As a user.**")[0]))
    assert [each.split()[0] for each in guest] == ["echo", "curl", "curl", "curl", "curl"]
    echo, download, body, form, record = guest
    run(echo, tmp_path)
    assert run(download, tmp_path) == ""
    rows = list(csv.reader((tmp_path / "people.csv").read_text().splitlines()))
    assert rows[0] == ["id", "name", "tags.role"]
    assert run(body, tmp_path).splitlines()[0] == "id;name;tags.role"
    assert run(form, tmp_path).splitlines()[0] == "id;name;tags"
    assert json.loads(run(record, tmp_path))["data"]["downloadUrl"].startswith("/api/v1/files/")


@pytest.mark.django_db(transaction=True)
def test_the_rest_of_the_tour_registers_makes_a_program_and_converts_without_a_server(
    at_home: Any, tmp_path: Path
) -> None:
    rest = at_home(tour().partition("**As a user.**")[2])
    register, set_plan, convert = (each for each in commands(rest) if each.split()[0] in ("curl", "python"))
    assert json.loads(run(register, tmp_path))["data"]["accessToken"]
    call_command(*shlex.split(set_plan)[2:])
    _, secret = ApiKey.issue(User.objects.get(email="ada@example.org"), name="Tour")
    (tmp_path / "invoice.html").write_bytes(INVOICE)
    (program,) = re.findall(r"```python\n(.*?)```", rest, re.DOTALL)
    (tmp_path / "program.py").write_text(program.replace("fc_...", secret))
    run(f"{shlex.quote(sys.executable)} program.py", tmp_path)
    assert (tmp_path / "invoice.pdf").read_bytes().startswith(b"%PDF")
    (tmp_path / "report.html").write_bytes(INVOICE)
    run(convert, tmp_path)
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")
