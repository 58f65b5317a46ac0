"""The OpenAPI document: valid, complete, and good enough to generate a client from."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation
from drf_spectacular import validation
from drf_spectacular.drainage import GENERATOR_STATS

from accounts.errors import SecondFactorRequired
from apikeys.errors import ApiKeyLimitReached
from config.pages import CLIENTS, Document, Generator, document_of, documents
from conversions.errors import UnknownConversion
from conversions.work.offer import current
from engine.families.registry import CONVERTERS
from engine.toolkit.options import describe
from errors import Invalid, MethodNotAllowed, NotFound, codes, declared
from storage.errors import InvalidFileKey, PreconditionFailed, RangeNotSatisfiable
from tests.conftest import PASSWORD, Person
from tests.conversions.samples import PEOPLE, PEOPLE_CSV

# What drf-spectacular brings describes OpenAPI 3.1; this validator reads it a thousand times as fast as its own.
OPENAPI = jsonschema_rs.validator_for(
    json.loads(Path(validation.__file__).with_name("openapi_3_1_schema.json").read_text())
)


@pytest.fixture(scope="module")
def document(django_db_setup: None, django_db_blocker: Any) -> dict[str, Any]:
    with django_db_blocker.unblock():  # what conversions cost is in the database
        answer = Client().get("/api/v1/schema?full=yes")
    assert answer.status_code == 200
    found: dict[str, Any] = json.loads(answer.content)
    return found


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def test_it_is_openapi_3_1(document: dict[str, Any]) -> None:
    assert document["openapi"] == "3.1.0"


@pytest.mark.ci
def test_it_is_valid_and_nothing_about_it_is_a_warning(db: None) -> None:
    # What the command of drf-spectacular does to fail on a warning, without looking up the line of each operation.
    made = Generator("", current()).get_schema(request=None, public=True)
    assert not GENERATOR_STATS
    OPENAPI.validate(json.loads(json.dumps(made)))


def test_concurrent_requests_share_one_document(db: None) -> None:
    """Each that is made takes seconds, during which other requests of the process are slow."""
    together = threading.Barrier(4)

    def ask(language: str) -> Document:
        together.wait(60)
        with translation.override(language):
            return documents()("csv")

    current()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(ask, ("en", "de", "en", "de")))
    assert [each is found[0] for each in found] == [True] * 4


@pytest.mark.ci
def test_of_many_requests_for_the_large_document_one_waits_until_it_is_made(db: None) -> None:
    """The others are told to come back: in the seconds that it takes, their threads are needed for conversions."""
    together = threading.Barrier(6)
    document_of.cache_clear()
    current()

    def ask(_: int) -> Any:
        browser = Client()
        together.wait(60)
        return browser.get("/api/v1/schema")

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(ask, range(6)))
    refused = [each for each in found if each.status_code == 503]
    assert refused
    assert {(each["Retry-After"], each.json()["code"]) for each in refused} == {("10", "SERVICE_UNAVAILABLE")}
    given = [each for each in found if each.status_code == 200]
    assert len(given) + len(refused) == 6
    assert len(given) >= 2
    assert {each.content for each in given} == {Client().get("/api/v1/schema").content}


def test_an_invalid_document_is_detected(document: dict[str, Any]) -> None:
    assert not OPENAPI.is_valid(document | {"paths": {"/x": {"get": {"responses": 3}}}})


def test_every_converter_is_one_operation_with_its_own_form(document: dict[str, Any]) -> None:
    for slug, converter in CONVERTERS.items():
        operation = document["paths"][f"/api/v1/converter/{slug}"]["post"]
        reference = operation["requestBody"]["content"]["multipart/form-data"]["schema"]["$ref"]
        form = document["components"]["schemas"][reference.rpartition("/")[2]]
        assert set(form["properties"]) == {"file", *(each.name for each in describe(converter.options))}
        assert form["properties"]["file"].get("format") == "binary" or "contentMediaType" in form["properties"]["file"]
        assert form["required"] == ["file"]
        assert operation["responses"]["201"]["content"]["application/json"]["examples"]


def test_conversions_have_what_their_description_requires(document: dict[str, Any], paying: Person) -> None:
    schemas = document["components"]["schemas"]
    completed = paying.convert("json-to-csv", PEOPLE).json()["data"]
    paying.convert("json-to-csv", b"[")
    failed = paying.get("/converter/history").json()["data"][0]
    assert failed["status"] == "failed"
    assert set(schemas["Conversion"]["required"]) <= set(failed) & set(completed)
    assert (
        set(schemas["CompletedConversion"]["required"])
        <= set(completed)
        == set(schemas["CompletedConversion"]["properties"]) - {"fileExpired", "verified", "madeBy"}
    )
    assert "downloadUrl" in schemas["CompletedConversion"]["required"]


def test_client_generators_see_the_conversion_first(document: dict[str, Any]) -> None:
    for path, item in document["paths"].items():
        responses = item.get("post", {}).get("responses", {})
        if "201" in responses and path.startswith("/api/v1/converter/"):
            assert min(status for status in responses if status.startswith("2")) == "201"
            assert responses["2XX"] == {"$ref": "#/components/responses/DryRun"}


def test_every_error_of_a_conversion_is_documented(document: dict[str, Any]) -> None:
    responses = document["paths"]["/api/v1/converter/json-to-csv"]["post"]["responses"]
    shared = document["components"]["responses"]
    documented = {
        code: int(status)
        for status, response in responses.items()
        if not status.startswith("2")
        for code in shared[response["$ref"].rpartition("/")[2]]["content"]["application/json"]["examples"]
    }
    elsewhere = {
        *codes(InvalidFileKey, ApiKeyLimitReached, NotFound, RangeNotSatisfiable, PreconditionFailed),
        *codes(UnknownConversion, MethodNotAllowed, SecondFactorRequired),
    }
    assert set(documented) == set(declared()) - elsewhere
    assert all(declared()[code].status_code == status for code, status in documented.items())


def test_the_document_describes_every_declared_error_code(document: dict[str, Any]) -> None:
    assert document["components"]["schemas"]["Error"]["properties"]["code"]["enum"] == list(declared())
    for name, response in document["components"]["responses"].items():
        assert name.startswith("Error") or name == "DryRun"
        for code, example in response["content"]["application/json"].get("examples", {}).items():
            kind = declared()[code]
            assert f"`{code}`: {kind.default_detail}" in response["description"]
            assert example["value"]["message"] == kind.default_detail or issubclass(kind, Invalid)


def test_every_kind_of_credentials_is_described(document: dict[str, Any]) -> None:
    schemes = document["components"]["securitySchemes"]
    kinds = {
        name: (each["type"], each.get("scheme"), each.get("in"), each.get("name")) for name, each in schemes.items()
    }
    assert kinds == {
        "accessToken": ("http", "bearer", None, None),
        "apiKey": ("http", "bearer", None, None),
        "apiKeyHeader": ("apiKey", None, "header", "X-API-Key"),
        "session": ("apiKey", None, "cookie", settings.SESSION_COOKIE_NAME),
    }
    paths = document["paths"]
    anyone: list[dict[str, list[str]]] = [{"accessToken": []}, {"apiKey": []}, {"apiKeyHeader": []}, {"session": []}]
    assert paths["/api/v1/account"]["get"]["security"] == anyone
    assert paths["/api/v1/converter/json-to-csv"]["post"]["security"] == [*anyone, {}]
    for path in ("/api/v1/converter/history", "/api/v1/converter/stats", "/api/v1/integrations/api-keys"):
        assert paths[path]["get"]["security"] == [{"accessToken": []}, {"session": []}]
        assert "403" not in paths[path]["get"]["responses"]


def test_operations_have_names_of_their_own_and_say_who_may_call_them(document: dict[str, Any]) -> None:
    names = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(names) == len(set(names))
    schemes = document["components"]["securitySchemes"]
    assert {"accessToken", "apiKey"} <= schemes.keys()
    paths = document["paths"]
    assert {} in paths["/api/v1/converter/json-to-csv"]["post"]["security"]
    assert not any(paths["/api/v1/converter/formats"]["get"].get("security", []))


@pytest.mark.ci
def test_the_parts_that_the_reference_shows_are_valid_and_together_the_whole(
    document: dict[str, Any], db: None
) -> None:
    found: dict[str, Any] = {}
    for part in ("service", *sorted({each.input.id for each in CONVERTERS.values()})):
        excerpt = json.loads(Client().get(f"/api/v1/schema?part={part}").content)
        if part in ("service", "html"):
            OPENAPI.validate(excerpt)
        resolve = {f"#/components/{kind}/{name}" for kind, each in excerpt["components"].items() for name in each}
        assert set(re.findall(r'"\$ref": "([^"]+)"', json.dumps(excerpt))) <= resolve
        assert not found.keys() & excerpt["paths"].keys()
        # What a browser draws and resolves at once.
        assert 0 < len(excerpt["paths"]) <= 30
        found |= excerpt["paths"]
    assert found == document["paths"]
    assert Client().get("/api/v1/schema?part=nothing").status_code == 404
    assert Client().get("/docs?part=nothing").status_code == 404


def test_the_reference_loads_nothing_from_elsewhere(db: None, client: Client) -> None:
    page = client.get("/docs")
    assert page.status_code == 200
    text = page.content.decode()
    assert "http://" not in text.replace("http://testserver", "")
    assert "https://" not in text
    assert "<script>" not in text


SHORT = 300_000
"""Bytes of the document for client generators: many of them, and agents, read a document as a whole."""


@pytest.fixture(scope="module")
def short(django_db_setup: None, django_db_blocker: Any) -> dict[str, Any]:
    with django_db_blocker.unblock():
        answer = Client().get("/api/v1/schema")
    assert len(answer.content) <= SHORT
    found: dict[str, Any] = json.loads(answer.content)
    return found


def test_the_document_for_client_generators_is_valid_and_says_where_the_service_is(short: dict[str, Any]) -> None:
    OPENAPI.validate(short)
    assert short["servers"] == [{"url": settings.SITE_URL}]
    names = {f"#/components/{kind}/{name}" for kind, each in short["components"].items() for name in each}
    used = set(re.findall(r'"\$ref": "([^"]+)"', json.dumps(short)))
    assert used <= names
    assert not [each for each in names - used if each.endswith("Request")]


def test_the_document_for_client_generators_has_each_conversion_with_its_options(short: dict[str, Any]) -> None:
    operation = short["paths"]["/api/v1/converter/{slug}"]["post"]
    schemas = short["components"]["schemas"]
    form = schemas["ConvertRequest"]["properties"]
    found = {slug: group["options"] for group in operation["x-conversions"] for slug in group["slugs"]}
    assert set(found) == set(CONVERTERS)
    for slug, names in found.items():
        declared_options = describe(CONVERTERS[slug].options)
        assert [each.split(".")[1] for each in names] == [each.name for each in declared_options]
        for name, option in zip(names, declared_options, strict=True):
            schema = schemas[name]
            assert [each for each in schema.get("enum", ()) if each is not None] == list(option.choices)
            assert (schema.get("minimum"), schema.get("maximum")) == (option.minimum, option.maximum)
            reference = {"$ref": f"#/components/schemas/{name}"}
            assert reference in form[option.name].get("anyOf", [form[option.name]])
    assert set(form) == {"file"} | {name.split(".")[1] for names in found.values() for name in names}


def test_both_documents_have_the_same_operations_beside_conversions(
    short: dict[str, Any], document: dict[str, Any]
) -> None:
    of_slugs = {f"/api/v1/converter/{slug}" for slug in CONVERTERS}
    rest = {path: item for path, item in document["paths"].items() if path not in of_slugs}
    several = short["paths"]["/api/v1/converter/{slug}"]
    assert rest == short["paths"] | {"/api/v1/converter/{slug}": {"get": several["get"]}}
    assert short["servers"] == document["servers"]


def test_a_document_is_made_once_and_asked_for_with_its_tag(short: dict[str, Any], db: None) -> None:
    assert documents()(CLIENTS) is documents()(CLIENTS)
    answer = Client().get("/api/v1/schema")
    again = Client().get("/api/v1/schema", headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert Client().get("/api/v1/schema?full=yes")["ETag"] != answer["ETag"]


CLIENT = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from service_client import Client, AuthenticatedClient
from service_client.api.auth import register
from service_client.api.converter import json_to_csv
from service_client.models import RegisterRequest, JsonToCsvRequest
from service_client.types import File
import io
base = sys.argv[2]
client = Client(base_url=base)
made = register.sync(client=client, body=RegisterRequest(email="generated@example.org", password=sys.argv[3]))
token = made.data.access_token
client = AuthenticatedClient(base_url=base, token=token)
form = JsonToCsvRequest(file=File(payload=io.BytesIO(Path(sys.argv[4]).read_bytes()), file_name="people.json"))
result = json_to_csv.sync(client=client, body=form)
content = client.get_httpx_client().get(result.data.download_url).content
sys.stdout.buffer.write(content)
"""


