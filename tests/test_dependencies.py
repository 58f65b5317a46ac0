"""What the project is built on: all of it locked with hashes, under licences that are known."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LOCKS = (
    "requirements.lock",
    "requirements-dev.lock",
    "requirements-extras.lock",
    "requirements-build.lock",
    "requirements-uv.lock",
)
LISTS = {
    "requirements.txt": "requirements.lock",
    "requirements-dev.txt": "requirements-dev.lock",
    "requirements-extras.txt": "requirements-extras.lock",
}

PERMISSIVE = re.compile(
    r"\b(MIT(-0|-CMU)?|BSD|0BSD|Apache|ISC|ISCL|PSF(-2\.0)?|Python Software Foundation|Zlib|CC0-1\.0|Unlicense|HPND)\b"
)
NOT_PERMISSIVE = re.compile(r"GPL|GNU|MPL|Mozilla|EUPL|CDDL|SSPL|Proprietary|Commercial", re.IGNORECASE)
KNOWN = {
    # Used as they are, through their interfaces; whoever passes the service on passes these on under their own terms.
    "atheris": "Apache-2.0, which only its LICENSE file says",
    "certifi": "MPL-2.0",
    "fido2": "BSD-2-Clause; Apache-2.0 and MPL-2.0 for one file each",
    "fqdn": "MPL-2.0",
    "hypothesis": "MPL-2.0",
    "img2pdf": "LGPL-3.0",
    "inflate64": "LGPL-2.1 or later",
    "odfpy": "Apache-2.0 or GPL, at our choice",
    "pathspec": "MPL-2.0",
    "pi-heif": "BSD-3-Clause; LGPL-3.0 for libheif and libde265 in its wheel",
    "pikepdf": "MPL-2.0",
    "psycopg": "LGPL-3.0",
    "psycopg-binary": "LGPL-3.0",
    "psycopg-pool": "LGPL-3.0",
    "pyphen": "MPL-1.1, LGPL or GPL, at our choice",
    "pyvips-binary": "LGPL-3.0",
    "svglib": "LGPL-3.0",
}
"""Distributions under other than permissive licences, each looked at."""


def canonical(name: str) -> str:
    """PEP 503."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(file: str) -> set[tuple[str, str]]:
    """Name and version of every `name==version` of a file; one name has several where Python's version decides."""
    found = re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^\s;\\]+)", (ROOT / file).read_text(), re.MULTILINE)
    return {(canonical(name), version) for name, version in found}


def names(file: str) -> set[str]:
    return {name for name, _ in pinned(file)}


def licence(distribution: metadata.Distribution) -> str:
    """What a distribution says of its licence: its expression (PEP 639), else its classifiers, else its own words."""
    found = distribution.metadata
    if expressions := found.get_all("License-Expression"):
        return "; ".join(expressions)
    classified = [
        each.rpartition(" :: ")[2] for each in found.get_all("Classifier") or () if each.startswith("License")
    ]
    return "; ".join(classified or found.get_all("License") or ())


@pytest.mark.parametrize("file", LOCKS)
def test_everything_locked_has_one_version_and_hashes(file: str) -> None:
    entries = re.split(r"^(?=[A-Za-z0-9])", (ROOT / file).read_text(), flags=re.MULTILINE)[1:]
    assert entries
    for entry in entries:
        assert re.match(r"[A-Za-z0-9._-]+==[^\s;\\]+( ;[^\\]*)? \\\n", entry), entry.splitlines()[0]
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry.splitlines()[0]


@pytest.mark.parametrize(("given", "lock"), LISTS.items())
def test_what_is_listed_is_locked_in_the_same_version(given: str, lock: str) -> None:
    lines = [line for line in (ROOT / given).read_text().splitlines() if line and not line.startswith(("#", "-r"))]
    assert len(lines) == len(pinned(given))
    assert pinned(given) <= pinned(lock)
    assert (ROOT / given).read_text().index(f"-r {lock}") < min(map((ROOT / given).read_text().index, lines))


def test_the_locks_agree() -> None:
    dev = pinned("requirements-dev.lock")
    assert pinned("requirements.lock") <= dev
    shared = names("requirements-extras.lock") & {name for name, _ in dev}
    assert {each for each in pinned("requirements-extras.lock") if each[0] in shared} <= dev


def test_what_is_installed_is_what_is_locked() -> None:
    locked = names("requirements-dev.lock")
    here = {(canonical(each.name), each.version) for each in metadata.distributions()}
    here = {(name, version) for name, version in here if name in locked}
    assert {"django", "pytest", "sqlparse"} <= {name for name, _ in here}
    assert here <= pinned("requirements-dev.lock")


def test_every_licence_is_permissive_or_known() -> None:
    locked = names("requirements-dev.lock") | names("requirements-extras.lock")
    unknown = {}
    for each in metadata.distributions():
        name, text = canonical(each.name), licence(each)
        if name in locked and name not in KNOWN and (NOT_PERMISSIVE.search(text) or not PERMISSIVE.search(text)):
            unknown[name] = text
    assert unknown == {}
    assert set(KNOWN) <= locked


def test_extras_are_tested_in_the_version_that_is_offered() -> None:
    assert pinned("requirements-extras.txt")
    assert "-r requirements-extras.txt" in (ROOT / "Makefile").read_text()
    assert "make extras" in (ROOT / ".ci" / "run").read_text()
