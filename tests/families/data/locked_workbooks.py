"""Workbooks that a password encrypts, made here; each has one row: a text and a number."""

from __future__ import annotations

import base64
import hashlib
import io
import os
import re
import zipfile
import zlib

import msoffcrypto.format.ooxml
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from tests.families.data.files import edited, spreadsheet, workbook


def locked_xlsx(password: str) -> bytes:
    file = io.BytesIO()
    msoffcrypto.format.ooxml.OOXMLFile(io.BytesIO(workbook({"A": [["secret", 1]]}))).encrypt(password, file)
    return file.getvalue()


def cut_lock(data: bytes) -> bytes:
    """A locked workbook whose description of its lock has no bytes (MS-CFB, 2.6.1: a size is at 120)."""
    entry = data.index("EncryptionInfo".encode("utf-16-le"))
    return data[: entry + 120] + bytes(8) + data[entry + 128 :]


def locked_ods(password: str) -> bytes:
    """Encrypted as OpenDocument 1.2 and later say: AES-256-CBC, a key by PBKDF2."""
    plain = spreadsheet({"A": [["secret", 1]]})
    salt, vector, rounds = os.urandom(16), os.urandom(16), 1000
    said = base64.b64encode(salt).decode()
    key = hashlib.pbkdf2_hmac("sha1", hashlib.sha256(password.encode()).digest(), salt, rounds, 32)
    with zipfile.ZipFile(io.BytesIO(plain)) as archive:
        content = archive.read("content.xml")
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(content) + packer.flush()
    padding = 16 - len(packed) % 16
    cipher = Cipher(algorithms.AES(key), modes.CBC(vector)).encryptor()
    secret = cipher.update(packed + b"\0" * (padding - 1) + bytes([padding])) + cipher.finalize()
    check = base64.b64encode(hashlib.sha256(packed[:1024]).digest()).decode()
    encryption = (
        f'<manifest:encryption-data manifest:checksum-type="x#sha256-1k" manifest:checksum="{check}">'
        '<manifest:algorithm manifest:algorithm-name="http://www.w3.org/2001/04/xmlenc#aes256-cbc"'
        f' manifest:initialisation-vector="{base64.b64encode(vector).decode()}"/>'
        '<manifest:start-key-generation manifest:start-key-generation-name="http://www.w3.org/2000/09/xmldsig#sha256"'
        ' manifest:key-size="32"/><manifest:key-derivation manifest:key-derivation-name="PBKDF2"'
        f' manifest:key-size="32" manifest:iteration-count="{rounds}" manifest:salt="{said}"/>'
        "</manifest:encryption-data>"
    )

    def manifest(data: bytes) -> bytes:
        entry = f'<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml">{encryption}'
        data = re.sub(rb'<manifest:file-entry[^>]*content\.xml"[^>]*/>', b"", data)
        return data.replace(b"</manifest:manifest>", f"{entry}</manifest:file-entry></manifest:manifest>".encode())

    return edited(edited(plain, "META-INF/manifest.xml", manifest), "content.xml", lambda _: secret)
