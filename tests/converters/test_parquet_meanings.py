"""Columns of Parquet that mean more than their types say: JSON, UUIDs, and moments of 96 bits of any year."""

from __future__ import annotations

import json
import uuid
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet
from pyarrow.parquet import encryption

from engine.families.data.columnar import footer
from engine.families.registry import CONVERTERS
from engine.toolkit.failures import Unreadable
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

FIRST, SECOND = uuid.UUID(int=1), uuid.UUID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")


def ids(*values: uuid.UUID | None) -> Any:
    return pa.ExtensionArray.from_storage(pa.uuid(), pa.array([each and each.bytes for each in values], pa.binary(16)))


def documents(*values: str | None) -> Any:
    return pa.ExtensionArray.from_storage(pa.json_(), pa.array(values))


def converted(columns: dict[str, Any], folder: Path, output: str = "json", **how: Any) -> tuple[bytes, Warn]:
    source, target, warn = folder / "input.parquet", folder / f"output.{output}", Warn()
    parquet.write_table(pa.table(columns), source, **how)
    converter = CONVERTERS[f"parquet-to-{output}"]
    converter.run(source, target, build(converter.options, {}), warn)
    return target.read_bytes(), warn


def test_uuids_are_written_in_the_standard_form(tmp_path: Path) -> None:
    made, warn = converted({"id": ids(FIRST, None, SECOND), "n": [1, 2, 3]}, tmp_path)
    assert [each["id"] for each in json.loads(made)] == [str(FIRST), None, str(SECOND)]
    assert not warn.warnings
    made, _ = converted({"id": ids(FIRST, None, SECOND)}, tmp_path, "csv")
    assert made.split() == [b"id", str(FIRST).encode(), b'""', str(SECOND).encode()]


def test_json_is_the_text_that_it_is_written_in(tmp_path: Path) -> None:
    made, warn = converted({"doc": documents('{"a": [1, "é"]}', None, "null")}, tmp_path)
    assert [each["doc"] for each in json.loads(made)] == ['{"a": [1, "é"]}', None, "null"]
    assert not warn.warnings


def test_bytes_beside_them_stay_bytes_and_are_reported(tmp_path: Path) -> None:
    made, warn = converted({"raw": pa.array([b"\xff" * 16], pa.binary(16)), "id": ids(SECOND), "^n$": [1]}, tmp_path)
    assert json.loads(made) == [{"raw": "/////////////////////w==", "id": str(SECOND), "^n$": 1}]
    assert [each.code for each in warn.warnings] == ["VALUE_CONVERTED"]


def test_they_are_found_within_lists_and_structs(tmp_path: Path) -> None:
    inside = pa.StructArray.from_arrays(
        [ids(FIRST, SECOND), documents("1", "[]"), pa.array([1, 2])], ["id", "doc", "n"]
    )
    columns = {
        "list": pa.ListArray.from_arrays([0, 2], ids(FIRST, SECOND)),
        "structs": pa.ListArray.from_arrays([0, 2], inside),
        "struct": pa.StructArray.from_arrays(
            [ids(SECOND), pa.ListArray.from_arrays([0, 1], documents("{}"))], ["id", "docs"]
        ),
        "after": ids(FIRST),
    }
    made, _ = converted(columns, tmp_path)
    assert json.loads(made) == [
        {
            "list": [str(FIRST), str(SECOND)],
            "structs": [{"id": str(FIRST), "doc": "1", "n": 1}, {"id": str(SECOND), "doc": "[]", "n": 2}],
            "struct": {"id": str(SECOND), "docs": ["{}"]},
            "after": str(FIRST),
        }
    ]


def test_what_is_null_as_a_whole_stays_so(tmp_path: Path) -> None:
    struct = pa.StructArray.from_arrays(
        [ids(FIRST, None), pa.array([1, None])], ["id", "n"], mask=pa.array([False, True])
    )
    listed = pa.ListArray.from_arrays(pa.array([0, None, 1], pa.int32()), ids(SECOND))
    made, _ = converted({"struct": struct, "list": listed}, tmp_path)
    assert json.loads(made) == [
        {"struct": {"id": str(FIRST), "n": 1}, "list": [str(SECOND)]},
        {"struct": None, "list": None},
    ]


