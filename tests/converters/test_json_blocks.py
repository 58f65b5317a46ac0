"""Large JSON in blocks and as a whole: both ways of reading it give the same bytes, warnings and errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conversions.families.data.json_csv import source
from conversions.families.data.readers import json_blocks
from tests.converters.test_frames import outcome

MANY = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
Same = Callable[..., bytes | str]


@pytest.fixture
def same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Same:
    def run(slug: str, data: bytes, *, block: int = 1 << 18, **options: Any) -> bytes | str:
        with monkeypatch.context() as patch:
            patch.setattr(json_blocks, "LARGE", -1)
            patch.setattr(json_blocks, "_BLOCK", block)
            patch.setattr(source, "STEP", block)
            blocks = outcome(tmp_path, slug, data, **options)
        whole = outcome(tmp_path, slug, data, **options)
        assert blocks == whole
        return blocks[0]

    return run


SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
ROWS = st.lists(st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3), max_size=6)
TOKENS = st.sampled_from(
    ["{", "}", "[", "]", ",", ":", '"a"', '"b"', "1", "1.10", "-0", "1e5", "1E+16", "null", "true", " ", "\n",
     '"\\u00e9"', '"\\ud800"', '"\\/"', "NaN", '{"a":1}', '{"a":1,"a":2}', '{"a": [1.5, {"b": 12345678901234567890}]}',
     ',{"a":2}', "\x01"]
)  # fmt: skip
SLUGS = ["json-to-ndjson", "json-to-yaml", "json-to-parquet"]


@pytest.mark.parametrize("slug", SLUGS)
@MANY
@given(rows=ROWS, block=st.integers(1, 60), indent=st.sampled_from([None, 1]), ascii=st.booleans())
def test_any_rows(same: Same, slug: str, rows: list[Any], block: int, indent: int | None, ascii: bool) -> None:
    data = json.dumps(rows, indent=indent, ensure_ascii=ascii)
    same(slug, data.encode(errors="surrogatepass"), block=block)
    lines = "".join(json.dumps(row, ensure_ascii=ascii) + "\n" for row in rows)
    same(slug.replace("json", "ndjson", 1).replace("ndjson-to-ndjson", "ndjson-to-json"), lines.encode(), block=block)


@pytest.mark.parametrize("slug", ["json-to-ndjson", "ndjson-to-json"])
@MANY
@given(tokens=st.lists(TOKENS, max_size=12), block=st.integers(1, 40), inside=st.booleans())
def test_any_text(same: Same, slug: str, tokens: list[str], block: int, inside: bool) -> None:
    text = "".join(tokens)
    same(slug, (f"[{text}]" if inside else text).encode(), block=block)


@pytest.mark.parametrize(
    "item",
    [
        '{"a":1,"a":2}',
        '{"a":1.10}',
        '{"a":-0}',
        '{"a":1e400}',
        '{"a":"\\u00e9"}',
        '{"a":"\\ud800"}',
        "[" * 600 + "]" * 600,
        "{,}",
    ],
)
@pytest.mark.parametrize("slug", ["json-to-ndjson", "ndjson-to-json"])
def test_what_a_decoder_would_lose_is_kept_or_named(same: Same, slug: str, item: str) -> None:
    items = ['{"a":0}', item, '{"b":[]}'] * 3
    data = "[" + ", ".join(items) + "]" if slug.startswith("json") else "\n".join(items)
    same(slug, data.encode(), block=8)
    same(slug, data.encode())
