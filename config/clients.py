"""The service's own clients as files: a wheel for Python, with the command, and a package for npm.

They are made of the sources beside the service, so that a client fits the service that hands it out, and installing it
asks no index for a name that somebody else may hold.
"""

from __future__ import annotations

import base64
import functools
import gzip
import hashlib
import io
import json
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts import links
from storage import conditions

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The first moment of ZIP: the same sources give the same bytes on every machine."""
_FRESH = {"Cache-Control": "public, max-age=300"}


@dataclass(frozen=True)
class Client:
    """A client as a file, and the program that installs it."""

    language: str
    name: str
    content: bytes
    content_type: str
    installer: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


@functools.cache
def _python() -> Client:
    """A wheel (PEP 427)."""
    root = settings.BASE_DIR / "clients" / "python"
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    distribution = f"{project['name'].replace('-', '_')}-{project['version']}"
    sources = sorted(each for each in (root / "src").rglob("*") if each.suffix == ".py" or each.name == "py.typed")
    files = {str(each.relative_to(root / "src")): each.read_bytes() for each in sources}
    scripts = "".join(f"{name} = {place}\n" for name, place in project["scripts"].items())
    info = f"{distribution}.dist-info"
    files |= {
        f"{info}/METADATA": _metadata(project, (root / "README.md").read_text()).encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: fileconv\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": f"[console_scripts]\n{scripts}".encode(),
    }
    record = "".join(f"{name},sha256={_digest(content)},{len(content)}\n" for name, content in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    wheel = io.BytesIO()
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return Client("python", f"{distribution}-py3-none-any.whl", wheel.getvalue(), "application/zip", "pip")


def _metadata(project: dict[str, object], readme: str) -> str:
    """The core metadata (version 2.1) that a project declares."""
    extras: dict[str, list[str]] = project["optional-dependencies"]  # type: ignore[assignment]  # as TOML has it
    needed: list[str] = project["dependencies"]  # type: ignore[assignment]
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {each}" for each in needed),
        *(f"Provides-Extra: {extra}" for extra in extras),
        *(f'Requires-Dist: {each}; extra == "{extra}"' for extra, several in extras.items() for each in several),
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + f"\n\n{readme}"


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


@functools.cache
def _typescript() -> Client:
    """A package as `npm pack` makes it."""
    root = settings.BASE_DIR / "clients" / "typescript"
    package = json.loads((root / "package.json").read_text())
    names = ["package.json", "README.md", *(f"{folder}/**/*" for folder in package["files"])]
    paths = sorted({path for name in names for path in root.glob(name) if path.is_file()})
    packed = io.BytesIO()
    # Without a time and a name in the header, the same sources give the same bytes.
    with (
        gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for path in paths:
            archive.addfile(_entry(path, root), io.BytesIO(path.read_bytes()))
    name = f"{package['name']}-{package['version']}.tgz"
    return Client("typescript", name, packed.getvalue(), "application/gzip", "npm")


def _entry(path: Path, root: Path) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(f"package/{path.relative_to(root)}")
    entry.size = path.stat().st_size
    entry.mode = 0o644
    return entry


CLIENTS: tuple[Callable[[], Client], ...] = (_python, _typescript)


@require_safe
def index(request: HttpRequest) -> JsonResponse:
    """Where the clients are, how large, and how to install them."""
    found = []
    for each in (make() for make in CLIENTS):
        address = links.absolute(reverse("client", kwargs={"name": each.name}))
        found.append(
            {
                "language": each.language,
                "url": address,
                "bytes": len(each.content),
                "sha256": each.sha256,
                "install": f"{each.installer} install {address}",
            }
        )
    return JsonResponse({"clients": found}, headers=_FRESH)


@require_safe
def client(request: HttpRequest, name: str) -> HttpResponseBase:
    """One client as a file."""
    found = next((each for each in (make() for make in CLIENTS) if each.name == name), None)
    if found is None:
        raise Http404
    etag = conditions.entity_tag(found.sha256)
    response = conditions.judge(request, etag=etag)
    response = response or HttpResponse(found.content, content_type=found.content_type)
    for header, value in {**_FRESH, "ETag": etag, "X-Content-Type-Options": "nosniff"}.items():
        response[header] = value
    return response
