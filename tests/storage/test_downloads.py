"""Downloads over HTTP: who gets which file, with which headers."""

import hashlib
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.files.storage import default_storage
from django.db import connection
from django.test import Client
from django.utils import timezone

from config.logs import Formatter
from storage import onetime
from storage.checks import check_download_mode
from storage.models import StoredFile
from tests.storage.conftest import CONTENT


def url(file: StoredFile) -> str:
    return f"/files/{file.key}"


def body(response) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else response.content


def logged(caplog) -> str:
    return "".join(Formatter().format(each) for each in caplog.records)


def refused(response, status: int, code: str) -> bool:
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response.json()["success"] is False
    return True


@pytest.mark.parametrize("who", ["paying", "program"])
def test_an_account_fetches_its_file(who, request, paying, store):
    person = request.getfixturevalue(who)
    file = store(paying.user, name="Größe.csv")
    response = person.get(url(file))
    assert response.status_code == 200
    assert body(response) == CONTENT
    assert response["Content-Length"] == str(len(CONTENT))
    assert response["Content-Type"] == "text/csv"
    assert response["ETag"] == f'"{hashlib.sha256(CONTENT).hexdigest()}"'
    assert response["Content-Disposition"] == "attachment; filename=\"Groe.csv\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.csv"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Security-Policy"] == "sandbox"
    assert response["Cache-Control"] == "private, no-store"
    assert response["Accept-Ranges"] == "bytes"


def test_the_session_of_the_web_front_end_will_do(paying, store):
    client = Client()
    client.force_login(paying.user)
    assert body(client.get(f"/api/v1{url(store(paying.user))}")) == CONTENT


def test_another_account_is_refused(other, paying, store):
    file = store(paying.user)
    assert refused(other.get(url(file)), 403, "ACCESS_DENIED")
    assert refused(other.request("DELETE", url(file)), 403, "ACCESS_DENIED")
    assert other.request("HEAD", url(file)).status_code == 403
    assert default_storage.exists(file.path)


def test_no_credentials_are_refused(guest, paying, store):
    file = store(paying.user)
    response = guest.get(url(file))
    assert refused(response, 401, "UNAUTHORIZED")
    assert response["WWW-Authenticate"] == "Bearer"
    assert refused(guest.request("DELETE", url(file)), 401, "UNAUTHORIZED")


def test_bad_credentials_are_never_a_guest(guest, store):
    assert refused(guest.get(url(store()), Authorization="Bearer fc_nonsense"), 401, "UNAUTHORIZED")


def test_anyone_with_its_url_can_download_a_guest_s_file(guest, paying, store):
    file = store()
    assert body(guest.get(url(file))) == CONTENT
    assert body(paying.get(url(file))) == CONTENT


def test_a_guest_s_file_cannot_be_deleted(guest, paying, store):
    file = store()
    assert refused(guest.request("DELETE", url(file)), 403, "ACCESS_DENIED")
    assert refused(paying.request("DELETE", url(file)), 403, "ACCESS_DENIED")
    assert body(guest.get(url(file))) == CONTENT


@pytest.mark.parametrize(
    "path",
    [
        "",
        "x",
        "0123456789abcdef" * 2,
        "0123456789ABCDEF" * 2 + ".csv",
        "0123456789abcdef" * 2 + ".csv/",
        "0123456789abcdef" * 2 + ".csv%0a",
        "0123456789abcdef" * 2 + ".csv%00",
        "%2e%2e/%2e%2e/etc/passwd",
        "../../etc/passwd",
        "..%2f..%2fdb.sqlite3",
        "%0a",
        "%ff%fe",
        "ab/cd/" + "0123456789abcdef" * 2 + ".csv",
        "x" * 4_000,
    ],
)
@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_a_malformed_key_has_its_own_error(guest, path, method):
    assert refused(guest.request(method, f"/files/{path}"), 400, "INVALID_FILE_KEY")


def test_a_missing_file(guest):
    assert refused(guest.get(f"/files/{'0' * 32}.csv"), 404, "NOT_FOUND")


def test_an_expired_file_is_missing_before_any_purge(paying, store):
    file = store(paying.user, hours=-0.001)
    assert default_storage.exists(file.path)
    assert refused(paying.get(url(file)), 404, "NOT_FOUND")
    assert refused(paying.request("DELETE", url(file)), 404, "NOT_FOUND")


