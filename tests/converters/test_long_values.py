"""Long values of style sheets are read in linear time."""

from __future__ import annotations

import time

from engine.families.html_pdf.css.ignored import is_handled


def test_a_picture_in_a_style_sheet_is_read_in_linear_time() -> None:
    value = f"url(data:image/png;base64,{'iVBORw0KGgo' * 20_000})"
    started = time.process_time()
    assert is_handled("background", value)
    assert time.process_time() - started < 1
