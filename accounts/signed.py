"""Access and refresh tokens: good until they expire, whatever the clock has done since they were signed."""

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

        The moment of issue is not compared with the clock, as RFC 7519 (section 4.1.6) asks nobody to: after a clock
        was set back, that would refuse every login of the hour before.
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
