"""Requests made up from the service's own OpenAPI document, and what is wrong with the answers to them."""

from __future__ import annotations

import functools
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, cast

import hypothesis
import requests
import schemathesis
from hypothesis import HealthCheck, Phase
from hypothesis import strategies as some
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from engine.families.registry import CONVERTERS
from tests.converters.vectors import VECTORS

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
LARGEST = 100_000
"""Bytes of the real files that are sent."""

AT_ONCE = 4

_CONVERT = "/api/v1/converter/"


@dataclass
class Trial:
    """What was sent to a running service and what is wrong with its answers, until now.

    `callers` gives the headers of each kind of caller, fresh for every operation.
    """

    url: str
    callers: Mapping[str, Callable[[], dict[str, str]]]
    statuses: Counter[int] = field(default_factory=Counter)
    by_caller: Counter[str] = field(default_factory=Counter)
    findings: dict[tuple[str, str], str] = field(default_factory=dict)
    places: dict[str, list[str]] = field(default_factory=lambda: {"key": ["0" * 32 + ".csv"], "conversion": []})

    def run(self, operation: Any, *, cases: int, fixed: bool = False) -> None:
        """Send `cases` requests to one operation, valid and invalid ones; `fixed` ones are the same in every run."""
        callers = {name: make() for name, make in self.callers.items()}

        @hypothesis.settings(
            max_examples=-(-cases // AT_ONCE),
            deadline=None,
            database=None,
            derandomize=fixed,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @hypothesis.given(several=some.lists(_cases(operation), min_size=AT_ONCE, max_size=AT_ONCE), choice=some.data())
        def one(several: list[Any], choice: Any) -> None:
            prepared = []
            for case in several:
                caller = choice.draw(some.sampled_from(sorted(callers)))
                prepared.append((case, self._prepare(case, callers[caller], choice)))
                self.by_caller[caller] += 1
            for (case, _), answer in zip(prepared, pool.map(self._send, prepared), strict=True):
                self._judge(case, answer)

        with ThreadPoolExecutor(AT_ONCE) as pool:
            one()

    def _prepare(self, case: Any, credentials: dict[str, str], choice: Any) -> dict[str, Any]:
        """The request of a case, by somebody, for something that is there as often as not."""
        for name, known in self.places.items():
            if name in case.path_parameters and known and choice.draw(some.booleans()):
                case.path_parameters[name] = choice.draw(some.sampled_from(known[-20:]))
        request = case.as_transport_kwargs(base_url=self.url)
        if credentials or choice.draw(some.booleans()):
            request["headers"].pop("Authorization", None)
        request["headers"].update(credentials)
        if request.get("files") and case.operation.path.startswith(_CONVERT):
            slug = case.operation.path.removeprefix(_CONVERT)
            request["files"] = [_real(slug, each, choice) for each in request["files"]]
        return dict(request)

    def _send(self, prepared: tuple[Any, dict[str, Any]]) -> requests.Response | Exception:
        try:
            return _session().request(**prepared[1], timeout=120, allow_redirects=False)
        except (UnicodeError, ValueError, requests.exceptions.RequestException) as error:
            return error

    def _judge(self, case: Any, answer: requests.Response | Exception) -> None:
        if isinstance(answer, requests.exceptions.RequestException) and not isinstance(answer, ValueError):
            self._note(case, f"{type(answer).__name__}: {answer}", None)
        if isinstance(answer, Exception):
            return  # otherwise it is a request that no client can send
        self.statuses[answer.status_code] += 1
        # An answer may also be the file itself, where the request asks for that.
        converted = answer.status_code == 201 and case.operation.path.startswith(_CONVERT)
        if converted and "Content-Disposition" not in answer.headers:
            made = answer.json()["data"]
            self.places["key"].append(made["downloadUrl"].rpartition("/")[2])
            self.places["conversion"].append(made["id"])
        try:
            case.validate_response(answer, checks=CHECKS)
        except FailureGroup as group:
            for each in group.exceptions:
                self._note(case, f"{type(each).__name__}: {each}", answer)
        except Failure as failure:
            self._note(case, f"{type(failure).__name__}: {failure}", answer)

    def _note(self, case: Any, problem: str, answer: requests.Response | None) -> None:
        shown = f"{answer.status_code} {answer.text[:400]}" if answer is not None else "no answer"
        kind = (case.operation.label, problem.partition("\n")[0])
        self.findings.setdefault(kind, f"{problem[:800]}\n{shown}\n{case.as_curl_command()[:800]}")


def load(document: dict[str, Any]) -> list[Any]:
    """The operations of an OpenAPI document."""
    schema = schemathesis.openapi.from_dict(document, config=SchemathesisConfig())
    return [each.ok() for each in schema.get_all_operations()]


def _cases(operation: Any) -> Any:
    positive = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    negative = operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
    readable = _readable(negative)
    return some.one_of(positive, readable) if _possible(readable) else positive


@some.composite
def _readable(draw: Any, strategy: Any) -> Any:
    """What is drawn, unless it is one of the few of which the generator can't say itself whether they are invalid."""
    try:
        return draw(strategy)
    except ValueError as error:
        if "Unsupported type: 'Binary'" not in str(error):
            raise
        return hypothesis.reject()


def _possible(strategy: Any) -> bool:
    """Whether anything can be drawn: of an operation that takes everything no request is invalid."""

    @hypothesis.settings(
        max_examples=1, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )
    @hypothesis.given(strategy)
    def draw(_: Any) -> None:
        pass

    try:
        draw()
    except hypothesis.errors.Unsatisfiable:
        return False
    return True


_of_thread = threading.local()


def _session() -> requests.Session:
    """A session of this thread's own."""
    if not hasattr(_of_thread, "session"):
        _of_thread.session = requests.Session()
    return cast(requests.Session, _of_thread.session)


@functools.cache
def _samples(slug: str) -> tuple[bytes, ...]:
    made = [each.source() for each in VECTORS if each.slug == slug]
    return tuple(each for each in made if len(each) <= LARGEST) or (b"",)


def _real(slug: str, part: tuple[str, Any], choice: Any) -> tuple[str, Any]:
    """A part of a form: the file gets, mostly, a name that the conversion takes, and often what it takes as well."""
    name, value = part
    if name != "file" or not isinstance(value, tuple) or value[0] is None:
        return part
    kind = choice.draw(some.sampled_from(["made up", "named", "real", "real"]))
    filename = f"input.{CONVERTERS[slug].input.extension}"
    if kind == "made up":
        return part
    return name, (filename, value[1] if kind == "named" else choice.draw(some.sampled_from(_samples(slug))))
