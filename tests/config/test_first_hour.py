"""The page for an operator's first hour: its settings start the service, and its commands do what they say."""

from __future__ import annotations

import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from config.variables import NAMES
from tests.ports import free_port, wait_for_port
from tests.scale import network

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "first-hour.md").read_text()


def block(kind: str) -> list[str]:
    return [line for text in re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL) for line in text.splitlines()]


def settings() -> dict[str, str]:
    return dict(line.split("=", 1) for line in block("ini settings"))


def run(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], **settings(), "DATA_DIR": str(folder), **more}
    command = [sys.executable, "manage.py", *words]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)


@pytest.mark.ci
def test_the_commands_of_the_page_work_with_its_settings(tmp_path: Path) -> None:
    data, restored = tmp_path / "data", tmp_path / "restored"
    restored.mkdir()
    assert run(data, "migrate", "--noinput").returncode == 0
    for line in block("sh manage"):
        name, *words = shlex.split(line)
        assert name == "fileconv-manage"
        more: dict[str, str] = {}
        if words[0] == "createsuperuser":
            words += ["--noinput", "--email", "you@example.org"]
            more["DJANGO_SUPERUSER_PASSWORD"] = "correct horse battery staple"
        if words[0] == "sendtestemail":  # there is no mail server here
            more["EMAIL_BACKEND"] = "django.core.mail.backends.console.EmailBackend"
        words = [each.replace("/var/lib/fileconv", str(data)) for each in words]
        done = run(data, *words, **more)
        assert done.returncode == 0, (line, done.stderr)
        if words[0] == "sendtestemail":
            assert "To: you@example.org" in done.stdout
            assert "From: convert@example" in done.stdout
    (line,) = block("sh restore")
    *_, command, file = line.split()
    done = run(restored, command, file.replace("/var/lib/fileconv", str(data)))
    assert done.returncode == 0, done.stderr
    assert (restored / "db.sqlite3").is_file()


def configured(folder: Path, **replaced: str) -> Path:
    """nginx's configuration as the page has it made, in a folder in place of /etc/nginx."""
    for kind in ("https", "redirect"):
        (folder / f"{kind}.conf").write_text("\n".join(block(f"nginx {kind}")))
    command = "\n".join(block("sh nginx")).replace("/opt/fileconv", str(ROOT)).replace("/etc/nginx", str(folder))
    subprocess.run(["sh", "-ec", command], check=True)
    for path in folder.glob("*.conf"):
        text = path.read_text()
        for old, new in replaced.items():
            text = text.replace(old, new)
        path.write_text(text)
    return folder / "nginx.conf"


def test_nginx_of_the_page_is_that_of_the_deployment_with_three_changes(tmp_path: Path) -> None:
    deployed = (ROOT / "deploy" / "nginx.conf").read_text().splitlines()
    made = configured(tmp_path).read_text().splitlines()
    changes = [each for each in difflib.ndiff(deployed, made) if each[0] in "+-"]
    assert [" ".join(each.split()) for each in changes] == [
        f"+ include {tmp_path}/redirect.conf;",
        "- server app:8000 max_fails=0;",
        "+ server 127.0.0.1:8000 max_fails=0;",
        "- listen 8080;",
        f"+ include {tmp_path}/https.conf;",
    ]


@pytest.fixture
def nginx(tmp_path: Path) -> Iterator[tuple[int, int]]:
    """nginx with the configuration of the page, before nobody: its ports for HTTP and HTTPS."""
    openssl = shutil.which("openssl")
    if network.NGINX is None or openssl is None:
        pytest.skip("nginx or openssl is not installed")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=convert.example", "-days", "1"]
    subprocess.run([openssl, *made, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    folder, plain, secure = tmp_path / "nginx", free_port(), free_port()
    folder.mkdir()
    places = " ".join(f"{name}_temp_path {folder}/{name};" for name in network.TEMPORARY)
    replaced = {
        "/etc/ssl/convert.example.pem": str(certificate),
        "/etc/ssl/private/convert.example.key": str(key),
        "listen 443": f"listen {secure}",
        "[::]:443": f"[::]:{secure}",
        "listen 80;": f"listen {plain};",
        "[::]:80": f"[::]:{plain}",
        "127.0.0.1:8000": f"127.0.0.1:{free_port()}",
        "worker_processes auto;": f"worker_processes 1; daemon off; pid {folder}/pid;",
        "http {": f"http {{ {places}",
    }
    whole = configured(folder, **replaced)
    process = subprocess.Popen([network.NGINX, "-c", whole, "-e", folder / "error.log"])
    wait_for_port(secure)
    yield plain, secure
    process.terminate()
    process.wait()


@pytest.mark.ci
@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]"])
def test_nginx_of_the_page_answers_by_https_over_ipv4_and_ipv6(nginx: tuple[int, int], host: str) -> None:
    plain, secure = nginx
    moved = httpx.get(f"http://{host}:{plain}/a?b", headers={"Host": "convert.example"})
    assert (moved.status_code, moved.headers["Location"]) == (301, "https://convert.example/a?b")
    with httpx.Client(base_url=f"https://{host}:{secure}", headers={"Host": "convert.example"}, verify=False) as client:
        answer = client.get("/healthz")
        assert (answer.status_code, answer.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
        assert [client.get(path).status_code for path in ("/metrics", "/metrics/", "/%6detrics/")] == [403] * 3


def test_the_command_of_the_nightly_backup_copies_it_and_keeps_fourteen(tmp_path: Path) -> None:
    folder, elsewhere, programs = (tmp_path / name for name in ("backups", "elsewhere", "bin"))
    for each in (folder, elsewhere, programs):
        each.mkdir()
    for day in range(1, 31):
        (folder / f"2001-01-{day:02}.tar.gz").touch()
    for name, script in (
        ("fileconv-manage", 'test "$1" = backup && echo whole > "$2"'),
        ("install", "true"),
        ("scp", f'cp "$2" {elsewhere}/'),
    ):
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    script = "\n".join(block("sh nightly"))
    script = script.replace("/var/backups/fileconv", str(folder)).replace("/usr/local/bin", str(programs))
    subprocess.run(["sh", "-c", script], check=True, env={"PATH": f"{programs}:{os.environ['PATH']}"})
    (copied,) = elsewhere.iterdir()
    kept = sorted(each.name for each in folder.iterdir())
    assert kept == [*(f"2001-01-{day}.tar.gz" for day in range(18, 31)), copied.name]
    assert copied.read_text() == "whole\n"


def test_cron_finds_the_command_of_the_page_without_a_path_to_look_in() -> None:
    (made,) = re.findall(r"save this as `(\S*fileconv-backup)`", PAGE)
    (line,) = re.findall(r"^    (\d.*fileconv-backup.*)", PAGE, re.MULTILINE)
    assert line.split()[5:] == ["root", made]
    (manage,) = re.findall(r"^cat > (\S*fileconv-manage)", PAGE, re.MULTILINE)
    assert any(each.split()[0] == manage for each in block("sh nightly") if "fileconv-manage" in each)


def test_the_page_names_files_variables_and_addresses_that_there_are() -> None:
    assert settings().keys() <= NAMES
    for name in re.findall(r"deploy/[\w.-]+", PAGE):
        assert (ROOT / name).is_file(), name
