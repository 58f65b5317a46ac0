"""Vectors of archives: the same files in each, packed by zipfile, tarfile, pyzipper and by hand."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import random
import struct
import tarfile
import warnings
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

import pyzipper
from backports import zstd

from engine.families.archives.converters import INPUTS, LISTS, OUTPUTS
from tests.converters.pairs import Readers, Wanted, Writer, awkward, broken, ordinary, pairs
from tests.converters.vector import Check, Vector, refuse, take
from tests.families.archives import sevens
from tests.families.archives.sevens import number

MOMENT = 1_580_608_922
"""2020-02-02, two minutes and two seconds past two in the morning, UTC."""
SAFE = {"docs/ä.txt": b"hello\n" * 3, "run.sh": b"#!/bin/sh\n", "empty": b"", "inner.zip": b"PK\x05\x06" + b"\0" * 18}
MODES = {"docs/ä.txt": 0o644, "run.sh": 0o750, "empty": 0o600, "inner.zip": 0o644}
UNSAFE = {"../up": b"x", "/abs": b"x", "C:\\drive": b"x", "a\\..\\..\\b": b"x", "con.txt": b"device", "same": b"1"}
LINK = "link"
_PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "tar": bytes, "tgz": lambda data: gzip.compress(data, mtime=0), "tbz2": bz2.compress,
    "txz": lzma.compress, "tzst": zstd.compress,
}  # fmt: skip


def _zip(files: list[tuple[str, bytes]], *, link: bool) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_info("docs/", 0o40755), b"")
        for name, data in files:
            archive.writestr(_info(name, 0o100000 | MODES.get(name, 0o644)), data)
        if link:
            archive.writestr(_info(LINK, 0o120777), b"/etc/passwd")
    return out.getvalue()


def _info(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, (2020, 2, 2, 2, 2, 2))
    info.create_system, info.external_attr, info.compress_type = 3, mode << 16, zipfile.ZIP_DEFLATED
    return info


def _tar(files: list[tuple[str, bytes]], *, link: bool) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, data, kind in (("docs", b"", b"5"), *((*each, b"0") for each in files), *[(LINK, b"", b"2")] * link):
            info = tarfile.TarInfo(name)
            info.type, info.size, info.mtime = kind, len(data), MOMENT
            info.mode = 0o755 if kind == b"5" else MODES.get(name, 0o644)
            info.linkname = "/etc/passwd" if kind == b"2" else ""
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def seven(files: list[tuple[str, bytes]], *, link: bool) -> bytes:
    """A 7z of one solid stream packed with LZMA, its branch filter before it, as 7-Zip packs programs."""
    whole = [*files, *[(LINK, b"/etc/passwd")] * link]
    full = [each for each in whole if each[1]]
    stream = b"".join(data for _, data in full)
    filters = [{"id": lzma.FILTER_LZMA1, "dict_size": 1 << 16, "lc": 3, "lp": 0, "pb": 2}]
    branched = lzma.LZMACompressor(lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_DELTA, "dist": 1}, *filters])
    packed = branched.compress(stream) + branched.flush()
    header = b"\1\4\6" + number(0) + b"\1\x09" + number(len(packed)) + b"\0"
    coder = b"\x23\3\1\1\5" + struct.pack("<BI", 93, 1 << 16)
    header += b"\7\x0b\1\0\2" + b"\x21\3\1\0" + coder + b"\0\1"
    header += b"\x0c" + number(len(stream)) + number(len(stream)) + b"\0"
    header += b"\x08\x0d" + number(len(full)) + b"\x09" + b"".join(number(len(data)) for _, data in full[:-1])
    header += b"\x0a\1" + b"".join(struct.pack("<I", zlib.crc32(data)) for _, data in full) + b"\0\0"
    entries = [("docs", b""), *whole]
    names = b"\0" + b"".join(f"{name}\0".encode("utf-16-le") for name, _ in entries)
    hollow = [name for name, data in entries if not data]
    times = b"\1\0" + struct.pack("<Q", MOMENT * 10_000_000 + 116_444_736_000_000_000) * len(entries)
    modes = b"\1\0"
    for name, _ in entries:
        mode = 0o40755 if name == "docs" else 0o120777 if name == LINK else 0o100000 | MODES.get(name, 0o644)
        modes += struct.pack("<I", mode << 16 | 0x8000 | 0x10 * (name == "docs"))
    header += b"\5" + number(len(entries))
    for kind, data in (
        (0x0E, _bits(not data for _, data in entries)), (0x0F, _bits(name != "docs" for name in hollow)),
        (0x11, names), (0x14, times), (0x15, modes),
    ):  # fmt: skip
        header += bytes([kind]) + number(len(data)) + data
    header += b"\0\0"
    start = struct.pack("<QQI", len(packed), len(header), zlib.crc32(header))
    return b"7z\xbc\xaf\x27\x1c\0\4" + struct.pack("<I", zlib.crc32(start)) + start + packed + header


_CALLS = struct.pack("<4I", *[0x94000100] * 4)
"""Four ARM64 instructions `bl`, each of which calls what is 1 KB behind it."""


def _arm64() -> bytes:
    """A 7z with calls as 7-Zip's ARM64 filter packs them: by the place that is called, not by the distance to it."""
    packed = struct.pack("<4I", *[0x94000100 + at for at in range(4)])
    header = b"\1\4\6\0\1\x09" + number(len(packed)) + b"\0"
    header += b"\7\x0b\1\0\1\1\x0a\x0c" + number(len(_CALLS)) + b"\0"
    header += b"\x08\x0a\1" + struct.pack("<I", zlib.crc32(_CALLS)) + b"\0\0"
    name = b"\0" + "code\0".encode("utf-16-le")
    header += b"\5\1\x11" + number(len(name)) + name + b"\0\0"
    start = struct.pack("<QQI", len(packed), len(header), zlib.crc32(header))
    return b"7z\xbc\xaf\x27\x1c\0\4" + struct.pack("<I", zlib.crc32(start)) + start + packed + header


