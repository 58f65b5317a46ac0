"""What the web server's worker checks in a request's head, and who counts as one client."""

import pytest

from addresses import client_address, network_of
from config.server.head import client_of, forwarded_client


@pytest.mark.parametrize(
    ("client", "network"),
    [
        (("192.0.2.7", 5), "192.0.2.7"),
        (("::ffff:192.0.2.7", 5, 0, 0), "192.0.2.7"),
        (("2001:db8:1:2:3:4:5:6", 5, 0, 0), "2001:db8:1:2::/64"),
        (("fe80::1%eth0", 5, 0, 0), "fe80::/64"),
        ("", ""),
    ],
)
def test_what_counts_as_one_client(client, network):
    assert client_of(client) == network


@pytest.mark.parametrize(
    ("fields", "proxies", "network"),
    [
        (["198.51.100.7"], 1, "198.51.100.7"),
        (["6.6.6.6, 198.51.100.7"], 1, "198.51.100.7"),
        (["6.6.6.6, 198.51.100.7, 10.0.0.2"], 2, "198.51.100.7"),
        (["6.6.6.6", "198.51.100.7"], 1, "198.51.100.7"),
        (["2001:db8:1:2:3:4:5:6"], 1, "2001:db8:1:2::/64"),
        (["::ffff:198.51.100.7"], 1, "198.51.100.7"),
        (["198.51.100.7, nonsense"], 1, ""),
        (["\xa0198.51.100.7\t,, "], 1, "198.51.100.7"),
        ([], 1, ""),
    ],
)
@pytest.mark.parametrize("peer", ["192.0.2.1", "::1", ""])
def test_a_forwarded_client_is_the_one_that_the_application_sees(peer, fields, proxies, network):
    lines = "".join(f"X-FORWARDED-for: {each}\r\n" for each in fields)
    head = f"GET / HTTP/1.1\r\nX-Not-X-Forwarded-For: 9.9.9.9\r\n{lines}Host: a\r\n\r\n".encode("latin-1")
    found = forwarded_client((peer, 5) if peer else "", head, trusted_proxies=proxies)
    assert found == network
    seen = network_of(client_address(peer, ",".join(fields), trusted_proxies=proxies))
    assert seen == (found or network_of(peer or "127.0.0.1"))
