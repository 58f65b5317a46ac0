"""nginx hands out stored files that the service tells it to, and no others."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.core.files.storage import default_storage

from tests.ports import free_port, wait_for_port
from tests.storage.conftest import CONTENT

NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")

pytestmark = [
    pytest.mark.skipif(NGINX is None, reason="nginx is not installed: apt-get install nginx-light"),
    pytest.mark.django_db(transaction=True),
]

CONFIGURATION = """
daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port};
    location / {{ proxy_pass {service}; proxy_set_header Host $http_host; }}
    location /_files/ {{
      internal;
      alias {files}/;
      etag off;
      add_header ETag $upstream_http_etag;
      add_header X-Request-Id $upstream_http_x_request_id;
      add_header X-Content-Type-Options $upstream_http_x_content_type_options;
      add_header Content-Security-Policy $upstream_http_content_security_policy;
    }}
  }}
}}
"""


@pytest.fixture
def nginx(live_server: Any, settings: Any, tmp_path: Path) -> Iterator[httpx.Client]:
    settings.DOWNLOAD_MODE = "x-accel"
    port = free_port()
    # Where the tests run as root, nginx becomes another user, who must be able to read the folder.
    configuration = CONFIGURATION.format(
        folder=tmp_path, port=port, service=live_server.url, files=default_storage.path("").rstrip("/")
    )
    (tmp_path / "nginx.conf").write_text(configuration)
    process = subprocess.Popen([str(NGINX), "-c", str(tmp_path / "nginx.conf"), "-e", str(tmp_path / "error.log")])
    wait_for_port(port)
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers={"Host": "localhost"}) as client:
        yield client
    process.kill()
    process.wait()


def test_a_download_with_all_its_headers(nginx, paying, store):
    file = store(paying.user)
    url = f"/api/v1/files/{file.key}"
    response = nginx.get(url, headers=paying.headers)
    assert (response.status_code, response.content) == (200, CONTENT)
    assert response.headers["ETag"] == file.etag
    assert response.headers["Content-Type"] == "text/csv"
    assert response.headers["Content-Length"] == str(len(CONTENT))
    assert response.headers["Content-Disposition"] == 'attachment; filename="report.csv"'
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Content-Security-Policy"] == "sandbox"
    assert response.headers["Cache-Control"] == "private, no-store"
    part = nginx.get(url, headers={**paying.headers, "Range": "bytes=5-14"})
    assert (part.status_code, part.content) == (206, CONTENT[5:15])
    assert part.headers["Content-Range"] == f"bytes 5-14/{len(CONTENT)}"
    assert nginx.get(url, headers={**paying.headers, "If-None-Match": file.etag}).status_code == 304
    assert nginx.get(url, headers={**paying.headers, "If-Match": '"other"'}).status_code == 412


def test_the_folder_itself_is_closed(nginx, paying, other, store):
    file = store(paying.user)
    assert nginx.get(f"/_files/{file.path}").status_code == 404
    assert nginx.get(f"/api/v1/files/{file.key}").status_code == 401
    assert nginx.get(f"/api/v1/files/{file.key}", headers=other.headers).status_code == 403