def _knows_arm64() -> bool:
    """Whether liblzma is 5.4 or newer: the head of an .xz file that names the filter is not refused."""
    block = b"\x02\x01\x0a\x00\x21\x01\x08\x00"
    try:
        lzma.LZMADecompressor(lzma.FORMAT_XZ).decompress(
            b"\xfd7zXZ\0\0\0" + struct.pack("<I", zlib.crc32(b"\0\0")) + block + struct.pack("<I", zlib.crc32(block))
        )
    except lzma.LZMAError:
        return False
    return True


def _bits(values: object) -> bytes:
    text = "".join("1" if each else "0" for each in values)  # type: ignore[attr-defined]
    text += "0" * (-len(text) % 8)
    return bytes(int(text[at : at + 8], 2) for at in range(0, len(text), 8))


@cache
def packed(format: str, *, safe: bool) -> bytes:
    """An archive of the safe files, or of these and of what must not be unpacked."""
    files = [*SAFE.items(), *([] if safe else [*UNSAFE.items(), ("same", b"2")])]
    if format == "zip":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _zip(files, link=not safe)
    if format == "7z":
        return seven(files, link=not safe)
    return _PACKERS[format](_tar(files, link=not safe))


_CHANGED = {"abs": b"x", "drive": b"x", "_con.txt": b"device", "same": b"1", "same (2)": b"2"}


def _holds(output: str, *, safe: bool) -> Check:
    expected = {**SAFE, **({} if safe else _CHANGED)}

    def check(data: bytes) -> None:
        if output == "zip":
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                assert archive.testzip() is None
                assert {each.filename: archive.read(each) for each in archive.infolist()} == {"docs/": b"", **expected}
                infos = {each.filename: each for each in archive.infolist()}
            assert {name: infos[name].external_attr >> 16 & 0o777 for name in MODES} == MODES
            assert {each.date_time for each in infos.values()} == {(2020, 2, 2, 2, 2, 2)}
            return
        plain = zstd.decompress(data) if output == "tzst" else data
        with tarfile.open(fileobj=io.BytesIO(plain)) as tar:
            members = {each.name: each for each in tar.getmembers()}
            assert members.pop("docs").isdir()
            found = {name: tar.extractfile(each) for name, each in members.items()}
            assert {name: file.read() for name, file in found.items() if file} == expected
        assert {name: members[name].mode for name in MODES} == MODES
        assert {each.mtime for each in members.values()} == {MOMENT}

    return check


def _lists(output: str, *, safe: bool) -> Check:
    expected = {**SAFE, **({} if safe else _CHANGED)}

    def check(data: bytes) -> None:
        rows = json.loads(data) if output == "json" else list(csv.DictReader(io.StringIO(data.decode(), newline="")))
        files = {row["name"]: row for row in rows if row["type"] == "file"}
        assert {row["name"] for row in rows if row["type"] == "folder"} == {"docs"}
        assert {name: int(row["size"]) for name, row in files.items()} == {
            name: len(content) for name, content in expected.items()
        }
        assert {row["modified"] for row in rows} == {"2020-02-02T02:02:02Z"}
        assert {name: files[name]["mode"] for name in MODES} == {name: f"{mode:03o}" for name, mode in MODES.items()}

    return check


def _damaged(format: str) -> bytes:
    if format in ("tgz", "tbz2", "txz", "tzst"):
        return packed(format, safe=True)[:-40]
    data = packed("tar", safe=True)
    return data[:512] + b"x" * 512 + data[1024:] if format == "tar" else packed(format, safe=True)[:-30]


