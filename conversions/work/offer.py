"""The offer: which conversions are available, to which plans, at what price; the same in every process.

Rows of Price and Restriction are read once and kept with their version. Every plan row has the newest version, and
converting reads the plan anyway: a change applies from the next conversion on, in all processes, without another
query. Lists, which need no plan, check the shared cache once a second.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from accounts.credits.payers import Payer
from accounts.models import Plan
from conversions import changes
from conversions.errors import PlanRequired
from conversions.models import LEAST_CREDITS, Price, Restriction, Scope
from conversions.wording import language
from conversions.work.nearest import unknown
from engine.families import registry
from engine.toolkit.declaring import Converter
from engine.toolkit.formats import Format

T = TypeVar("T")

_LANGUAGES = 16
_CHECK_EVERY = 1.0
"""Seconds between checks of the shared cache."""


@dataclass(frozen=True)
class Cost:
    """Credits of a conversion, or per started minute of media."""

    credits: int
    per_minute: bool = False

    def for_minutes(self, minutes: int) -> int:
        return self.credits * minutes if self.per_minute else self.credits

    def __str__(self) -> str:
        return f"{self.credits} credit{'s' * (self.credits != 1)}{' a begun minute' if self.per_minute else ''}"


@dataclass(frozen=True, eq=False)
class Offer:
    """Available conversions by slug: the cost of each, the scope and name of the rule for it, and the plans it is
    limited to.
    """

    version: int
    converters: Mapping[str, Converter]
    costs: Mapping[str, Cost]
    sources: Mapping[str, tuple[str, str]]
    plans: Mapping[str, frozenset[str]]

    @cached_property
    def inputs(self) -> frozenset[Format]:
        return frozenset(each.input for each in self.converters.values())

    def resolve(self, slug: str) -> Converter | None:
        """The converter of a slug, also in other spellings; None if it is switched off."""
        found = registry.resolve(slug)
        return found if found is not None and found.slug in self.converters else None

    def alternatives(self, format: Format) -> list[str]:
        """Slugs that take `format` as input."""
        return [each.slug for each in self.converters.values() if each.input is format]

    def usual(self, format: Format) -> Converter | None:
        """The conversion that most people want of `format`: the first of its declared wishes that is available."""
        found = (self.converters.get(f"{format.id}-to-{target}") for target in format.becomes)
        return next((each for each in found if each is not None), None)

    def cost(self, converter: Converter) -> Cost:
        return self.costs[converter.slug]

    def require(self, converter: Converter, plan: Plan) -> None:
        """Raise UnknownConversion if it is switched off, and PlanRequired if it is limited to other plans."""
        if converter.slug not in self.converters:
            raise unknown(converter.slug, self.converters)
        allowed = self.plans.get(converter.slug)
        if allowed is not None and plan.code not in allowed:
            text = _("The plan %(plan)s doesn't include %(slug)s. Change your plan to use it.")
            raise PlanRequired(text % {"slug": converter.slug, "plan": plan.name}, plans=sorted(allowed))


@dataclass
class _Kept:
    """This process's copy: the offer, its own change count at that time, and the cache's last mark."""

    offer: Offer | None = None
    here: int = -1
    announced: str | None = None
    next_check: float = 0.0


_kept = _Kept()


def current() -> Offer:
    """The offer, at most a second old; for display."""
    held, now = _cached(), time.monotonic()
    if held is not None and now < _kept.next_check:
        return held
    _kept.next_check = now + _CHECK_EVERY
    announced = changes.announced()
    if held is None or announced not in (None, _kept.announced):
        _kept.announced = announced
        return _load()
    return held


def for_payer(payer: Payer) -> Offer:
    """The exact offer for this payer; for converting and charging."""
    held = _cached()
    return held if held is not None and held.version == payer.plan.offer_version else _load()


def _cached() -> Offer | None:
    return _kept.offer if _kept.here == changes.here() else None


def remembered(make: Callable[[Offer], T]) -> Callable[[], T]:
    """Cache a function of the current offer, per offer and language."""

    @functools.lru_cache(maxsize=_LANGUAGES)
    def kept(offer: Offer, _: str | None) -> T:
        return make(offer)

    @functools.wraps(make)
    def found() -> T:
        return kept(current(), language())

    return found


def family_of(converter: Converter) -> str:
    """The family that declares it, such as `data.avro`."""
    return converter.declared_in.removeprefix("engine.families.").removesuffix(".converters")


def _load() -> Offer:
    # Read before the rows: if they change meanwhile, they are read again.
    here, version = changes.here(), changes.version()
    prices = {(each.scope, each.name): each for each in Price.objects.all()}
    rules: dict[tuple[str, str], set[str | None]] = {}
    for scope, name, plan in Restriction.objects.values_list("scope", "name", "plan__code"):
        rules.setdefault((scope, name), set()).add(plan)
    converters, costs, sources, plans = {}, {}, {}, {}
    for slug, each in registry.CONVERTERS.items():
        allowed = [rules[place] for place in _places(each) if place in rules]
        if any(None in codes for codes in allowed):
            continue
        if allowed:
            plans[slug] = frozenset(code for code in set.intersection(*allowed) if code)
        source = next((place for place in _places(each) if place in prices), (Scope.ALL.value, ""))
        converters[slug], costs[slug], sources[slug] = each, _cost(each, prices.get(source)), source
    found = Offer(version, MappingProxyType(converters), costs, sources, plans)
    _kept.offer, _kept.here = found, here
    return found


def _places(converter: Converter) -> Iterator[tuple[str, str]]:
    """Scopes of rules that can apply to a conversion, narrowest first."""
    yield Scope.SLUG.value, converter.slug
    family = family_of(converter)
    while family:
        yield Scope.FAMILY.value, family
        family = family.rpartition(".")[0]
    yield Scope.OUTPUT.value, converter.output.id
    yield Scope.FORMAT.value, converter.output.id
    yield Scope.FORMAT.value, converter.input.id
    yield Scope.ALL.value, ""


def _cost(converter: Converter, price: Price | None) -> Cost:
    if price is None:
        return Cost(LEAST_CREDITS)
    return Cost(price.credits, price.per_minute and converter.measure is not None)
