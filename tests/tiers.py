"""Which tests run when: `quick` ones in `make test`, `ci` ones in `.ci/run` too, `all` of them in `make test-all`.

A test is quick unless a marker or the place where it lies says otherwise; the closest marker counts, then the place.
`--tier` names the last tier to run. `--leg` narrows it for runs of `.ci/run` that repeat others on another database or
with more programs. What is left out counts as deselected in the last line of pytest, of several workers as of one; only
what the leg `database` leaves out is not even collected.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from pathlib import Path, PurePath
from types import SimpleNamespace
from typing import Any

import pytest


class Tier(IntEnum):
    """The command whose run a test belongs to first; later ones run it too."""

    QUICK = 0
    CI = 1
    ALL = 2


MARKERS = {"quick": Tier.QUICK, "ci": Tier.CI, "full": Tier.ALL}

PLACES = {
    # They start browsers, Node, services or several machines, and attack a service that has to recover each time.
    "agents": Tier.CI,
    "browser": Tier.CI,
    "clients": Tier.CI,
    "hostile": Tier.CI,
    "scale": Tier.CI,
    "server": Tier.CI,
    # They start and end a sandbox of their own in each test.
    "sandbox/test_lifecycle.py": Tier.CI,
    "sandbox/test_supervisor.py": Tier.CI,
    "sandbox/test_traces.py": Tier.CI,
    # They watch a server of their own for seconds of rest.
    "config/test_hostile_clients.py": Tier.CI,
    "config/test_proxied_clients.py": Tier.CI,
    "config/test_slow_clients.py": Tier.CI,
    # They start LibreOffice or a browser, or recognise pages.
    "converters/test_libreoffice.py": Tier.CI,
    "converters/test_ocr.py": Tier.CI,
    "converters/test_scanned_tables.py": Tier.CI,
    "converters/test_ocr_languages.py": Tier.CI,
    "converters/test_office_references.py": Tier.CI,
    "converters/test_pages_like_chromium.py": Tier.CI,
    "converters/test_searchable.py": Tier.CI,
}
"""Folders and files below `tests` whose tests are not quick; of two that hold for a test the longer one counts."""

DATABASE = (
    "accounts", "apikeys", "backoffice", "billing", "config", "conversions", "scale", "server", "storage", "teams",
)  # fmt: skip
"""Folders with tests of what asks a database or a cache, in this process or in servers that they start."""

ASK_NONE = frozenset({
    # Their server runs an application without Django, or starts with an environment that has no database.
    "config/test_environment.py",
    "config/test_gunicorn.py",
    "config/test_hostile_clients.py",
    "config/test_reload.py",
    "config/test_slow_clients.py",
})  # fmt: skip
"""Files in these folders whose tests ask neither, and of which many wait for seconds."""


@cache  # asked twice for each test of a file
def _below_tests(root: Path, path: Path) -> PurePath:
    return path.relative_to(root / "tests")


def _place(item: pytest.Item) -> PurePath:
    return _below_tests(item.config.rootpath, item.path)


@cache
def tier_at(place: PurePath) -> Tier:
    """The tier of tests without a marker in a file below `tests`."""
    return next((PLACES[str(each)] for each in (place, *place.parents) if str(each) in PLACES), Tier.QUICK)


def tier_of(item: pytest.Item) -> Tier:
    for marker in item.iter_markers():
        if marker.name in MARKERS:
            return MARKERS[marker.name]
        if marker.name == "full_unless" and not marker.kwargs["chosen"](**item.callspec.params):  # type: ignore[attr-defined]
            return Tier.ALL
    return tier_at(_place(item))


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tiers")
    names = [each.name.lower() for each in Tier]
    group.addoption("--tier", choices=names, default="all", help="the last tier to run")
    group.addoption("--leg", choices=("programs", "database"), help="only what programs or the database may change")
    group.addoption("--write-passed", metavar="FILE", help="write which tests passed")
    group.addoption("--read-passed", metavar="FILE", help="what passed before the leg `programs`, from --write-passed")


def _may_ask_database(place: PurePath) -> bool:
    return place.parts[0] in DATABASE and str(place) not in ASK_NONE


def _belongs(item: pytest.Item, leg: str | None, passed: frozenset[str]) -> bool:
    place = _place(item)
    if leg == "database":
        return _may_ask_database(place)
    # More programs bring more conversions, which the files beside this module look at; folders of DATABASE that do so
    # are in the leg of that name.
    return leg is None or item.nodeid not in passed or len(place.parts) == 1


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import nothing of what the leg `database` leaves out, which is three quarters of all tests."""
    tests = config.rootpath / "tests"
    if config.getoption("leg") != "database" or not collection_path.is_relative_to(tests) or collection_path == tests:
        return None
    return None if _may_ask_database(_below_tests(config.rootpath, collection_path)) else True


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    last, leg, file = Tier[config.getoption("tier").upper()], config.getoption("leg"), config.getoption("read_passed")
    passed = frozenset(Path(file).read_text().splitlines()) if file else frozenset()
    kept = [each for each in items if tier_of(each) <= last and _belongs(each, leg, passed)]
    left_out = set(items) - set(kept)
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = kept


class _Deselected:
    """Counts what a worker leaves out, which it alone knows, and has the main process count it for the last line."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._count = 0

    def pytest_deselected(self, items: Sequence[Any]) -> None:
        self._count += len(items)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["deselected"] = self._count

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        number = getattr(node, "workeroutput", {}).get("deselected", 0)
        if number and not self._count:  # each worker leaves out the same
            # Plugins look into what was left out as into reports, which no range of numbers bears.
            self._config.hook.pytest_deselected(items=[SimpleNamespace() for _ in range(number)])


class _Passed:
    """Writes the ids of tests that passed, a line each."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._ids: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self._ids.append(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self._file.write_text("".join(f"{each}\n" for each in self._ids))


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_Deselected(config))
    if (file := config.getoption("write_passed")) and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Passed(Path(file)))
