"""Stories of people from the first page to what they came for: a guest, a user, an operator.

The buyer's is in `test_shop`, the owner's in `test_teams`.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pypdf
import pytest
import yaml
from PIL import Image
from playwright.sync_api import expect

from accounts.models import User
from conversions.models import Conversion
from tests.browser.conftest import Watch, saved
from tests.browser.test_gathered import BLUE, GREEN, RED, _colours, _photo
from tests.browser.ways import Way, ways
from tests.conftest import PASSWORD, Person
from tests.families.documents.files import docx
from tests.ports import free_port
from tests.server.conftest import Server, start_server

ROOT = Path(__file__).resolve().parents[2]
BOSS = "boss@werkbank.example"
PHOTOS = tuple((f"{name}.png", _photo(colour, "PNG")) for name, colour in (("a", RED), ("b", GREEN), ("c", BLUE)))


def _choose(page: Any, *files: tuple[str, bytes]) -> None:
    page.set_input_files("#file", [{"name": name, "mimeType": "", "buffer": content} for name, content in files])


def _packed(*files: tuple[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files:
            archive.writestr(name, content)
    return made.getvalue()


def _result(page: Any, way: Way) -> bytes:
    """Start the conversion and have its only result, which comes by itself where scripts run."""
    if way.scripts:
        with page.expect_download() as waiting:
            page.locator("#start").click()
        expect(page.locator(".file[data-state=done] .state").first).to_be_focused()
    else:
        page.locator("#start").click()
        page.wait_for_url("**/results/*")
        with page.expect_download() as waiting:
            page.locator("#download").click()
    way.holds(page)
    return saved(waiting.value)


@ways((1280, True, "en"), (360, False, "de"), (360, True, "ja"))
def test_a_guest_makes_one_pdf_of_three_photos_and_each_a_jpg(visit: Any, guest: Person, way: Way) -> None:
    page = visit("/", **way.options)
    way.holds(page)
    page.locator('.tasks a[href="/jpg-to-pdf"]').click()
    page.wait_for_url("**/jpg-to-pdf")
    way.holds(page)
    if way.scripts:
        _choose(page, *PHOTOS)
        expect(page.locator(".piece canvas")).to_have_count(3)
        expect(page.locator(".file")).to_be_focused()
    else:
        _choose(page, ("photos.zip", _packed(*PHOTOS)))
    assert _colours(_result(page, way)) == ["red", "green", "blue"]

    page.locator("header .brand").click()
    way.holds(page)
    _choose(page, *PHOTOS)
    if way.scripts:
        page.locator(".file[data-state=ready]").nth(2).wait_for()
        way.holds(page)
        page.locator("#start").click()
        page.locator(".file[data-state=done]").nth(3).wait_for()  # the PDF of before is one of them
        everything = page.locator("#download-all")
    else:
        page.locator("#target").select_option("jpg")
        page.locator("#start").click()
        page.wait_for_url("**/results/*")
        everything = page.get_by_role("button", name=way.said("Download these as ZIP"))
        for box in page.locator("input[name=file]").all():
            if ".pdf" in (box.locator("..").text_content() or ""):
                box.uncheck()
    way.holds(page)
    with page.expect_download() as waiting:
        everything.click()
    with zipfile.ZipFile(io.BytesIO(saved(waiting.value))) as archive:
        names = sorted(each for each in archive.namelist() if not each.endswith(".pdf"))  # the first one is there, too
        assert names == ["a.jpg", "b.jpg", "c.jpg"]
        for name, colour in (("a.jpg", RED), ("b.jpg", GREEN), ("c.jpg", BLUE)):
            with Image.open(io.BytesIO(archive.read(name))) as picture:
                assert picture.format == "JPEG"
                seen = picture.convert("RGB").getpixel((20, 20))
            assert all(abs(one - other) < 12 for one, other in zip(seen, colour, strict=True))  # type: ignore[arg-type]
    assert Conversion.objects.filter(owner=None, status="completed").count() == 4


@ways((360, True, "de"), (1280, False, "ja"), (360, False, "en"))
def test_a_user_signs_up_converts_a_word_file_and_finds_it_in_the_history(visit: Any, guest: Person, way: Way) -> None:
    page = visit("/", **way.options)
    way.follow(page, "/signup")
    expect(page.locator("[name=email]")).to_be_focused()
    page.locator("[name=email]").fill("new@example.org")
    page.locator("[name=password]").fill(PASSWORD)
    page.get_by_role("button", name=way.said("Create account")).click()
    page.locator("main .messages").wait_for()
    way.holds(page)
    way.follow(page, "/")
    _choose(page, ("letter.docx", docx()))
    if way.scripts:
        expect(page.locator(".file select")).to_have_value("docx-to-pdf")
        expect(page.locator(".file")).to_be_focused()
    made = _result(page, way)
    words = "".join(each.extract_text() for each in pypdf.PdfReader(io.BytesIO(made)).pages)
    assert "Quarterly report" in words

    way.follow(page, "/history")
    row = page.locator("tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("letter.docx")
    with page.expect_download() as waiting:
        row.locator("[data-name='letter.pdf']").click()
    assert saved(waiting.value) == made
    row.locator("th a").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("letter.pdf")
    way.holds(page)
    user = User.objects.get(email="new@example.org")
    assert Conversion.objects.get().owner == user
    assert user.credits < user.plan.credits


def _passed_on(folder: Path, values: dict[str, str]) -> dict[str, str]:
    """What compose gives to the service of what an operator's .env says."""
    if shutil.which("docker-compose") is None:
        pytest.skip("docker-compose is not installed")
    (folder / ".env").write_text("".join(f"{name}={value}\n" for name, value in values.items()))
    command = ["docker-compose", "--env-file", str(folder / ".env"), "-f", str(ROOT / "deploy/compose.yaml"), "config"]
    done = subprocess.run(command, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=True)
    found: dict[str, str | None] = yaml.safe_load(done.stdout)["services"]["app"]["environment"]
    return {name: value for name, value in found.items() if value is not None}


