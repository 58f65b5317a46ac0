"""Declare the options of a converter once, as a frozen dataclass."""

from __future__ import annotations

import dataclasses
import functools
import re
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

Kind = Literal["choice", "boolean", "integer", "number", "text"]
Shape = Literal["colour", "paper", "delimiter", "crop", "turn", "mirror", "pages"]
"""What a value represents, where a user would rather pick it than type it."""
Value = str | int | float | bool | None

_KINDS: dict[type, Kind] = {bool: "boolean", int: "integer", float: "number", str: "text"}
_CAMEL = re.compile(r"_([a-z0-9])")


T = TypeVar("T")


@typing.dataclass_transform(frozen_default=True, kw_only_default=True)
def options(declared: type[T]) -> type[T]:
    """Make a class of options a keyword-only frozen dataclass.

    All classes share their methods: compiling those of one class takes as long as converting a small file, and a family
    has dozens.
    """
    made = dataclass(frozen=True, init=False, repr=False, eq=False)(declared)
    for name, method in _SHARED.items():
        setattr(made, name, method)
    return made


def _init(self: Any, **values: Value) -> None:
    # Defaults are class attributes; an instance holds only what it was given.
    if unknown := values.keys() - type(self).__dataclass_fields__.keys():
        raise TypeError(f"{type(self).__name__} has no option {', '.join(sorted(unknown))}")
    vars(self).update(values)


def _values(self: Any) -> dict[str, Value]:
    return {name: getattr(self, name) for name in type(self).__dataclass_fields__}


def _eq(self: Any, other: object) -> bool:
    return _values(self) == _values(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash(tuple(_values(self).items()))


def _repr(self: Any) -> str:
    return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in _values(self).items())})"


_SHARED: dict[str, Any] = {"__init__": _init, "__eq__": _eq, "__hash__": _hash, "__repr__": _repr}


@options
class NoOptions:
    """The options of a converter without options."""


@dataclass(frozen=True)
class Choice:
    """One value of a choice, with its label and help text."""

    value: str
    label: str
    help: str


@dataclass(frozen=True)
class Option:
    """A declared option as the API describes it; `name` is camelCase, `attribute` the dataclass field.

    `nullable` options may be omitted, which is not the same as an empty text. `secret` ones (passwords, texts to
    redact, form data, pictures to stamp) are never stored or shown; only their presence is recorded. `minimum` and
    `maximum` are inclusive; lengths are in characters; `pattern` must match in full. `selects` are the kinds
    (engine.toolkit.census) of which a value other than the default leaves some out on purpose. `choice_labels` are the
    choices with their labels; `unit` is what a number counts, such as `mm`. Forms fold the options of one `section`.
    `description_template` has placeholders for `facts`, which depend on this machine and are not translated.
    """

    name: str
    attribute: str
    kind: Kind
    default: Value
    description: str
    nullable: bool = False
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    secret: bool = False
    multiline: bool = False
    choice_labels: tuple[Choice, ...] = ()
    unit: str = ""
    shape: Shape | None = None
    description_template: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    selects: frozenset[str] = frozenset()
    section: str = ""

    @property
    def documented(self) -> str:
        """The description with a line for each choice, in Markdown."""
        lines = [f"* `{each.value}`: {each.label}. {each.help}" for each in self.choice_labels]
        return "\n".join([self.description, "", *lines]) if lines else self.description


def option(
    default: Value,
    description: str,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    length: int | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    pattern: str | None = None,
    secret: bool = False,
    multiline: bool = False,
    choices: Mapping[str, str] | None = None,
    unit: str = "",
    shape: Shape | None = None,
    facts: Mapping[str, str] | None = None,
    selects: Iterable[str] = (),
    section: str = "",
) -> Any:
    """Declare one option: a dataclass field with a default, its help text and its bounds.

    `choices` maps each value to its label, a colon and its help text. `facts` fill in the placeholders of the
    description.
    """
    known = tuple((facts or {}).items())
    bounds: dict[str, Any] = {
        "description": filled(description, known),
        "description_template": description,
        "facts": known,
        "minimum": minimum,
        "maximum": maximum,
        "min_length": min_length if length is None else length,
        "max_length": max_length if length is None else length,
        "pattern": pattern,
        "secret": secret,
        "multiline": multiline,
        "choice_labels": tuple(_choice(value, words) for value, words in (choices or {}).items()),
        "unit": unit,
        "shape": shape,
        "selects": frozenset(selects),
        "section": section,
    }
    return dataclasses.field(default=default, metadata=bounds)


def filled(text: str, facts: tuple[tuple[str, str], ...]) -> str:
    """A text with its placeholders filled in."""
    for name, fact in facts:
        text = text.replace(f"{{{name}}}", fact)
    return text


