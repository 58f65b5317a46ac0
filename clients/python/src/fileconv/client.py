"""The synchronous and the asynchronous client."""

from __future__ import annotations

import asyncio
import time
from types import TracebackType
from typing import Any, Self

import httpx

from fileconv import exchange
from fileconv.errors import FileconvError, error_of
from fileconv.exchange import Option, Progress, Result, Source


class Client:
    """Converts files with the service at `url`, as the owner of `key` or as a guest."""

    def __init__(self, url: str = exchange.DEFAULT_URL, key: str | None = None) -> None:
        self.url = url.rstrip("/")
        self._http = httpx.Client(base_url=self.url, headers=exchange.headers(key), timeout=exchange.TIMEOUT)

    def convert(
        self, source: Source, *, to: str, name: str | None = None, progress_id: str | None = None, **options: Option
    ) -> Result:
        """Convert a file to a format, such as `to="pdf"`, with options as the service names them, or in snake case.

        With a `progress_id`, which must be new for each file and have 16 to 64 characters, progress() reports the
        progress of the conversion. Raises a subclass of FileconvError by error code, and OSError if the source can't be
        read.
        """
        job = exchange.job(source, to=to, name=name, options=options, progress_id=progress_id)
        record = self._asked("POST", job.address, **job.sent()).json()["data"]
        file = self._asked("GET", exchange.download_of(record), follow_redirects=True)
        return exchange.result(record, file.content)

    def progress(self, id: str) -> Progress:
        """The progress of a conversion, to be called from another thread; raises NotFound until its upload is
        complete."""
        return exchange.progress(self._asked("GET", exchange.progress_address(id)).json()["data"])

    def conversions(self, **filters: Option) -> list[dict[str, Any]]:
        """A page of the account's conversions, newest first: `page=2`, `page_size=100`, `slug=`, `status=`, `name=`.

        This, conversion() and receipt() need a key with the scope `read`; without it they raise Forbidden.
        """
        sent = exchange.fields(filters)
        found: list[dict[str, Any]] = self._asked("GET", exchange.RECORDS, params=sent).json()["data"]
        return found

    def conversion(self, id: str) -> dict[str, Any]:
        """The record of one conversion; raises NotFound for that of another account."""
        found: dict[str, Any] = self._asked("GET", exchange.record_address(id)).json()["data"]
        return found

    def receipt(self, id: str) -> dict[str, Any]:
        """The signed receipt of one conversion: `receipt`, and the same as `jws`."""
        found: dict[str, Any] = self._asked("GET", f"{exchange.record_address(id)}/receipt").json()["data"]
        return found

    def formats(self) -> dict[str, Any]:
        """All formats and conversions of the service, with their options."""
        found: dict[str, Any] = self._asked("GET", "/api/v1/converter/formats").json()["data"]
        return found

    def message(self, line: str) -> str:
        """Send a Model Context Protocol message and return the answer; empty for a message without one.

        A conversion is charged once, however often the message has to be sent.
        """
        return self._asked("POST", "/mcp", **exchange.message(line)).text

    def _asked(self, method: str, address: str, **sent: Any) -> httpx.Response:
        attempt = 0
        while True:
            attempt += 1
            try:
                response = self._http.request(method, address, **sent)
                if response.is_success:
                    return response
                error: FileconvError = error_of(response)
            except httpx.RequestError as lost:
                error = exchange.unreachable(lost, self.url)
            wait = exchange.wait_before(attempt, error)
            if wait is None:
                raise error
            time.sleep(wait)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class AsyncClient:
    """The same for programs with an event loop."""

    def __init__(self, url: str = exchange.DEFAULT_URL, key: str | None = None) -> None:
        self.url = url.rstrip("/")
        self._http = httpx.AsyncClient(base_url=self.url, headers=exchange.headers(key), timeout=exchange.TIMEOUT)

    async def convert(
        self, source: Source, *, to: str, name: str | None = None, progress_id: str | None = None, **options: Option
    ) -> Result:
        """As Client.convert."""
        job = await asyncio.to_thread(exchange.job, source, to=to, name=name, options=options, progress_id=progress_id)
        record = (await self._asked("POST", job.address, **job.sent())).json()["data"]
        file = await self._asked("GET", exchange.download_of(record), follow_redirects=True)
        return exchange.result(record, file.content)

    async def progress(self, id: str) -> Progress:
        """As Client.progress, from another task."""
        return exchange.progress((await self._asked("GET", exchange.progress_address(id))).json()["data"])

    async def conversions(self, **filters: Option) -> list[dict[str, Any]]:
        """As Client.conversions."""
        sent = exchange.fields(filters)
        found: list[dict[str, Any]] = (await self._asked("GET", exchange.RECORDS, params=sent)).json()["data"]
        return found

    async def conversion(self, id: str) -> dict[str, Any]:
        """As Client.conversion."""
        found: dict[str, Any] = (await self._asked("GET", exchange.record_address(id))).json()["data"]
        return found

    async def receipt(self, id: str) -> dict[str, Any]:
        """As Client.receipt."""
        found: dict[str, Any] = (await self._asked("GET", f"{exchange.record_address(id)}/receipt")).json()["data"]
        return found

    async def formats(self) -> dict[str, Any]:
        """As Client.formats."""
        found: dict[str, Any] = (await self._asked("GET", "/api/v1/converter/formats")).json()["data"]
        return found

    async def _asked(self, method: str, address: str, **sent: Any) -> httpx.Response:
        attempt = 0
        while True:
            attempt += 1
            try:
                response = await self._http.request(method, address, **sent)
                if response.is_success:
                    return response
                error: FileconvError = error_of(response)
            except httpx.RequestError as lost:
                error = exchange.unreachable(lost, self.url)
            wait = exchange.wait_before(attempt, error)
            if wait is None:
                raise error
            await asyncio.sleep(wait)

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()
