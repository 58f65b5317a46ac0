"""The real server, for hostile files."""

from tests.server.conftest import own_server, server, shared_server

__all__ = ["own_server", "server", "shared_server"]
