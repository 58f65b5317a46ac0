"""Tasks: pages with only the fields that one job needs, and the search that finds them."""

from __future__ import annotations

import html
import io
import json
import re
import zipfile
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.signals import template_rendered

from conversions.models import Conversion
from conversions.pages.tasks.listing import ALL, TASKS
from conversions.pages.tasks.search import search
from conversions.pages.tasks.task import Task
from engine.families.registry import CONVERTERS
from engine.toolkit.formats import FORMATS
from engine.toolkit.options import describe
from tests.conftest import Person
from tests.conversions.samples import PEOPLE, pdf, picture

pytestmark = pytest.mark.django_db
"""What is offered is in the database."""


@pytest.mark.parametrize("task", ALL, ids=lambda each: each.name)
def test_what_a_task_asks_for_and_decides_is_an_option_of_each_of_its_conversions(task: Task) -> None:
    for slug in task.slugs:
        if slug not in CONVERTERS:
            continue
        options = {each.name: each for each in describe(CONVERTERS[slug].options)}
        for field in task.fields:
            assert field.name in options, slug
            assert set(field.choices) <= set(options[field.name].choices), (slug, field.name)
            assert not field.choices or field.value in field.choices, (slug, field.name)
            assert field.label
        assert set(task.sets) <= set(options), slug
        assert not set(task.sets) & {each.name for each in task.fields}


@pytest.mark.parametrize("task", [each for each in ALL if each.gathers], ids=lambda each: each.name)
def test_several_files_become_one_by_a_conversion_of_the_task_s_own(task: Task, guest: Person) -> None:
    gathers = task.gathers
    assert gathers is not None
    assert gathers.slug in task.slugs
    assert set(gathers.sets) <= {each.name for each in describe(CONVERTERS[gathers.slug].options)}
    assert set(gathers.members) <= FORMATS.keys()
    text = guest.client.get(f"/{task.name}").content.decode()
    assert text.index(gathers.script) < text.index("convert.js")
    (packing,) = re.findall(r'data-gathers="([^"]*)"', text)
    assert json.loads(html.unescape(packing))["slug"] == gathers.slug
    assert ('id="apart"' in text) == bool(gathers.apart)


@pytest.mark.parametrize(
    ("slug", "task"), [("png-to-pdf", "jpg-to-pdf"), ("zip-to-pdf", "merge-pdf"), ("zip-to-gif", "pictures-to-gif")]
)
def test_the_page_of_a_conversion_leads_to_the_task_that_takes_several_files(
    guest: Person, slug: str, task: str
) -> None:
    text = guest.client.get(f"/convert/{slug}").content.decode()
    assert f'<p class="help"><a href="/{task}">' in text
    assert '<p class="help"><a href="/' not in guest.client.get("/convert/json-to-csv").content.decode()


def test_a_zip_is_converted_with_what_the_task_decides_for_several_files(guest: Person) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.jpg", picture("JPEG", 4, 4))
    answer = _send(guest.client, "/jpg-to-pdf", "a.zip", packed.getvalue(), pageSize="picture", margin="5")
    assert answer.status_code == 302
    options = Conversion.objects.get().options
    assert (options["bookmarks"], options["margin"], options["pageSize"]) == (False, 5.0, "picture")


