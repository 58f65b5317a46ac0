"""The TypeScript client: built for the service's own types, and used by Node against a real server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from config.pages import documents
from conversions.models import Conversion
from engine.families.registry import CONVERTERS
from tests.clients.test_python import Redirecting
from tests.conftest import Person, make_user, with_key
from tests.conversions.samples import PEOPLE_CSV
from tests.http_server import http_server

PROJECT = Path(__file__).resolve().parents[2] / "clients" / "typescript"

PROGRAM = """
import { Client, FileconvError, Forbidden, Invalid, NotFound, Unauthorized, Unreachable, UnsupportedFormat } from "%s";
const [url, key] = process.argv.slice(2);
const client = new Client(url, key);
const people = new File(['[{"id": 1, "name": "Ada"}]'], "people.json");
const how = { progressId: "of-my-own-choosing" };
const result = await client.convert(people, "csv", { delimiter: ";", flatten: false }, how);
console.log((await client.progress("of-my-own-choosing")).state);
const text = new TextDecoder().decode(result.bytes);
console.log(result.name, result.contentType, result.warnings.length, text.split("\\r\\n")[0]);
const verified = await client.run("json-to-csv", '[{"a": 1}]', {}, { verify: true });
console.log(verified.record.inputName, verified.record.verified.ok);
const dry = await client.dryRun("json-to-csv", new TextEncoder().encode("[]"), { header: true });
console.log(dry.detected.format, dry.credits, dry.complete);
console.log((await client.formats()).conversions.some((each) => each.slug === "json-to-csv"));
const [kept] = await client.conversions({ slug: "json-to-csv", pageSize: 1 });
console.log(kept.inputName, (await client.conversion(result.record.id)).id === result.record.id);
console.log((await client.receipt(result.record.id)).receipt.input.name);
const attempts = [
  [() => new Client(url, process.argv[4]).conversions(), Forbidden],
  [() => client.convert("[1,", "csv", {}, { name: "a.json" }), UnsupportedFormat],
  [() => client.convert("x", "nothing", {}, { name: "a.json" }), NotFound],
  [() => client.convert(people, "csv", { delimiter: "ab" }), Invalid],
  [() => client.convert("x", "csv"), FileconvError],
  [() => new Client(url, "fc_nonsense").convert(people, "csv"), Unauthorized],
];
for (const [attempt, Kind] of attempts) {
  const error = await attempt().catch((refused) => refused);
  console.log(error instanceof Kind, error.name, error.code, error.details.length);
}
let asked = 0;
const keys = new Set();
const fetch = globalThis.fetch;
globalThis.fetch = async (address, sent) => {
  keys.add(sent.headers["Idempotency-Key"]);
  asked += 1;
  if (asked === 1) throw new TypeError("connection reset");
  if (asked === 2) return new Response("{}", { status: 503, headers: { "Retry-After": "0" } });
  return fetch(address, sent);
};
console.log((await client.convert(people, "csv")).name, asked, keys.size);
"""

REDIRECTED = """
import { Client, FileconvError } from "%s";
const done = await new Client(process.argv[2], "fc_secret")
  .convert("[]", "csv", {}, { name: "a.json" })
  .then(({ bytes }) => new TextDecoder().decode(bytes))
  .catch((error) => `${error instanceof FileconvError} ${error.message}`);
