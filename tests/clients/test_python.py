"""The Python client and the command, built as a wheel, installed, and used against a real server."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from accounts.models import User
from conversions.models import Conversion
from tests.conftest import Person, make_user, with_key
from tests.conversions.samples import INVOICE, PEOPLE, PEOPLE_CSV
from tests.http_server import http_server

PROJECT = Path(__file__).resolve().parents[2] / "clients" / "python"


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed wheel."""
    folder = tmp_path_factory.mktemp("client")
    uv = str(Path(sys.executable).parent / "uv")
    constraints = ["--build-constraints", str(PROJECT.parents[1] / "requirements-build.lock")]
    built = [uv, "build", "--quiet", "--wheel", *constraints, "--out-dir", str(folder), str(_copy(folder))]
    subprocess.run(built, check=True)
    (wheel,) = folder.glob("fileconv_service_client-*.whl")
    site = folder / "site"
    subprocess.run([uv, "pip", "install", "--quiet", "--no-deps", "--target", str(site), str(wheel)], check=True)
    return site


def _copy(folder: Path) -> Path:
    """The sources apart from the checkout, which building would write into."""
    source = folder / "source"
    for each in PROJECT.rglob("*"):
        if each.is_file() and "__pycache__" not in each.parts:
            target = source / each.relative_to(PROJECT)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(each.read_bytes())
    return source


@pytest.fixture
def owner(transactional_db: None) -> Person:
    return with_key(make_user("pro"), "convert", "read")


@pytest.fixture
def fileconv(installed: Path, live_server: Any, owner: Person, tmp_path: Path) -> Any:
    """Run the command in an empty folder as the owner of a key."""
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(installed),
        "FILECONV_URL": live_server.url,
        "FILECONV_KEY": owner.headers["Authorization"].partition(" ")[2],
    }

    def run(
        *arguments: str, given: bytes = b"", stderr: int = subprocess.PIPE, **more: str
    ) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "fileconv.command", *arguments]
        return subprocess.run(
            command, cwd=tmp_path, env=environment | more, input=given, stdout=subprocess.PIPE, stderr=stderr,
            timeout=60, check=False,
        )  # fmt: skip

    return run


def python(installed: Path, program: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(installed)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


PROGRAM = """
import asyncio, sys
from fileconv import AsyncClient, Client, Unauthorized, UnknownConversion, UnsupportedFormat
url, key, source = sys.argv[1:]
with Client(url, key) as client:
    result = client.convert(source, to="csv", delimiter=";", flatten=False)
    print(result.name, result.content_type, len(result.warnings), result.record["options"]["flatten"])
    print(client.convert(b'{"a": 1}', to="csv", name="a.json", progress_id="of-my-own-choosing").content)
    print(client.progress("of-my-own-choosing"))
    print([each["inputName"] for each in client.conversions(slug="json-to-csv", page_size=1)])
    print(client.conversion(result.record["id"])["status"], client.receipt(result.record["id"])["receipt"]["slug"])
    for source, kind in ((b"[1,", UnsupportedFormat), (b"x", UnknownConversion)):
        try:
            client.convert(source, to="csv" if kind is UnsupportedFormat else "nothing", name="a.json")
        except kind as error:
            print(type(error).__name__, error.code, bool(error.details or error.meta))
async def main():
    async with AsyncClient(url, key) as client:
        return await asyncio.gather(*(client.convert(b"[]", to="csv", name=f"{n}.json") for n in range(5)))
print(sorted(each.name for each in asyncio.run(main())))
try:
    Client(url, "fc_nonsense").convert(b"[]", to="csv", name="a.json")
except Unauthorized as error:
    print(error.status)
"""


def test_the_client_converts_warns_and_raises_by_code(
    installed: Path, live_server: Any, owner: Person, tmp_path: Path
) -> None:
    (tmp_path / "people.json").write_bytes(PEOPLE)
    key = owner.headers["Authorization"].partition(" ")[2]
    lines = python(installed, PROGRAM, live_server.url, key, str(tmp_path / "people.json")).splitlines()
    assert lines == [
        "people.csv text/csv 0 False",
        "b'a\\r\\n1\\r\\n'",
        "Progress(state='done', done=None, total=None, unit=None)",
        "['a.json']",
        "completed json-to-csv",
        "UnsupportedFormat UNSUPPORTED_FORMAT True",
        "UnknownConversion UNKNOWN_CONVERSION True",
        "['0.csv', '1.csv', '2.csv', '3.csv', '4.csv']",
        "401",
    ]


def test_a_file_is_converted_into_another(fileconv: Any, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(INVOICE)
    done = fileconv("a.html", "b.pdf", "--page-size", "Letter")
    assert (done.returncode, done.stdout) == (0, b"")
    assert (tmp_path / "b.pdf").read_bytes().startswith(b"%PDF")
    assert Conversion.objects.get().options["pageSize"] == "Letter"


def test_pipes_and_options_with_values(fileconv: Any) -> None:
    done = fileconv("-", "-", "--from", "json", "--to", "csv", "--delimiter=;", given=PEOPLE)
    assert (done.returncode, done.stdout) == (0, PEOPLE_CSV.replace(b",", b";"))


def test_folders_keep_their_shape_and_one_bad_file_does_not_stop_the_rest(fileconv: Any, tmp_path: Path) -> None:
    for name, content in (("in/a.json", PEOPLE), ("in/deep/b.json", PEOPLE), ("in/c.json", b"[1,")):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    done = fileconv("--to", "csv", "in", "-o", "out", "--json")
    assert done.returncode == 1
    records = {each["input"]: each for each in map(json.loads, done.stdout.splitlines())}
    assert records["in/c.json"]["code"] == "UNSUPPORTED_FORMAT"
    assert records["in/deep/b.json"]["output"] == "out/deep/b.csv"
    assert {str(each.relative_to(tmp_path)) for each in (tmp_path / "out").rglob("*.csv")} == {
        "out/a.csv",
        "out/deep/b.csv",
    }


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("a.json",), 2), (("no.json", "b.csv"), 2), (("a.json", "b.csv", "c"), 2), (("-", "--to", "csv"), 2),
        (("a.json", "b.nothing"), 1), (("a.json", "b.csv", "--delimiter", "long"), 1),
        (("a.json", "b.csv", "--url", "http://127.0.0.1:9"), 3),
    ],
)  # fmt: skip
def test_exit_codes(fileconv: Any, tmp_path: Path, arguments: tuple[str, ...], code: int) -> None:
    (tmp_path / "a.json").write_bytes(PEOPLE)
    assert fileconv(*arguments).returncode == code


