"""The API reference without scripts: every operation has a page with its options, errors and examples."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from apikeys.models import ApiKey
from config.reference import pages
from config.reference.translation import messages
from conversions.templatetags.spelled import laid_out
from engine.families.registry import CONVERTERS
from engine.toolkit.options import describe
from errors import declared
from tests.conftest import Person, with_token

pytestmark = pytest.mark.django_db

_SAMPLE = ("json-to-csv", "html-to-pdf", "jpg-to-webp", "zip-to-tar", "eml-to-pdf", "csv-to-xlsx")


def test_translators_are_given_every_text_of_the_document_that_no_converter_declares() -> None:
    known = {text for _, text in messages()}
    reference = pages._reference()
    shown = list(reference.service.values())
    for each in shown:
        assert {each.title, each.text} <= known | {""}
        assert {field.text for field in each.parameters} <= known | {""}
    for slug in _SAMPLE:
        found = reference.conversion(CONVERTERS[slug])
        assert {field.text for field in found.parameters if field.where != "body"} <= known
        shown.append(found)
    for each in shown:
        for answer in each.responses:
            assert {answer.text, *(field.text for field in answer.fields)} <= known | {""}


def test_every_operation_of_the_service_has_a_page_that_the_index_leads_to(client: Client) -> None:
    document = json.loads(client.get("/api/v1/schema?part=service").content)
    ids = {operation["operationId"] for methods in document["paths"].values() for operation in methods.values()}
    index = client.get("/docs").content.decode()
    assert len(ids) > 15
    for each in ids:
        assert f'href="/docs/{each}"' in index
        page = client.get(f"/docs/{each}")
        assert page.status_code == 200
        assert "http://" not in page.content.decode().replace("http://testserver", "")
    assert all(f"<code>{code}</code>" in index for code in declared())


@pytest.mark.parametrize("slug", _SAMPLE)
def test_a_conversion_s_page_has_each_option_each_error_and_four_languages(client: Client, slug: str) -> None:
    answer = client.get(f"/docs/{slug}")
    text = answer.content.decode()
    operation = answer.context["operation"]
    options = [each.name for each in describe(CONVERTERS[slug].options)]
    assert {each.name for each in operation.parameters if each.where == "body"} >= {"file", *options}
    document = json.loads(client.get(f"/api/v1/schema?part={CONVERTERS[slug].input.id}").content)
    node = document["paths"][f"/api/v1/converter/{slug}"]["post"]
    statuses = {status for status in node["responses"] if status[0] in "45"}
    assert {str(each.status) for each in operation.errors} == statuses
    assert {"FILE_TOO_LARGE", "PAYMENT_REQUIRED", "TOO_MANY_REQUESTS"} <= {each.code for each in operation.errors}
    assert [each.language for each in answer.context["examples"].all] == ["curl", "Python", "TypeScript", "Java"]
    assert all(f'id="example-{each}"' in text for each in ("curl", "python", "typescript", "java"))
    assert f'href="/convert/{slug}"' in text


def test_every_conversion_can_be_found_and_only_matches_are_listed(client: Client) -> None:
    parts = {each.input.id for each in CONVERTERS.values()}
    listed = [each.slug for part in parts for each in client.get(f"/docs?part={part}").context["conversions_of"]]
    assert sorted(listed) == sorted(CONVERTERS)
    assert len(client.get("/docs").content) < 80_000
    found = client.get("/docs?q=docx+pdf").context["slugs_found"]
    assert "docx-to-pdf" in [each.slug for each in found]
    assert "revoke_api_key" in {each.name for each in client.get("/docs?q=revoke").context["service_found"]}
    many = client.get("/docs?q=p").context
    assert len(many["slugs_found"]) == pages.MOST_FOUND < many["number_found"]
    assert b"No operation found" in client.get("/docs?q=%3Cscript%3E").content


def test_another_spelling_leads_to_the_page_and_what_is_nothing_to_none(client: Client) -> None:
    assert client.get("/docs/md-to-html")["Location"] == "/docs/markdown-to-html"
    assert client.get("/docs/x-to-y").status_code == 404
    assert client.get("/docs/nothing").status_code == 404
    assert client.post("/docs/login").status_code == 405


@pytest.mark.parametrize("path", ["/docs", "/docs/login", "/docs/json-to-csv", "/docs?q=csv"])
def test_a_cached_reference_page_is_fast_and_takes_no_query(
    client: Client, db: None, django_assert_num_queries: Any, path: str
) -> None:
    client.get(path)
    with django_assert_num_queries(0):
        started = time.process_time()
        assert client.get(path).status_code == 200
    assert time.process_time() - started < 0.5


def test_the_policy_allows_no_style_of_its_own(client: Client) -> None:
    policy = client.get("/docs/json-to-csv")["Content-Security-Policy"]
    assert "style-src 'self'" in policy
    assert "unsafe" not in policy
    assert "swagger" not in (Path(settings.BASE_DIR) / "requirements.txt").read_text()


@pytest.mark.parametrize(("language", "file", "command"), [
    ("curl", "call.sh", ["sh"]), ("python", "call.py", [sys.executable]),
    ("typescript", "call.mjs", ["node"]), ("java", "Call.java", ["java"]),
])  # fmt: skip
def test_the_examples_of_an_operation_do_it_when_run(
    live_server: Any, tmp_path: Path, paying: Person, language: str, file: str, command: list[str]
) -> None:
    for program in (command[0], "curl" if language == "curl" else "sh"):
        if shutil.which(program) is None:
            pytest.skip(f"no {program}")
    page = Client().get("/docs/create_api_key", headers={"host": live_server.url.removeprefix("http://")})
    (text,) = [each.text for each in page.context["examples"].all if each.name == language]
    (tmp_path / file).write_text(text)
    token = with_token(paying.account).headers["Authorization"].removeprefix("Bearer ")
    environment = {**os.environ, "ACCESS_TOKEN": token}
    run = subprocess.run([*command, file], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["data"]["fullKey"].startswith("fc_")
    assert ApiKey.objects.filter(user=paying.user).count() == 1


def test_a_text_of_one_length_is_described_as_such(db: None, client: Client) -> None:
    page = client.get("/docs/json-to-csv").content.decode()
    assert "exactly 1 character" in page
    assert "1 to 1 character" not in page


@pytest.mark.parametrize("language", ["en", "de"])
def test_choices_are_a_list_and_their_default_stands_below_it(client: Client, language: str) -> None:
    page = client.get("/docs/csv-to-xlsx", headers={"accept-language": language}).content.decode()
    (decimal,) = re.findall(r"<dt><code>decimal</code>.*?<dd>(.*?)</dd>", page)
    shape = r"<p>[^<]+</p><ul><li><code>\.</code>: [^<]+</li><li><code>,</code>: [^<]+</li></ul>"
    assert re.fullmatch(shape + r"<p>[^<]+ <code>\.</code>\.</p>", decimal)
    told = "".join(re.findall(r"<dd>(.*?)</dd>", page, re.DOTALL))
    assert not re.search(r"(^|[\n>])[*-] ", told)
    assert "`" not in told


def test_texts_of_the_document_keep_their_paragraphs_and_are_escaped() -> None:
    text = "One\nline, 2 - 1.\n\n- a `b`\n- <c>\n  goes on\n\nEnd"
    lists = "<ul><li>a <code>b</code></li><li>&lt;c&gt;\n  goes on</li></ul>"
    assert laid_out(text) == f"<p>One\nline, 2 - 1.</p>{lists}<p>End</p>"
    assert laid_out("") == ""
