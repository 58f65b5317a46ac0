"""Several results as one ZIP: every requested file, or a line that says why it is missing."""

from __future__ import annotations

import io
import itertools
import json
import string
import time
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Plan, User
from conversions.models import Conversion
from conversions.pages import bundle
from conversions.pages.bundle import MOST
from storage import files
from storage.models import StoredFile
from tests.conftest import Person
from tests.conversions.samples import PEOPLE, PEOPLE_CSV
from tests.conversions.test_history import record


def _log_in(person: Person) -> Client:
    client = Client()
    client.force_login(person.account)
    return client


def _zipped(client: Any, *keys: str, **fields: str) -> zipfile.ZipFile:
    answer = client.post("/download-all", {"file": list(keys), **fields})
    assert answer.status_code == 200
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    assert archive.testzip() is None
    return archive


def _missing(archive: zipfile.ZipFile) -> list[str]:
    assert archive.namelist()[-1] == "MISSING.txt"
    return archive.read("MISSING.txt").decode().splitlines()[2:]


def test_the_zip_has_the_results_the_reader_may_see(guest: Person, paying: Person, other: Person) -> None:
    urls = [paying.convert("json-to-csv", PEOPLE, name).json()["data"]["downloadUrl"] for name in ("a.json", "A.json")]
    urls.append(guest.convert("json-to-csv", PEOPLE, "c.json").json()["data"]["downloadUrl"])
    keys = [each.rpartition("/")[2] for each in urls]
    archive = _zipped(_log_in(paying), *keys)
    assert archive.namelist() == ["a.csv", "A (2).csv", "c.csv"]
    assert all(archive.read(each) == PEOPLE_CSV for each in archive.namelist())
    theirs = _zipped(_log_in(other), *keys)
    assert theirs.namelist() == ["c.csv", "MISSING.txt"]
    assert _missing(theirs) == [f"{each}: It belongs to another account." for each in keys[:2]]
    assert _log_in(other).post("/download-all", {"file": keys[:2]}).status_code == 404
    StoredFile.objects.update(expires_at=timezone.now())
    assert _log_in(paying).post("/download-all", {"file": keys}).status_code == 404
    assert guest.client.post("/download-all").status_code == 302
    assert guest.client.get("/download-all").status_code == 405


def _results(owner: User, count: int) -> list[str]:
    """The keys of so many results of an account, newest last, as the service records them."""
    keys = []
    for number in range(count):
        stored = files.put(io.BytesIO(b"%d" % number), extension="csv")
        expires = timezone.now() + timedelta(hours=1)
        files.row(stored, owner=owner, name=f"{number}.csv", content_type="text/csv", expires_at=expires).save()
        record(owner, file_key=stored.key, output_name=f"{number}.csv", expires_at=expires)
        keys.append(stored.key)
    return keys


def test_a_zip_has_all_250_results_and_lists_missing_ones(paying: Person, other: Person) -> None:
    keys = _results(paying.account, 250)
    deleted, expired, unlinked, purged = (StoredFile.objects.get(key=keys[each]) for each in (3, 100, 201, 249))
    files.delete(deleted)
    StoredFile.objects.filter(pk=expired.pk).update(expires_at=timezone.now())
    default_storage.delete(unlinked.path)
    Conversion.objects.filter(file_key=purged.key).update(expires_at=timezone.now())
    files.delete(purged)
    (theirs,) = _results(other.account, 1)
    client = _log_in(paying)
    archive = _zipped(client, " ".join([*keys, theirs, "0" * 32 + ".csv"]))
    assert len(archive.namelist()) == 247
    assert [archive.read(f"{each}.csv") for each in (0, 99, 101, 248)] == [b"0", b"99", b"101", b"248"]
    assert _missing(archive) == [
        "3.csv: It was deleted.",
        "100.csv: It has expired.",
        "201.csv: It was deleted.",
        "249.csv: It has expired.",
        f"{theirs}: It belongs to another account.",
        f"{'0' * 32}.csv: There is no such file. It has expired, was deleted, or never existed.",
    ]


def _unknown(count: int) -> list[str]:
    return [f"{number:032x}.csv" for number in range(count)]


@pytest.mark.parametrize("bad", ["../../etc/passwd", "\x00", "aaa", "0" * 32])
def test_a_key_that_no_file_can_have_is_refused_before_any_is_looked_up(paying: Person, bad: str) -> None:
    client = _log_in(paying)
    (key,) = _results(paying.account, 1)
    with CaptureQueriesContext(connection) as asked:
        answer = client.post("/download-all", {"file": [key, bad]})
    assert answer.status_code == 400
    assert "This is not a file key." in answer.content.decode()
    assert not [each["sql"] for each in asked if "storage_storedfile" in each["sql"]]