def test_formats_and_what_completes_them(fileconv: Any) -> None:
    assert b"html-to-pdf" in fileconv("formats", "html", "pdf").stdout
    script = fileconv("completion", "bash").stdout
    asked = b"COMP_WORDS=(fileconv --page-s); COMP_CWORD=1; _fileconv; echo ${COMPREPLY[@]}"
    found = subprocess.run(["bash"], input=script + b"\n" + asked, capture_output=True, check=True).stdout.split()
    assert b"--page-size" in found


def test_an_agent_speaks_to_the_command_in_lines(fileconv: Any) -> None:
    lines = [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
    ]
    done = fileconv("mcp", given=b"\n".join(json.dumps(each).encode() for each in lines) + b"\nnonsense\n")
    listed, refused = map(json.loads, done.stdout.splitlines())
    assert {each["name"] for each in listed["result"]["tools"]} >= {"convert", "to_markdown"}
    assert "error" in refused


def losing(service: str) -> type[BaseHTTPRequestHandler]:
    """A proxy that passes requests on, but loses the first answer and gives up before the second."""

    class Losing(BaseHTTPRequestHandler):
        requests = 0

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            passed = {name: value for name, value in self.headers.items() if name.lower() != "host"}
            asked = urllib.request.Request(f"{service}{self.path}", body, passed)
            with urllib.request.urlopen(asked) as answer:
                content = answer.read()
            Losing.requests += 1
            if Losing.requests == 1:
                self.close_connection = True
                return
            self.send_response(504 if Losing.requests == 2 else 200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    return Losing


def test_a_call_of_an_agent_whose_answer_is_lost_is_paid_once(fileconv: Any, owner: Person, live_server: Any) -> None:
    credits = User.objects.get(pk=owner.account.pk).credits
    arguments = {"slug": "json-to-csv", "text": PEOPLE.decode()}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "convert", "arguments": arguments}}
    with http_server(losing(live_server.url)) as proxy:
        done = fileconv("mcp", given=json.dumps(call).encode(), FILECONV_URL=proxy)
    assert json.loads(done.stdout)["result"]["content"][0]["text"] == PEOPLE_CSV.decode()
    assert User.objects.get(pk=owner.account.pk).credits == credits - 1


def test_a_request_over_the_rate_is_sent_again_and_paid_once(fileconv: Any, owner: Person, tmp_path: Path) -> None:
    credits = User.objects.get(pk=owner.account.pk).credits
    for number in range(6):
        (tmp_path / f"{number}.json").write_bytes(PEOPLE)
    done = fileconv("--to", "csv", *(f"{number}.json" for number in range(6)), "--jobs", "6")
    assert done.returncode == 0, done.stderr
    assert User.objects.get(pk=owner.account.pk).credits == credits - 6


