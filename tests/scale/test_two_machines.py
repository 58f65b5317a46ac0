"""What holds on one server holds across two, and what one of them leaves undone costs nobody anything."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from urllib.parse import urlsplit

import httpx
import pytest
import redis

from accounts.credits import ledger
from accounts.models import CreditEntry, LimitOverride, User
from conversions.models import Conversion
from storage.models import StoredFile
from tests.conftest import make_user, with_key
from tests.conversions.samples import INVOICE, PEOPLE, PEOPLE_CSV
from tests.scale.conftest import Cluster
from tests.server.conftest import Server
from tests.server.test_http import (  # noqa: F401
    CONVERT,
    key,
    test_a_path_in_place_of_a_key_is_no_key,
    test_convert_and_download_as_guest_and_as_program,
)
from tests.server.test_lost import wait_for
from tests.server.test_races import (  # noqa: F401
    balanced,
    convert,
    test_eight_parallel_refreshes_of_one_token_give_one_pair,
    test_jobs_at_once_are_never_more_than_the_plan_allows,
    test_one_idempotency_key_many_times_at_once_is_one_conversion,
    test_parallel_guests_never_pass_the_quota,
    test_ten_parallel_creations_never_pass_the_allowance_of_keys,
    test_the_first_use_in_a_month_tops_up_once,
    test_the_rate_is_exact_over_all_workers,
    together,
)

_ROW = b"<tr>" + b"<td>Some words to lay out, and then more.</td>" * 8 + b"</tr>"
LONG = INVOICE.replace(b"</body>", b"<table>" + _ROW * 4_000 + b"</table></body>")


def convert_long(url: str, headers: dict[str, str], page: bytes = LONG) -> int:
    """The status of a conversion of some seconds, 0 where the connection broke."""
    try:
        return httpx.post(
            f"{url}/api/v1/converter/html-to-pdf", files={"file": ("a.html", page)}, headers=headers, timeout=180
        ).status_code
    except httpx.TransportError:
        return 0


def test_a_file_made_on_one_machine_is_handed_out_by_the_other(machines: Cluster) -> None:
    headers = with_key(make_user("pro")).headers
    for one, other in (machines.servers, machines.servers[::-1]):
        made = convert(one, headers).json()["data"]
        assert httpx.get(other.url + made["downloadUrl"], headers=headers).content == PEOPLE_CSV
        assert httpx.delete(other.url + made["downloadUrl"], headers=headers).status_code == 200
        assert httpx.get(one.url + made["downloadUrl"], headers=headers).status_code == 404


def test_ten_gigabytes_are_refused_by_the_balancer_in_the_words_of_the_service(server: Server) -> None:
    with contextlib.closing(HTTPConnection(urlsplit(server.url).netloc, timeout=20)) as connection:
        connection.request("POST", CONVERT, headers={"Content-Length": "10000000000"})
        answer = connection.getresponse()
        assert answer.status == 413
        assert json.loads(answer.read())["code"] == "FILE_TOO_LARGE"


def test_an_idempotency_key_of_one_machine_is_known_to_the_other(machines: Cluster) -> None:
    headers = with_key(make_user("pro")).headers | {"Idempotency-Key": "one"}
    first, second = (convert(each, headers).json()["data"] for each in machines.servers)
    assert first["id"] == second["id"]
    assert CreditEntry.objects.filter(kind="conversion").count() == 1


def test_the_last_credits_are_spent_once(server: Server) -> None:
    user = make_user("pro")
    LimitOverride.objects.create(user=user, concurrent_jobs=100)
    ledger.charge(user, user.credits - 3, reference=Conversion().id, reason="earlier")
    headers = with_key(user).headers
    answers = together(10, lambda _: convert(server, headers))
    assert Counter(each.status_code for each in answers) == {201: 3, 402: 7}
    assert StoredFile.objects.count() == Conversion.objects.filter(status="completed").count() == 3
    assert balanced(user)


def test_a_machine_that_loses_power_takes_nothing_with_it(machines: Cluster) -> None:
    user = make_user("pro")
    headers = with_key(user).headers
    before = User.objects.get(pk=user.pk).credits
    with ThreadPoolExecutor(1) as pool:
        lost = pool.submit(convert_long, machines.servers[0].url, headers)
        while not (held := _slots(machines)):
            assert not lost.done()
            time.sleep(0.01)
        machines.pull_the_plug(0)
        assert lost.result() == 0
    try:
        # The balancer finds out, and every request is answered by the other machine.
        assert {convert_through(machines, headers) for _ in range(6)} == {201}
        assert User.objects.get(pk=user.pk).credits == before - 6
        assert Conversion.objects.count() == StoredFile.objects.count() == 6
        assert balanced(user)
        # Nobody is left to free the slot: it ends by itself, soon after nobody renews it.
        assert all(0 < seconds <= 10 for seconds in held.values())
        assert wait_for(lambda: not _slots(machines))
    finally:
        machines.start(0)


@pytest.mark.soak  # two starts of a machine under load: minutes where processors are few
def test_a_rolling_restart_cuts_off_no_request(machines: Cluster) -> None:
    user = make_user("pro")
    LimitOverride.objects.create(user=user, concurrent_jobs=100, requests_per_minute=100_000)
    headers, stop = with_key(user).headers, threading.Event()

    def work(_: int) -> list[int]:
        statuses = []
        with httpx.Client(timeout=180) as client:
            while not stop.is_set():
                answer = client.post(
                    f"{machines.url}/api/v1/converter/json-to-csv", files={"file": ("a.json", PEOPLE)}, headers=headers
                )
                statuses.append(answer.status_code)
        return statuses

    # A sandbox that has to be started while the load is on may take longer than it is given.
    assert {convert_long(server.url, headers, INVOICE) for server in machines.servers} == {201}
    with ThreadPoolExecutor(5) as pool:
        running = [pool.submit(work, number) for number in range(3)]
        try:
            for number, server in enumerate(machines.servers):
                slow = pool.submit(convert_long, server.url, headers)
                while 'fileconv_sandbox_jobs{family="pdf"} 1.0' not in httpx.get(f"{server.url}/metrics").text:
                    if slow.done():
                        slow = pool.submit(convert_long, server.url, headers)
                    time.sleep(0.01)
                assert server.stop() == 0
                assert slow.result() == 201
                machines.start(number)
        finally:
            stop.set()
    statuses = Counter(status for each in running for status in each.result())
    assert set(statuses) == {201}
    assert balanced(user)


def convert_through(machines: Cluster, headers: dict[str, str]) -> int:
    answer = httpx.post(
        f"{machines.url}/api/v1/converter/json-to-csv",
        files={"file": ("a.json", PEOPLE)},
        headers=headers,
        timeout=60,
    )
    return answer.status_code


def _slots(machines: Cluster) -> dict[str, int]:
    """The job slots that are taken, with the seconds after which each frees itself."""
    with redis.Redis(port=machines.redis.port, decode_responses=True) as database:
        return {key: database.ttl(key) for key in database.keys("*slot:*")}