def test_a_file_without_its_bytes_is_missing(paying, store):
    file = store(paying.user)
    default_storage.delete(file.path)
    assert refused(paying.get(url(file)), 404, "NOT_FOUND")


def test_a_file_without_its_bytes_is_logged_without_its_key(paying, store, caplog):
    file = store(paying.user)
    default_storage.delete(file.path)
    paying.get(url(file))
    assert [each.file for each in caplog.records if each.name == "service.storage"] == [file.sha256]
    assert file.key not in logged(caplog)


def test_no_log_has_the_key_of_a_file_whose_download_was_not_settled(transactional_db, store, caplog):
    file = store()
    StoredFile.objects.update(once=True)
    sent: list[Callable[[bool], None]] = []
    pieces = onetime.Pieces(file, when_sent=sent.append)
    table = StoredFile._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} RENAME TO away")
    try:
        sent[0](False)
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER TABLE away RENAME TO {table}")
    pieces.close()
    (row,) = StoredFile.objects.all()
    assert [each.claim for each in caplog.records if each.name == "service.storage"] == [str(row.claim)]
    assert file.key not in logged(caplog)


def test_head_says_the_same_without_the_bytes(paying, store):
    file = store(paying.user)
    get, head = paying.get(url(file)), paying.request("HEAD", url(file), Range="bytes=0-1")
    assert (head.status_code, head.content) == (200, b"")
    for name in ("Content-Length", "Content-Type", "Content-Disposition", "ETag", "Accept-Ranges", "Last-Modified"):
        assert head[name] == get[name]


def test_a_range(paying, store):
    file = store(paying.user)
    response = paying.get(url(file), Range="bytes=5-14")
    assert response.status_code == 206
    assert body(response) == CONTENT[5:15]
    assert response["Content-Range"] == f"bytes 5-14/{len(CONTENT)}"
    assert response["Content-Length"] == "10"
    assert body(paying.get(url(file), Range="bytes=-3")) == CONTENT[-3:]


def test_a_range_outside_the_file(paying, store):
    response = paying.get(url(store(paying.user)), Range="bytes=10000-")
    assert refused(response, 416, "RANGE_NOT_SATISFIABLE")
    assert response["Content-Range"] == f"bytes */{len(CONTENT)}"


@pytest.mark.parametrize("value", ["bytes=0-1,5-6", "lines=0-1", "bytes=9-1"])
def test_several_or_malformed_ranges_give_the_whole(paying, store, value):
    response = paying.get(url(store(paying.user)), Range=value)
    assert (response.status_code, body(response)) == (200, CONTENT)


def test_a_range_of_another_version_gives_the_whole(paying, store):
    file = store(paying.user)
    assert paying.get(url(file), Range="bytes=0-0", If_Range=file.etag).status_code == 206
    assert paying.get(url(file), Range="bytes=0-0", If_Range='"other"').status_code == 200


def test_an_unchanged_file_is_not_sent_again(paying, store):
    file = store(paying.user)
    response = paying.get(url(file), If_None_Match=file.etag)
    assert (response.status_code, response.content) == (304, b"")
    assert response["ETag"] == file.etag


def test_a_failed_precondition(paying, store):
    file = store(paying.user)
    assert refused(paying.get(url(file), If_Match='"other"'), 412, "PRECONDITION_FAILED")
    assert refused(paying.request("DELETE", url(file), If_Match='"other"'), 412, "PRECONDITION_FAILED")
    assert paying.get(url(file), If_Match=file.etag).status_code == 200


def test_an_empty_file(paying, store):
    file = store(paying.user, content=b"")
    response = paying.get(url(file))
    assert (response.status_code, body(response), response["Content-Length"]) == (200, b"", "0")
    assert refused(paying.get(url(file), Range="bytes=0-"), 416, "RANGE_NOT_SATISFIABLE")


def test_its_owner_deletes_a_file(paying, program, store):
    first, second = store(paying.user), store(paying.user)
    response = paying.request("DELETE", url(first))
    assert (response.status_code, response.json()) == (200, {"success": True, "data": {}})
    assert not default_storage.exists(first.path)
    assert refused(paying.get(url(first)), 404, "NOT_FOUND")
    assert refused(paying.request("DELETE", url(first)), 404, "NOT_FOUND")
    assert program.request("DELETE", url(second)).status_code == 200


