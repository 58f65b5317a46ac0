"""Typed readers of environment variables that name the variable when its value is no good, and shared variables."""

from __future__ import annotations

import ipaddress
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_env = environ.Env()


def _read(name: str, parse: Callable[[str], T], default: T, expected: str) -> T:
    text = os.environ.get(name, "").strip()
    if not text:
        return default
    try:
        return parse(text)
    except (ValueError, TypeError, ImproperlyConfigured) as error:
        raise ImproperlyConfigured(f"{name} must be {expected}, not {text!r}.") from error


def _boolean(text: str) -> bool:
    values = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if text.lower() not in values:
        raise ValueError(text)
    return values[text.lower()]


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def boolean(name: str, default: bool) -> bool:
    return _read(name, _boolean, default, "yes or no")


def integer(name: str, default: int, *, minimum: int, maximum: int) -> int:
    def parse(value: str) -> int:
        number = int(value)
        if not minimum <= number <= maximum:
            raise ValueError(value)
        return number

    return _read(name, parse, default, f"a whole number from {minimum} to {maximum}")


def choice(name: str, default: str, choices: tuple[str, ...]) -> str:
    def parse(value: str) -> str:
        if value not in choices:
            raise ValueError(value)
        return value

    return _read(name, parse, default, "one of " + ", ".join(choices))


def words(name: str, default: list[str]) -> list[str]:
    """A list separated by commas."""
    return _read(name, lambda value: [each.strip() for each in value.split(",") if each.strip()], default, "a list")


def origins(name: str) -> list[str]:
    """A comma-separated list of origins such as `https://convert.example`."""

    def parse(value: str) -> list[str]:
        found = [each.strip() for each in value.split(",") if each.strip()]
        if not all(each.startswith(("https://", "http://")) for each in found):
            raise ValueError(value)
        return found

    return _read(name, parse, [], "a comma-separated list of origins that begin with https:// or http://")


def url(name: str) -> str:
    """An address such as `https://convert.example/terms`, or nothing."""
    value = text(name)
    if value and not value.startswith(("https://", "http://")):
        raise ImproperlyConfigured(f"{name} must be an address that begins with https:// or http://, not {value!r}.")
    return value


def networks(name: str, default: str) -> list[Network]:
    """A comma-separated list of addresses and networks (CIDR)."""
    value = text(name, default)
    try:
        return [ipaddress.ip_network(each.strip(), strict=False) for each in value.split(",") if each.strip()]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a comma-separated list of addresses, not {value!r}.") from error


def folder(name: str, default: Path) -> Path:
    """A folder that is made where it is missing, for this user alone."""
    path = Path(text(name, str(default))).resolve()
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise ImproperlyConfigured(f"{name} must be a folder that can be written: {error.strerror}.") from error
    return path


def database(name: str, default: dict[str, object]) -> dict[str, object]:
    """A database URL (`postgres://user:password@host/name` or `sqlite:///path`) as Django's settings."""
    engines = ("django.db.backends.postgresql", "django.db.backends.sqlite3")

    def parse(value: str) -> dict[str, object]:
        found: dict[str, object] = dict(_env.db_url_config(value))
        if found.get("ENGINE") not in engines or not found.get("NAME"):
            raise ValueError(value)
        return found

    # The value may hold a password, so that it must not be repeated in the message.
    try:
        return _read(name, parse, default, "a database URL")
    except ImproperlyConfigured:
        raise ImproperlyConfigured(
            f"{name} must be a URL: postgres://user:password@host/name or sqlite:///path."
        ) from None


def redis_url(name: str) -> str:
    value = text(name)
    if value and not value.startswith(("redis://", "rediss://", "unix://")):
        raise ImproperlyConfigured(f"{name} must be a URL that begins with redis://, rediss:// or unix://.")
    return value


def secret_key(name: str, *, keep_in: Path, production: bool) -> str:
    """The secret key: given, or made once and kept in `keep_in` where this is no production start."""
    value = text(name)
    if value:
        if len(value) < 32:
            raise ImproperlyConfigured(f"{name} must have at least 32 characters.")
        return value
    if production:
        raise ImproperlyConfigured(f"{name} must be set where DATABASE_URL is and DEBUG is not.")
    if not keep_in.exists():
        # Several workers may start at once: each writes its own file, the first link wins.
        own = keep_in.with_name(f"{keep_in.name}.{os.getpid()}")
        own.touch(mode=0o600)
        own.write_text(secrets.token_urlsafe(64))
        try:
            os.link(own, keep_in)
        except FileExistsError:
            pass
        finally:
            own.unlink()
    return keep_in.read_text()


def data_dir() -> Path:
    """Where everything is kept that stays on this machine."""
    return folder("DATA_DIR", Path(__file__).resolve().parent.parent / "var")


def temporary_dir() -> Path:
    """Where uploads are while they come in."""
    return folder("TEMPORARY_DIR", data_dir() / "tmp")


@dataclass(frozen=True)
class OpenIDProvider:
    """Where people have an account already, its name on buttons, and what we are to it."""

    issuer: str
    name: str
    client: str
    secret: str


def provider() -> OpenIDProvider:
    """What OIDC_ISSUER and the variables that go with it say."""
    found = OpenIDProvider(
        issuer=url("OIDC_ISSUER"),
        name=text("OIDC_NAME", "OpenID Connect"),
        client=text("OIDC_CLIENT_ID"),
        secret=text("OIDC_CLIENT_SECRET"),
    )
    parts = urlsplit(found.issuer)
    if parts.scheme == "http" and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
        raise ImproperlyConfigured(
            "OIDC_ISSUER must begin with https://, for whoever is between could log in as anybody."
        )
    if found.issuer and not found.client:
        raise ImproperlyConfigured("OIDC_CLIENT_ID must be set where OIDC_ISSUER is.")
    return found


@dataclass(frozen=True)
class Server:
    """Where the web server listens, its processes and the requests at once in each, and the proxies before it."""

    host: str
    port: int
    workers: int
    threads: int
    proxies: int
    prepares: bool
    """Whether the sandbox is made ready as soon as a worker serves, and not by the first job."""


def server() -> Server:
    """What the settings, gunicorn's configuration and its worker all have to know."""
    return Server(
        host=text("HOST", "127.0.0.1"),
        port=integer("PORT", 8000, minimum=1, maximum=65_535),
        workers=integer("WEB_CONCURRENCY", 2, minimum=1, maximum=256),
        threads=integer("THREADS", 4, minimum=1, maximum=64),
        proxies=integer("TRUSTED_PROXY_COUNT", 0, minimum=0, maximum=10),
        prepares=boolean("PREPARE_SANDBOX", True),
    )
