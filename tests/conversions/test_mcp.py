"""Agents: the four tools by the protocol's own client, and what the route refuses."""

from __future__ import annotations

import asyncio
import base64
import json
import threading
import uuid
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from django.db import connections
from django.http import StreamingHttpResponse
from django.test import override_settings
from django.utils import timezone

from accounts.credits import guests, ledger
from accounts.models import User
from conversions.mcp import files, streaming
from conversions.mcp.messages import VERSIONS, Call, ProtocolError
from conversions.models import Conversion, IdempotencyKey
from engine.families.registry import CONVERTERS
from engine.toolkit.progress import OnProgress, Progress
from storage.models import StoredFile
from tests.conftest import Person, make_user, with_key
from tests.conversions.samples import INVOICE, PEOPLE, PEOPLE_CSV, pdf

if TYPE_CHECKING:
    from mcp import ClientSession


def talk(url: str, headers: dict[str, str], story: Callable[[ClientSession], Awaitable[Any]]) -> Any:
    """What a story finds that is told in one session of the protocol's own client."""
    # Takes 4 seconds of processor time, most of it for grammars of its dependencies: only by processes that use it.
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    async def call() -> Any:
        async with (
            httpx.AsyncClient(headers=headers, timeout=60) as client,
            streamable_http_client(f"{url}/mcp", http_client=client) as (read, write, _),
            ClientSession(read, write) as session,
        ):
            await session.initialize()
            return await story(session)

    # A browser of other tests keeps an event loop running in this thread.
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(lambda: asyncio.run(call())).result()


def send(person: Person, body: Any, **headers: str) -> Any:
    return person.client.post(
        "/mcp",
        body if isinstance(body, str) else json.dumps(body),
        content_type="application/json",
        headers={**person.headers, **{name.replace("_", "-"): value for name, value in headers.items()}},
    )


def call(person: Person, name: str, **arguments: Any) -> Any:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
    answer = send(person, message)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_the_official_client_finds_describes_and_converts(live_server: Any, transactional_db: None) -> None:
    key = with_key(make_user("pro"))

    async def story(session: ClientSession) -> tuple[Any, ...]:
        return (
            await session.list_tools(),
            await session.call_tool("list_conversions", {"query": "excel csv"}),
            await session.call_tool("describe", {"slug": "json-to-csv"}),
            await session.call_tool(
                "convert", {"slug": "json-to-csv", "text": PEOPLE.decode(), "options": {"delimiter": ";"}}
            ),
            await session.call_tool("convert", {"slug": "html-to-pdf", "text": INVOICE.decode(), "filename": "a.html"}),
            await session.call_tool("to_markdown", {"text": INVOICE.decode(), "filename": "invoice.html"}),
            await session.call_tool("convert", {"slug": "json-to-csv", "text": "[1,"}),
        )

    tools, listed, described, converted, drawn, read, failed = talk(live_server.url, key.headers, story)
    assert {each.name for each in tools.tools} == {"list_conversions", "describe", "convert", "to_markdown"}
    assert "xlsx-to-csv:" in listed.content[0].text
    assert described.structuredContent["slug"] == "json-to-csv"
    assert converted.content[0].text.encode() == PEOPLE_CSV.replace(b",", b";").replace(b"\r\n", b"\r\n")
    assert converted.structuredContent["credits"] == 1
    link = drawn.content[0]
    assert (link.type, link.name, link.mimeType) == ("resource_link", "a.pdf", "application/pdf")
    assert key.download(str(link.uri).removeprefix(live_server.url)).startswith(b"%PDF")
    assert "Invoice" in read.content[0].text
    assert failed.isError
    assert failed.structuredContent["code"] == "UNSUPPORTED_FORMAT"
    assert Conversion.objects.filter(status="completed").count() == 3


