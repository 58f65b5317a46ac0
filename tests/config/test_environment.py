"""Start-up: valid environment variables, and errors that name an invalid one."""

from __future__ import annotations

import ast
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PRINT = "from django.conf import settings; import json; print(len(settings.SECRET_KEY), settings.DEBUG)"


def start(folder: Path, code: str = PRINT, **environment: str) -> subprocess.CompletedProcess[str]:
    given = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATA_DIR": str(folder),
        **environment,
    }
    return subprocess.run(
        [sys.executable, "-c", code], env=given, cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_the_first_start_makes_a_secret_key_of_its_own_and_keeps_it(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    code = "from django.conf import settings; print(settings.SECRET_KEY)"
    first, second = start(folder, code), start(folder, code)
    assert first.returncode == 0, first.stderr
    assert len(first.stdout.strip()) > 60
    assert first.stdout == second.stdout
    assert stat.S_IMODE((folder / "secret.key").stat().st_mode) == 0o600


def test_what_is_kept_is_private_in_a_folder_that_others_may_read(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    code = (
        "import django; django.setup(); from django.core.cache import cache; from django.db import connection; "
        "cache.set('a', 1); connection.cursor().execute('CREATE TABLE a (b)')"
    )
    result = start(tmp_path, f"import os; os.umask(0o022); {code}; print(sorted(os.listdir('{tmp_path}')))")
    assert "db.sqlite3-wal" in result.stdout, result.stderr
    files = [each for each in tmp_path.iterdir() if each.suffix != ".turn"]
    assert {each.name for each in files if stat.S_IMODE(each.stat().st_mode) & 0o077} == set()


@pytest.mark.parametrize(
    ("site", "https", "secure"),
    [
        ("https://convert.example", "", True),
        ("https://convert.example", "no", False),
        ("http://convert.example", "", False),
        ("http://convert.example", "yes", True),
        ("", "", False),
    ],
)
def test_the_cookies_of_a_site_at_https_stay_there_unless_it_is_switched_off(
    tmp_path: Path, site: str, https: str, secure: bool
) -> None:
    code = "from django.conf import settings as s; print(s.SESSION_COOKIE_SECURE, s.SECURE_HSTS_SECONDS > 0)"
    result = start(tmp_path, code, SITE_URL=site, HTTPS=https)
    assert result.stdout.split() == [str(secure)] * 2, result.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "eighty"),
        ("PORT", "0"),
        ("DEBUG", "maybe"),
        ("DATABASE_URL", "mysql://root@localhost/x"),
        ("DATABASE_URL", "nonsense"),
        ("REDIS_URL", "http://localhost"),
        ("SECRET_KEY", "short"),
        ("TRUSTED_PROXY_COUNT", "-1"),
        ("CSRF_TRUSTED_ORIGINS", "example.org"),
        ("SITE_URL", "convert.example"),
        ("SITE_URL", "https://convert.example/path"),
        ("METRICS_ALLOWED_IPS", "localhost"),
        ("DOWNLOAD_MODE", "carrier-pigeon"),
        ("LOG_LEVEL", "loud"),
        ("THREADS", "0"),
        ("WEB_CONCURRENCY", "257"),
        ("DATA_DIR", "/proc/nowhere"),
        ("OIDC_ISSUER", "login.example.org"),
        ("OIDC_ISSUER", "http://login.example.org"),
        ("OIDC_ISSUER", "https://login.example.org"),  # without OIDC_CLIENT_ID
        ("STRIPE_API_BASE", "http://stripe.example.org"),
    ],
)
def test_a_bad_value_stops_the_start_and_names_its_variable(tmp_path: Path, name: str, value: str) -> None:
    result = start(tmp_path, **{name: value})
    assert result.returncode != 0
    assert "ImproperlyConfigured" in result.stderr.splitlines()[-1]
    assert name in result.stderr.splitlines()[-1]


def test_a_database_url_with_a_password_is_not_repeated(tmp_path: Path) -> None:
    result = start(tmp_path, DATABASE_URL="mysql://root:geheim@localhost/x")
    assert result.returncode != 0
    assert "geheim" not in result.stderr.splitlines()[-1]


def test_a_production_start_without_a_secret_key_refuses_to_run(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/x.sqlite3"
    refused = start(tmp_path, DATABASE_URL=url)
    assert refused.returncode != 0
    assert "SECRET_KEY" in refused.stderr.splitlines()[-1]
    assert start(tmp_path, DATABASE_URL=url, DEBUG="yes").returncode == 0
    assert start(tmp_path, DATABASE_URL=url, SECRET_KEY="k" * 50).returncode == 0


READ = """
import django, runpy
from django.conf import settings
from config import environment
found, server = runpy.run_path("config/gunicorn.py"), environment.server()
assert found["bind"] == f"127.0.0.1:{settings.PORT}" == "127.0.0.1:9191"
assert found["threads"] == settings.THREADS == server.threads == 7
assert found["workers"] == server.workers == 3
assert (found["forwarded_allow_ips"], settings.TRUSTED_PROXY_COUNT, server.proxies) == ("*", 2, 2)
"""


def test_the_settings_gunicorn_and_its_worker_read_the_same(tmp_path: Path) -> None:
    given = {"PORT": "9191", "THREADS": "7", "WEB_CONCURRENCY": "3", "TRUSTED_PROXY_COUNT": "2"}
    result = start(tmp_path, READ, **given)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    "name", ["HOST", "PORT", "THREADS", "WEB_CONCURRENCY", "TRUSTED_PROXY_COUNT", "TEMPORARY_DIR", "PREPARE_SANDBOX"]
)
def test_a_variable_is_parsed_in_one_place(name: str) -> None:
    sources = (path.read_text() for path in (ROOT / "config").rglob("*.py"))
    assert sum(len(re.findall(rf'(?:text|integer|folder|boolean)\("{name}"', text)) for text in sources) == 1


def _reads_it(node: ast.AST) -> bool:
    if isinstance(node, ast.Subscript):
        return isinstance(node.ctx, ast.Load) and ast.unparse(node.value) == "os.environ"
    return isinstance(node, ast.Attribute) and ast.unparse(node) in ("os.getenv", "os.environ.get")


def test_no_other_module_reads_the_environment() -> None:
    readers = {
        path.relative_to(ROOT).as_posix()
        for app in ("config", "accounts", "apikeys", "backoffice", "billing", "storage")
        for path in (ROOT / app).rglob("*.py")
        if any(map(_reads_it, ast.walk(ast.parse(path.read_text()))))
    }
    assert readers <= {"config/environment.py"}


@pytest.mark.parametrize(("name", "value"), [("PORT", "0"), ("THREADS", "65"), ("TRUSTED_PROXY_COUNT", "eleven")])
def test_gunicorns_configuration_has_the_same_bounds(tmp_path: Path, name: str, value: str) -> None:
    result = start(tmp_path, "import runpy; runpy.run_path('config/gunicorn.py')", **{name: value})
    assert result.returncode != 0
    assert name in result.stderr.splitlines()[-1]


def test_a_variable_by_its_old_name_stops_the_start(tmp_path: Path) -> None:
    result = start(tmp_path, TEXT_PDF_ENGINE="html")
    assert result.returncode != 0
    assert "OFFICE_PDF_ENGINE" in result.stderr
