"""What people want done: found by keyboard in spite of a slip, and done with the task's own settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conversions.models import Conversion
from tests.conftest import Person
from tests.conversions.samples import picture


def test_a_misspelled_task_is_found_and_done_by_keyboard(visit: Any, guest: Person, tmp_path: Path) -> None:
    page = visit("/plans")
    page.keyboard.press("/")
    box = page.get_by_role("dialog").get_by_role("combobox")
    box.wait_for()
    page.keyboard.type("resise image")
    page.get_by_role("dialog").get_by_role("option").first.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url("**/resize-image")
    for name, format in (("a.png", "PNG"), ("b.jpg", "JPEG")):
        (tmp_path / name).write_bytes(picture(format, 40, 20))
    page.set_input_files("#file", [str(tmp_path / "a.png"), str(tmp_path / "b.jpg")])
    page.get_by_label("Width, in pixels").fill("10")
    page.get_by_role("button", name="Convert 2 files").click()
    page.locator(".file[data-state=done]").nth(1).wait_for()
    done = {each.slug: each.options["width"] for each in Conversion.objects.all()}
    assert done == {"png-to-png": 10, "jpg-to-jpg": 10}


def test_the_palette_opens_with_control_k_and_closes_with_escape(visit: Any, guest: Person) -> None:
    page = visit()
    page.keyboard.press("Control+k")
    page.get_by_role("dialog").get_by_role("combobox").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").get_by_role("combobox").wait_for(state="hidden")


def test_a_task_is_done_without_scripts(visit: Any, guest: Person, tmp_path: Path) -> None:
    page = visit("/search?q=resise+image", java_script_enabled=False)
    page.get_by_role("link", name="Resize image").click()
    (tmp_path / "a.png").write_bytes(picture("PNG", 40, 20))
    page.set_input_files("#file", str(tmp_path / "a.png"))
    page.get_by_label("Width, in pixels").fill("10")
    page.get_by_role("button", name="Convert", exact=True).click()
    page.wait_for_url("**/results/*")
    assert Conversion.objects.get().options["width"] == 10