@pytest.mark.ci
def test_a_call_with_a_progress_token_gets_a_stream_and_a_short_one_gets_json(
    live_server: Any, transactional_db: None
) -> None:
    key = with_key(make_user("pro"))
    reports: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        reports.append((progress, total, message))

    async def story(session: ClientSession) -> tuple[Any, ...]:
        pages = {"slug": "pdf-to-png", "data": base64.b64encode(pdf(20, 595, 842)).decode(), "options": {"dpi": 300}}
        short = {"slug": "json-to-csv", "text": PEOPLE.decode()}
        return (
            await session.call_tool("convert", pages, progress_callback=hear),
            await session.call_tool("convert", short, progress_callback=hear),
        )

    drawn, short = talk(live_server.url, key.headers, story)
    assert not drawn.isError
    assert key.download(str(drawn.content[0].uri).removeprefix(live_server.url)).startswith(b"PK")
    assert short.content[0].text.encode() == PEOPLE_CSV
    counted = [each for each, _, _ in reports]
    assert counted == sorted(set(counted))
    assert len(counted) >= 2
    assert {total for _, total, _ in reports} == {20}
    assert reports[0][2] == f"{counted[0]:.0f} of 20 pages"
    assert Conversion.objects.filter(status="completed").count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_refusal_before_any_progress_is_plain_json(program: Person) -> None:
    def asked(name: str, arguments: dict[str, Any]) -> Any:
        parameters = {"name": name, "arguments": arguments, "_meta": {"progressToken": 7}}
        message = {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": parameters}
        return send(program, message, Accept="application/json, text/event-stream").json()

    refused = asked("convert", {"slug": "json-to-csv", "text": "[1,"})
    assert refused["result"]["structuredContent"]["code"] == "UNSUPPORTED_FORMAT"
    assert asked("nothing", {})["error"]["code"] == -32602


@pytest.mark.parametrize(("error", "code"), [(ProtocolError(-32602, "No."), -32602), (RuntimeError("broken"), -32603)])
def test_a_failure_after_progress_is_the_last_event(error: Exception, code: int, db: None) -> None:
    def work(on_progress: OnProgress) -> dict[str, Any]:
        for done in (1, 3, 2):
            on_progress(Progress(done, 9, "pages"))
        raise error

    response = streaming.answered(Call("tools/call", {}, "x"), "token", work)
    assert isinstance(response, StreamingHttpResponse)
    lines = b"".join(response.streaming_content).decode().split("\n\n")  # type: ignore[arg-type]
    events = [json.loads(each.partition("data: ")[2]) for each in lines if each]
    assert [each["params"]["progress"] for each in events[:-1]] == [1, 3]
    assert events[0]["params"]["progressToken"] == "token"
    assert (events[-1]["id"], events[-1]["error"]["code"]) == ("x", code)


def test_a_result_is_the_input_of_the_next_call(program: Person, other: Person, guest: Person) -> None:
    first = call(program, "convert", slug="json-to-csv", data=base64.b64encode(PEOPLE).decode())["result"]
    address = first["structuredContent"]["downloadUrl"]
    assert address.startswith("http://")
    second = call(program, "convert", slug="csv-to-json", file=address)["result"]
    assert json.loads(second["content"][0]["text"])[0]["name"] == "Ada"
    for somebody_else in (other, guest):
        refused = call(somebody_else, "convert", slug="csv-to-json", file=address)["result"]
        assert (refused["isError"], refused["structuredContent"]["code"]) == (True, "ACCESS_DENIED")
    gone = call(program, "convert", slug="csv-to-json", file=f"/api/v1/files/{'0' * 32}.csv")["result"]
    assert gone["structuredContent"]["code"] == "NOT_FOUND"


def test_a_one_time_file_is_taken_by_a_call_that_succeeds_and_stays_after_one_that_fails(program: Person) -> None:
    path = "/api/v1/converter/json-to-csv?retention=0"
    made = program.client.post(path, PEOPLE, content_type="application/json", headers=program.headers)
    once = made.json()["data"]["downloadUrl"]
    User.objects.filter(pk=program.account.pk).update(failed_on=guests.today(), failed_ms=10**9)
    busy = call(program, "convert", slug="csv-to-json", file=once)["result"]
    assert busy["structuredContent"]["code"] == "TOO_MANY_REQUESTS"
    User.objects.filter(pk=program.account.pk).update(failed_ms=0)
    assert not call(program, "convert", slug="csv-to-json", file=once)["result"]["isError"]
    assert program.client.get(once, headers=program.headers).status_code == 404


@pytest.mark.parametrize("once", [True, False], ids=["taken", "expired"])
def test_a_call_that_is_sent_again_after_its_file_is_gone_has_the_first_result(program: Person, once: bool) -> None:
    path = "/api/v1/converter/json-to-csv" + "?retention=0" * once
    made = program.client.post(path, PEOPLE, content_type="application/json", headers=program.headers).json()["data"]
    arguments: dict[str, Any] = {"slug": "csv-to-json", "file": made["downloadUrl"]}
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    message["params"] = {"name": "convert", "arguments": arguments}
    first = send(program, message, Idempotency_Key="once").json()["result"]
    StoredFile.objects.filter(key=made["downloadUrl"].rpartition("/")[2]).delete()
    credits = User.objects.get(pk=program.account.pk).credits
    assert json.loads(first["content"][0]["text"])[0]["name"] == "Ada"
    assert send(program, message, Idempotency_Key="once").json()["result"] == first
    assert User.objects.get(pk=program.account.pk).credits == credits
    others: tuple[tuple[str, Any], ...] = (
        ("another", {}),
        ("once", {"options": {"indent": 4}}),
        ("once", {"file": f"{'0' * 32}.csv"}),
    )
    for key, changed in others:
        message["params"] = {"name": "convert", "arguments": {**arguments, **changed}}
        refused = send(program, message, Idempotency_Key=key).json()["result"]
        assert refused["structuredContent"]["code"] == "NOT_FOUND"


@pytest.mark.parametrize("file", ["\0x", "\ud800", "x" * 5_000])
def test_a_file_that_has_no_address_is_not_found(program: Person, file: str) -> None:
    arguments = {"slug": "csv-to-json", "file": file}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "convert", "arguments": arguments}}
    answer = send(program, message, Idempotency_Key="once")
    assert answer.json()["result"]["structuredContent"]["code"] == "NOT_FOUND"


