"""Clients that the service hands out: as installers take them, and the same as those of the repository."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.clients.test_python import PROJECT as PYTHON
from tests.clients.test_typescript import PROJECT as TYPESCRIPT
from tests.conftest import make_user, with_key
from tests.conversions.samples import PEOPLE, PEOPLE_CSV

ROOT = Path(__file__).resolve().parents[2]


def listed() -> dict[str, dict[str, Any]]:
    return {each["language"]: each for each in Client().get("/clients").json()["clients"]}


def taken(language: str) -> bytes:
    found = listed()[language]
    answer = Client().get(found["url"].removeprefix("http://testserver"))
    assert answer.status_code == 200
    assert hashlib.sha256(answer.content).hexdigest() == found["sha256"]
    assert len(answer.content) == found["bytes"]
    return bytes(answer.content)


def test_the_files_have_all_sources() -> None:
    wheel = zipfile.ZipFile(io.BytesIO(taken("python")))
    modules = {str(each.relative_to(PYTHON / "src")): each for each in (PYTHON / "src").rglob("*.py")}
    assert modules.keys() <= set(wheel.namelist())
    assert all(wheel.read(name) == path.read_bytes() for name, path in modules.items())
    with tarfile.open(fileobj=io.BytesIO(taken("typescript"))) as package:
        built = {f"package/dist/{each.name}": each for each in (TYPESCRIPT / "dist").iterdir()}
        names = set(package.getnames())
        assert {"package/package.json", "package/README.md", "package/scripts/types.mjs", *built} == names
        for name, path in built.items():
            source = package.extractfile(name)
            assert source is not None
            assert source.read() == path.read_bytes()


def test_the_list_and_the_files_are_public_and_have_tags() -> None:
    address = listed()["python"]["url"].removeprefix("http://testserver")
    first = Client().get(address)
    again = Client().get(address, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "public" in first["Cache-Control"]
    assert Client().get("/clients/other-1.0.0.tgz").status_code == 404
    assert Client().post("/clients").status_code == 405


def test_the_guides_name_the_files_that_there_are() -> None:
    guides = [ROOT / "docs" / "api.md", PYTHON / "README.md", TYPESCRIPT / "README.md"]
    named = {
        name for each in guides for name in re.findall(r"/clients/(fileconv[\w.-]+\.(?:whl|tgz))", each.read_text())
    }
    assert named == {each["url"].rpartition("/")[2] for each in listed().values()}


@pytest.mark.django_db(transaction=True)
def test_the_command_of_the_wheel_converts(live_server: Any, tmp_path: Path) -> None:
    wheel = tmp_path / listed()["python"]["url"].rpartition("/")[2]
    wheel.write_bytes(taken("python"))
    uv = str(Path(sys.executable).parent / "uv")
    site = tmp_path / "site"
    subprocess.run([uv, "pip", "install", "--quiet", "--no-deps", "--target", str(site), str(wheel)], check=True)
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(site),
        "FILECONV_URL": live_server.url,
        "FILECONV_KEY": with_key(make_user("pro")).headers["Authorization"].partition(" ")[2],
    }
    (tmp_path / "people.json").write_bytes(PEOPLE)
    command = [sys.executable, str(site / "bin" / "fileconv"), "people.json", "people.csv"]
    subprocess.run(command, check=True, cwd=tmp_path, env=environment, capture_output=True, timeout=60)
    assert (tmp_path / "people.csv").read_bytes() == PEOPLE_CSV


def test_the_package_is_one_for_npm(tmp_path: Path) -> None:
    if shutil.which("npm") is None:
        assert not os.environ.get("REQUIRE_NODE"), "npm is not installed"
        pytest.skip("npm is not installed")
    package = tmp_path / "client.tgz"
    package.write_bytes(taken("typescript"))
    (tmp_path / "package.json").write_text(json.dumps({"type": "module"}))
    install = [
        "npm",
        "install",
        "--offline",
        "--no-audit",
        "--no-fund",
        "--cache",
        str(tmp_path / "cache"),
        "./client.tgz",
    ]
    subprocess.run(install, cwd=tmp_path, check=True, capture_output=True, timeout=120)
    program = 'import { Client } from "fileconv-service-client"; console.log(new Client("http://a/").url);'
    (tmp_path / "program.js").write_text(program)
    done = subprocess.run(["node", "program.js"], cwd=tmp_path, check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout == "http://a\n"
