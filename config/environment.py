"""Typed readers of environment variables, whose errors name the variable."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import secrets
import stat
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


def renamed(*, old: str, new: str) -> None:
    """Raise ImproperlyConfigured if a variable is still set under its old name."""
    if os.environ.get(old, "").strip():
        raise ImproperlyConfigured(f"{old} was renamed {new}. See docs/operating.md for its values.")


def words(name: str, default: list[str]) -> list[str]:
    """A comma-separated list."""
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
    """A URL such as `https://convert.example/terms`, or empty."""
    value = text(name)
    if value and not value.startswith(("https://", "http://")):
        raise ImproperlyConfigured(f"{name} must be an address that begins with https:// or http://, not {value!r}.")
    return value


def secret_url(name: str) -> str:
    """A URL that secrets are sent to, or empty: HTTPS, except on this machine."""
    value = url(name)
    parts = urlsplit(value)
    if parts.scheme == "http" and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
        raise ImproperlyConfigured(f"{name} must begin with https://, for whoever is between would read secrets.")
    return value


def site_url(name: str, *, host: str, port: int) -> str:
    """The public origin of the service, by default where it listens on this machine."""
    value = text(name).rstrip("/")
    if not value:
        near = "localhost" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host  # noqa: S104
        return f"http://{near}:{port}"
    parts = urlsplit(value)
    if parts.scheme not in ("https", "http") or not parts.hostname or value != f"{parts.scheme}://{parts.netloc}":
        raise ImproperlyConfigured(
            f"{name} must be an origin such as https://convert.example, with no path, not {value!r}."
        )
    return value


def networks(name: str, default: str) -> list[Network]:
    """A comma-separated list of addresses and networks (CIDR)."""
    value = text(name, default)
    try:
        return [ipaddress.ip_network(each.strip(), strict=False) for each in value.split(",") if each.strip()]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a comma-separated list of addresses, not {value!r}.") from error


def folder(name: str, default: Path) -> Path:
    """A folder, created for this user only if missing."""
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

    # The value may contain a password: don't repeat it in the message.
    try:
        return _read(name, parse, default, "a database URL")
    except ImproperlyConfigured:
        raise ImproperlyConfigured(
            f"{name} must be a URL: postgres://user:password@host/name or sqlite:///path."
        ) from None


def make_private(path: Path) -> None:
    """Create a file that only this user may read, unless it is there: SQLite would make it readable for all."""
    # Not by opening it: closing any descriptor of a SQLite file drops the locks of this process's other connections.
    with contextlib.suppress(OSError):  # whoever opens it reports what is wrong
        os.mknod(path, stat.S_IFREG | 0o600)


def redis_url(name: str) -> str:
    value = text(name)
    if value and not value.startswith(("redis://", "rediss://", "unix://")):
        raise ImproperlyConfigured(f"{name} must be a URL that begins with redis://, rediss:// or unix://.")
    return value


def secret_key(name: str, *, keep_in: Path, production: bool) -> str:
    """The secret key: from the environment, or in development generated once and stored in `keep_in`."""
    value = text(name)
    if value:
        if len(value) < 32:
            raise ImproperlyConfigured(f"{name} must have at least 32 characters.")
        return value
    if production:
        raise ImproperlyConfigured(f"{name} must be set where DATABASE_URL is and DEBUG is not.")
    if not keep_in.exists():
        # Several workers may start at once: each writes its own file, and the first link wins.
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


_DATA = Path(__file__).resolve().parent.parent / "var"


def data_path() -> Path:
    """The folder for local data; not created."""
    return Path(text("DATA_DIR", str(_DATA))).resolve()


def data_dir() -> Path:
    """The folder for local data, created if missing."""
    return folder("DATA_DIR", _DATA)


def temporary_dir() -> Path:
    """The folder for uploads in progress."""
    return folder("TEMPORARY_DIR", data_dir() / "tmp")


@dataclass(frozen=True)
class OpenIDProvider:
    """The OpenID Connect provider, its name on buttons, and our client id and secret."""

    issuer: str
    name: str
    client: str
    secret: str


def provider() -> OpenIDProvider:
    """Read OIDC_ISSUER and its related variables."""
    found = OpenIDProvider(
        issuer=secret_url("OIDC_ISSUER"),
        name=text("OIDC_NAME", "OpenID Connect"),
        client=text("OIDC_CLIENT_ID"),
        secret=text("OIDC_CLIENT_SECRET"),
    )
    if found.issuer and not found.client:
        raise ImproperlyConfigured("OIDC_CLIENT_ID must be set where OIDC_ISSUER is.")
    return found


@dataclass(frozen=True)
class Server:
    """Web server: address, processes, threads, and trusted proxies."""

    host: str
    port: int
    workers: int
    threads: int
    proxies: int
    prepares: bool
    """Whether to start sandbox children with the worker rather than with the first job."""


def server() -> Server:
    """What the settings, gunicorn's configuration and its worker all need."""
    return Server(
        host=text("HOST", "127.0.0.1"),
        port=integer("PORT", 8000, minimum=1, maximum=65_535),
        workers=integer("WEB_CONCURRENCY", 2, minimum=1, maximum=256),
        threads=integer("THREADS", 4, minimum=1, maximum=64),
        proxies=integer("TRUSTED_PROXY_COUNT", 0, minimum=0, maximum=10),
        prepares=boolean("PREPARE_SANDBOX", True),
    )
