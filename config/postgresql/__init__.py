"""Django's PostgreSQL backend with timeouts."""
