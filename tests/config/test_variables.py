"""One list of variables: what the code reads, what the README says, and what each kind of deployment passes on."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from config import variables
from engine.sandbox.environment import PASSED_ON

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
CODE = [
    path
    for each in (
        "accounts",
        "apikeys",
        "backoffice",
        "billing",
        "config",
        "conversions",
        "languages",
        "storage",
        "teams",
    )
    for path in (ROOT / each).rglob("*.py")
] + [*ROOT.glob("*.py")]
READERS = ROOT / "config" / "environment.py"
PASSING = {ROOT / "engine" / "sandbox" / each for each in ("launch.py", "installed.py")}
"""Modules that read what PASSED_ON names."""
ITS_OWN = {"WORKERS_TO_REPLACE"}
"""What a process of gunicorn's hands to its successor."""
SAID_BY_COMPOSE = {"DATABASE_URL", "HOST", "PORT", "DATA_DIR", "DEBUG"}
"""What is not passed on, as other lines of the compose file depend on it: its head says so."""
NEEDED = {"SECRET_KEY", "POSTGRES_PASSWORD", "S3_SECRET_KEY"}


def read_in(path: Path) -> Iterator[str]:
    """The variables that a module reads; where a name is no constant, the line that reads it."""
    tree = ast.parse(path.read_text())
    constants = {
        target.id: each.value.value
        for each in tree.body
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant)
        for target in each.targets
        if isinstance(target, ast.Name)
    }
    aliases = {
        each.asname or each.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "config"
        for each in node.names
        if each.name == "environment"
    }
    own = {each.name for each in tree.body if isinstance(each, ast.FunctionDef)} if path == READERS else set()
    for node in ast.walk(tree):
        name = _argument(node, aliases, own)
        if name is None:
            continue
        if isinstance(name, ast.Name) and name.id in constants:
            yield str(constants[name.id])
        elif isinstance(name, ast.Constant):
            yield str(name.value)
        elif path != READERS and path not in PASSING:
            yield f"{path}:{name.lineno}"


def _argument(node: ast.AST, aliases: set[str], own: set[str]) -> ast.expr | None:
    """The name that a node asks the environment for."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and ast.unparse(node.value) == "os.environ":
        return node.slice
    if not isinstance(node, ast.Call) or not node.args:
        return None
    called = ast.unparse(node.func)
    if called in own or called in {"os.environ.get", "os.environ.pop", "os.getenv"}:
        return node.args[0]
    module, _, reader = called.rpartition(".")
    return node.args[0] if module in aliases and reader else None


def test_every_variable_that_is_read_is_declared_and_every_declared_one_is_read() -> None:
    read = {name for path in CODE for name in read_in(path)} - ITS_OWN
    assert read == variables.NAMES
    assert set(PASSED_ON) <= variables.NAMES


def test_the_environment_is_read_by_name_in_one_way() -> None:
    """What else gives a variable would not be found above."""
    other = re.compile(r"from os import .*(environ|getenv)|environb|environ\.(items|values|setdefault\([^\"_D])")
    assert [path for path in CODE if other.search(path.read_text())] == []


def test_operators_read_of_all_of_them() -> None:
    documents = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    assert [path.name for path in documents if variables.table() in path.read_text()] != []
    assert sum(path.read_text().count("| Variable | Unless set |") for path in documents) == 1


def compose() -> dict[str, Any]:
    text = (DEPLOY / "compose.yaml").read_text()
    services: dict[str, Any] = yaml.safe_load(text)["services"]
    return {name: each for name, each in services.items() if "build" in each}


def test_compose_passes_on_every_variable() -> None:
    for service in compose().values():
        environment = service["environment"]
        assert environment.keys() == variables.NAMES
        set_by_compose = {
            name for name, value in environment.items() if value is not None and f"${{{name}:" not in str(value)
        }
        assert set_by_compose == SAID_BY_COMPOSE
    head = (DEPLOY / "compose.yaml").read_text().partition("\n\n")[0]
    assert all(name in head for name in SAID_BY_COMPOSE)


def test_values_arrive_in_every_service_of_compose(tmp_path: Path) -> None:
    command = next(
        (each for each in (["docker", "compose"], ["docker-compose"]) if shutil.which(each[0]) and _works(each)), None
    )
    if command is None:
        pytest.skip("docker compose is not installed")
    names = variables.NAMES - SAID_BY_COMPOSE
    values = {name: f"value-of-{name}" for name in names | NEEDED}
    (tmp_path / ".env").write_text("".join(f"{name}={value}\n" for name, value in values.items()))
    config = [*command, "--env-file", str(tmp_path / ".env"), "-f", str(DEPLOY / "compose.yaml"), "config"]
    done = subprocess.run(config, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=True)
    services = yaml.safe_load(done.stdout)["services"]
    for name in compose():
        environment = services[name]["environment"]
        assert {each for each in names if values[each] not in environment[each]} == set()


def _works(command: list[str]) -> bool:
    return subprocess.run([*command, "version"], capture_output=True, check=False).returncode == 0


def test_every_container_of_a_cluster_has_all_that_its_map_and_its_secret_say() -> None:
    every = [each for path in (DEPLOY / "kubernetes").glob("*.yaml") for each in yaml.safe_load_all(path.read_text())]
    (named,) = (each for each in every if each["kind"] == "ConfigMap")
    assert named["data"].keys() <= variables.NAMES
    containers = [each for document in every for each in _containers(document) if "/fileconv:" in each["image"]]
    assert len(containers) == 4
    for each in containers:
        assert each["envFrom"] == [{"configMapRef": {"name": "fileconv"}}, {"secretRef": {"name": "fileconv"}}]
        assert {one["name"] for one in each.get("env", ())} <= variables.NAMES
    text = (DEPLOY / "kubernetes" / "fileconv.yaml").read_text()
    assert set(re.findall(r"--from-literal=(\w+)", text)) <= variables.NAMES


def _containers(part: Any) -> Iterator[dict[str, Any]]:
    if isinstance(part, dict):
        for name, value in part.items():
            if name in ("containers", "initContainers"):
                yield from value
            else:
                yield from _containers(value)
    elif isinstance(part, list):
        for each in part:
            yield from _containers(each)


@pytest.mark.parametrize("unit", sorted(each.name for each in DEPLOY.glob("*.service")))
def test_a_unit_takes_the_operator_s_file_and_adds_what_is_declared(unit: str) -> None:
    text = (DEPLOY / unit).read_text()
    assert re.findall(r"^EnvironmentFile=(.*)$", text, re.MULTILINE) == ["/etc/fileconv/environment"]
    assert set(re.findall(r"^Environment=(\w+)=", text, re.MULTILINE)) <= variables.NAMES


def test_the_image_sets_what_is_declared() -> None:
    (line,) = re.findall(r"^ENV (PATH=.*)$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    of_python = {"PATH", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"}
    assert {each.partition("=")[0] for each in line.split()} - of_python <= variables.NAMES
