"""Backups: a database snapshot, its files and the secret key, in one archive."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from storage.keys import is_key, path_of

VERSION = 1
_SQLITE = "database.sqlite3"
_TABLES = "tables/"
_FILES = "files/"
_KEY = "secret.key"
_NEXT = """
SELECT setval(pg_get_serial_sequence(%s, %s), coalesce(max({column}), 1), max({column}) IS NOT NULL) FROM {table}
"""
_FUNCTIONS = """
SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND prokind = 'f'
AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
"""
"""Functions of migrations, such as a trigger's, which dropping tables leaves behind; not those of extensions."""


class BackupError(Exception):
    """A backup that can't be made or restored here; the message says why."""


def write(target: Path, *, files: bool = True) -> dict[str, Any]:
    """Write a backup while the service runs; returns its contents. An existing file is never overwritten.

    The database is a snapshot. A file's bytes are stored before its row, so that the bytes of all rows exist, unless
    deleted since.
    """
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(descriptor, "wb") as raw, tarfile.open(fileobj=raw, mode="w:gz", compresslevel=1) as archive:
            about = {
                "version": VERSION,
                "madeAt": timezone.now().isoformat(),
                "database": connection.vendor,
                "migrations": [],
            }
            if connection.vendor == "sqlite":
                keys, about["migrations"] = _write_sqlite(archive)
            else:
                keys, about["migrations"] = _write_tables(archive)
            about["files"] = _write_files(archive, keys) if files else 0
            about["secretKey"] = _write_key(archive)
            # Last, so that a truncated archive has none.
            _add(archive, "about.json", json.dumps(about, indent=2).encode())
    except BaseException:
        target.unlink()
        raise
    return about


def restore(source: Path, *, replace: bool = False) -> dict[str, Any]:
    """Restore a backup into the database and the storage, and migrate it; returns its contents.

    The service must be stopped. Raises BackupError if there is a database already, unless it is to be replaced.
    """
    with tarfile.open(source, "r:gz") as archive:
        names = archive.getnames()
        if "about.json" not in names:
            raise BackupError(f"{source} is no whole backup.")
        about: dict[str, Any] = json.loads(_read(archive, "about.json"))
        if about["version"] != VERSION:
            raise BackupError(f"{source} is a backup of version {about['version']}; this service reads {VERSION}.")
        if about["database"] != connection.vendor:
            raise BackupError(f"{source} is of {about['database']}, and DATABASE_URL names {connection.vendor}.")
        if connection.introspection.table_names() and not replace:
            raise BackupError("There is a database already. Give --replace to lose what is in it.")
        if connection.vendor == "sqlite":
            _restore_sqlite(archive)
        else:
            _restore_tables(archive, about["migrations"])
        for name in names:
            if name.startswith(_FILES) and is_key(name.removeprefix(_FILES)):
                _restore_file(archive, name)
        if _KEY in names and settings.SECRET_KEY_IS_KEPT:
            _restore_key(_read(archive, _KEY))
    call_command("migrate", interactive=False, verbosity=0)
    return about


def _write_sqlite(archive: tarfile.TarFile) -> tuple[list[str], list[list[str]]]:
    with tempfile.TemporaryDirectory(dir=settings.TEMPORARY_DIR) as folder:
        path = os.path.join(folder, _SQLITE)
        connection.ensure_connection()
        with sqlite3.connect(path) as copy:
            # In one step: an incremental copy starts again whenever somebody writes.
            connection.connection.backup(copy)
            keys = [key for (key,) in copy.execute("SELECT key FROM storage_storedfile")]
            applied = copy.execute("SELECT app, name FROM django_migrations ORDER BY id").fetchall()
        copy.close()
        archive.add(path, _SQLITE)
    return keys, [list(each) for each in applied]


def _restore_sqlite(archive: tarfile.TarFile) -> None:
    with tempfile.TemporaryDirectory(dir=settings.TEMPORARY_DIR) as folder:
        path = os.path.join(folder, _SQLITE)
        with open(path, "wb") as file:
            file.write(_read(archive, _SQLITE))
        connection.ensure_connection()
        copy = sqlite3.connect(path)
        copy.backup(connection.connection)
        copy.close()
    connection.close()


