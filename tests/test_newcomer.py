"""The first command on a machine that lacks something: make says what, and `.ci/bare` is such a machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ABSENT = "raise ModuleNotFoundError(__name__)"


def make(folder: Path, python: Path | str) -> subprocess.CompletedProcess[str]:
    """What make does with that Python when it is to set up an environment in `folder`."""
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = ["make", f"PYTHON={python}", f"VENV={folder}/venv", f"{folder}/venv/bin/uv"]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


def python_with(folder: Path, **modules: str) -> Path:
    """A Python that finds these modules, by name and source, before its own."""
    for name, source in modules.items():
        (folder / f"{name}.py").write_text(source)
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH={folder} exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    return python


def test_without_pip_and_ensurepip_make_names_the_package_and_makes_nothing(tmp_path: Path) -> None:
    done = make(tmp_path, python_with(tmp_path, pip=ABSENT, ensurepip=ABSENT))
    assert done.returncode == 2
    assert "apt install python3-venv" in done.stderr
    assert not (tmp_path / "venv").exists()


def test_a_python_that_is_too_old_is_named_before_anything_is_made(tmp_path: Path) -> None:
    old = python_with(tmp_path, sitecustomize="import sys; sys.version_info = (3, 10, 12)")
    done = make(tmp_path, old)
    assert done.returncode == 2
    assert str(old) in done.stderr
    assert "python3.11-venv" in done.stderr
    assert not (tmp_path / "venv").exists()


def test_a_machine_without_python_is_told_to_install_it(tmp_path: Path) -> None:
    done = make(tmp_path, "")
    assert done.returncode == 2
    assert "python3.11" in done.stderr


def bare(*command: str) -> subprocess.CompletedProcess[str]:
    if os.geteuid() or subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode:
        pytest.skip("mount namespaces need root")
    return subprocess.run([ROOT / ".ci" / "bare", *command], capture_output=True, text=True)


def test_a_bare_machine_has_neither_programs_nor_fonts_nor_servers() -> None:
    hidden = "soffice chromium firefox-esr node npm java nginx docker-compose curl"
    script = (
        f"for each in {hidden}; do command -v $each; done; "
        "find /usr/share/fonts /usr/lib/libreoffice /usr/share/tesseract-ocr -type f; "
        "env | grep -E '^(DATABASE_URL|REDIS_URL|REQUIRE_)'; true"
    )
    done = bare("sh", "-c", script)
    assert (done.returncode, done.stdout) == (0, "")


def test_a_bare_machine_gives_the_exit_code_of_its_command() -> None:
    assert bare("sh", "-c", "exit 7").returncode == 7