def test_a_terminal_gets_a_bar_and_a_pipe_does_not(fileconv: Any, tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.json").write_bytes(PEOPLE if number else b"[")
    piped = fileconv("--to", "csv", "--jobs", "1", "0.json", "1.json", "2.json")
    assert b"\r" not in piped.stderr
    ours, theirs = os.openpty()
    with open(ours, "rb", buffering=0) as terminal:
        done = fileconv("--to", "csv", "--jobs", "1", "0.json", "1.json", "2.json", stderr=theirs)
        os.close(theirs)
        shown = terminal.read(1 << 16).decode()
    assert done.returncode == piped.returncode == 1
    assert "█" * 10 + "░" * 20 + " 1 of 3, 1 failed" in shown
    assert "2 of 3, 1 failed" in shown
    assert "2.csv" in shown.rpartition("\r\x1b[K")[2]
    assert "░" not in shown.rpartition("\r\x1b[K")[2]


class Redirecting(BaseHTTPRequestHandler):
    """A service with DOWNLOAD_MODE=redirect and its storage, which is the same server under another name."""

    server: ThreadingHTTPServer
    moved = truncated = False
    keys: ClassVar[list[str | None]] = []

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        record = {
            "outputName": "a.csv", "contentType": "text/csv", "warnings": [], "downloadUrl": "/files/1",
            "outputBytes": len(PEOPLE_CSV), "sha256": hashlib.sha256(PEOPLE_CSV).hexdigest(),
        }  # fmt: skip
        self.answer(301 if self.moved else 201, json.dumps({"data": record}).encode(), "https://convert.example/")

    def do_GET(self) -> None:
        if self.path == "/files/1":
            self.answer(302, b"", f"http://localhost:{self.server.server_port}/bucket/1")
        else:
            self.keys.append(self.headers["Authorization"])
            self.answer(200, PEOPLE_CSV[:-1] if self.truncated else PEOPLE_CSV)

    def answer(self, status: int, body: bytes, location: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


CONVERTS = """
import asyncio, sys
from fileconv import AsyncClient, Client, FileconvError
async def later(url):
    async with AsyncClient(url, "fc_secret") as client:
        return await client.convert(b"[]", to="csv", name="a.json")
def now(url):
    with Client(url, "fc_secret") as client:
        return client.convert(b"[]", to="csv", name="a.json")
for convert in (now, lambda url: asyncio.run(later(url))):
    try:
        print(convert(sys.argv[1]).content)
    except FileconvError as error:
        print(error)
"""


def test_a_redirected_download_is_followed_without_the_key(installed: Path) -> None:
    handler: Any = type("Moving", (Redirecting,), {"keys": []})
    with http_server(handler) as origin:
        assert python(installed, CONVERTS, origin).splitlines() == [str(PEOPLE_CSV)] * 2
    assert handler.keys == [None, None]


@pytest.mark.parametrize(
    ("service", "message"),
    [({"moved": True}, "redirects to https://convert.example/."), ({"truncated": True}, "is not the result")],
    ids=["a service that has moved", "a truncated download"],
)
def test_what_is_not_the_result_is_an_error(installed: Path, service: dict[str, bool], message: str) -> None:
    with http_server(type("Broken", (Redirecting,), service)) as origin:
        assert [message in each for each in python(installed, CONVERTS, origin).splitlines()] == [True, True]


HOSTILE = """
import hashlib, sys
from fileconv import completion, exchange
class Service:
    def formats(self):
        listed = {"extensions": ["csv", '$(touch hacked)', 'a"; touch hacked; "']}
        return {"formats": [listed], "conversions": [{"options": [{"name": "pageSize"}, {"name": "x; touch hacked"}]}]}
for shell in ("bash", "zsh", "fish"):
    assert "hacked" not in completion.script(Service(), shell)
    assert "csv" in completion.script(Service(), shell)
record = {"contentType": "text/csv", "warnings": [], "outputBytes": 0, "sha256": hashlib.sha256().hexdigest()}
for name in ("/a/b/c.csv", "../c.csv", "..\\\\c.csv", "c.csv", "..", "a/", ""):
    print(exchange.result({**record, "outputName": name}, b"").name)
"""


def test_a_service_decides_neither_where_a_file_is_saved_nor_what_a_shell_runs(installed: Path) -> None:
    assert python(installed, HOSTILE).split() == ["c.csv"] * 4 + ["result"] * 3


def test_texts_of_a_file_do_not_control_the_terminal(fileconv: Any, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b'[{"k\\u001b[31m": 1, "k\\u001b[31m": 2}]')
    done = fileconv("a.json", "a.csv")
    assert (done.returncode, b"DUPLICATE_KEY" in done.stderr, b"\x1b" in done.stderr) == (0, True, False)


def test_files_never_replace_the_results_of_others(fileconv: Any, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(PEOPLE)
    (tmp_path / "a.yaml").write_text("other: 1")
    (tmp_path / "b.yaml").write_text("other: 1")
    done = fileconv("--to", "csv", "a.json", "a.yaml", "b.yaml")
    assert (done.returncode, b"a.yaml" in done.stderr) == (1, True)
    assert (tmp_path / "a.csv").read_bytes() == PEOPLE_CSV
    assert (tmp_path / "b.csv").exists()
