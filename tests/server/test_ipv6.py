"""Clients that come by IPv6: one network of 64 bits is one client, for the connections and for what guests may do."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
from collections.abc import Iterator

import httpx
import pytest

from accounts.models import GuestDay, Plan
from tests.server.conftest import Server, start_server
from tests.server.test_http import CONVERT, multipart

ONE, SAME, OTHER = "fd00:5:5:1::1", "fd00:5:5:1:ffff::2", "fd00:5:5:2::1"


@pytest.fixture
def by_ipv6(transactional_db: None) -> Iterator[Server]:
    for address in (ONE, SAME, OTHER):
        command = ["ip", "-6", "address", "add", f"{address}/128", "dev", "lo"]
        try:
            added = subprocess.run(command, capture_output=True, check=False)
        except FileNotFoundError:
            pytest.skip("addresses can't be added here: apt-get install iproute2")
        if added.returncode and b"exists" not in added.stderr and b"assigned" not in added.stderr:
            pytest.skip("addresses can only be added by root")
    running = start_server(workers=1, HOST="::", ALLOWED_HOSTS="*")
    yield running
    running.stop()
    for address in (ONE, SAME, OTHER):
        subprocess.run(["ip", "-6", "address", "del", f"{address}/128", "dev", "lo"], check=True)


def convert(server: Server, source: str) -> tuple[int, bytes]:
    """The status and body of a guest's conversion from this address to itself."""
    content_type, body = multipart(b'[{"a": 1}]')
    port = int(server.url.rpartition(":")[2])
    with socket.create_connection((source, port), timeout=30, source_address=(source, 0)) as sock:
        head = f"POST {CONVERT} HTTP/1.1\r\nHost: [{source}]:{port}\r\nContent-Type: {content_type}\r\n"
        sock.sendall(f"{head}Connection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = b""
        while piece := sock.recv(65_536):
            answer += piece
    head_of_answer, _, content = answer.partition(b"\r\n\r\n")
    return int(head_of_answer.split(b" ")[1]), content


def test_a_network_is_one_guest_and_the_next_one_another(by_ipv6: Server) -> None:
    Plan.objects.filter(code="guest").update(credits=2, concurrent_jobs=100)
    assert [convert(by_ipv6, each)[0] for each in (ONE, SAME)] == [201, 201]
    refused, body = convert(by_ipv6, ONE)
    assert refused == 403
    assert json.loads(body)["success"] is False
    assert convert(by_ipv6, OTHER)[0] == 201
    assert GuestDay.objects.count() == 3  # with the block of both
    # By IPv4 on the same socket it is the IPv4 address.
    port = int(by_ipv6.url.rpartition(":")[2])
    metrics = httpx.get(f"http://127.0.0.1:{port}/metrics")
    assert metrics.status_code == 200
    assert GuestDay.objects.count() == 3


def test_one_network_cannot_have_all_connections(by_ipv6: Server) -> None:
    port = int(by_ipv6.url.rpartition(":")[2])
    socks = []
    for number in range(300):
        source = (ONE, SAME)[number % 2]
        socks.append(socket.create_connection((source, port), timeout=10, source_address=(source, 0)))
    # Its share is a quarter of a thousand connections.
    socks[-1].settimeout(10)
    with contextlib.suppress(ConnectionResetError):
        assert socks[-1].recv(1) == b""
    assert convert(by_ipv6, OTHER)[0] == 201
    for sock in socks:
        sock.close()


def test_it_listens_where_ipv6_alone_is_asked_for(transactional_db: None) -> None:
    running = start_server(workers=1, HOST="::1")
    try:
        port = int(running.url.rpartition(":")[2])
        assert httpx.get(f"http://[::1]:{port}/api/v1/converter/formats", timeout=30).status_code == 200
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), timeout=5)
    finally:
        running.stop()