def test_every_page_of_a_task_has_its_own_fields_and_says_itself_to_search_engines(guest: Person) -> None:
    for task in TASKS.values():
        page = guest.client.get(f"/{task.name}")
        assert page.status_code == 200
        text = page.content.decode().partition("<footer")[0]
        shown = set(re.findall(r'<(?:input|select|textarea)[^>]* name="([A-Za-z]+)"', text))
        assert shown - {"csrfmiddlewaretoken", "file", "folders", "q"} == {each.name for each in task.fields} | set(
            task.sets
        )
        (script,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', text, re.DOTALL)
        graph = json.loads(script)["@graph"]
        assert graph[0]["name"] == task.title
        assert f'<link rel="canonical" href="http://testserver/{task.name}">' in text


def _send(client: Client, path: str, name: str, content: bytes, **fields: Any) -> Any:
    return client.post(path, {"file": SimpleUploadedFile(name, content), **fields})


def test_a_task_decides_what_it_does_not_ask(guest: Person) -> None:
    answer = _send(guest.client, "/rotate-pdf", "a.pdf", pdf(2), angle="180", pages="", operation="rotate")
    assert answer.status_code == 302
    done = Conversion.objects.get()
    assert (done.slug, done.options["operation"], done.options["angle"]) == ("pdf-to-pdf", "rotate", "180")


def test_a_task_decides_also_where_the_form_says_nothing_of_it(guest: Person) -> None:
    assert _send(guest.client, "/rotate-pdf", "a.pdf", pdf(1), angle="90").status_code == 302
    assert Conversion.objects.get().options["operation"] == "rotate"


@pytest.mark.parametrize(("name", "format"), [("a.png", "PNG"), ("b.jpeg", "JPEG"), ("c.webp", "WEBP")])
def test_the_name_of_the_file_chooses_among_the_conversions_of_a_task(guest: Person, name: str, format: str) -> None:
    answer = _send(guest.client, "/resize-image", name, picture(format, 40, 20), width="10")
    assert answer.status_code == 302
    assert Conversion.objects.get().options["width"] == 10


@pytest.mark.parametrize(("name", "status"), [("a.csv", 422), ("a.exe", 400), ("a", 400)])
def test_a_file_that_a_task_does_not_take_is_refused_on_its_page(guest: Person, name: str, status: int) -> None:
    answer = _send(guest.client, "/compress-pdf", name, b"x")
    assert answer.status_code == status
    assert answer.context["task"].name == "compress-pdf"
    assert not Conversion.objects.exists()


def test_a_wrong_setting_is_marked_on_the_page_of_a_task(guest: Person) -> None:
    answer = _send(guest.client, "/json-to-csv", "people.json", PEOPLE, delimiter="long")
    assert answer.status_code == 400
    (marked,) = [each for each in answer.context["controls"] if each.error]
    assert marked.option.name == "delimiter"


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("pdf word", "PDF to Word"),
        ("word pdf", "Word to PDF"),
        ("pdf to word", "PDF to Word"),
        ("how do i convert pdf to word", "PDF to Word"),
        ("compress pdf", "Compress PDF"),
        ("comprss pdf", "Compress PDF"),
        ("compress pfd", "Compress PDF"),
        ("json csv", "JSON to CSV"),
        ("csv json", "CSV to JSON"),
        ("exel to csv", "Excel to CSV"),
        ("png2jpg", "PNG to JPG"),
        ("iphone photo", "HEIC to JPG"),
        ("remove gps", "Remove the place from photos"),
        ("pasword pdf", "Protect PDF"),
        ("yaml to xml", "YAML to XML"),
        ("mp4 to mp3", "Video to MP3"),
        ("mov mp4", "Video to MP4"),
        ("cut song", "Trim audio"),
    ],
)
def test_a_search_finds_its_task_first(query: str, first: str) -> None:
    assert search(query)[0].title == first


def test_make_image_smaller_finds_what_makes_images_smaller() -> None:
    assert {each.title for each in search("make image smaller")} >= {"Compress image", "Resize image"}


@pytest.mark.parametrize("query", ["", " ", "to", "zzzzzz", "\0", "a" * 5000, "pdf " * 1000, "→→→", "<script>"])
def test_a_search_for_nothing_sensible_is_a_page(guest: Person, query: str) -> None:
    page = guest.client.get("/search", {"q": query})
    assert page.status_code == 200
    assert b"<script>alert" not in page.content
    assert guest.client.get("/search", {"q": query, "part": "1"}).status_code == 200


def test_the_search_takes_no_query(guest: Person, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        page = guest.client.get("/search?part=1&q=pdf+word")
    assert b"/pdf-to-word" in page.content


def test_the_site_map_has_every_page_for_everybody_once(guest: Person) -> None:
    answer = guest.client.get("/sitemap.xml")
    found = [each.text or "" for each in ElementTree.fromstring(answer.content).iter() if each.tag.endswith("}loc")]
    assert len(found) == len(set(found)) == 5 + len(TASKS) + len(CONVERTERS)
    assert {"http://testserver/", "http://testserver/compress-pdf", "http://testserver/convert/json-to-csv"} <= {*found}


def test_the_site_map_is_made_once_for_an_offer(guest: Person) -> None:
    """It takes as long as a hundred small pages."""
    guest.client.get("/sitemap.xml")
    rendered = []

    def note(sender: Any, **given: Any) -> None:
        rendered.append(sender)

    template_rendered.connect(note)
    try:
        assert guest.client.get("/sitemap.xml").status_code == 200
    finally:
        template_rendered.disconnect(note)
    assert not rendered


def test_robots_txt_names_the_sitemap_and_excludes_private_pages(guest: Person) -> None:
    lines = guest.client.get("/robots.txt").content.decode().splitlines()
    assert {"User-agent: *", "Disallow: /history", "Sitemap: http://testserver/sitemap.xml"} <= {*lines}


def test_security_txt_exists_only_with_a_contact(guest: Person, settings: Any) -> None:
    assert guest.client.get("/.well-known/security.txt").status_code == 404
    settings.SECURITY_CONTACT = "mailto:safe@example.org"
    lines = guest.client.get("/.well-known/security.txt").content.decode().splitlines()
    assert lines[0] == "Contact: mailto:safe@example.org"
    assert any(re.fullmatch(r"Expires: \d{4}-\d\d-\d\dT00:00:00Z", each) for each in lines)
    assert guest.client.get("/favicon.ico").status_code == 301