def test_a_call_that_is_sent_again_while_the_first_takes_its_file_has_the_same_result(
    program: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = "/api/v1/converter/json-to-csv?retention=0"
    made = program.client.post(path, PEOPLE, content_type="application/json", headers=program.headers).json()["data"]
    arguments = {"slug": "csv-to-json", "file": made["downloadUrl"]}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "convert", "arguments": arguments}}
    first = send(program, message, Idempotency_Key="once").json()["result"]
    asked = []
    hash_of_gone = files.sha256_of_gone

    def before_the_first_has_ended(*given: Any) -> str | None:
        asked.append(given)
        return None if len(asked) == 1 else hash_of_gone(*given)

    monkeypatch.setattr(files, "sha256_of_gone", before_the_first_has_ended)
    assert send(program, message, Idempotency_Key="once").json()["result"] == first


def test_a_call_that_is_sent_again_with_its_key_is_charged_once(program: Person) -> None:
    account = program.account
    ledger.charge(account, account.credits - 1, reference=uuid.uuid4(), reason="as if spent")
    arguments = {"slug": "json-to-csv", "text": PEOPLE.decode()}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "convert", "arguments": arguments}}
    first, again = (send(program, message, Idempotency_Key="once").json()["result"] for _ in range(2))
    assert first["content"][0]["text"] == again["content"][0]["text"] == PEOPLE_CSV.decode()
    assert first["structuredContent"]["id"] == again["structuredContent"]["id"]
    account.refresh_from_db()
    assert account.credits == 0
    StoredFile.objects.all().delete()
    gone = send(program, message, Idempotency_Key="once").json()["result"]
    assert gone["structuredContent"]["code"] == "NOT_FOUND"
    arguments["text"] = "[]"
    other = send(program, message, Idempotency_Key="once").json()["result"]
    assert other["structuredContent"]["code"] == "VALIDATION_ERROR"


def test_a_call_whose_key_is_in_use_is_to_be_sent_again(program: Person) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    message |= {"params": {"name": "convert", "arguments": {"slug": "json-to-csv", "text": PEOPLE.decode()}}}
    send(program, message, Idempotency_Key="once")
    running = timezone.now() + timedelta(seconds=5)
    IdempotencyKey.objects.update(conversion=None, claimed_until=running)
    answer = send(program, message, Idempotency_Key="once")
    assert answer.status_code == 429
    assert 1 <= int(answer["Retry-After"]) <= 5