def test_more_files_than_one_zip_takes_are_refused_in_a_moment(paying: Person) -> None:
    client = _log_in(paying)
    (key,) = _results(paying.account, 1)
    short = map("".join, itertools.product(string.ascii_letters, repeat=3))
    form = "file=" + "+".join([key, *itertools.islice(short, 140_000)])
    began = time.process_time()
    answer = client.post("/download-all", form, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 400
    assert "The limit for one ZIP is 2000 files." in answer.content.decode()
    assert time.process_time() - began < 0.5


def test_a_zip_names_100_missing_files_and_counts_the_others(paying: Person) -> None:
    client = _log_in(paying)
    keys = [*_unknown(MOST - 1), *_results(paying.account, 1)]
    archive = _zipped(client, " ".join(keys))
    assert archive.namelist() == ["0.csv", "MISSING.txt"]
    assert archive.read("MISSING.txt").decode().startswith("1999 of the requested files are not in this archive:")
    lines = _missing(archive)
    assert [each.partition(":")[0] for each in lines[:100]] == keys[:100]
    assert lines[100:] == ["1899 other files are missing."]


def test_only_the_folders_of_requested_files_are_read(paying: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    (key,) = _results(paying.account, 1)
    cleaned: list[str] = []

    def clean(name: str) -> str:
        cleaned.append(name)
        return name

    monkeypatch.setattr(bundle, "clean", clean)
    folders = {key: "letters/2024", **dict.fromkeys(_unknown(1000), "a/b/c")}
    assert _zipped(_log_in(paying), key, folders=json.dumps(folders)).namelist() == ["letters/2024/0.csv"]
    assert cleaned == ["letters", "2024"]


def test_pieces_come_while_missing_files_are_looked_up(paying: Person) -> None:
    client = _log_in(paying)
    keys = [*_results(paying.account, 1), *_unknown(1000)]
    answer: Any = client.post("/download-all", {"file": " ".join(keys)})
    with CaptureQueriesContext(connection) as asked:
        each_piece = [len(asked) for _ in answer.streaming_content]
    assert len(asked) >= 5
    # The server gives the connection to others after each piece.
    assert all(after - before <= 2 for before, after in itertools.pairwise(each_piece))


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_an_outage_before_the_first_file_is_an_outage_and_no_error_of_the_server(paying: Person, number: int) -> None:
    keys = [*_unknown(200), *_results(paying.account, 1)]
    client = _log_in(paying)
    asked: list[str] = []

    def fails(execute: Any, sql: str, *rest: Any) -> Any:
        if "storage_storedfile" in sql:
            asked.append(sql)
            if len(asked) == number:
                raise OperationalError("couldn't get a connection after 2.00 sec")
        return execute(sql, *rest)

    with connection.execute_wrapper(fails):
        answer: Any = client.post("/download-all", {"file": " ".join(keys)})
        if answer.status_code == 503:
            return
        content = b"".join(answer.streaming_content)
    assert number > 2
    assert zipfile.ZipFile(io.BytesIO(content)).namelist() == ["0.csv", "MISSING.txt"]


def test_a_file_deleted_while_the_zip_is_sent_is_listed(paying: Person) -> None:
    keys = _results(paying.account, 3)
    answer: Any = _log_in(paying).post("/download-all", {"file": keys})
    parts = iter(answer.streaming_content)
    first = next(parts)
    files.delete(StoredFile.objects.get(key=keys[2]))
    archive = zipfile.ZipFile(io.BytesIO(first + b"".join(parts)))
    assert archive.namelist() == ["0.csv", "1.csv", "MISSING.txt"]
    assert _missing(archive) == ["2.csv: It was deleted."]


def test_a_zip_is_sent_piece_by_piece(paying: Person) -> None:
    (key,) = _results(paying.account, 1)
    file = StoredFile.objects.get(key=key)
    with open(default_storage.path(file.path), "wb") as large:
        large.truncate(30_000_000)
    StoredFile.objects.filter(pk=file.pk).update(size=30_000_000)
    answer: Any = _log_in(paying).post("/download-all", {"file": key})
    sizes = [len(each) for each in answer.streaming_content]
    assert sum(sizes) > 30_000_000
    assert max(sizes) < 1_000_000


def test_a_result_named_like_the_list_keeps_its_content(paying: Person) -> None:
    keys = _results(paying.account, 2)
    StoredFile.objects.filter(key=keys[0]).update(name="missing.TXT")
    files.delete(StoredFile.objects.get(key=keys[1]))
    archive = _zipped(_log_in(paying), *keys)
    assert archive.namelist() == ["missing (2).TXT", "MISSING.txt"]
    assert archive.read("missing (2).TXT") == b"0"


def test_the_filtered_history_can_be_downloaded_as_one_zip(paying: Person, other: Person) -> None:
    _results(paying.account, 250)
    _results(other.account, 1)
    record(paying.account, slug="html-to-pdf", failed=True)
    client = _log_in(paying)
    page = client.get("/history?slug=json-to-csv")
    assert b'form="everything"' in page.content
    assert b'<input type="hidden" name="slug" value="json-to-csv">' in page.content
    assert len(_zipped(client, all="1", slug="json-to-csv").namelist()) == 250
    assert client.post("/download-all", {"all": "1", "slug": "html-to-pdf"}).status_code == 302
    assert client.post("/download-all", {"all": "1", "slug": "no-to-where"}).status_code == 400


def test_archives_are_as_many_a_minute_as_the_plan_has_conversions(guest: Person, paying: Person) -> None:
    Plan.objects.filter(code__in=("guest", "pro")).update(requests_per_minute=3)
    key = paying.convert("json-to-csv", PEOPLE).json()["data"]["downloadUrl"].rpartition("/")[2]
    client = _log_in(paying)
    answers = [client.post("/download-all", {"file": key}) for _ in range(4)]
    assert [each.status_code for each in answers] == [200, 200, 200, 429]
    assert 1 <= int(answers[-1]["Retry-After"]) <= 60
    unknown = {"file": f"{'0' * 32}.csv"}
    assert [guest.client.post("/download-all", unknown).status_code for _ in range(4)] == [404, 404, 404, 429]
    assert paying.convert("json-to-csv", PEOPLE).status_code == 201