console.log(JSON.stringify(done));
"""


@pytest.mark.parametrize(
    ("service", "expected"),
    [
        ({}, PEOPLE_CSV.decode()),
        ({"moved": True}, "true {origin} redirects. Use the address it redirects to."),
        ({"truncated": True}, "true The download has {short} bytes and is not the result of {full} bytes. Try again."),
    ],
    ids=["a redirected download", "a service that has moved", "a truncated download"],
)
def test_node_follows_redirects_of_downloads_and_checks_what_comes(
    node: str, tmp_path: Path, service: dict[str, bool], expected: str
) -> None:
    (tmp_path / "program.mjs").write_text(REDIRECTED % (PROJECT / "dist" / "index.js"))
    handler: Any = type("Moving", (Redirecting,), {**service, "keys": []})
    with http_server(handler) as origin:
        done = subprocess.run(
            [node, "program.mjs", origin], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
        )
    named = {"origin": origin, "short": len(PEOPLE_CSV) - 1, "full": len(PEOPLE_CSV)}
    assert json.loads(done.stdout) == expected.format(**named)
    assert set(handler.keys) <= {None}


SAMPLE = """
import { Client, type ConversionRecord } from "fileconv-service-client";
const client = new Client();
export async function main(): Promise<ConversionRecord> {
  const result = await client.run("json-to-csv", "[]", { delimiter: ";", arrays: "json" });
  // @ts-expect-error: there is no such slug
  await client.run("json-to-nothing", "[]");
  // @ts-expect-error: there is no such option
  await client.run("json-to-csv", "[]", { delimeter: ";" });
  // @ts-expect-error: an option of another type
  await client.run("html-to-pdf", "<p>", { background: "blue" });
  return result.record;
}
"""


@pytest.fixture(scope="module")
def node() -> str:
    found = shutil.which("node")
    if found is None and os.environ.get("REQUIRE_NODE") == "1":
        pytest.fail("node is not installed")
    if found is None:
        pytest.skip("no node: install Node 18 or newer to test the TypeScript client")
    return found


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: Any) -> Path:
    path = tmp_path_factory.mktemp("schema") / "schema.json"
    with django_db_blocker.unblock():  # what is switched off is in the database
        path.write_bytes(documents()("").text)
    return path


def secret_of(person: Person) -> str:
    return person.headers["Authorization"].partition(" ")[2]


def types(node: str, document: Path, *more: str) -> str:
    command = [node, str(PROJECT / "scripts" / "types.mjs"), str(document), *more]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def test_the_types_of_all_conversions_are_written(node: str, document: Path) -> None:
    written = types(node, document)
    assert all(f'    "{slug}": {{ ' in written for slug in CONVERTERS)
    assert '"delimiter"?: string;' in written
    assert '"lineEnding"?: "crlf" | "lf";' in written


def test_the_types_of_answers_are_those_of_the_service(node: str, document: Path) -> None:
    assert types(node, document, "--records") == (PROJECT / "src" / "record.ts").read_text()


@pytest.mark.django_db(transaction=True)
def test_node_converts_verifies_and_throws_by_kind(node: str, live_server: Any, tmp_path: Path) -> None:
    owner = with_key(make_user("pro"), "convert", "read")
    (tmp_path / "program.mjs").write_text(PROGRAM % (PROJECT / "dist" / "index.js"))
    keys = [secret_of(each) for each in (owner, with_key(owner.account))]
    done = subprocess.run(
        [node, "program.mjs", live_server.url, *keys],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout.splitlines() == [
        "done",
        "people.csv text/csv 0 id;name",
        "input.json true",
        "json 1 true",
        "true",
        "input.json true",
        "people.json",
        "true Forbidden ACCESS_DENIED 0",
        "true UnsupportedFormat UNSUPPORTED_FORMAT 1",
        "true NotFound UNKNOWN_CONVERSION 0",
        "true Invalid VALIDATION_ERROR 1",
        "true FileconvError  0",
        "true Unauthorized UNAUTHORIZED 0",
        "people.csv 4 2",
    ], done.stderr
    assert Conversion.objects.filter(owner=owner.account, status="completed").count() == 3


def test_what_is_built_is_what_is_written_and_checks_the_options(node: str, document: Path, tmp_path: Path) -> None:
    compiler = PROJECT / "node_modules" / "typescript" / "bin" / "tsc"
    if not compiler.exists() and os.environ.get("REQUIRE_NODE") == "1":
        pytest.fail("typescript is not installed: npm ci in clients/typescript")
    if not compiler.exists():
        pytest.skip("typescript is not installed: npm ci in clients/typescript")
    built = tmp_path / "dist"
    command = [node, str(compiler), "--project", str(PROJECT), "--outDir", str(built)]
    subprocess.run(command, check=True, timeout=120)
    names = sorted(each.name for each in built.iterdir())
    assert names == sorted(each.name for each in (PROJECT / "dist").iterdir())
    assert all((built / each).read_text() == (PROJECT / "dist" / each).read_text() for each in names)
    package = tmp_path / "node_modules" / "fileconv-service-client"
    package.mkdir(parents=True)
    shutil.copy(PROJECT / "package.json", package)
    shutil.copytree(PROJECT / "dist", package / "dist")
    (tmp_path / "fileconv.d.ts").write_text(types(node, document))
    (tmp_path / "sample.ts").write_text(SAMPLE)
    (tmp_path / "package.json").write_text(json.dumps({"type": "module"}))
    checked = [node, str(compiler), "--noEmit", "--strict", "--module", "NodeNext", "--target", "ES2022"]
    done = subprocess.run(
        [*checked, "sample.ts", "fileconv.d.ts"], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout
