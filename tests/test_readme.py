"""README and guides: their commands and programs run as written, their links and numbers hold."""

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
from django.conf import settings
from django.core.management import call_command

from accounts.models import Plan, User
from apikeys.models import ApiKey
from engine.families import registry
from engine.families.archives.entries import MAX_BYTES as MOST_IN_ARCHIVES
from engine.families.data.pages.drawing import MOST_CELLS
from engine.sandbox.limits import LIMITS
from engine.toolkit.gzipped import MAX_BYTES as MOST_IN_GZIP
from tests.conversions.samples import INVOICE

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
GUIDES = [README, *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)")
MOST_LINES = 200
EXTRA = 150
"""Conversions that LibreOffice and the extras add, and some more."""
MB = 1_000_000


def commands(text: str) -> list[str]:
    """The indented commands, each with its continued lines."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    lines = "\n".join(each[4:] for each in re.findall(r"^    .*|^$", text, re.MULTILINE) if each)
    return lines.replace("\\\n", " ").splitlines()


def section(path: Path, title: str) -> str:
    return path.read_text().partition(f"## {title}\n")[2].partition("\n## ")[0]


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
def local(live_server: Any) -> Any:
    """The documented address of the service, replaced by that of the one under test."""
    return lambda text: text.replace("http://127.0.0.1:8000", live_server.url)


def test_every_command_of_the_api_guide_gives_what_it_says(local: Any, tmp_path: Path) -> None:
    echo, record, download, body, form = commands(local(section(ROOT / "docs" / "api.md", "Convert a file")))
    run(echo, tmp_path)
    assert json.loads(run(record, tmp_path))["data"]["downloadUrl"].startswith("/api/v1/files/")
    assert run(download, tmp_path) == ""
    rows = list(csv.reader((tmp_path / "people.csv").read_text().splitlines()))
    assert rows[0] == ["id", "name", "tags.role"]
    assert run(body, tmp_path).splitlines()[0] == "id;name;tags.role"
    assert run(form, tmp_path).splitlines()[0] == "id;name;tags"


@pytest.mark.django_db(transaction=True)
def test_the_readme_converts_by_shell_by_program_and_without_a_server(local: Any, tmp_path: Path) -> None:
    text = local(section(README, "Try it"))
    echo, download, register, set_plan, agent, convert, superuser, image = commands(text)
    run(echo, tmp_path)
    run(download, tmp_path)
    assert (tmp_path / "people.csv").read_text().startswith("id,name,tags.role\n")
    assert json.loads(run(register, tmp_path))["data"]["accessToken"]
    call_command(*shlex.split(set_plan)[2:])
    _, secret = ApiKey.issue(User.objects.get(email="ada@example.org"), name="Tour")
    (tmp_path / "invoice.html").write_bytes(INVOICE)
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "program.py").write_text(program.replace("fc_...", secret))
    run(f"{shlex.quote(sys.executable)} program.py", tmp_path)
    assert (tmp_path / "invoice.pdf").read_bytes().startswith(b"%PDF")
    (tmp_path / "report.html").write_bytes(INVOICE)
    run(convert, tmp_path)
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")
    assert [shlex.split(each)[0] for each in (agent, superuser, image)] == ["claude", "python", "docker"]


def test_the_readme_is_short() -> None:
    assert len(README.read_text().splitlines()) <= MOST_LINES


def anchors(path: Path) -> set[str]:
    """The anchors of a document's headings, as hosts of Markdown make them."""
    titles = re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in titles}


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.name)
def test_links_lead_to_files_and_headings(path: Path) -> None:
    for place, anchor in LINK.findall(path.read_text()):
        if not place.startswith(("http:", "https:", "mailto:")):
            target = (path.parent / place).resolve() if place else path
            assert target.exists(), place
            assert not anchor or anchor in anchors(target), f"{place}#{anchor}"


def test_every_guide_is_linked_from_the_readme() -> None:
    linked = {(ROOT / place).resolve() for place, _ in LINK.findall(README.read_text())}
    assert linked >= set(GUIDES) - {README}


def test_the_readme_promises_no_more_conversions_than_there_are_without_extras() -> None:
    (promised,) = re.findall(r"More than ([\d,]+) conversions", README.read_text())
    number = int(promised.replace(",", ""))
    assert number <= len(registry.CONVERTERS) < number + EXTRA


@pytest.mark.django_db
def test_numbers_are_those_of_the_code() -> None:
    plans = {each.code: each for each in Plan.objects.all()}
    guest, wall = plans["guest"], {profile: f"{each.wall:.0f}" for profile, each in LIMITS.items()}
    seconds = {code: f"{each.failed_seconds:,}" for code, each in plans.items()}
    tokens: dict[str, Any] = settings.SIMPLE_JWT
    stated = {
        "README.md": [
            f"at most {wall['image']} seconds for pictures, {wall['media']} for audio and video, {wall['text']} for "
            "everything else",
            "The largest installed plan allows files up to "
            f"{max(each.max_file_bytes for each in plans.values()) // MB} MB",
        ],
        "docs/api.md": [
            f"an `accessToken` ({tokens['ACCESS_TOKEN_LIFETIME'].seconds // 60} minutes)",
            f"a `refreshToken` ({tokens['REFRESH_TOKEN_LIFETIME'].days} days",
            f"log in {_a_minute(settings.LOGIN_RATE_PLACE)} times from one address",
            f"an address {_a_minute(settings.LOGIN_RATE_ADDRESS)} times",
            f"an account {_a_minute(settings.LOGIN_RATE_ACCOUNT)} times from addresses",
            f"One address may create {_a_minute(settings.REGISTER_RATE_ADDRESS)} accounts a minute",
        ],
        "docs/operating.md": [
            f"installed are {seconds['guest']} for guests, {seconds['free']} for Free, "
            f"{seconds['starter']} for Starter, {seconds['pro']} for Pro and {seconds['scale']} for Scale",
            f"file takes {LIMITS['text'].cpu} seconds (films {LIMITS['media'].cpu})",
        ],
        "docs/formats.md": [
            f"They may unpack to {MOST_IN_GZIP // MB} MB.",
            f"They may unpack to {MOST_IN_ARCHIVES // MB} MB and",
            f"up to {MOST_CELLS['plutoprint']:,} cells ({MOST_CELLS['xhtml2pdf']:,} with xhtml2pdf)",
            f"may take {wall['media']} seconds",
        ],
        "docs/using.md": [f"A guest's result is kept for {_words(guest.retention_hours)} hour"],
    }
    for place in ("README.md", "docs/api.md", "docs/using.md"):
        stated[place].append(
            f"{_words(guest.credits)} conversions a day{',' if place == 'docs/api.md' else ', with'} files up to "
            f"{guest.max_file_bytes // MB} MB"
        )
    for place, claims in stated.items():
        text = " ".join((ROOT / place).read_text().split())
        assert [each for each in claims if each not in text] == [], place


def _a_minute(rate: str) -> int:
    number, _, period = rate.partition("/")
    assert period == "m"
    return int(number)


def _words(number: int) -> str:
    return {1: "one", 10: "ten"}[number]
