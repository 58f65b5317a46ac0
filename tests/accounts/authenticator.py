"""A software security key for tests: stores passkeys and signs challenges, valid or malicious."""

from __future__ import annotations

import html
import json
import os
import re
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import Client
from fido2.cose import ES256
from fido2.utils import sha256, websafe_decode, websafe_encode
from fido2.webauthn import Aaguid, AttestationObject, AttestedCredentialData, AuthenticatorData, CollectedClientData

ORIGIN = "http://testserver"
_PRESENT, _VERIFIED, _NEW = 1, 4, 0x40


@dataclass
class Authenticator:
    """One key pair; `count` is what it says of how often it was used, and grows by `step`."""

    host: str = "testserver"
    count: int = 0
    step: int = 0
    verifies: bool = True
    owner: bytes = b""
    name: bytes = field(default_factory=lambda: os.urandom(32))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def made(self, options: dict[str, Any], origin: str = ORIGIN) -> str:
        """What a browser sends for a new passkey."""
        self.owner = websafe_decode(options["user"]["id"])
        public = ES256.from_cryptography_key(self.key.public_key())
        data = AttestedCredentialData.create(Aaguid.NONE, self.name, public)
        data_of_device = AuthenticatorData.create(
            sha256(self.host.encode()), self._flags | _NEW, self.count, bytes(data)
        )
        client_data = CollectedClientData.create("webauthn.create", options["challenge"], origin)
        response = {
            "attestationObject": AttestationObject.create("none", data_of_device, {}),
            "clientDataJSON": client_data,
        }
        return self._as_json(response)

    def shown(self, options: dict[str, Any], origin: str = ORIGIN, **instead: Any) -> str:
        """What a browser sends when the passkey is shown."""
        self.count += self.step
        data_of_device = AuthenticatorData.create(sha256(self.host.encode()), self._flags, self.count)
        client_data = CollectedClientData.create("webauthn.get", options["challenge"], origin)
        signature = self.key.sign(bytes(data_of_device) + client_data.hash, ec.ECDSA(hashes.SHA256()))
        response = {
            "authenticatorData": data_of_device,
            "clientDataJSON": client_data,
            "signature": signature,
            "userHandle": self.owner,
        }
        return self._as_json(response | instead)

    @property
    def _flags(self) -> int:
        return _PRESENT | (_VERIFIED if self.verifies else 0)

    def _as_json(self, response: dict[str, bytes]) -> str:
        named = websafe_encode(self.name)
        inner = {each: websafe_encode(bytes(value)) for each, value in response.items()}
        return json.dumps({"id": named, "rawId": named, "type": "public-key", "response": inner})


def asked(browser: Client, path: str) -> dict[str, Any]:
    """What a page has the browser ask for."""
    page = browser.get(path).content.decode()
    (options,) = re.findall(r'data-options="([^"]*)"', page)
    found: dict[str, Any] = json.loads(html.unescape(options))["publicKey"]
    return found