def test_markdown_is_cut_off_where_it_is_too_long(program: Person) -> None:
    page = b"<p>" + b"word " * 2_000 + b"</p>"
    cut = call(program, "to_markdown", text=page.decode(), filename="a.html", maxTokens=100)["result"]["content"]
    assert len(cut[0]["text"]) == 400
    assert cut[2]["type"] == "resource_link"
    whole = call(program, "to_markdown", text=page.decode(), filename="a.html")["result"]["content"]
    assert whole[0]["text"].count("word") == 2_000


def test_tools_cost_what_the_api_costs_and_have_its_limits(program: Person, guest: Person, one_window: None) -> None:
    credits = program.account.credits
    call(program, "convert", slug="json-to-csv", text=PEOPLE.decode())
    program.account.refresh_from_db()
    assert program.account.credits == credits - 1
    for _ in range(10):
        assert not call(guest, "convert", slug="json-to-csv", text=PEOPLE.decode())["result"]["isError"]
    codes = {
        call(guest, "convert", slug="json-to-csv", text=PEOPLE.decode())["result"]["structuredContent"]["code"]
        for _ in range(30)
    }
    assert codes == {"GUEST_QUOTA_EXCEEDED", "TOO_MANY_REQUESTS"}
    assert not call(guest, "describe", slug="json-to-csv")["result"]["isError"]


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("convert", {"slug": "no-to-no", "text": ""}, "UNKNOWN_CONVERSION"),
        ("describe", {"slug": "jsn-to-csv"}, "UNKNOWN_CONVERSION"),
        ("convert", {"slug": "json-to-csv", "text": "[]", "options": {"delimiter": "long"}}, "VALIDATION_ERROR"),
        ("convert", {"slug": "json-to-csv", "text": "[]", "filename": "a.html"}, "UNSUPPORTED_FORMAT"),
        ("to_markdown", {"text": "x", "filename": "a.nothing"}, "UNSUPPORTED_FILE_TYPE"),
    ],
)
def test_what_a_tool_refuses_is_an_error_with_a_code(
    guest: Person, name: str, arguments: dict[str, Any], code: str
) -> None:
    result = call(guest, name, **arguments)["result"]
    assert (result["isError"], result["structuredContent"]["code"]) == (True, code)
    assert result["content"][0]["text"].startswith(f"{code}: ")


@pytest.mark.parametrize(
    ("name", "arguments", "fields"),
    [
        ("describe", {}, ["slug"]), ("describe", {"slug": "a", "more": 1}, ["more"]),
        ("convert", {"from": "json"}, ["from", "slug"]), ("convert", {"slug": "json-to-csv"}, ["text"]),
        ("convert", {"slug": "json-to-csv", "text": "[]", "data": ""}, ["text"]),
        ("convert", {"slug": "json-to-csv", "data": "%"}, ["data"]),
        ("convert", {"slug": "json-to-csv", "text": 1, "filename": 2}, ["text", "filename"]),
        ("convert", {"slug": "json-to-csv", "text": "[]", "options": []}, ["options"]),
        (
            "convert",
            {"slug": "json-to-csv", "text": "[]", "options": {f"a{number}": 1 for number in range(201)}},
            ["options"],
        ),
        ("to_markdown", {"text": "", "maxTokens": 0}, ["maxTokens"]),
        ("to_markdown", {"text": "", "maxTokens": 250_001}, ["maxTokens"]),
        ("list_conversions", {"query": "o " * 2000}, ["query"]),
        ("list_conversions", {"query": {"of": "csv"}}, ["query"]),
    ],
)  # fmt: skip
def test_wrong_arguments_are_a_result_that_a_model_reads(
    guest: Person, name: str, arguments: dict[str, Any], fields: list[str]
) -> None:
    """SEP-1303: clients show models the results of tools, but no protocol errors, so that only these get corrected."""
    result = call(guest, name, **arguments)["result"]
    assert (result["isError"], result["structuredContent"]["code"]) == (True, "VALIDATION_ERROR")
    assert [each["field"] for each in result["structuredContent"]["details"]] == fields
    assert all(f"{each}: " in result["content"][0]["text"] for each in fields)


