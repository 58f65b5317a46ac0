"""The life of stored files, including concurrent removal."""

import errno
import hashlib
import importlib
import io
import os
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.files.storage import FileSystemStorage, default_storage
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from storage import files
from storage.keys import path_of
from storage.models import StoredFile
from tests.storage.conftest import CONTENT


def everything_stored() -> set[str]:
    return {path.name for path in Path(default_storage.path("")).rglob("*") if path.is_file()}


@pytest.fixture(autouse=True)
def _folder_of_its_own(settings, tmp_path):
    options = {"location": str(tmp_path / "files")}
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": options},
    }


def at_once(count: int, work: Callable[[int], Any]) -> list[Any]:
    """Run `work(number)` in threads that start together; return what they gave back."""
    results: list[Any] = []
    errors: list[Exception] = []
    start = threading.Barrier(count)

    def run(number: int) -> None:
        try:
            start.wait()
            results.append(work(number))
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    return results


def test_put_measures_what_it_stores(db):
    stored = files.put(io.BytesIO(CONTENT), extension="csv")
    assert (stored.size, stored.sha256) == (len(CONTENT), hashlib.sha256(CONTENT).hexdigest())
    path = Path(default_storage.path(""), path_of(stored.key))
    assert path.read_bytes() == CONTENT


def test_put_reads_from_the_beginning_and_in_pieces(db):
    class Watched(io.BytesIO):
        largest = 0

        def read(self, size=-1):
            self.largest = max(self.largest, size if size >= 0 else 10**9)
            return super().read(size)

    stream = Watched(os.urandom(3_000_000))
    stream.seek(100)
    stored = files.put(stream, extension="bin")
    assert stored.size == 3_000_000
    assert stream.largest <= 1_000_000


def test_files_of_the_older_layout_are_moved_and_none_is_lost(store):
    file = store()
    now = Path(default_storage.path(file.path))
    before = Path(default_storage.path(""), file.key[:2], file.key[2:4], file.key)
    before.parent.mkdir()
    now.rename(before)
    now.write_bytes(CONTENT[:3])
    for _ in range(2):
        importlib.import_module("storage.migrations.0002_one_level_of_folders").move(apps, None)
        with files.open(file) as stream:
            assert stream.read() == CONTENT
    assert everything_stored() == {file.key}


def test_a_file_is_not_visible_until_it_is_recorded(db):
    stored = files.put(io.BytesIO(CONTENT), extension="csv")
    assert not StoredFile.objects.exists()
    files.discard(stored)
    files.discard(stored)
    assert everything_stored() == set()


def test_a_recorded_file_can_be_read_in_parts(store):
    file = store(name="report.csv")
    assert file.name == "report.csv"
    with files.open(file) as whole, files.open(file, start=10, length=5) as part:
        assert whole.read() == CONTENT
        assert os.lseek(part.fileno(), 0, os.SEEK_CUR) == 10
        assert part.read() == CONTENT[10:15]


def test_missing_bytes_raise_file_not_found(store):
    file = store()
    default_storage.delete(file.path)
    with pytest.raises(FileNotFoundError):
        files.open(file)


@pytest.mark.parametrize(
    "field", [{"key": "x"}, {"key": "../" + "0" * 32}, {"sha256": "A" * 64}, {"name": ""}, {"size": -1}]
)
def test_the_database_refuses_invalid_files(db, field):
    fields = {"key": "0" * 32 + ".csv", "name": "a", "content_type": "text/csv", "size": 1, "sha256": "0" * 64}
    with pytest.raises(IntegrityError), transaction.atomic():
        StoredFile.objects.create(expires_at=timezone.now(), **(fields | field))


def test_deleting_twice_is_harmless(store):
    file = store()
    assert files.delete(file) is True
    assert files.delete(file) is False
    assert everything_stored() == set()


def test_purge_removes_the_expired_and_nothing_else(store, monkeypatch):
    monkeypatch.setattr(files, "BATCH", 3)
    kept = store()
    for _ in range(7):
        store(hours=-1)
    assert files.purge() == 7
    assert files.purge() == 0
    assert everything_stored() == {kept.key}
    assert StoredFile.objects.get() == kept


def test_bytes_that_cannot_be_removed_keep_their_row(store, monkeypatch):
    stuck, other = store(hours=-1), store(hours=-1)
    delete = default_storage.delete

    def refuse(name):
        if name == stuck.path:
            raise OSError("disk")
        delete(name)

    with monkeypatch.context() as patch:
        patch.setattr(default_storage, "delete", refuse)
        assert files.purge() == 1
    assert StoredFile.objects.get() == stuck
    assert everything_stored() == {stuck.key}
    assert files.purge() == 1
    assert other.pk != stuck.pk