@pytest.fixture(scope="module")
def composed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The service as compose starts it from an operator's .env, with a superuser.

    The services beside it are not there, so that it has a database, a cache and files of its own.
    """
    folder, port = tmp_path_factory.mktemp("composed"), free_port()
    url = f"http://127.0.0.1:{port}"
    passed = _passed_on(
        folder,
        {
            "SECRET_KEY": "k" * 50,
            "POSTGRES_PASSWORD": "p" * 20,
            "S3_SECRET_KEY": "s" * 20,
            "PUBLIC_HOST": "127.0.0.1",
            "SITE_URL": url,
            "SERVICE_NAME": "Werkbank",
            "REGISTRATION": "closed",
            "CONTACT_EMAIL": "help@werkbank.example",
            "IMPRINT_URL": f"{url}/imprint",
            "SECURITY_CONTACT": "mailto:security@werkbank.example",
            "EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend",
        },
    )
    passed |= {"DATABASE_URL": "", "REDIS_URL": "", "S3_BUCKET": "", "DATA_DIR": str(folder), "HOST": "127.0.0.1"}
    passed |= {"PORT": str(port), "PREPARE_SANDBOX": "no"}
    # First what compose's `migrate` does, and the command of the first hour; neither ends earlier on a busy machine.
    for command in (["migrate", "--noinput"], ["createsuperuser", "--noinput", "--email", BOSS]):
        done = subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env={"PATH": "/usr/bin:/bin", **passed, "DJANGO_SUPERUSER_PASSWORD": PASSWORD},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
    server = start_server(port=port, workers=1, **passed)
    yield server
    server.stop()


@ways((1280, False, "en"), (360, True, "de"), (1280, True, "ja"))
def test_an_operator_finds_on_the_pages_what_the_file_of_compose_says(
    visit: Any, watch: Watch, composed: Server, way: Way
) -> None:
    watch.refusals_expected = True  # sign-up is closed
    watch.origin = url = composed.url
    page = visit(f"{url}/", **way.options)
    way.holds(page)
    expect(page.locator("header .brand")).to_have_text("Werkbank")
    expect(page.locator(f'footer a[href="{url}/imprint"]')).to_be_visible()
    page.goto(f"{url}/signup")
    expect(page.get_by_role("heading", level=1)).to_have_text(way.said("Sign-up is closed"))
    way.holds(page)
    page.goto(f"{url}/plans")
    expect(page.locator('main a[href="mailto:help@werkbank.example"]')).to_be_visible()
    way.holds(page)
    assert "security@werkbank.example" in httpx.get(f"{url}/.well-known/security.txt").text
    assert httpx.get(f"{url}/readyz").json()["status"] == "ok"

    page.goto(f"{url}/login")
    page.locator("input[type=email]").fill(BOSS)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main button[type=submit]").click()
    page.wait_for_url(lambda address: "/login" not in address)
    page.goto(f"{url}/admin/status/")
    expect(page.locator(".status table").first).to_be_visible()
    way.fits(page)
