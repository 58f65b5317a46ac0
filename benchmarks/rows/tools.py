"""Tables of 30 MB, compared with command-line tools: Miller, jq and json2csv, each on the pairs that it supports."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from benchmarks.row import Row
from benchmarks.rows.columns import MAKE

SIZE = 30_000_000
_MILLER = {"csv": "csv", "tsv": "tsv", "json": "json", "ndjson": "jsonl"}
_FIELDS = 'to_entries | map(.value | if type == "boolean" then tostring else . end)'
_JQ = {
    ("json", "ndjson"): "-c '.[]'",
    ("ndjson", "json"): "-s .",
    ("json", "json"): ".",
    ("json", "csv"): f"-r '(.[0] | keys_unsorted | @csv), (.[] | {_FIELDS} | @csv)'",
    ("json", "tsv"): f"-r '(.[0] | keys_unsorted | @tsv), (.[] | {_FIELDS} | @tsv)'",
}


def _rows() -> Iterator[Row]:
    for source in _MILLER:
        for target in _MILLER:
            row = partial(
                Row,
                name="30 MB",
                input=f"tools.{source}",
                make=partial(MAKE[source], size=SIZE),
                slug=f"{source}-to-{target}",
                goal=1.0,
            )
            if source != target or source in ("csv", "json"):
                command = f"mlr --i{_MILLER[source]} --o{_MILLER[target]} cat '{{input}}' > '{{output}}'"
                yield row(peer_name="Miller", peer=("sh", "-c", command), needs=("mlr",))
            if how := _JQ.get((source, target)):
                yield row(peer_name="jq", peer=("sh", "-c", f"jq {how} '{{input}}' > '{{output}}'"), needs=("jq",))
            if (source, target) == ("json", "csv"):
                yield row(
                    peer_name="json2csv", peer=("json2csv", "-i", "{input}", "-o", "{output}"), needs=("json2csv",)
                )


ROWS: tuple[Row, ...] = tuple(_rows())
