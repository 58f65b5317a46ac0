"""Converting in a browser: files dropped, chosen or pasted become results that are the same byte for byte."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from typing import Any

from playwright.sync_api import expect

from accounts.credits import ledger
from accounts.models import GuestDay, Plan
from conversions.models import Conversion
from tests.conftest import Person
from tests.conversions.samples import PEOPLE, PEOPLE_CSV

BROKEN = b'[{"id": 1,, "name": "Ada"}]'


def _done(page: Any, number: int) -> None:
    page.locator(".file[data-state=done]").nth(number - 1).wait_for()


def _choose(page: Any, *files: tuple[str, bytes]) -> None:
    page.set_input_files(
        "#file", [{"name": name, "mimeType": "application/octet-stream", "buffer": content} for name, content in files]
    )
    page.locator(".file").nth(len(files) - 1).wait_for()


def _target(page: Any, name: str, slug: str) -> None:
    page.get_by_label(f"Convert {name} to").select_option(slug)


def test_a_guest_drops_two_files_and_downloads_both_byte_for_byte(
    visit: Any, drop: Any, download: Any, guest: Person
) -> None:
    page = visit()
    drop(page, {"people.json": PEOPLE, "cities.csv": b"city,size\r\nOslo,7\r\n"})
    _target(page, "people.json", "json-to-csv")
    _target(page, "cities.csv", "csv-to-json")
    expect(page.locator("#balance")).to_contain_text("10", use_inner_text=True)
    page.get_by_role("button", name="Convert 2 files").click()
    _done(page, 2)
    first = download(page, page.get_by_role("link", name="Download people.csv"))
    second = download(page, page.get_by_role("link", name="Download cities.json"))
    assert first == PEOPLE_CSV
    assert json.loads(second) == [{"city": "Oslo", "size": "7"}]
    kept = {each.output_name: each.sha256 for each in Conversion.objects.filter(owner=None)}
    assert kept["people.csv"] == hashlib.sha256(first).hexdigest()
    assert kept["cities.json"] == hashlib.sha256(second).hexdigest()
    archive = zipfile.ZipFile(io.BytesIO(download(page, page.get_by_role("button", name="Download all as ZIP"))))
    assert archive.testzip() is None
    assert {name: archive.read(name) for name in archive.namelist()} == {"people.csv": first, "cities.json": second}
    page.locator("#balance [data-left]", has_text="8").wait_for()


def test_the_progress_of_an_upload_moves_under_a_throttled_network(visit: Any, guest: Person) -> None:
    page = visit("/convert/json-to-csv")
    _choose(page, ("large.json", json.dumps([{"id": n, "text": "x" * 80} for n in range(9000)]).encode()))
    page.evaluate(
        """() => {
            window.seen = [];
            const bar = document.querySelector(".file progress");
            new MutationObserver(() => { if (bar.hasAttribute("value")) window.seen.push(bar.value); })
                .observe(bar, { attributes: true });
        }"""
    )
    devtools = page.context.new_cdp_session(page)
    network = {"offline": False, "latency": 5, "downloadThroughput": 500_000, "uploadThroughput": 500_000}
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", network)
    page.get_by_role("button", name="Convert", exact=True).click()
    _done(page, 1)
    between = [value for value in page.evaluate("window.seen") if 0 < value < 100]
    assert len(set(between)) >= 3
    assert between == sorted(between)


def test_a_failing_file_does_not_stop_others_and_says_where_the_error_is(
    visit: Any, drop: Any, watch: Any, guest: Person
) -> None:
    watch.refusals_expected = True
    page = visit()
    drop(page, {"broken.json": BROKEN, "good.json": PEOPLE})
    _target(page, "broken.json", "json-to-csv")
    _target(page, "good.json", "json-to-csv")
    page.get_by_role("button", name="Convert 2 files").click()
    _done(page, 1)
    failed = page.locator(".file[data-state=failed]")
    expect(failed).to_contain_text("line 1", use_inner_text=True)
    expect(failed.get_by_role("button", name="Try again: broken.json")).to_be_visible()


def test_too_large_and_unknown_files_are_refused_before_anything_is_sent(visit: Any, guest: Person) -> None:
    page = visit()
    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    Plan.objects.filter(code="guest").update(max_file_bytes=1000)
    page.reload()
    _choose(page, ("large.json", b"[" + b" " * 2000 + b"]"), ("tool.exe", b"MZ"), ("people.json", PEOPLE))
    refused = page.locator(".file[data-state=refused]")
    expect(refused.nth(0)).to_contain_text("Too large", use_inner_text=True)
    expect(refused.nth(0).get_by_role("link", name="Sign up for free")).to_be_visible()
    expect(refused.nth(1)).to_contain_text(".exe", use_inner_text=True)
    expect(page.locator(".file[data-state=ready]")).to_have_count(1)
    assert sent == []


def test_a_busy_service_is_retried_after_the_time_it_names(visit: Any, watch: Any, guest: Person) -> None:
    watch.refusals_expected = True
    page = visit("/convert/json-to-csv")
    answers = iter([429])

    def once_busy(route: Any) -> None:
        if next(answers, None) is None:
            route.continue_()
        else:
            body = {"success": False, "code": "TOO_MANY_REQUESTS", "message": "Wait.", "requestId": "x"}
            route.fulfill(status=429, headers={"Retry-After": "1"}, json=body)

    page.route("**/api/v1/converter/json-to-csv", once_busy)
    _choose(page, ("people.json", PEOPLE))
    page.get_by_role("button", name="Convert", exact=True).click()
    page.locator(".file[data-state=waiting]").wait_for()
    _done(page, 1)


def test_no_more_files_are_sent_at_once_than_the_plan_has_jobs(visit: Any, guest: Person) -> None:
    page = visit("/convert/json-to-csv")
    running, most = 0, 0

    def began(request: Any) -> None:
        nonlocal running, most
        if request.method == "POST":
            running += 1
            most = max(most, running)

    def ended(request: Any) -> None:
        nonlocal running
        if request.method == "POST":
            running -= 1

    page.on("request", began)
    page.on("requestfinished", ended)
    _choose(page, *((f"people-{n}.json", PEOPLE) for n in range(5)))
    page.get_by_role("button", name="Convert 5 files").click()
    _done(page, 5)
    assert most == 2


def test_a_used_up_quota_is_reported_with_what_to_do(visit: Any, watch: Any, guest: Person) -> None:
    watch.refusals_expected = True
    page = visit("/convert/json-to-csv")
    _choose(page, ("people.json", PEOPLE))
    Plan.objects.filter(code="guest").update(credits=0)
    page.get_by_role("button", name="Convert", exact=True).click()
    way_out = page.locator("#banner").get_by_role("link", name="Sign up for free")
    way_out.wait_for()
    assert way_out.get_attribute("href").startswith("/signup")
    assert GuestDay.objects.count() == 0


def test_the_most_popular_target_is_suggested_until_one_is_chosen(visit: Any, guest: Person) -> None:
    page = visit()
    _choose(page, ("page.html", b"<p>Hello</p>"), ("cities.csv", b"city\r\nOslo\r\n"))
    expect(page.get_by_label("Convert page.html to")).to_have_value("html-to-pdf")
    expect(page.get_by_label("Convert cities.csv to")).to_have_value("csv-to-xlsx")
    _target(page, "cities.csv", "csv-to-json")
    page.reload()
    _choose(page, ("others.csv", b"city\r\nOslo\r\n"))
    expect(page.get_by_label("Convert others.csv to")).to_have_value("csv-to-json")


def test_files_can_be_pasted(visit: Any, guest: Person) -> None:
    page = visit()
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(["[]"], "pasted.json"));
            document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
        }"""
    )
    page.get_by_text("pasted.json", exact=True).wait_for()