READERS: Readers = {
    each.id: (
        ordinary("files, a folder and an archive", partial(packed, each.id, safe=True)),
        awkward("what must not be unpacked", partial(packed, each.id, safe=False), "CONTENT_DROPPED", "NAME_CHANGED"),
        broken("a damaged one", partial(_damaged, each.id)),
    )
    for each in INPUTS
}


def _writer(output: str, holds: Callable[..., Check]) -> Writer:
    return lambda source, given: Wanted(holds(output, safe=given.kind == "ordinary"))


WRITERS = {each.id: _writer(each.id, _lists if each in LISTS else _holds) for each in (*OUTPUTS, *LISTS)}


def locked() -> bytes:
    """A ZIP with a password, in WinZip's AES."""
    out = io.BytesIO()
    with pyzipper.AESZipFile(out, "w", compression=zipfile.ZIP_DEFLATED) as archive:
        archive.setpassword(b"geheim")
        archive.setencryption(pyzipper.WZ_AES, nbits=256)
        archive.writestr("a.txt", b"secret")
    return out.getvalue()


def _program() -> bytes:
    """200 KB with calls and jumps, some of which look like the beginning of another."""
    chance = random.Random(7)
    marks = (b"\xe8", b"\xe9", b"\x0f\x84", b"\x0f\x8f", b"\x0f", b"\x0f\xe8", b"\x90\x90", b"mov")
    ends = (0, 0, 0xFF, 0x0F, 0x40)
    return b"".join(chance.choice(marks) + chance.randbytes(3) + bytes([chance.choice(ends)]) for _ in range(36_000))


_PROGRAM = _program()
_FAR, _FAR_PACKED = sevens.far_repeats()


def _program_of(*, bits: bytes | None = None) -> bytes:
    packed = sevens.programs(_PROGRAM)
    if bits is not None:
        packed = replace(packed, streams=[*packed.streams[:3], bits])
    return sevens.archive([("a.exe", _PROGRAM)], packed)


def _locked_7z(*, listed: bool = True, power: int = sevens.ROUNDS, damaged: bool = False) -> bytes:
    """A 7z with a password, and its list of files too unless `listed`."""
    files = [("a.txt", b"secret"), ("b.txt", b"another one" * 20)]
    whole = b"".join(data for _, data in files)
    packed = sevens.locked(whole[:-1] + b"?" if damaged else whole, "geheim", power=power, salt=b"salt")
    listing = sevens.listing(files, packed)
    return sevens.archive(files, packed, None if listed else sevens.locked(listing, "geheim", power=power))


def _by(coder: tuple[bytes, bytes], data: bytes, stream: bytes) -> bytes:
    return sevens.archive([("a.txt", data)], sevens.Packed([stream], [(*coder, 1)], [len(data)]))


def _far_zip(*, cut: int = 0, password: bytes | None = None) -> bytes:
    """A ZIP of Deflate64, which no library here writes: its stream as a stored file, and then what is said of it."""
    out = io.BytesIO()
    kept = _FAR_PACKED[: len(_FAR_PACKED) - cut]
    with pyzipper.AESZipFile(out, "w") as archive:
        if password:
            archive.setpassword(password)
            archive.setencryption(pyzipper.WZ_AES, nbits=256)
        archive.writestr("a.txt", kept)
    data = bytearray(out.getvalue())
    for signature, place in ((b"PK\3\4", 8), (b"PK\1\2", 10)):
        at = data.index(signature)
        struct.pack_into("<I", data, at + place + 14, len(_FAR))
        if password:
            struct.pack_into("<H", data, data.index(b"\1\x99\7\0", at) + 9, 9)
        else:
            struct.pack_into("<H", data, at + place, 9)
            struct.pack_into("<I", data, at + place + 6, zlib.crc32(_FAR))
    return bytes(data)


def _names(*expected: str) -> Check:
    def check(data: bytes) -> None:
        assert [row["name"] for row in json.loads(data)] == [*expected]

    return check


def _one(name: str, content: bytes) -> Check:
    def check(data: bytes) -> None:
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            file = tar.extractfile(name)
            assert file is not None
            assert file.read() == content

    return check


def _russian() -> bytes:
    data = _zip([("privet.txt", b"x")], link=False)
    return data.replace(b"privet", "привет".encode("cp866"))


def _owned() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        info = tarfile.TarInfo("a")
        info.uname, info.uid = "ada", 1000
        archive.addfile(info)
    return out.getvalue()


def _packed_by(method: int) -> bytes:
    data = bytearray(_zip([("a.txt", b"x")], link=False))
    for signature, place in ((b"PK\3\4", 8), (b"PK\1\2", 10)):
        at = data.rindex(signature)
        struct.pack_into("<H", data, at + place, method)
    return bytes(data)


def _nameless() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        archive.addfile(tarfile.TarInfo(""))
    return out.getvalue()


