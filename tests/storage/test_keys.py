"""Storage keys."""

import pytest

from storage.keys import is_key, new_key


@pytest.mark.parametrize("extension", ["csv", "pdf", "a", "x" * 10, "7z"])
def test_a_new_key_is_a_key(extension):
    key = new_key(extension)
    assert is_key(key)
    assert key.endswith(f".{extension}")
    assert new_key(extension) != key


@pytest.mark.parametrize("extension", ["", ".csv", "CSV", "tar.gz", "x" * 11, "a/b", "é", "a\n"])
def test_an_invalid_extension_is_refused(extension):
    with pytest.raises(ValueError):
        new_key(extension)


HEXADECIMAL = "0123456789abcdef" * 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        HEXADECIMAL,
        f"{HEXADECIMAL}.",
        f"{HEXADECIMAL[1:]}.csv",
        f"{HEXADECIMAL}0.csv",
        f"{HEXADECIMAL.upper()}.csv",
        f"{HEXADECIMAL}.csv\n",
        f"{HEXADECIMAL}.csv/",
        f"../{HEXADECIMAL}.csv",
        f"{HEXADECIMAL[:-1]}\u0660.csv",
        f"{HEXADECIMAL}.\x00",
    ],
)
def test_anything_else_is_no_key(text):
    assert not is_key(text)