def test_the_last_choice_of_settings_is_remembered_and_shown_in_the_examples(
    visit: Any, download: Any, guest: Person
) -> None:
    page = visit("/convert/json-to-csv")
    page.get_by_label("Delimiter").fill(";")
    page.locator("#example-curl", has_text="delimiter=;").wait_for()
    expect(page.locator("#example-python")).to_contain_text("'delimiter': ';'", use_inner_text=True)
    page.goto("/")
    page.goto("/convert/json-to-csv")
    expect(page.get_by_label("Delimiter")).to_have_value(";")
    _choose(page, ("people.json", PEOPLE))
    page.get_by_role("button", name="Convert", exact=True).click()
    _done(page, 1)
    assert download(page, page.get_by_role("link", name="Download people.csv")).startswith(b"id;name")
    page.get_by_role("button", name="Reset to defaults").click()
    expect(page.get_by_label("Delimiter")).to_have_value(",")


def test_an_option_that_does_not_fit_is_marked_at_its_control(visit: Any, watch: Any, guest: Person) -> None:
    watch.refusals_expected = True
    page = visit("/convert/json-to-csv")
    page.eval_on_selector("#json-to-csv-delimiter", "each => { each.removeAttribute('maxlength'); }")
    page.get_by_label("Delimiter").fill("long")
    _choose(page, ("people.json", PEOPLE))
    page.get_by_role("button", name="Convert", exact=True).click()
    page.locator(".file[data-state=failed]").wait_for()
    expect(page.get_by_label("Delimiter")).to_have_attribute("aria-invalid", "true")


