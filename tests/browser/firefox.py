"""Debian's Firefox through its own WebDriver BiDi, with as much of the protocol as the tests of a page need."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

EXECUTABLE = "/usr/bin/firefox-esr"
PATIENCE = 60
"""Seconds for each answer: the machine may be busy with others."""

KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Shift": "\ue008", "Space": " "}
_EVENTS = ["log.entryAdded", "network.beforeRequestSent", "input.fileDialogOpened", "browsingContext.downloadEnd"]
_UNTIL = """new Promise((resolve) => {
  const look = () => { if (%s) resolve(); else setTimeout(look, 50); };
  look();
})"""

Event = dict[str, Any]


@dataclass
class Firefox:
    """One running browser: a command is sent and its answer waited for, events are kept in their order."""

    connection: ClientConnection
    events: list[Event] = field(default_factory=list)
    _sent: int = 0

    def send(self, method: str, **params: Any) -> Any:
        self._sent += 1
        self.connection.send(json.dumps({"id": self._sent, "method": method, "params": params}))
        while True:
            message = json.loads(self.connection.recv(timeout=PATIENCE))
            if message["type"] == "event":
                self.events.append(message)
            elif message["id"] == self._sent:
                assert message["type"] == "success", message
                return message["result"]

    def events_of(self, method: str) -> list[Event]:
        return [each["params"] for each in self.events if each["method"] == method]

    def wait_for(self, method: str, *, matching: Callable[[Event], bool] = lambda _: True) -> Event:
        """The first event of this name, which may have come already."""
        while True:
            for each in self.events_of(method):
                if matching(each):
                    return each
            message = json.loads(self.connection.recv(timeout=PATIENCE))
            assert message["type"] == "event", message
            self.events.append(message)

    def open(self, *, width: int, height: int) -> Page:
        """A tab as large as this; the one that Firefox begins with never has the focus."""
        context = self.send("browsingContext.create", type="tab")["context"]
        self.send("browsingContext.setViewport", context=context, viewport={"width": width, "height": height})
        return Page(self, context)


@dataclass
class Page:
    """A tab that is used by keyboard alone."""

    browser: Firefox
    context: str

    def go(self, url: str) -> None:
        self.browser.send("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def value(self, expression: str) -> Any:
        """What JavaScript makes of an expression; an array or object comes back as JSON does it."""
        answer = self.browser.send(
            "script.evaluate",
            expression=f"Promise.resolve({expression}).then((value) => JSON.stringify(value ?? null))",
            target={"context": self.context},
            awaitPromise=True,
            userActivation=False,
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def until(self, expression: str) -> None:
        """Wait for an expression to be true."""
        self.value(_UNTIL % expression)

    def press(self, *keys: str) -> None:
        """Press keys, each held until all are down."""
        values = [KEYS.get(key, key) for key in keys]
        actions = [{"type": "keyDown", "value": value} for value in values]
        actions += [{"type": "keyUp", "value": value} for value in reversed(values)]
        self.browser.send(
            "input.performActions", context=self.context, actions=[{"type": "key", "id": "keys", "actions": actions}]
        )

    def tab_to(self, selector: str, *, back: bool = False) -> None:
        """Press Tab until what the selector names has the focus, with an outline that can be seen."""
        for _ in range(80):
            self.press(*(["Shift", "Tab"] if back else ["Tab"]))
            if self.value(f"document.activeElement.matches({json.dumps(selector)})"):
                style = self.value(
                    "(({ outlineStyle, outlineWidth }) => [outlineStyle, parseFloat(outlineWidth)])"
                    "(getComputedStyle(document.activeElement))"
                )
                assert style[0] != "none"
                assert style[1] >= 2
                return
        raise AssertionError(f"{selector!r} can't be reached with the Tab key")

    def choose(self, path: Path) -> None:
        """Open the file chooser of the field with the focus by the Space key, and choose a file in it."""
        self.press("Space")
        dialog = self.browser.wait_for("input.fileDialogOpened", matching=lambda each: each["context"] == self.context)
        self.browser.send("input.setFiles", context=self.context, element=dialog["element"], files=[str(path)])

    def downloaded(self) -> bytes:
        """What came down, once it is there."""
        end = self.browser.wait_for("browsingContext.downloadEnd")
        assert end["status"] == "complete", end
        return Path(end["filepath"]).read_bytes()


@contextmanager
def running(*, dark: bool) -> Iterator[Firefox]:
    """A Firefox with a profile of its own whose owner likes these colours."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        downloads = Path(folder) / "downloads"
        downloads.mkdir()
        preferences = {
            "layout.css.prefers-color-scheme.content-override": 0 if dark else 1,
            "ui.prefersReducedMotion": 1,
            # Without a screen no window is in front: each believes that it is.
            "focusmanager.testmode": True,
            "browser.download.dir": str(downloads),
            "browser.download.folderList": 2,
            "browser.download.useDownloadDir": True,
            # The list of downloads would open over the page and take its focus.
            "browser.download.alwaysOpenPanel": False,
        }
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in preferences.items()]
        (Path(folder) / "user.js").write_text("\n".join(lines))
        command = [EXECUTABLE, "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port=0"]
        # Firefox refuses to run as root in the home of somebody else.
        surroundings = {"HOME": folder, "PATH": "/usr/bin:/bin", "MOZ_CRASHREPORTER_DISABLE": "1"}
        with subprocess.Popen(
            command, env=surroundings, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                assert process.stderr is not None
                matches = (re.search(r"WebDriver BiDi listening on (ws://\S+)", line) for line in process.stderr)
                address = next(each[1] for each in matches if each)
                with connect(f"{address}/session", max_size=None, open_timeout=PATIENCE) as connection:
                    browser = Firefox(connection)
                    browser.send(
                        "session.new", capabilities={"alwaysMatch": {"unhandledPromptBehavior": {"file": "ignore"}}}
                    )
                    browser.send("session.subscribe", events=_EVENTS)
                    yield browser
                    browser.send("browser.close")
            finally:
                process.terminate()
