"""A real browser in front of the live server: contexts by role, watched for whatever a page must not do."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import expect, sync_playwright

from accounts.models import User

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
    # The lists below the address bar, which is never seen, are two pages that are drawn for each page that is opened.
    # The last list is the one that is taken, so that Playwright's own is said once more.
    "--disable-features=" + ",".join((
        "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "AvoidUnnecessaryBeforeUnloadCheckSync",
        "DestroyProfileOnBrowserClose", "HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "LensOverlay",
        "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect",
        "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch",
    )),
]  # fmt: skip
PATIENCE = 60_000
"""Milliseconds: what takes long fails no test, as the machine may be busy with others."""
expect.set_options(timeout=PATIENCE)
_ON_VIOLATION = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
});
"""


def _missing() -> str:
    if shutil.which(CHROMIUM) is None:
        return f"no {CHROMIUM}: install Debian's chromium to run the browser's tests"
    return ""


class Chromium:
    """One browser for all tests of a process, started again where it has died: its death is a fault of one test."""

    def __init__(self, kind: Any) -> None:
        self._kind = kind
        self._browser: Any = None

    def new_context(self, **options: Any) -> Any:
        return self._living().new_context(**options)

    def new_page(self) -> Any:
        return self._living().new_page()

    def close(self) -> None:
        if self._browser is not None:
            self._browser.close()

    def _living(self) -> Any:
        if self._browser is None or not self._browser.is_connected():
            self._browser = self._kind.launch(executable_path=CHROMIUM, args=ARGUMENTS, timeout=120_000)
        return self._browser


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    missing = _missing()
    if missing and os.environ.get("REQUIRE_BROWSER") == "1":
        pytest.fail(missing)
    if missing:
        pytest.skip(missing)

    # Playwright keeps an event loop in this thread, at the sight of which Django refuses to use the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = Chromium(playwright.chromium)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@dataclass
class Watch:
    """What went wrong on any page of a test; refusals of the API, and loads that fail, only where none is expected.

    `others` are origins beside the service's to which a test's pages may lead.
    """

    origin: str
    others: tuple[str, ...] = ()
    refusals_expected: bool = False
    failures_expected: bool = False
    faults: list[str] = field(default_factory=list)

    def follow(self, page: Any) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("request", self._request)

    def _console(self, message: Any) -> None:
        refused = message.text.startswith("Failed to load resource: the server responded with a status of 4")
        failed = message.text.startswith("Failed to load resource")
        if message.text.startswith("Service Worker registration blocked by Playwright"):
            return
        if refused and "/converter/progress/" in message.location["url"]:
            return  # a row asks while it uploads, and the service may not know the upload yet
        expected = (refused and self.refusals_expected) or (failed and self.failures_expected)
        if message.type in ("error", "warning") and not expected:
            self.faults.append(f"console: {message.text}")

    def _request(self, request: Any) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and f"{parts.scheme}://{parts.netloc}" not in (
            self.origin,
            *self.others,
        ):
            self.faults.append(f"request to {request.url}")


@pytest.fixture
def watch(live_server: Any) -> Iterator[Watch]:
    watch = Watch(live_server.url)
    yield watch
    assert watch.faults == []


def true_in(page: Any, expression: str) -> None:
    """Wait for what is true in a page, by asking again: whoever waits inside of it needs eval, which pages forbid."""
    deadline = time.monotonic() + 60
    while not page.evaluate(expression):
        assert time.monotonic() < deadline, expression
        page.wait_for_timeout(50)


Visit = Callable[..., Any]


@pytest.fixture
def visit(chromium: Chromium, live_server: Any, watch: Watch) -> Iterator[Visit]:
    """Open a page at a path, in a browser of its own: `user` is logged in, `**options` are Playwright's."""
    contexts = []

    def open_page(path: str = "/", user: User | None = None, **options: Any) -> Any:
        # A worker would see requests before the tests that hold them up.
        options.setdefault("service_workers", "block")
        context = chromium.new_context(base_url=live_server.url, **options)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        if user is not None:
            client = Client()
            client.force_login(user)
            value = client.cookies[settings.SESSION_COOKIE_NAME].value
            context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": live_server.url}])
        if options.get("java_script_enabled", True):
            context.add_init_script(_ON_VIOLATION)
        page = context.new_page()
        watch.follow(page)
        # Who listens from the start misses no chooser that opens at once.
        page.on("filechooser", lambda _: None)
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        for page in context.pages:
            if not page.is_closed() and page.url.startswith("http"):
                watch.faults += page.evaluate("window.violations ?? []")
        context.close()


@pytest.fixture
def drop(tmp_path: Path) -> Callable[..., None]:
    """Drop files on the page as a person does: the browser itself gets the drag, not a made-up event."""

    def drop(page: Any, files: dict[str, bytes]) -> None:
        paths = []
        for name, content in files.items():
            path = tmp_path / name
            path.write_bytes(content)
            paths.append(str(path))
        box = page.locator("#drop").bounding_box()
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        devtools = page.context.new_cdp_session(page)
        data = {"items": [], "files": paths, "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            devtools.send("Input.dispatchDragEvent", {"type": kind, **point, "data": data})
        page.locator(".file").nth(len(files) - 1).wait_for()

    return drop


def saved(download: Any) -> bytes:
    return Path(download.path()).read_bytes()


@pytest.fixture
def download() -> Callable[[Any, Any], bytes]:
    """Click something and return the bytes that come down."""

    def fetch(page: Any, locator: Any) -> bytes:
        with page.expect_download() as waiting:
            locator.click()
        return saved(waiting.value)

    return fetch