def test_a_new_user_converts_with_options_sees_it_in_history_and_runs_out_of_credits(
    visit: Any, watch: Any, live_server: Any
) -> None:
    watch.refusals_expected = True
    page = visit("/signup")
    page.get_by_label("Email").fill("New@Example.org")
    page.get_by_label("Password").fill("a long and private phrase")
    page.get_by_role("button", name="Create account").click()
    page.get_by_text("Welcome.").wait_for()
    page.goto("/convert/json-to-csv")
    page.get_by_label("Delimiter").fill("|")
    _choose(page, ("people.json", PEOPLE))
    expect(page.locator("#cost")).to_have_text("This costs 1 credit.", use_inner_text=True)
    page.get_by_role("button", name="Convert", exact=True).click()
    _done(page, 1)
    expect(page.locator("#balance [data-left]")).to_have_text("99", use_inner_text=True)
    made = Conversion.objects.get()
    page.goto("/history")
    page.get_by_role("link", name="people.json").click()
    page.get_by_role("link", name="Download people.csv").wait_for()
    page.get_by_role("link", name="Convert another").click()
    expect(page.get_by_label("Delimiter")).to_have_value("|")
    user = made.owner
    assert user is not None
    ledger.charge(user, 99, reference=made.pk.__class__(int=1), reason="spent")
    _choose(page, ("people.json", PEOPLE))
    page.get_by_role("button", name="Convert", exact=True).click()
    banner = page.locator("#banner", has_text="you have 0")
    banner.wait_for()
    banner.get_by_role("link", name="Compare plans").click()
    page.get_by_role("heading", name="Plans").wait_for()


def test_a_refusal_of_the_examples_is_not_added_to_the_page(visit: Any, watch: Any, guest: Person) -> None:
    watch.refusals_expected = True
    hostile = "<img id=hostile src=x onerror='window.ran = 1'>"
    page = visit("/convert/json-to-csv")
    page.get_by_label("Delimiter").fill("<")
    page.locator("#example-curl", has_text="delimiter=<").wait_for()
    page.route("**/example?*", lambda route: route.fulfill(status=400, content_type="text/html", body=hostile))
    page.get_by_label("Delimiter").fill(">")
    page.get_by_text("The examples with these settings couldn't be loaded").wait_for()
    expect(page.locator("#hostile")).to_have_count(0)
    assert page.evaluate("window.ran") is None