@pytest.mark.parametrize("year", [1, 1676, 2263, 9999])
def test_moments_of_96_bits_are_of_any_year(tmp_path: Path, year: int) -> None:
    moments = pa.array([datetime(year, 1, 2, 3, 4, 5, 678901), None, datetime(2024, 2, 29)], pa.timestamp("us"))
    made, warn = converted({"at": moments}, tmp_path, use_deprecated_int96_timestamps=True)
    assert [each["at"] for each in json.loads(made)] == [
        f"{year:04}-01-02T03:04:05.678901",
        None,
        "2024-02-29T00:00:00",
    ]
    assert not warn.warnings
    nested = pa.ListArray.from_arrays([0, 3], moments)
    made, _ = converted({"at": nested}, tmp_path, use_deprecated_int96_timestamps=True)
    assert json.loads(made)[0]["at"][0] == f"{year:04}-01-02T03:04:05.678901"


def test_moments_of_96_bits_keep_their_nanoseconds(tmp_path: Path) -> None:
    moments = pa.array([1_700_000_000_123_456_789], pa.timestamp("ns"))
    made, _ = converted({"at": moments}, tmp_path, use_deprecated_int96_timestamps=True)
    assert json.loads(made) == [{"at": "2023-11-14T22:13:20.123456789"}]


def test_values_of_one_length_may_be_delta_coded(tmp_path: Path) -> None:
    how = {"use_dictionary": False, "column_encoding": {"id": "DELTA_BYTE_ARRAY"}}
    made, _ = converted({"id": ids(FIRST, SECOND)}, tmp_path, **how)
    assert [each["id"] for each in json.loads(made)] == [str(FIRST), str(SECOND)]
    assert footer.is_delta_coded(tmp_path / "input.parquet")
    converted({"id": ids(FIRST, SECOND), "text": ["a", "b"]}, tmp_path)
    assert not footer.is_delta_coded(tmp_path / "input.parquet")


def test_a_damaged_footer_has_no_columns(tmp_path: Path) -> None:
    converted({"id": ids(FIRST), "n": [1]}, tmp_path)
    file = tmp_path / "input.parquet"
    whole = file.read_bytes()
    assert [each.physical for each in footer.leaves(file)] == [7, 2]
    size = int.from_bytes(whole[-8:-4], "little")
    for end in range(0, size, 7):
        file.write_bytes(whole[: -8 - size] + whole[-8 - size : -8 - size + end] + end.to_bytes(4, "little") + b"PAR1")
        assert len(footer.leaves(file)) in (0, 2)
        assert footer.is_delta_coded(file) is False


class Keys(encryption.KmsClient):
    """Wraps keys in nothing: whoever reads the file has none of them anyway."""

    def __init__(self, _: Any = None) -> None:
        encryption.KmsClient.__init__(self)

    def wrap_key(self, key_bytes: bytes, master_key_identifier: str) -> bytes:
        return key_bytes.hex().encode()


@pytest.mark.parametrize("plaintext_footer", [False, True])
def test_an_encrypted_file_is_refused_as_encrypted(tmp_path: Path, plaintext_footer: bool) -> None:
    kms = encryption.KmsConnectionConfig()
    how = encryption.EncryptionConfiguration(
        footer_key="footer", column_keys={"column": ["n"]}, plaintext_footer=plaintext_footer
    )
    secrets = encryption.CryptoFactory(Keys).file_encryption_properties(kms, how)
    with pytest.raises(Unreadable, match="encrypted"):
        converted({"id": ["a"], "n": [1]}, tmp_path, encryption_properties=secrets)
    assert CONVERTERS["parquet-to-json"].input.recognises((tmp_path / "input.parquet").read_bytes()[:16])


def test_decimals_of_256_bits_keep_all_digits(tmp_path: Path) -> None:
    long = [Decimal("1.50"), None, Decimal("-99999999999999999999999999999999999.25")]
    short = pa.array([Decimal("1.5"), Decimal("2.5"), None], pa.decimal256(20, 1))
    made, warn = converted({"long": pa.array(long, pa.decimal256(50, 2)), "short": short}, tmp_path, "csv")
    assert made.decode().split() == ["long,short", "1.50,1.5", ",2.5", "-99999999999999999999999999999999999.25,"]
    assert [(each.code, str(each.message)) for each in warn.warnings] == [
        ("VALUE_CONVERTED", "Columns of unsupported types became text: 1 (“long”).")
    ]