def _write_tables(archive: tarfile.TarFile) -> tuple[list[str], list[list[str]]]:
    """Every table in PostgreSQL's COPY format, from one snapshot."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        for table in sorted(connection.introspection.table_names(cursor)):
            columns = [each.name for each in connection.introspection.get_table_description(cursor, table)]
            named = ", ".join(map(connection.ops.quote_name, columns))
            with tempfile.TemporaryFile(dir=settings.TEMPORARY_DIR) as file:
                file.write(json.dumps(columns).encode() + b"\n")
                with cursor.cursor.copy(f"COPY {connection.ops.quote_name(table)} ({named}) TO STDOUT") as copy:
                    for piece in copy:
                        file.write(piece)
                _add_file(archive, f"{_TABLES}{table}", file)
        cursor.execute("SELECT key FROM storage_storedfile")
        keys = [key for (key,) in cursor.fetchall()]
        cursor.execute("SELECT app, name FROM django_migrations ORDER BY id")
        return keys, [list(each) for each in cursor.fetchall()]


def _restore_tables(archive: tarfile.TarFile, applied: list[list[str]]) -> None:
    """Create the tables as at the time of the backup, then copy all rows."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)} CASCADE")
        cursor.execute(_FUNCTIONS)
        for (function,) in cursor.fetchall():
            cursor.execute(f"DROP FUNCTION {function} CASCADE")
    executor = MigrationExecutor(connection)
    known = {tuple(each) for each in applied}
    unknown = known - set(executor.loader.disk_migrations or {})
    if unknown:
        raise BackupError(f"The backup is of a newer release: it has {sorted(unknown)[0]}.")
    graph = executor.loader.graph
    leaves = [
        each for each in known if not any((child[0], child[1]) in known for child in graph.node_map[each].children)
    ]
    executor.migrate([(app, name) for app, name in leaves])
    with transaction.atomic(), connection.cursor() as cursor:
        names = [each for each in archive.getnames() if each.startswith(_TABLES)]
        tables = [each.removeprefix(_TABLES) for each in names]
        # The tables that triggers fill are in the backup itself, and some tables refuse to be emptied.
        for table in tables:
            cursor.execute(f"ALTER TABLE {connection.ops.quote_name(table)} DISABLE TRIGGER USER")
        cursor.execute(f"TRUNCATE {', '.join(map(connection.ops.quote_name, tables))} CASCADE")
        for table, name in zip(tables, names, strict=True):
            file = archive.extractfile(name)
            assert file is not None
            named = ", ".join(map(connection.ops.quote_name, json.loads(file.readline())))
            with cursor.cursor.copy(f"COPY {connection.ops.quote_name(table)} ({named}) FROM STDIN") as copy:
                while piece := file.read(1 << 18):
                    copy.write(piece)
        # A table with deferred checks pending can't be altered.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in tables:
            cursor.execute(f"ALTER TABLE {connection.ops.quote_name(table)} ENABLE TRIGGER USER")
            for sequence in connection.introspection.get_sequences(cursor, table):
                quoted, column = connection.ops.quote_name(table), connection.ops.quote_name(sequence["column"])
                cursor.execute(_NEXT.format(table=quoted, column=column), [quoted, sequence["column"]])


def _write_files(archive: tarfile.TarFile, keys: list[str]) -> int:
    """The files in the snapshot; returns how many still existed."""
    count = 0
    for key in keys:
        try:
            with default_storage.open(path_of(key)) as file:
                _add_file(archive, _FILES + key, file)
        except FileNotFoundError:
            continue
        count += 1
    return count


def _restore_file(archive: tarfile.TarFile, name: str) -> None:
    path = path_of(name.removeprefix(_FILES))
    file = archive.extractfile(name)
    assert file is not None
    if default_storage.exists(path):
        default_storage.delete(path)
    default_storage.save(path, File(file))


def _write_key(archive: tarfile.TarFile) -> bool:
    """The generated secret key; one from the environment stays there."""
    path = settings.DATA_DIR / _KEY
    if not (settings.SECRET_KEY_IS_KEPT and path.exists()):
        return False
    _add(archive, _KEY, path.read_bytes())
    return True


def _restore_key(content: bytes) -> None:
    path = settings.DATA_DIR / _KEY
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(content), 0o600
    archive.addfile(member, io.BytesIO(content))


def _add_file(archive: tarfile.TarFile, name: str, file: Any) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = file.seek(0, io.SEEK_END), 0o600
    file.seek(0)
    archive.addfile(member, file)


def _read(archive: tarfile.TarFile, name: str) -> bytes:
    file = archive.extractfile(name)
    assert file is not None
    return file.read()