def test_a_session_needs_the_csrf_token_to_delete(paying, store):
    client = Client(enforce_csrf_checks=True)
    client.force_login(paying.user)
    assert refused(client.delete(f"/api/v1{url(store(paying.user))}"), 403, "ACCESS_DENIED")


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_other_methods(paying, store, method):
    response = paying.request(method, url(store(paying.user)))
    assert refused(response, 405, "METHOD_NOT_ALLOWED")
    assert {"GET", "HEAD", "DELETE"} <= {each.strip() for each in response["Allow"].split(",")}


@pytest.mark.parametrize("who", ["paying", "program", "guest"])
def test_a_download_takes_at_most_three_queries(who, request, paying, store, django_assert_max_num_queries):
    person = request.getfixturevalue(who)
    file = store(paying.user if who != "guest" else None)
    person.get(url(file))
    with django_assert_max_num_queries(3):
        assert body(person.get(url(file))) == CONTENT


def test_a_file_expires_exactly_on_time(paying, store, monkeypatch):
    file = store(paying.user)
    for now, status in ((file.expires_at - timedelta(microseconds=1), 200), (file.expires_at, 404)):
        with monkeypatch.context() as patch:
            patch.setattr("storage.views.timezone", SimpleNamespace(now=lambda now=now: now))
            assert paying.get(url(file)).status_code == status


def test_nginx_gets_the_path_of_the_file(paying, other, guest, store, settings):
    settings.DOWNLOAD_MODE = "x-accel"
    file = store(paying.user)
    response = paying.get(url(file), Range="bytes=0-1")
    assert (response.status_code, response.content) == (200, b"")
    assert response["X-Accel-Redirect"] == f"/_files/{file.path}"
    assert response["Content-Type"] == "text/csv"
    assert "report.csv" in response["Content-Disposition"]
    assert refused(other.get(url(file)), 403, "ACCESS_DENIED")
    assert refused(guest.get(url(file)), 401, "UNAUTHORIZED")
    assert paying.get(url(file), If_None_Match=file.etag).status_code == 304
    # nginx would judge these by its own validators.
    assert body(paying.get(url(file), If_Match=file.etag)) == CONTENT
    assert body(paying.get(url(file), If_Range=file.etag, Range="bytes=0-1")) == CONTENT[:2]


def test_s3_cannot_serve_local_files(settings):
    settings.DOWNLOAD_MODE = "redirect"
    assert [each.id for each in check_download_mode(None)] == ["storage.E001"]


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"


@pytest.mark.parametrize(
    ("case", "status"), [("expired", 404), ("deleted", 404), ("a guest", 401), ("another", 403), ("no key", 400)]
)
def test_a_dead_link_followed_by_a_browser_shows_a_page(case, status, paying, other, store):
    client = Client()
    if case in ("expired", "deleted", "another"):
        client.force_login(other.user)
    file = store(paying.user if case in ("a guest", "another") else other.user)
    path = f"/api/v1{url(file)}"
    if case == "expired":
        StoredFile.objects.update(expires_at=timezone.now())
    if case == "deleted":
        StoredFile.objects.all().delete()
    if case == "no key":
        path = "/api/v1/files/no-key"
    page = client.get(path, headers={"Accept": BROWSER})
    assert (page.status_code, page["Content-Type"]) == (status, "text/html; charset=utf-8")
    assert "Accept" in page["Vary"]
    assert f'<p class="code">{status}</p>' in page.content.decode()
    assert page["X-Request-Id"] in page.content.decode()
    assert ("WWW-Authenticate" in page) == (status == 401)
    assert (f"/login?next={path}" in page.content.decode()) == (status == 401)
    for accept in ({}, {"Accept": "*/*"}, {"Accept": "application/json"}, {"Accept": "text/html;q=0.5, */*"}):
        answer = client.get(path, headers=accept)
        assert answer["Content-Type"].startswith("application/json")
        assert (answer.status_code, answer.json()["success"]) == (status, False)
        assert "Accept" in answer["Vary"]


def test_a_browser_gets_the_files_it_may_download(paying, store):
    client = Client()
    client.force_login(paying.user)
    assert body(client.get(f"/api/v1{url(store(paying.user))}", headers={"Accept": BROWSER})) == CONTENT


def test_other_routes_answer_a_browser_with_json_as_all_of_the_api_does(guest):
    for path in ("/account", "/nowhere", "/converter/history"):
        assert guest.get(path, Accept=BROWSER)["Content-Type"].startswith("application/json")