def _choice(value: str, words: str) -> Choice:
    label, _, explained = words.partition(": ")
    return Choice(value, label, explained)


@dataclass(frozen=True, eq=False)
class OptionGroups:
    """Several groups of options combined into one class, made when it is first needed.

    A process needs a few of hundreds, and making one takes longer than converting a small file.
    """

    name: str
    groups: tuple[type, ...]

    @functools.cached_property
    def options(self) -> type:
        # Dataclass fields come in reverse order of the bases.
        bases = tuple(reversed(self.groups))
        return options(type(self.name, bases, {"__doc__": f"{self.name}."}))


def make_shared(declared: Iterable[type | OptionGroups]) -> None:
    """Make all classes of options now, sharing one class between identical sets of groups.

    For processes that never show the classes' names: three in four are duplicates, and each takes 15 KB.
    """
    made: dict[tuple[type, ...], type] = {}
    for each in declared:
        if isinstance(each, OptionGroups):
            if each.groups not in made:
                made[each.groups] = each.options
            vars(each)["options"] = made[each.groups]
        _attributes(each.options if isinstance(each, OptionGroups) else each)


def combine(name: str, *groups: type) -> type | OptionGroups:
    """Combine frozen dataclasses, each with some of the options."""
    if len(groups) <= 1:
        return groups[0] if groups else NoOptions
    return OptionGroups(name, groups)


@functools.cache
def camel(attribute: str) -> str:
    """The API's spelling of a Python name: `page_size` becomes `pageSize`."""
    return _CAMEL.sub(lambda match: match[1].upper(), attribute)


def describe(options: type) -> tuple[Option, ...]:
    """The declared options of a frozen dataclass, in order of declaration.

    Raises TypeError for a type other than Literal of strings, bool, int, float, str or one of these `| None`, for a
    number without bounds and for a text without a maximum length.
    """
    return _described(options)


@functools.cache
def _described(options: Any) -> tuple[Option, ...]:
    hints = typing.get_type_hints(options)
    return tuple(_describe(field, hints[field.name]) for field in dataclasses.fields(options))


def _describe(field: dataclasses.Field[Any], hint: Any) -> Option:
    nullable = False
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        arms = [arm for arm in typing.get_args(hint) if arm is not type(None)]
        nullable = len(arms) < len(typing.get_args(hint))
        hint = arms[0] if len(arms) == 1 else None
    choices: tuple[str, ...] = ()
    if typing.get_origin(hint) is Literal:
        choices = typing.get_args(hint)
        kind: Kind | None = "choice" if all(isinstance(each, str) for each in choices) else None
    else:
        kind = _KINDS.get(hint)
    bounds = field.metadata
    if kind is None or "description" not in bounds:
        raise TypeError(f"{field.name}: declare it with option() as a Literal of texts, bool, int, float or str")
    if kind in ("integer", "number") and (bounds["minimum"] is None or bounds["maximum"] is None):
        raise TypeError(f"{field.name}: a number needs a minimum and a maximum")
    if kind == "text" and bounds["max_length"] is None:
        raise TypeError(f"{field.name}: a text needs a maximum length")
    if tuple(each.value for each in bounds["choice_labels"]) not in ((), choices):
        raise TypeError(f"{field.name}: the words of its choices are not those of its values")
    return Option(
        name=camel(field.name),
        attribute=field.name,
        kind=kind,
        default=field.default,  # type: ignore[arg-type]  # option() makes every default a Value
        nullable=nullable,
        choices=choices,
        **bounds,
    )


def public_values(options: Any) -> dict[str, Value]:
    """The options that were applied, by public name, for the record of a conversion; secret ones only as present."""
    values = {each.name: getattr(options, each.attribute) for each in describe(type(options)) if not each.secret}
    return values | dict.fromkeys(secret_values(options), True)


def secret_values(options: Any) -> dict[str, Value]:
    """The secret options that were given, by public name."""
    declared = [each for each in describe(type(options)) if each.secret]
    given = {each.name: getattr(options, each.attribute) for each in declared}
    return {name: value for name, value in given.items() if value is not None}


def build(options: type, values: dict[str, Any]) -> Any:
    """An instance of the declared options from values by public name; omitted ones keep their default."""
    attributes = _attributes(options)
    return options(**{attributes[name]: value for name, value in values.items()})


@functools.cache
def _attributes(options: Any) -> Mapping[str, str]:
    """Field names by public name, without the cost of `describe`."""
    return {camel(each.name): each.name for each in dataclasses.fields(options)}


def chosen(options: Any) -> dict[str, Value]:
    """The values an instance was made with, by public name; all others have their default."""
    return {camel(name): value for name, value in vars(options).items()}
