"""What goes on, and what is said, while Redis or PostgreSQL is away."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import httpx

from accounts.models import User
from tests.conftest import PASSWORD, make_user, with_key, with_token
from tests.conversions.samples import PEOPLE
from tests.scale.conftest import Cluster
from tests.scale.test_two_machines import convert_through

RECOVERY_SECONDS = 30


def test_without_redis_accounts_go_on_and_guesses_do_not(machines: Cluster) -> None:
    user = make_user("pro")
    headers = with_key(user).headers
    login = {"email": user.email, "password": PASSWORD}
    before = machines.counted("fileconv_cache_errors_total{")
    machines.redis.kill()
    try:
        assert {convert_through(machines, headers) for _ in range(4)} == {201}
        assert User.objects.get(pk=user.pk).credits == user.credits - 4
        assert convert_through(machines, {}) == 429
        refused = httpx.post(f"{machines.url}/api/v1/auth/login", json=login)
        assert refused.status_code == 429
        assert int(refused.headers["Retry-After"]) >= 1
        register = {"email": "new@example.org", "password": PASSWORD}
        assert httpx.post(f"{machines.url}/api/v1/auth/register", json=register).status_code == 429
        account = httpx.get(f"{machines.url}/api/v1/account", headers=headers)
        assert account.status_code == 200
        assert account.json()["data"]["usage"]["rateLimit"] is None
        assert account.json()["data"]["usage"]["jobs"]["running"] is None
        assert machines.ready() == ["cache"]
        assert machines.counted('fileconv_cache_errors_total{limit="convert"}') >= 4
        assert machines.counted('fileconv_cache_errors_total{limit="jobs"}') >= 4
        assert machines.counted("fileconv_cache_errors_total{") > before
        assert any('"rate limit unavailable"' in each.log.read_text() for each in machines.servers)
    finally:
        machines.redis.start()
    assert machines.ready() == []
    assert convert_through(machines, {}) == 201
    assert httpx.post(f"{machines.url}/api/v1/auth/login", json=login, timeout=30).status_code == 200


def test_without_postgresql_everybody_is_told_to_come_back(machines: Cluster) -> None:
    user = make_user("pro")
    headers, token = with_key(user).headers, with_token(user).headers
    logs = [each.log.stat().st_size for each in machines.servers]
    machines.database.pull()
    try:
        with httpx.Client(base_url=machines.url, timeout=60) as client, ThreadPoolExecutor() as pool:
            files, cookie = {"file": ("a.json", PEOPLE)}, {"Cookie": "sessionid=" + "0" * 32}
            asked = [
                pool.submit(client.post, "/api/v1/converter/json-to-csv", files=files, headers=headers),
                pool.submit(client.get, "/api/v1/account", headers=token),
                pool.submit(client.get, f"/api/v1/files/{'0' * 32}.csv"),
            ]
            page, failing = pool.submit(client.get, "/login", headers=cookie), pool.submit(machines.ready)
            for each in asked:
                answer = each.result()
                assert (answer.status_code, answer.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
                assert int(answer.headers["Retry-After"]) >= 1
            assert page.result().status_code == 503
            assert failing.result() == ["database"]
        for server in machines.servers:
            assert httpx.get(f"{server.url}/healthz").status_code == 200
    finally:
        machines.database.plug()
    deadline = time.monotonic() + RECOVERY_SECONDS
    while machines.ready():
        assert time.monotonic() < deadline
        time.sleep(0.5)
    assert {convert_through(machines, headers) for _ in range(4)} == {201}
    for server, start in zip(machines.servers, logs, strict=True):
        assert b"Traceback" not in server.log.read_bytes()[start:]
