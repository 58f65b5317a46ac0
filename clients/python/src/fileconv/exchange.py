"""Build requests and parse answers for both clients, without network access."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import httpx

from fileconv.errors import FileconvError, NotFound, TooManyRequests, Unavailable, Unreachable

DEFAULT_URL = "http://127.0.0.1:8000"
RECORDS = "/api/v1/converter/conversions"
ATTEMPTS = 5
LONGEST_WAIT = 120.0
TIMEOUT = httpx.Timeout(120.0, connect=10.0)

Source = str | Path | bytes | BinaryIO
Option = str | int | float | bool | None


@dataclass(frozen=True)
class Warning:
    """Something that could not be preserved, or had to be guessed."""

    code: str
    message: str


@dataclass(frozen=True)
class Result:
    """A converted file; `record` is the complete answer of the service."""

    content: bytes = field(repr=False)
    name: str
    content_type: str
    warnings: tuple[Warning, ...]
    record: Mapping[str, Any] = field(repr=False)

    def save(self, path: str | Path | None = None) -> Path:
        """Write the file, to this path or, by default, under its own name in the current folder; to a folder, under its
        own name."""
        target = Path(path) if path is not None else Path(self.name)
        if target.is_dir():
            target /= self.name
        target.write_bytes(self.content)
        return target


@dataclass(frozen=True)
class Progress:
    """The progress of a conversion: `done` of `total` in `unit`, each None until the service knows it."""

    state: str
    done: int | None
    total: int | None
    unit: str | None


@dataclass(frozen=True)
class Job:
    """One conversion to request; repeated requests with the same `key` are the same conversion."""

    slug: str
    name: str
    content: bytes
    options: Mapping[str, str]
    progress_id: str | None = None
    key: str = field(default_factory=lambda: uuid.uuid4().hex)

    @property
    def address(self) -> str:
        return f"/api/v1/converter/{self.slug}"

    def sent(self) -> dict[str, Any]:
        """The arguments for httpx to send it."""
        return {
            "files": {"file": (self.name, self.content)},
            "data": dict(self.options),
            "headers": {"Idempotency-Key": self.key}
            | ({"X-Progress-Id": self.progress_id} if self.progress_id else {}),
        }


def job(
    source: Source, *, to: str, name: str | None, options: Mapping[str, Option], progress_id: str | None = None
) -> Job:
    """A conversion of a file (a path, bytes, or a readable object) to a format; raises FileconvError."""
    if isinstance(source, str | Path):
        path = Path(source)
        content, name = path.read_bytes(), name or path.name
    else:
        content = source if isinstance(source, bytes) else source.read()
        name = name or Path(str(getattr(source, "name", ""))).name
    extension = extension_of(name)
    if not extension:
        raise FileconvError(f"{name or 'The file'} has no extension: say its name, such as name='report.docx'.")
    return Job(f"{extension}-to-{to.lower().lstrip('.')}", name, content, fields(options), progress_id)


def extension_of(name: str) -> str:
    """The extension that names the format in a slug; for compressed files, the one before the last."""
    parts = name.lower().split(".")
    if len(parts) > 2 and parts[-1] == "gz":
        return parts[-2]
    return parts[-1] if len(parts) > 1 else ""


def fields(options: Mapping[str, Option]) -> dict[str, str]:
    """Options as the service names and writes them: `page_size=` becomes `pageSize`; None omits one."""
    return {camel(name): _text(value) for name, value in options.items() if value is not None}


def camel(name: str) -> str:
    return re.sub(r"[_-]+([A-Za-z0-9])", lambda match: match[1].upper(), name)


def _text(value: Option) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def headers(key: str | None) -> dict[str, str]:
    return {"User-Agent": "fileconv-python/1.0.0"} | ({"Authorization": f"Bearer {key}"} if key else {})


def message(line: str) -> dict[str, Any]:
    """The arguments for httpx to send a Model Context Protocol message, with a key of its own."""
    accepted = "application/json, text/event-stream"
    sent = {"Content-Type": "application/json", "Accept": accepted, "Idempotency-Key": uuid.uuid4().hex}
    return {"content": line.encode(), "headers": sent}


def progress_address(id: str) -> str:
    return f"/api/v1/converter/progress/{id}"


def record_address(id: str) -> str:
    return f"{RECORDS}/{id}"


def progress(answer: Mapping[str, Any]) -> Progress:
    return Progress(answer["state"], answer["done"], answer["total"], answer["unit"])


def download_of(record: Mapping[str, Any]) -> str:
    """The address of the result; raises NotFound for an earlier conversion whose file is gone."""
    if record["downloadUrl"] is None:
        raise NotFound("This was converted before, and its file has expired or was deleted.", code="NOT_FOUND")
    return str(record["downloadUrl"])


def result(record: Mapping[str, Any], content: bytes) -> Result:
    """The downloaded result; raises FileconvError if it is not the file that the record describes."""
    if len(content) != record["outputBytes"] or hashlib.sha256(content).hexdigest() != record["sha256"]:
        text = f"The download has {len(content):,} bytes and is not the result of {record['outputBytes']:,} bytes."
        raise FileconvError(f"{text} Try again.")
    warnings = tuple(Warning(each["code"], each["message"]) for each in record["warnings"])
    return Result(content, _file_name(str(record["outputName"])), record["contentType"], warnings, record)


def _file_name(given: str) -> str:
    """The last part of a name, by which a file is saved: the service decides about no folder."""
    name = given.replace("\\", "/").rpartition("/")[2]
    return name if name.strip(". ") else "result"


def unreachable(error: httpx.HTTPError, url: str) -> Unreachable:
    return Unreachable(f"{url} does not answer ({type(error).__name__}). Is the service running there?")


def wait_before(attempt: int, error: FileconvError) -> float | None:
    """The seconds to wait after a failed attempt, counted from 1; None if it should not be retried."""
    passing = isinstance(error, TooManyRequests | Unavailable | Unreachable) or error.status in (502, 504)
    if not passing or attempt >= ATTEMPTS:
        return None
    wait = error.wait if error.wait is not None else 0.5 * 2.0**attempt
    return wait if wait <= LONGEST_WAIT else None