def test_a_call_without_end_of_unknown_arguments_names_the_first_of_them(guest: Person) -> None:
    result = call(guest, "describe", slug="json-to-csv", **{f"a{number:04}": 1 for number in range(5_000)})["result"]
    assert len(result["structuredContent"]["details"]) == 10


@pytest.mark.parametrize("parameters", [{"name": "nothing"}, {}, {"name": 1}, {"name": "describe", "arguments": []}])
def test_calls_of_no_tool_are_protocol_errors(guest: Person, parameters: dict[str, Any]) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": parameters}
    assert send(guest, message).json()["error"]["code"] == -32602


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("{", -32700), ("[]", -32700), ("{}", -32600), ('{"jsonrpc":"2.0","id":1,"method":"nothing"}', -32601),
        ('{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600),
        ("[" * 100_000, -32700),
    ],
)  # fmt: skip
def test_a_malformed_message(guest: Person, body: str, code: int) -> None:
    assert send(guest, body).json()["error"]["code"] == code


def test_a_session_negotiates_a_protocol_version(guest: Person) -> None:
    def begun(version: str) -> Any:
        parameters = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
        message = {"jsonrpc": "2.0", "id": "x", "method": "initialize", "params": parameters}
        return send(guest, message).json()["result"]

    assert [begun(each)["protocolVersion"] for each in VERSIONS] == list(VERSIONS)
    assert begun("1999-01-01")["protocolVersion"] == VERSIONS[0]
    assert begun(VERSIONS[0])["capabilities"] == {"tools": {"listChanged": False}}
    ping = {"jsonrpc": "2.0", "id": 0, "method": "ping"}
    assert send(guest, ping, MCP_Protocol_Version=VERSIONS[-1]).json() == {"jsonrpc": "2.0", "id": 0, "result": {}}
    assert send(guest, ping, MCP_Protocol_Version="1999-01-01").status_code == 400


def test_notifications_and_other_methods(guest: Person) -> None:
    notified = send(guest, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (notified.status_code, notified.content) == (202, b"")
    assert {guest.client.get("/mcp").status_code, guest.client.delete("/mcp").status_code} == {405}


def test_a_bad_key_and_pages_of_other_origins_are_refused(guest: Person) -> None:
    ping = {"jsonrpc": "2.0", "id": 0, "method": "ping"}
    assert send(guest, ping, Authorization="Bearer fc_nonsense").status_code == 401
    assert send(guest, ping, Origin="http://evil.example").status_code == 403
    assert send(guest, ping, Origin="null").status_code == 403
    assert send(guest, ping, Origin="http://[").status_code == 403
    assert send(guest, ping, Origin="http://testserver").status_code == 200
    with override_settings(CORS_ALLOWED_ORIGINS=["http://app.example"]):
        assert send(guest, ping, Origin="http://app.example").status_code == 200


def test_every_document_that_can_be_markdown_is_read_by_the_name_of_its_format() -> None:
    readable = {each.input.id for each in CONVERTERS.values() if each.output.id == "markdown"}
    assert {"docx", "pdf", "xlsx", "html", "csv", "epub"} <= readable


def test_a_call_is_answered_where_its_connections_can_not_be_closed(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def close_all() -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(streaming, "connections", SimpleNamespace(close_all=close_all))
    answers: list[Any] = []
    call = Call("tools/call", {}, 1)
    waiting = threading.Thread(target=lambda: answers.append(streaming.answered(call, "", lambda _: {})), daemon=True)
    waiting.start()
    waiting.join(10)
    assert [each.status_code for each in answers] == [200]


def test_closing_a_stream_early_waits_for_nothing_and_shares_no_connection(db: None) -> None:
    going_on, ended, used = threading.Event(), threading.Event(), list[object]()

    def work(on_progress: OnProgress) -> dict[str, Any]:
        used.append(connections["default"])
        on_progress(Progress(1, 2, "pages"))
        going_on.wait(10)
        ended.set()
        return {}

    response = streaming.answered(Call("tools/call", {}, 1), "token", work)
    assert isinstance(response, StreamingHttpResponse)
    events = iter(response)
    next(events)
    del events
    response.close()
    assert not ended.is_set()
    assert used[0] is not connections["default"]
    going_on.set()
    assert ended.wait(10)
