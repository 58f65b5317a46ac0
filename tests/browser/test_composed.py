"""The story of an operator: what compose makes of their .env, as processes of this machine, in a browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
import yaml
from playwright.sync_api import expect

from tests.browser.conftest import Watch
from tests.browser.test_stories import choose, result
from tests.browser.ways import Way, told_of
from tests.conftest import PASSWORD
from tests.conversions.samples import PEOPLE, PEOPLE_CSV
from tests.ports import free_port
from tests.scale import network
from tests.scale.network import Program
from tests.server.conftest import ROOT, start_server, wait_for

POSTGRES = os.environ.get("CI_DATABASE_URL", "postgres://postgres@127.0.0.1:5432/postgres")


def _passed_on(folder: Path, values: dict[str, str]) -> dict[str, str]:
    """What compose gives to the service of what an operator's .env says."""
    if shutil.which("docker-compose") is None:
        pytest.skip("docker-compose is not installed")
    (folder / ".env").write_text("".join(f"{name}={value}\n" for name, value in values.items()))
    command = ["docker-compose", "--env-file", str(folder / ".env"), "-f", str(ROOT / "deploy/compose.yaml"), "config"]
    done = subprocess.run(command, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=True)
    found: dict[str, str | None] = yaml.safe_load(done.stdout)["services"]["app"]["environment"]
    return {name: value for name, value in found.items() if value is not None}


def _run(environment: dict[str, str], *command: str) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", *command], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@dataclass(frozen=True)
class Composed:
    """The services that compose starts, as far as this machine has them: `url` is nginx's, `operator` may log in."""

    url: str
    services: frozenset[str]
    operator: str = "boss@werkbank.example"


@contextmanager
def _database(name: str) -> Iterator[str]:
    """A database of its own in the PostgreSQL of `.ci/run`; "" where there is none."""
    try:
        administrator = psycopg.connect(POSTGRES, autocommit=True, connect_timeout=5)
    except psycopg.OperationalError:
        yield ""
        return
    with administrator:
        administrator.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type]
        try:
            yield f"{POSTGRES.rpartition('/')[0]}/{name}"
        finally:
            administrator.execute(f"DROP DATABASE {name} WITH (FORCE)")  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def composed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Composed]:
    """What compose makes of an operator's .env, as processes of this machine, with its settings of nginx."""
    folder, port = tmp_path_factory.mktemp("composed"), free_port()
    with ExitStack() as ends:
        programs = {
            name: ends.enter_context(_running(start))
            for name, there, start in (
                ("nginx", network.NGINX, lambda: network.balancer(folder / "nginx", [port])),
                ("redis", network.REDIS, lambda: network.redis(folder)),
                ("s3", network.RCLONE, lambda: network.s3(folder / "s3")),
            )
            if there
        }
        ports = {name: each.port for name, each in programs.items()}
        url = f"http://127.0.0.1:{ports.get('nginx', port)}"
        passed = _passed_on(folder, _dotenv(url, ports))
        database = ends.enter_context(_database(f"composed_{port}"))
        passed |= {"DATABASE_URL": database, "DATA_DIR": str(folder), "HOST": "127.0.0.1", "PORT": str(port)}
        passed |= {} if "redis" in ports else {"REDIS_URL": ""}
        passed |= {} if "s3" in ports else {"S3_BUCKET": ""}
        passed |= {} if "nginx" in ports else {"TRUSTED_PROXY_COUNT": "0"}
        here = {"PATH": "/usr/bin:/bin", "DJANGO_SUPERUSER_PASSWORD": PASSWORD, **passed}
        # What compose's `migrate` does, and the command of the first hour; however long it takes on a busy machine.
        _run(here, "migrate", "--noinput")
        _run(here, "createsuperuser", "--noinput", "--email", Composed.operator)
        server = start_server(port=port, workers=1, **passed)
        ends.callback(server.stop)
        yield Composed(url, frozenset({*ports, *(["postgres"] if database else [])}))


@contextmanager
def _running(start: Callable[[], Program]) -> Iterator[Program]:
    program = start()
    yield program
    program.kill()


def _dotenv(url: str, ports: dict[str, int]) -> dict[str, str]:
    """What an operator writes down: a name, addresses, and where the services beside it are."""
    return {
        "SECRET_KEY": "k" * 50,
        "POSTGRES_PASSWORD": "p" * 20,
        "PUBLIC_HOST": "127.0.0.1",
        "SITE_URL": url,
        "SERVICE_NAME": "Werkbank",
        "REGISTRATION": "closed",
        "CONTACT_EMAIL": "help@werkbank.example",
        "IMPRINT_URL": f"{url}/imprint",
        "SECURITY_CONTACT": "mailto:security@werkbank.example",
        "EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend",
        "PREPARE_SANDBOX": "no",
        "REDIS_URL": f"redis://127.0.0.1:{ports.get('redis', 0)}/0",
        "S3_ENDPOINT_URL": f"http://127.0.0.1:{ports.get('s3', 0)}",
        "S3_BUCKET": "bucket",
        "S3_ACCESS_KEY": network.ACCESS,
        "S3_SECRET_KEY": network.SECRET,
    }


@told_of("operator")
def test_an_operator_finds_on_the_pages_what_the_file_of_compose_says_and_a_guest_converts(
    visit: Any, watch: Watch, composed: Composed, way: Way
) -> None:
    watch.refusals_expected = True  # sign-up is closed
    watch.origin = url = composed.url
    page = visit(f"{url}/", **way.options)
    way.holds(page)
    expect(page.locator("header .brand")).to_have_text("Werkbank")
    expect(page.locator(f'footer a[href="{url}/imprint"]')).to_be_visible()
    choose(page, ("people.json", PEOPLE))
    if way.scripts:
        page.locator(".file[data-state=ready]").wait_for()
    page.locator(".file select" if way.scripts else "#target").select_option("json-to-csv" if way.scripts else "csv")
    assert result(page, way) == PEOPLE_CSV
    page.goto(f"{url}/signup")
    expect(page.get_by_role("heading", level=1)).to_have_text(way.said("Sign-up is closed"))
    way.holds(page)
    page.goto(f"{url}/plans")
    expect(page.locator('main a[href="mailto:help@werkbank.example"]')).to_be_visible()
    way.holds(page)
    assert "security@werkbank.example" in httpx.get(f"{url}/.well-known/security.txt").text

    page.goto(f"{url}/login")
    page.locator("input[type=email]").fill(composed.operator)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main button[type=submit]").click()
    page.wait_for_url(lambda address: "/login" not in address)
    page.goto(f"{url}/admin/status/")
    expect(page.locator(".status table").first).to_be_visible()
    way.fits(page)
    # A service beside it may take longer than it is given on a busy machine.
    assert wait_for(lambda: not httpx.get(f"{url}/readyz", timeout=60).json()["failing"], seconds=120)
    # nginx keeps the metrics to itself.
    assert httpx.get(f"{url}/metrics").status_code == (403 if "nginx" in composed.services else 200)