def _is_called(data: bytes, name: str) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == [name]


def _bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", bytes(60_000_000))
    return out.getvalue()


_LOCKED = locked()
_MORE = (
    take("zip-to-tar", "AES", lambda: _LOCKED, _one("a.txt", b"secret"), password="geheim"),
    refuse("zip-to-tar", "a wrong password", lambda: _LOCKED, password="falsch"),
    refuse("zip-to-tar", "no password", lambda: _LOCKED),
    Vector("zip-to-tar", "AES and a damaged part", "failing", lambda: _LOCKED.replace(b"PK\3\4", b"PK\3\5"),
           error="UNSUPPORTED_FORMAT", options={"password": "geheim"}),
    take("zip-to-tar", "names in an old code page", _russian, _one("привет.txt", b"x"), nameEncoding="cp866"),
    *(Vector("zip-to-tar", f"packed by method {each}", "failing", partial(_packed_by, each), error="UNSUPPORTED_FORMAT")
      for each in (10, 95, 98)),
    take("tar-to-zip", "a file without a name", _nameless, lambda data: _is_called(data, "unnamed"), "NAME_CHANGED"),
    take("tar-to-zip", "owners", _owned, lambda data: None, "METADATA_DROPPED"),
    Vector("zip-to-txz", "a bomb", "failing", _bomb, error="UNSUPPORTED_FORMAT"),
    *[take("7z-to-tar", "programs for ARM64", _arm64, _one("code", _CALLS))] * _knows_arm64(),
    take("7z-to-tar", "a program in BCJ2", _program_of, _one("a.exe", _PROGRAM)),
    Vector("7z-to-tar", "BCJ2 whose bits end too soon", "failing", lambda: _program_of(bits=b"\0\1\2\3\4\5"),
           error="UNSUPPORTED_FORMAT"),
    Vector("7z-to-tar", "BCJ2 whose bits begin otherwise", "failing", lambda: _program_of(bits=b"\xff" * 9_000),
           error="UNSUPPORTED_FORMAT"),
    take("7z-to-tar", "a password", _locked_7z, _one("a.txt", b"secret"), password="geheim"),
    take("7z-to-tar", "a password for the names too", lambda: _locked_7z(listed=False), _one("a.txt", b"secret"),
         password="geheim"),
    take("7z-to-tar", "a key without rounds", lambda: _locked_7z(power=63), _one("a.txt", b"secret"),
         password="geheim"),
    take("7z-to-json", "names without a password", _locked_7z, _names("a.txt", "b.txt")),
    take("7z-to-json", "names with a password", lambda: _locked_7z(listed=False), _names("a.txt", "b.txt"),
         password="geheim"),
    refuse("7z-to-tar", "no password", _locked_7z),
    refuse("7z-to-tar", "a wrong password", _locked_7z, password="falsch"),
    refuse("7z-to-json", "no password for the names", lambda: _locked_7z(listed=False)),
    refuse("7z-to-json", "a wrong password for the names", lambda: _locked_7z(listed=False), password="falsch"),
    Vector("7z-to-tar", "a password and a damaged file", "failing", lambda: _locked_7z(damaged=True),
           error="UNSUPPORTED_FORMAT", options={"password": "geheim"}),
    Vector("7z-to-tar", "a key of two billion rounds", "failing", lambda: _locked_7z(power=31),
           error="UNSUPPORTED_FORMAT", options={"password": "geheim"}),
    take("7z-to-tar", "Deflate64", lambda: _by(sevens.DEFLATE64_CODER, _FAR, _FAR_PACKED), _one("a.txt", _FAR)),
    Vector("7z-to-tar", "Deflate64 that ends too soon", "failing",
           lambda: _by(sevens.DEFLATE64_CODER, _FAR, _FAR_PACKED[:-3]), error="UNSUPPORTED_FORMAT"),
    Vector("7z-to-tar", "PPMd", "failing", lambda: _by(sevens.PPMD_CODER, b"x", b"x"), error="UNSUPPORTED_FORMAT"),
    take("zip-to-tar", "Deflate64", _far_zip, _one("a.txt", _FAR)),
    take("zip-to-tar", "Deflate64 and AES", lambda: _far_zip(password=b"geheim"), _one("a.txt", _FAR),
         password="geheim"),
    refuse("zip-to-tar", "Deflate64 and a wrong password", lambda: _far_zip(password=b"geheim"), password="falsch"),
    Vector("zip-to-tar", "Deflate64 that ends too soon", "failing", lambda: _far_zip(cut=3),
           error="UNSUPPORTED_FORMAT"),
    refuse("tar-to-zip", "no such encoding", _owned, nameEncoding="uu"),
)  # fmt: skip

VECTORS = (*pairs("archives", READERS, WRITERS), *_MORE)
