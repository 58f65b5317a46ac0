"""The house's import rules, read from the source."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
APPS = ("accounts", "apikeys", "storage", "conversions")
ALLOWED = {
    "accounts": {"accounts"},
    "storage": {"storage"},
    "apikeys": {"apikeys", "accounts"},
    "conversions": {"conversions", "accounts", "apikeys", "storage"},
}
PURE = ("formats.py", "options.py", "warnings.py", "registry.py", "converters", "engines", "sandbox")


def sources(folder: Path) -> Iterator[Path]:
    return (path for path in ([folder] if folder.is_file() else sorted(folder.rglob("*.py"))))


def imports(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((each.name, node.lineno) for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            yield str(node.module), node.lineno


@pytest.mark.parametrize("app", APPS)
def test_apps_import_only_what_is_below_them(app: str) -> None:
    for path in sources(ROOT / app):
        for name, line in imports(path):
            root = name.partition(".")[0]
            assert root not in {*APPS, "config"} - ALLOWED[app], f"{path}:{line}: {app} must not import {name}"


@pytest.mark.parametrize("part", PURE)
def test_what_runs_in_the_sandbox_knows_no_framework(part: str) -> None:
    for path in sources(ROOT / "conversions" / part):
        for name, line in imports(path):
            root = name.partition(".")[0]
            assert root not in {"django", "rest_framework", "accounts", "apikeys", "storage", "config"}, (
                f"{path}:{line}"
            )
            if root == "conversions":
                inner = name.split(".")[1]
                assert f"{inner}.py" in PURE or inner in PURE, f"{path}:{line}: {name}"


def test_only_urls_and_other_wiring_in_config_imports_apps() -> None:
    wiring = {"urls.py", "health.py", "site.py", "pages.py"}
    for path in sources(ROOT / "config"):
        for name, line in imports(path):
            if path.name not in wiring and "migrations" not in path.parts:
                assert name.partition(".")[0] not in APPS, f"{path}:{line}: {name}"


def test_the_web_process_declares_converters_without_loading_their_libraries() -> None:
    heavy = ("polars", "PIL", "xhtml2pdf", "reportlab", "pikepdf", "pypdfium2", "pyvips", "cmarkgfm", "yaml", "django")
    code = f"import sys, conversions.registry; print([name for name in {heavy!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_every_module_begins_with_its_one_concern() -> None:
    for folder in (*APPS, "config"):
        for path in sources(ROOT / folder):
            if path.stat().st_size and "migrations" not in path.parts:
                docstring = ast.get_docstring(ast.parse(path.read_text()))
                assert docstring, f"{path} has no docstring"