ONE_FOR_ALL = """
import io, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from service_client import Client
from service_client.api.converter import convert
from service_client.models import ConvertRequest
from service_client.types import File
client = Client(base_url=sys.argv[2])
file = File(payload=io.BytesIO(Path(sys.argv[4]).read_bytes()), file_name="people.json")
result = convert.sync("json-to-csv", client=client, body=ConvertRequest(file=file, delimiter=";", header=False))
sys.stdout.buffer.write(client.get_httpx_client().get(result.data.download_url).content)
"""


def generated(document: dict[str, Any], folder: Path) -> Path:
    """The client that a generator makes of a document."""
    pytest.importorskip("openapi_python_client", reason="openapi-python-client is not installed")
    source = folder / "openapi.json"
    source.write_text(json.dumps(document))
    configuration = folder / "settings.yaml"
    configuration.write_text(
        "project_name_override: service-client\npackage_name_override: service_client\npost_hooks: []\n"
    )
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", str(source)]
    done = subprocess.run(
        [*command, "--config", str(configuration), "--output-path", str(folder / "client")],
        capture_output=True, text=True, check=False, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    # Files have no media type that is known beforehand.
    assert set(re.findall("WARNING parsing (.*) within", done.stdout)) <= {"GET /api/v1/files/{key}"}
    return folder / "client"


def used(program: str, client: Path, url: str) -> bytes:
    people = client.parent / "people.json"
    people.write_bytes(PEOPLE)
    done = subprocess.run(
        [sys.executable, "-c", program, str(client), url, PASSWORD, str(people)],
        capture_output=True, check=False, env={"PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.mark.ci
def test_a_client_of_all_conversions_is_generated_and_converts(
    short: dict[str, Any], live_server: Any, tmp_path: Path
) -> None:
    found = used(ONE_FOR_ALL, generated(short, tmp_path), live_server.url)
    assert found == b"".join(PEOPLE_CSV.replace(b",", b";").splitlines(keepends=True)[1:])


@pytest.mark.ci
def test_a_generated_client_registers_converts_and_downloads(
    document: dict[str, Any], live_server: Any, tmp_path: Path
) -> None:
    wanted = ("/auth/", "/converter/json-to-csv", "/files/")
    small = {**document, "paths": {p: o for p, o in document["paths"].items() if any(each in p for each in wanted)}}
    assert used(CLIENT, generated(small, tmp_path), live_server.url) == PEOPLE_CSV
