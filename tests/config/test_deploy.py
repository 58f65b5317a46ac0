"""Deployment files, as far as the tools on this machine can check them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands

from config.server.worker import PLACE_SECONDS
from conversions.work.metrics import SANDBOX_SECONDS
from engine.sandbox.limits import LIMITS

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"


def test_the_image_brings_its_database_up_to_date() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    assert text.rstrip().endswith('CMD ["python", "-m", "config.serve"]')


def test_the_manifests_say_what_the_service_is() -> None:
    every = [each for path in (DEPLOY / "kubernetes").glob("*.yaml") for each in yaml.safe_load_all(path.read_text())]
    by_kind = {each["kind"]: each for each in every}
    assert by_kind.keys() >= {"ConfigMap", "Deployment", "Service", "HorizontalPodAutoscaler", "CronJob"}
    pod = by_kind["Deployment"]["spec"]["template"]["spec"]
    (web,) = pod["containers"]
    assert web["readinessProbe"]["httpGet"]["path"] == "/readyz"
    # Who is asked for as another host than those that are answered says no.
    host = web["readinessProbe"]["httpGet"]["httpHeaders"][0]["value"]
    assert host in by_kind["ConfigMap"]["data"]["ALLOWED_HOSTS"].split(",")
    assert (pod["securityContext"]["runAsNonRoot"], web["securityContext"]["capabilities"]) == (True, {"drop": ["ALL"]})
    metrics = [each["pods"]["metric"]["name"] for each in by_kind["HorizontalPodAutoscaler"]["spec"]["metrics"][:1]]
    assert metrics == [next(iter(SANDBOX_SECONDS.describe())).name]
    jobs = [each["spec"]["jobTemplate"]["spec"]["template"]["spec"] for each in every if each["kind"] == "CronJob"]
    commands = {each["containers"][0]["command"][2] for each in jobs}
    assert commands == {"purge_expired_files", "settle_billing"} <= get_commands().keys()
    assert web["command"] == ["gunicorn", "--config", "config/gunicorn.py", "config.wsgi"]


def test_kubernetes_accepts_the_manifests() -> None:
    validate = Path(sys.executable).with_name("kubernetes-validate")
    manifests = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
    done = subprocess.run(
        [validate, "--strict", "--kubernetes-version", "1.30", *manifests], capture_output=True, text=True, check=False
    )
    output = done.stdout + done.stderr
    assert (done.returncode, output.count("passed for resource")) == (0, 7), output


@pytest.mark.ci
def test_compose_accepts_its_file() -> None:
    for compose in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(compose[0]) and not subprocess.run([*compose, "version"], capture_output=True).returncode:
            break
    else:
        pytest.skip("docker compose is not installed")
    values = {"SECRET_KEY": "a", "POSTGRES_PASSWORD": "b", "S3_SECRET_KEY": "c"}
    values |= {"PUBLIC_HOST": "files.example.org", "SITE_URL": "https://files.example.org"}
    command = [*compose, "-f", str(DEPLOY / "compose.yaml"), "config"]
    bare = {name: value for name, value in os.environ.items() if name not in values}
    result = subprocess.run(command, env=bare | values, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    services = yaml.safe_load(result.stdout)["services"]
    assert services.keys() == {"migrate", "app", "purge", "settle", "nginx", "postgres", "redis", "s3", "bucket"}
    assert services["app"]["environment"]["DATABASE_URL"] == "postgres://fileconv:b@postgres/fileconv"
    for name in ("SECRET_KEY", "POSTGRES_PASSWORD", "S3_SECRET_KEY", "SITE_URL"):
        without = bare | {each: value for each, value in values.items() if each != name}
        assert subprocess.run(command, env=without, capture_output=True, check=False).returncode != 0, name


def test_the_image_copies_every_package_that_the_service_imports() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    copied = set(re.findall(r"^COPY (\w+) /app/", text, re.MULTILINE))
    installed = {each.partition(".")[0] for each in settings.INSTALLED_APPS}
    assert {each for each in installed if (ROOT / each).is_dir()} | {"templates", "static", "locale"} <= copied
    assert re.search(r"^USER (?!root)", text, re.MULTILINE)


def test_nginx_accepts_its_configuration(tmp_path: Path) -> None:
    if shutil.which("nginx") is None:
        pytest.skip("nginx is not installed")
    text = (DEPLOY / "nginx.conf").read_text().replace("server app:8000", "server 127.0.0.1:8000")
    (tmp_path / "nginx.conf").write_text(text)
    result = subprocess.run(
        ["nginx", "-t", "-q", "-c", str(tmp_path / "nginx.conf")], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


def test_nginx_waits_longer_than_any_conversion_may_take() -> None:
    (seconds,) = re.findall(r"proxy_read_timeout (\d+)s;", (DEPLOY / "nginx.conf").read_text())
    assert int(seconds) > PLACE_SECONDS + max(each.wait + each.wall for each in LIMITS.values())


def test_nginx_can_open_what_its_connections_need() -> None:
    text = (DEPLOY / "nginx.conf").read_text()
    files, connections = (int(re.findall(rf"{name} (\d+);", text)[0]) for name in ("nofile", "worker_connections"))
    assert files >= 3 * connections


def test_the_service_of_systemd_has_a_bound_on_memory() -> None:
    text = (DEPLOY / "fileconv.service").read_text()
    assert re.search(r"^MemoryMax=\d+%$", text, re.MULTILINE)


def test_the_systemd_units_are_valid() -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    units = sorted(str(path) for path in DEPLOY.glob("fileconv*"))
    result = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False)
    # Before systemd 254 the subgroup is not known, and jobs have no control group of their own.
    known = ("is not executable", "Unknown key 'DelegateSubgroup'")
    complaints = [line for line in result.stderr.splitlines() if "fileconv" in line]
    assert [line for line in complaints if not any(each in line for each in known)] == []
