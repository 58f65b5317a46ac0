"""Options: how a converter declares its settings, once, as a frozen dataclass."""

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
"""What a value stands for, where somebody may rather point at it than type it."""
Value = str | int | float | bool | None

_KINDS: dict[type, Kind] = {bool: "boolean", int: "integer", float: "number", str: "text"}
_CAMEL = re.compile(r"_([a-z0-9])")


T = TypeVar("T")


@typing.dataclass_transform(frozen_default=True, kw_only_default=True)
def options(declared: type[T]) -> type[T]:
    """Make a class of options a frozen dataclass whose values are given by name.

    All of them share the methods: to compile those of one takes as long as to convert a small file, and a family has
    dozens.
    """
    made = dataclass(frozen=True, init=False, repr=False, eq=False)(declared)
    for name, method in _SHARED.items():
        setattr(made, name, method)
    return made


def _init(self: Any, **values: Value) -> None:
    # Defaults are attributes of the class: an instance has what is given.
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
    """The options of a converter that has none."""


@dataclass(frozen=True)
class Choice:
    """One value of a choice, what people call it, and a line that explains it."""

    value: str
    label: str
    help: str


@dataclass(frozen=True)
class Option:
    """One declared option as others see it; `name` is camelCase, `attribute` the dataclass field.

    `nullable` options may be left out, which is not the same as an empty text. `secret` ones (passwords) are never
    stored or shown. `minimum` and `maximum` are inclusive; lengths are in characters; `pattern` must match in full.
    `spoken` are the choices in words; `unit` is what a number counts, such as `mm`. `told` is the description with
    names in braces for its `facts`, which are of this machine and no translator's.
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
    spoken: tuple[Choice, ...] = ()
    unit: str = ""
    shape: Shape | None = None
    told: str = ""
    facts: tuple[tuple[str, str], ...] = ()

    @property
    def documented(self) -> str:
        """The description with a line for each choice, in Markdown."""
        lines = [f"* `{each.value}`: {each.label}. {each.help}" for each in self.spoken]
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
) -> Any:
    """Declare one option of a converter: a dataclass field with a default, its help text and its bounds.

    `choices` has for each value its words: a label, a colon, and a line that explains it. `facts` stand in the
    description where it has their names in braces.
    """
    known = tuple((facts or {}).items())
    bounds: dict[str, Any] = {
        "description": filled(description, known),
        "told": description,
        "facts": known,
        "minimum": minimum,
        "maximum": maximum,
        "min_length": min_length if length is None else length,
        "max_length": max_length if length is None else length,
        "pattern": pattern,
        "secret": secret,
        "multiline": multiline,
        "spoken": tuple(_choice(value, words) for value, words in (choices or {}).items()),
        "unit": unit,
        "shape": shape,
    }
    return dataclasses.field(default=default, metadata=bounds)


def filled(text: str, facts: tuple[tuple[str, str], ...]) -> str:
    """A text with what stands for each name that it has in braces."""
    for name, fact in facts:
        text = text.replace(f"{{{name}}}", fact)
    return text


def _choice(value: str, words: str) -> Choice:
    label, _, explained = words.partition(": ")
    return Choice(value, label, explained)


@dataclass(frozen=True, eq=False)
class OptionGroups:
    """Several groups of options as one, the first group's first; the class of all of them is made when it is needed.

    A conversion needs one of hundreds, and each takes longer to make than a small file takes to convert.
    """

    name: str
    groups: tuple[type, ...]

    @functools.cached_property
    def options(self) -> type:
        # Dataclass fields come in reverse order of the bases.
        bases = tuple(reversed(self.groups))
        return options(type(self.name, bases, {"__doc__": f"{self.name}."}))


def make_shared(declared: Iterable[type | OptionGroups]) -> None:
    """Make the classes of all options now, and one for all of the same groups, whatever their names.

    For a process that does not tell of them: three of four are the same, and each takes 15 KB.
    """
    made: dict[tuple[type, ...], type] = {}
    for each in declared:
        if isinstance(each, OptionGroups):
            if each.groups not in made:
                made[each.groups] = each.options
            vars(each)["options"] = made[each.groups]
        _attributes(each.options if isinstance(each, OptionGroups) else each)


def combine(name: str, *groups: type) -> type | OptionGroups:
    """What declares the options of all `groups`: frozen dataclasses, each with some of the options."""
    if len(groups) <= 1:
        return groups[0] if groups else NoOptions
    return OptionGroups(name, groups)


@functools.cache
def camel(attribute: str) -> str:
    """The API's spelling of a Python name: `page_size` is `pageSize`."""
    return _CAMEL.sub(lambda match: match[1].upper(), attribute)


def describe(options: type) -> tuple[Option, ...]:
    """The declared options of a frozen dataclass, in order of declaration.

    Raises TypeError for a type that is none of Literal of strings, bool, int, float, str, or one of them `| None`, for
    a number without bounds, and for a text without a maximum length.
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
    if tuple(each.value for each in bounds["spoken"]) not in ((), choices):
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
    """What was applied, by public name, without the secret ones: for the record of a conversion."""
    return {each.name: getattr(options, each.attribute) for each in describe(type(options)) if not each.secret}


def build(options: type, values: dict[str, Any]) -> Any:
    """An instance of the declared options from values by public name; what is not named keeps its default."""
    attributes = _attributes(options)
    return options(**{attributes[name]: value for name, value in values.items()})


@functools.cache
def _attributes(options: Any) -> Mapping[str, str]:
    """The names of a class's fields by their public ones; without all else that `describe` tells."""
    return {camel(each.name): each.name for each in dataclasses.fields(options)}


def chosen(options: Any) -> dict[str, Value]:
    """The values that declared options were made with, by public name; what is not among them has its default."""
    return {camel(name): value for name, value in vars(options).items()}
