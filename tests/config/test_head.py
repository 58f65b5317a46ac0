"""What the web server's worker checks in a request's head, and who counts as one client."""

import pytest

from config.server.head import client_of


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
