"""Backup and restore, done by the commands themselves on databases of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

ROOT = Path(__file__).resolve().parents[2]
FILL = """
import io
from datetime import timedelta
from django.utils import timezone
from accounts.credits import ledger
from accounts.models import Plan, User
from storage import files
for number in range(3):
    user = User(email=f"{number}@example.org", plan=Plan.objects.get(code="pro"))
    user.set_unusable_password(); user.save(); ledger.top_up(user)
    stored = files.put(io.BytesIO(b"file %d" % number), extension="txt")
    files.row(stored, owner=user, name=f"{number}.txt", content_type="text/plain",
              expires_at=timezone.now() + timedelta(hours=1)).save()
files.delete(files.StoredFile.objects.get(name="2.txt"))
"""
TELL = """
from django.db import IntegrityError, transaction
from accounts.models import CreditEntry, Plan, User
from storage import files
accounts = [(each.email, each.credits) for each in User.objects.order_by("email")]
print(accounts, CreditEntry.objects.count(), files.Removal.objects.count())
print(sorted((each.name, files.open(each).read()) for each in files.StoredFile.objects.all()))
User(email="next@example.org", plan=Plan.objects.get(code="pro")).save()
try:
    with transaction.atomic():
        CreditEntry.objects.update(amount=1)
except IntegrityError:
    print("add only")
"""

WORK = """
import io, os, sys, time, uuid
from datetime import timedelta
from django.db import transaction
from django.utils import timezone
from accounts.credits import ledger
from accounts.models import Plan, User
from storage import files
user = User(email=f"{os.getpid()}@example.org", plan=Plan.objects.get(code="pro"))
user.set_unusable_password(); user.save(); ledger.top_up(user)
print("ready", flush=True)
number = 0
while not os.path.exists(os.environ["STOP"]):
    stored = files.put(io.BytesIO(b"%d" % number * 5000), extension="txt")
    with transaction.atomic():
        ledger.charge(user, 1, reference=uuid.uuid4(), reason="json-to-csv")
        files.row(stored, owner=user, name=f"{number}.txt", content_type="text/plain",
                  expires_at=timezone.now() + timedelta(hours=1)).save()
    number += 1
    time.sleep(0.005)
"""
AGREE = """
from django.db.models import Count, Sum
from accounts.models import User
from storage import files
for user in User.objects.order_by("email"):
    charged = user.entries.filter(kind="conversion").count()
    kept = {each.name: files.open(each).read() for each in files.StoredFile.objects.filter(owner=user)}
    assert kept == {f"{number}.txt": b"%d" % number * 5000 for number in range(charged)}, (charged, len(kept))
    assert user.credits == user.entries.aggregate(all=Sum("amount"))["all"] == 10000 - charged
    print("agrees", charged > 0)
"""


@pytest.fixture
def databases(tmp_path: Path) -> Iterator[Callable[[str], dict[str, str]]]:
    """Environments of two services beside each other, on the kind of database that the suite runs on."""
    made: list[str] = []

    def environment(name: str) -> dict[str, str]:
        folder = tmp_path / name
        folder.mkdir()
        given = {
            key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "FILES_DIR", "SECRET_KEY")
        }
        given |= {
            "DATA_DIR": str(folder),
            "TEMPORARY_DIR": str(folder / "tmp"),
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        if connection.vendor == "postgresql":
            database = f"backup_{uuid.uuid4().hex[:12]}"
            _administer(f"CREATE DATABASE {database}")
            made.append(database)
            base = os.environ["DATABASE_URL"].rpartition("/")[0]
            given |= {"DATABASE_URL": f"{base}/{database}", "SECRET_KEY": "only for this test, long enough for it"}
        return given

    yield environment
    for each in made:
        _administer(f"DROP DATABASE {each} WITH (FORCE)")


def _administer(statement: str) -> None:
    import psycopg  # only where the suite runs on PostgreSQL

    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute(statement)  # type: ignore[call-overload]


def run(environment: dict[str, str], *words: str, given: str = "") -> Any:
    command = [sys.executable, "manage.py", *words]
    return subprocess.run(
        command, env=environment, input=given, capture_output=True, text=True, cwd=ROOT, check=False, timeout=240
    )


@pytest.mark.ci
def test_a_backup_brings_everything_to_another_machine(
    databases: Callable[[str], dict[str, str]], tmp_path: Path
) -> None:
    here, there = databases("here"), databases("there")
    assert run(here, "migrate", "--noinput", "--skip-checks", "--verbosity=0").returncode == 0
    filled = run(here, "shell", "--verbosity=0", "-c", FILL)
    assert filled.returncode == 0, filled.stderr
    archive = tmp_path / "backup.tar.gz"
    done = run(here, "backup", str(archive))
    assert (done.returncode, "2 files" in done.stdout) == (0, True), done.stderr
    assert archive.stat().st_mode & 0o777 == 0o600
    assert run(here, "backup", str(archive)).returncode == 1  # nothing is overwritten

    restored = run(there, "restore", str(archive))
    assert restored.returncode == 0, restored.stderr
    answer = run(there, "shell", "--verbosity=0", "-c", TELL)
    users = [(f"{number}@example.org", 10000) for number in range(3)]
    assert answer.stdout.splitlines() == [f"{users} 3 1", "[('0.txt', b'file 0'), ('1.txt', b'file 1')]", "add only"], (
        answer
    )
    if settings.EMBEDDED:
        assert (tmp_path / "there" / "secret.key").read_text() == (tmp_path / "here" / "secret.key").read_text()

    again = run(there, "restore", str(archive))
    assert (again.returncode, "--replace" in again.stderr) == (1, True)
    assert run(there, "restore", str(archive), "--replace").returncode == 0
    assert "next@example.org" not in run(there, "shell", "--verbosity=0", "-c", TELL).stdout.splitlines()[0]


@pytest.mark.ci
def test_a_backup_made_during_writes_is_consistent(databases: Callable[[str], dict[str, str]], tmp_path: Path) -> None:
    here, there = databases("here"), databases("there")
    assert run(here, "migrate", "--noinput", "--skip-checks", "--verbosity=0").returncode == 0
    stop, archives = tmp_path / "stop", [tmp_path / f"backup{number}.tar.gz" for number in range(2)]
    command = [sys.executable, "manage.py", "shell", "--verbosity=0", "-c", WORK]
    workers = [
        subprocess.Popen(
            command,
            env={**here, "STOP": str(stop)},
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    try:
        for each in workers:
            assert each.stdout is not None
            assert each.stdout.readline() == "ready\n"
        for archive in archives:
            done = run(here, "backup", str(archive))
            assert done.returncode == 0, done.stderr
    finally:
        stop.touch()
        errors = [each.communicate(timeout=60)[1] for each in workers]
    assert [each.returncode for each in workers] == [0, 0], errors
    for archive in archives[1:]:
        assert run(there, "restore", str(archive), "--replace").returncode == 0
        answer = run(there, "shell", "--verbosity=0", "-c", AGREE)
        assert answer.stdout.splitlines() == ["agrees True"] * 2, answer.stderr[-2000:]


def test_an_incomplete_backup_is_refused(databases: Callable[[str], dict[str, str]], tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "cut.tar.gz", "w:gz"):
        pass
    refused = run(databases("empty"), "restore", str(tmp_path / "cut.tar.gz"))
    assert (refused.returncode, "no whole backup" in refused.stderr) == (1, True)
