"""Decrypt OpenDocument files into a copy (OpenDocument 1.3, part 2, 3.4)."""

from __future__ import annotations

import base64
import hashlib
import re
import zipfile
import zlib
from pathlib import Path

from engine.families.data.workbooks import locks
from engine.families.data.workbooks.facts import attributes
from engine.toolkit import archive
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say

_MANIFEST, _CONTENT = "META-INF/manifest.xml", "content.xml"
_ENTRY = "<manifest:file-entry"
_TAG = re.compile(r"<manifest:(?:encryption-data|algorithm|start-key-generation|key-derivation)\b[^<>]*>")
_ENCRYPTION = re.compile(r"<manifest:encryption-data.*?(?:</manifest:encryption-data>|\Z)", re.DOTALL)
_CHECKED = 1024
_MAX_ROUNDS = 10_000_000

_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError, RuntimeError)
"""The exceptions that zipfile and the ciphers raise for malformed data."""


def is_locked(source: Path) -> bool:
    """Whether the manifest declares encrypted parts. Raises Unreadable if the file is not an archive."""
    try:
        with zipfile.ZipFile(source) as parts:
            return _MANIFEST in parts.namelist() and b"encryption-data" in _small(parts, _MANIFEST)
    except _DAMAGED as error:
        raise Unreadable(
            "The file is damaged: it can't be unpacked. Save or download it again.", reason="damaged"
        ) from error


def unlocked(source: Path, password: str | None) -> Path:
    """A copy with only the decrypted content.

    Raises Unreadable without a password, or for encryption other than AES-CBC with a PBKDF2 key (ODF 1.2 and 1.3);
    InvalidOption for a wrong password; OverLimit for content that unpacks to too much.
    """
    if not password:
        raise locks.refusal(password)
    target = source.with_name(f"unlocked{source.suffix}")
    with zipfile.ZipFile(source) as parts:
        manifest = _small(parts, _MANIFEST).decode("utf-8", "replace")
        entries = (each for each in manifest.split(_ENTRY) if f'full-path="{_CONTENT}"' in each)
        entry = next((each for each in entries if "encryption-data" in each), "")
        facts: dict[str, str] = {}
        for tag in _TAG.findall(entry):
            facts |= {key.rpartition(":")[2]: value for key, value in attributes(tag).items() if value}
        if "aes256-cbc" not in facts.get("algorithm-name", "") or "PBKDF2" not in facts.get("key-derivation-name", ""):
            raise Unreadable(
                "The workbook is encrypted in a way that can't be opened here. Remove the password.", reason="password"
            )
        try:
            packed = _decrypted(parts.read(_CONTENT), password, facts)
            kind = parts.read("mimetype") if "mimetype" in parts.namelist() else b""
        except (KeyError, *_DAMAGED) as error:
            raise Unreadable(
                "The workbook's encryption is damaged. Save it again and retry.", reason="damaged"
            ) from error
        if packed is None:
            raise locks.refusal(password)
        unpacker = zlib.decompressobj(-15)
        try:
            content = unpacker.decompress(packed, archive.MAX_BYTES + 1)
        except zlib.error as error:
            raise Unreadable("The workbook's content is damaged. Save it again and retry.", reason="damaged") from error
        if len(content) > archive.MAX_BYTES:
            raise OverLimit(
                "memory", say("The file unpacks to more than {max_bytes} MB.", max_bytes=archive.MAX_BYTES // 1_000_000)
            )
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as copy:
            copy.writestr("mimetype", kind)
            copy.writestr(_MANIFEST, _ENCRYPTION.sub("", manifest))
            copy.writestr(_CONTENT, content)
    return target


def _decrypted(data: bytes, password: str, facts: dict[str, str]) -> bytes | None:
    """The decrypted, still compressed bytes of a part, or None if the password is wrong."""
    # Imported on demand: few files are encrypted.
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    rounds = int(facts["iteration-count"])
    if not 0 < rounds <= _MAX_ROUNDS:
        raise ValueError("too many rounds")
    start = hashlib.sha256 if "sha256" in facts.get("start-key-generation-name", "") else hashlib.sha1
    key = hashlib.pbkdf2_hmac(
        "sha1", start(password.encode()).digest(), base64.b64decode(facts["salt"]), rounds, dklen=32
    )
    cipher = Cipher(algorithms.AES(key), modes.CBC(base64.b64decode(facts["initialisation-vector"]))).decryptor()
    plain = cipher.update(data) + cipher.finalize()
    plain = plain[: -plain[-1]] if plain and plain[-1] <= 16 else plain
    digest = hashlib.sha256 if "sha256" in facts.get("checksum-type", "") else hashlib.sha1
    checked = plain[:_CHECKED] if facts.get("checksum-type", "").lower().endswith("1k") else plain
    return plain if digest(checked).digest() == base64.b64decode(facts["checksum"]) else None


def _small(parts: zipfile.ZipFile, name: str) -> bytes:
    with parts.open(name) as part:
        return part.read(1 << 20)