def test_sweep_removes_old_bytes_without_a_row(store):
    known = store()
    young = files.put(io.BytesIO(b"young"), extension="csv")
    old = files.put(io.BytesIO(b"old"), extension="csv")
    foreign = Path(default_storage.path(""), "ab", "cd", "notes.txt")
    foreign.parent.mkdir(parents=True, exist_ok=True)
    foreign.write_text("not ours")
    long_ago = (timezone.now() - files.ORPHAN_AGE - timedelta(minutes=1)).timestamp()
    for path in (default_storage.path(known.path), default_storage.path(path_of(old.key)), foreign):
        os.utime(path, (long_ago, long_ago))
    assert files.sweep() == 1
    assert everything_stored() == {known.key, young.key, "notes.txt"}


def test_a_clock_that_is_an_hour_ahead_makes_no_orphans(db):
    files.put(io.BytesIO(b"about to be recorded"), extension="csv")
    assert files.sweep(timezone.now() + timedelta(hours=1)) == 0


def test_a_failed_upload_leaves_nothing(db):
    class Full(io.BytesIO):
        def read(self, size=-1):
            if self.tell() >= 1_000_000:
                raise OSError(errno.ENOSPC, "No space left on device")
            return super().read(size)

    with pytest.raises(OSError):
        files.put(Full(bytes(3_000_000)), extension="bin")
    assert everything_stored() == set()


@pytest.mark.django_db(transaction=True)
def test_a_sweep_waits_for_a_row_that_is_not_committed_yet(transactional_db, store):
    """The row is inserted before the sweep, and committed after the sweep has begun: the bytes must stay."""
    stored = files.put(io.BytesIO(CONTENT), extension="csv")
    row = files.row(stored, owner=None, name="a", content_type="text/csv", expires_at=timezone.now() + timedelta(1))
    inserted, sweeping = threading.Event(), threading.Event()

    def listen(execute, sql, *given):
        """The first that a sweep asks is which rows there are; it sees none, and has to wait to write its own."""
        found = execute(sql, *given)
        sweeping.set()
        return found

    def work(number: int) -> int:
        if number:
            assert inserted.wait(20)
            with connection.execute_wrapper(listen):
                return files.sweep(timezone.now() + files.ORPHAN_AGE * 2)
        with transaction.atomic():
            row.save()
            inserted.set()
            assert sweeping.wait(20)
            assert files.bytes_exist(stored)
        return 0

    assert at_once(2, work) == [0, 0]
    assert StoredFile.objects.get() == row
    assert everything_stored() == {stored.key}


@pytest.mark.django_db(transaction=True)
def test_a_swept_file_can_no_longer_be_recorded(transactional_db, monkeypatch):
    """The sweep has decided on the bytes, and has not removed them yet, when the row comes."""
    stored = files.put(io.BytesIO(CONTENT), extension="csv")
    refused = []

    def remove(key):
        row = files.row(stored, owner=None, name="a", content_type="text/csv", expires_at=timezone.now())
        with pytest.raises(IntegrityError), transaction.atomic():
            row.save()
        refused.append(key)
        return remove_bytes(key)

    remove_bytes = files.remove_bytes
    monkeypatch.setattr(files, "remove_bytes", remove)
    assert files.sweep(timezone.now() + files.ORPHAN_AGE * 2) == 1
    assert refused == [stored.key]
    assert not files.bytes_exist(stored)
    assert not StoredFile.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_sweeps_at_once_leave_nothing(transactional_db):
    for _ in range(30):
        files.put(io.BytesIO(CONTENT), extension="csv")
    assert sum(at_once(4, lambda _: files.sweep(timezone.now() + files.ORPHAN_AGE * 2))) >= 30
    assert everything_stored() == set()
    assert not StoredFile.objects.exists()


def test_sweep_of_nothing(db, monkeypatch, tmp_path):
    monkeypatch.setattr(files, "default_storage", FileSystemStorage(tmp_path / "none"))
    assert files.sweep() == 0


def test_the_command_does_both(store, capsys):
    store(hours=-1)
    call_command("purge_expired_files")
    assert capsys.readouterr().out == "1 expired files, 0 orphaned files removed\n"


@pytest.mark.django_db(transaction=True)
def test_purges_at_once_remove_each_file_once(transactional_db, store, monkeypatch):
    monkeypatch.setattr(files, "BATCH", 10)
    kept = store()
    for _ in range(60):
        store(hours=-1)
    assert sum(at_once(4, lambda _: files.purge())) == 60
    assert everything_stored() == {kept.key}


@pytest.mark.django_db(transaction=True)
def test_of_concurrent_deletes_one_reports_success(transactional_db, store):
    file = store()
    assert sorted(at_once(8, lambda _: files.delete(file))) == [False] * 7 + [True]


@pytest.mark.django_db(transaction=True)
def test_purge_and_delete_at_once(transactional_db, store):
    expired = [store(hours=-1) for _ in range(20)]
    at_once(4, lambda number: files.purge() if number % 2 else [files.delete(file) for file in expired])
    assert not StoredFile.objects.exists()
    assert everything_stored() == set()
