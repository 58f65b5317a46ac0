"""The service as an app: installed, shared with, without a network, dragged out of, and light enough for a phone."""

from __future__ import annotations

import gzip
import json
from typing import Any

from django.test import Client
from playwright.sync_api import expect

from conversions.models import Conversion
from tests.conftest import Person
from tests.conversions.samples import PEOPLE

_SHARE = """async ([name, text]) => {
  const form = document.createElement("form");
  form.method = "post"; form.action = "/share"; form.enctype = "multipart/form-data";
  const input = document.createElement("input");
  input.type = "file"; input.name = "file";
  const chosen = new DataTransfer();
  chosen.items.add(new File([text], name, { type: "application/json" }));
  input.files = chosen.files;
  form.append(input);
  document.body.append(form);
  form.submit();
}"""
_WORKER = "navigator.serviceWorker.ready.then(() => true)"
_CONTROLLED = """() => new Promise((resolve) => {
  if (navigator.serviceWorker.controller) resolve();
  navigator.serviceWorker.addEventListener("controllerchange", resolve);
})"""
_KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const each of await cache.keys()) found.push(new URL(each.url).pathname);
  }
  return found.sort();
}"""
_WEIGHT_LIMIT = 60_000


def test_the_manifest_can_be_installed_and_takes_what_is_shared(client: Client, db: None) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    manifest = json.loads(answer.content)
    assert manifest["share_target"]["action"] == "/share"
    assert {"192x192", "512x512"} <= {each["sizes"] for each in manifest["icons"]}
    for each in manifest["icons"]:
        assert client.get(each["src"]).status_code == 200
    assert ".docx" in manifest["share_target"]["params"]["files"][0]["accept"]
    assert "manifest-src 'self'" in client.get("/offline")["Content-Security-Policy"]


def test_a_file_shared_without_the_service_worker_is_not_read(guest: Person) -> None:
    strict = Client(enforce_csrf_checks=True)
    answer: Any = strict.post("/share", {"file": "x"}, follow=True)
    assert answer.redirect_chain == [("/", 302)]
    assert b"or share it again" in answer.content
    assert not Conversion.objects.exists()
    assert strict.get("/share").status_code == 405


def test_a_shared_file_waits_on_the_page_and_private_responses_are_not_cached(
    visit: Any, watch: Any, paying: Person
) -> None:
    watch.failures_expected = True
    page = visit("/", user=paying.user, service_workers="allow")
    assert page.evaluate(_WORKER)
    page.reload()
    page.evaluate(_CONTROLLED)
    page.evaluate(_SHARE, ["people.json", PEOPLE.decode()])
    page.wait_for_url("**/")
    page.locator(".file", has_text="people.json").wait_for()
    assert not Conversion.objects.exists()  # nothing is sent before somebody says so
    page.locator(".file[data-state=ready]").wait_for()
    page.get_by_role("button", name="Convert").first.click()
    link = page.locator(".file[data-state=done] a[download]").first
    link.wait_for()
    dragged = link.evaluate(
        """(link) => {
          const event = new DragEvent("dragstart", { bubbles: true, dataTransfer: new DataTransfer() });
          link.dispatchEvent(event);
          return event.dataTransfer.getData("DownloadURL");
        }"""
    )
    assert dragged.startswith("application/octet-stream:people.")
    assert "/api/v1/files/" in dragged
    for path in ("/history", "/usage", "/account"):
        page.goto(path)
    kept = page.evaluate(_KEPT)
    assert kept == [
        "/offline",
        "/static/enhance.js",
        "/static/icon.svg",
        "/static/service.css",
        "/static/typeface/recursive.woff2",
    ]
    page.context.set_offline(True)
    page.goto("/history")
    expect(page.get_by_role("heading", name="You're offline")).to_be_visible()
    assert page.get_by_text("Log out").count() == 0  # it is the page of nobody


def test_a_photo_can_be_taken_for_a_task(visit: Any, guest: Person) -> None:
    page = visit("/jpg-to-pdf", has_touch=True, is_mobile=True, viewport={"width": 360, "height": 740})
    camera = page.locator("#camera")
    expect(camera).to_have_attribute("capture", "environment")
    expect(page.get_by_text("Take a photo instead")).to_be_visible()
    camera.set_input_files({"name": "image.jpg", "mimeType": "image/jpeg", "buffer": b"\xff\xd8\xff\xe0"})
    page.locator(".file", has_text="image.jpg").wait_for()


def test_the_front_page_s_scripts_are_small_and_come_only_from_this_site(visit: Any, guest: Person) -> None:
    page = visit("about:blank")
    scripts: dict[str, int] = {}
    page.on("response", lambda each: scripts.update({each.url: len(gzip.compress(each.body()))})
            if each.request.resource_type == "script" else None)  # fmt: skip
    page.goto("/", wait_until="networkidle")
    assert len(scripts) > 5
    assert sum(scripts.values()) <= _WEIGHT_LIMIT
