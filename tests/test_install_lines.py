"""What people are told to install comes from this repository, or is pinned here: no name that others could take."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
READ = {
    ".md",
    ".txt",
    ".html",
    ".toml",
    ".yaml",
    ".yml",
    ".service",
    ".timer",
    ".py",
    ".ts",
    ".js",
    ".mjs",
    ".json",
    ".sh",
    "",
}
CODE = {".py", ".ts", ".js", ".mjs"}
NOT_OURS = ("tests/", "locale/", "engine/fonts/", "static/typeface")
"""Tests quote commands that are wrong, catalogues are made of the sources, the rest are licences."""
_WORDS = r"(?P<words>(?:[^`|;&#<>()\n\\]|\\\n)*)"
_INSTALLERS = {
    "pip": re.compile(rf"\b(?:pip3?|uv pip) install\b{_WORDS}"),
    "npm": re.compile(rf"\b(?:npm (?:install|i|add)|yarn add|pnpm add|deno (?:add|install)|bun add)\b{_WORDS}"),
    "run": re.compile(
        rf"\b(?:npx|uvx|pipx run|pipx install|uv tool (?:run|install)|npm (?:exec|create)|bunx|pnpm dlx)\b{_WORDS}"
    ),
    "chart": re.compile(rf"\bhelm (?:install|upgrade|pull)\b{_WORDS}"),
    "image": re.compile(rf"\bdocker (?:run|pull)\b{_WORDS}"),
}
_IMAGE = re.compile(r"^\s*(?:- )?image:\s*(?:&\w+\s+)?(?P<name>[^*\s]\S*)|^FROM (?P<base>\S+)", re.MULTILINE)
IMAGES = {"nginx", "postgres", "redis", "python", "rclone/rclone"}
"""Docker's own library, and the publisher of rclone."""
OURS = {"fileconv", "registry.example/fileconv"}
"""What README builds under this name before it runs it, and a registry that nobody can have (RFC 2606)."""
HERE = tuple(f"{origin}/clients/" for origin in ("http://127.0.0.1:8000", "https://convert.example"))
"""What a service hands out itself, on this machine and under a name that nobody can have (RFC 2606)."""
WITH_A_VALUE = {"-r", "-c", "--python", "--target", "--build-constraints", "-p", "-v", "--requirement", "--constraint"}


def pinned() -> set[str]:
    found = re.findall(
        r"^([A-Za-z0-9._-]+)(?:\[.*?\])?==", "".join(each.read_text() for each in ROOT.glob("*.lock")), re.M
    )
    return {each.lower().replace("_", "-") for each in found}


def files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    return [ROOT / each for each in listed.split("\0") if each and not each.startswith(NOT_OURS)]


def refused(text: str, *, code: bool = False) -> Iterator[str]:
    """The commands of a text that fetch what is neither here nor pinned; in `code` nothing names an image."""
    for kind, pattern in _INSTALLERS.items():
        for found in pattern.finditer(text):
            names = list(_arguments(found["words"]))
            if not all(_is_ours(kind, each) for each in names[: 1 if kind == "image" else None]) or (
                kind in ("run", "chart") and (names or found["words"].strip())
            ):
                yield found[0].strip()
    for found in () if code else _IMAGE.finditer(text):
        name = found["name"] or found["base"]
        if not _is_ours("image", name):
            yield name


def _arguments(words: str) -> Iterator[str]:
    """What is named, without options and their values; a sentence goes on behind a command as it likes."""
    try:
        parts = shlex.split(words.replace("\\\n", " "))
    except ValueError:
        parts = words.split()
    skip = False
    for each in parts:
        if skip or each.startswith("-"):
            skip = each in WITH_A_VALUE
            continue
        yield each


def _is_ours(kind: str, name: str) -> bool:
    if name.startswith(("$", "{", ".", "/", "clients/", *HERE)):
        return True
    if kind == "pip":
        return re.split(r"[\[=<>~!]", name)[0].lower().replace("_", "-") in pinned()
    if kind == "image":
        return name.partition(":")[0] in IMAGES | OURS
    return False


def test_no_command_of_ours_fetches_a_name_that_others_hold() -> None:
    found = {}
    for path in files():
        if path.suffix in READ and path.is_file():
            bad = list(refused(path.read_text(errors="ignore"), code=path.suffix in CODE))
            if bad:
                found[str(path.relative_to(ROOT))] = bad
    assert found == {}


@pytest.mark.parametrize(
    "text",
    [
        "(`pip install 'fileconv[keyring]'`)",
        "    npx fileconv-types https://convert.example",
        "is what `npx tsc` makes",
        "uvx fileconv mcp",
        "npm install fileconv",
        "npm i --save-dev fileconv",
        "pip install --upgrade \\\n    fileconv",
        "docker run -p 8000:8000 somebody/fileconv",
        "    image: fileconv/fileconv:1",
        "FROM somebody/python:3",
        "helm install fileconv somebody/fileconv",
        '"args": ["-c", "uv tool run fileconv"]',
    ],
)
def test_such_a_command_is_found(text: str) -> None:
    assert len(list(refused(text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "pip install -r requirements.txt",
        "pip install './clients/python[keyring]'    # the key",
        "with `pip install httpx cryptography`:",
        "npm install ./clients/typescript",
        "docker run -p 8000:8000 -v fileconv:/data fileconv",
        "    image: nginx:1.28-alpine",
        "FROM python:3.11-slim-bookworm AS build",
    ],
)
def test_what_is_here_or_pinned_may_be_installed(text: str) -> None:
    assert list(refused(text)) == []


def test_the_clients_can_not_be_published_by_mistake() -> None:
    assert '"Private :: Do Not Upload"' in (ROOT / "clients/python/pyproject.toml").read_text()
    assert '"private": true' in (ROOT / "clients/typescript/package.json").read_text()
