"""Access and refresh tokens, valid until they expire even if the clock is set back."""

from __future__ import annotations

from typing import Any

import jwt
from jwt.exceptions import ExpiredSignatureError, InvalidTokenError
from rest_framework_simplejwt import tokens
from rest_framework_simplejwt.backends import TokenBackend
from rest_framework_simplejwt.exceptions import TokenBackendError, TokenBackendExpiredToken
from rest_framework_simplejwt.settings import api_settings


class _Backend(TokenBackend):
    def decode(self, token: Any, verify: bool = True) -> dict[str, Any]:
        """The claims of a token; raises TokenBackendError.

        The issue time is not compared with the clock (RFC 7519, section 4.1.6, doesn't require it): after a clock is
        set back, that would reject all recent logins.
        """
        options: Any = {"verify_signature": verify, "verify_iat": False}
        try:
            return jwt.decode(token, self.get_verifying_key(token), algorithms=[self.algorithm], options=options)
        except ExpiredSignatureError as error:
            raise TokenBackendExpiredToken("The token has expired.") from error
        except InvalidTokenError as error:
            raise TokenBackendError("The token is invalid.") from error


_BACKEND = _Backend(api_settings.ALGORITHM, api_settings.SIGNING_KEY)


class AccessToken(tokens.AccessToken):
    _token_backend = _BACKEND


class RefreshToken(tokens.RefreshToken):
    _token_backend = _BACKEND
    access_token_class = AccessToken
