"""The page for an operator's first hour: its settings start the service, and its commands do what they say."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from config.variables import NAMES

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


@pytest.mark.ci
def test_nginx_takes_the_configuration_of_the_page(tmp_path: Path) -> None:
    nginx, openssl = shutil.which("nginx"), shutil.which("openssl")
    if nginx is None or openssl is None:
        pytest.skip("nginx or openssl is not installed")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=convert.example", "-days", "1"]
    subprocess.run([openssl, *made, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    servers = "\n".join(block("nginx"))
    servers = servers.replace("/etc/ssl/convert.example.pem", str(certificate))
    servers = servers.replace("/etc/ssl/private/convert.example.key", str(key))
    whole = tmp_path / "nginx.conf"
    whole.write_text(f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{servers}\n}}\n")
    done = subprocess.run([nginx, "-t", "-c", str(whole)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_cron_finds_the_command_of_the_page_without_a_path_to_look_in() -> None:
    (made,) = re.findall(r"^cat > (\S*fileconv-manage)", PAGE, re.MULTILINE)
    (line,) = re.findall(r"^    \d.*manage backup.*", PAGE, re.MULTILINE)
    assert line.split()[6] == made


def test_the_page_names_files_variables_and_addresses_that_there_are() -> None:
    assert settings().keys() <= NAMES
    for name in re.findall(r"deploy/[\w.-]+", PAGE):
        assert (ROOT / name).is_file(), name
