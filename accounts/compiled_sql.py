"""Compiled SQL: the queries that every request sends, compiled once instead of once a request."""

from __future__ import annotations

import functools
import operator
import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.expressions import Expression
from django.db.models.query import get_related_populators
from django.db.models.sql.compiler import SQLCompiler
from django.utils import timezone

from accounts import sending

M = TypeVar("M", bound=models.Model)


class Parameter(Expression):
    """A place in a query that is filled when the statement is run; `field` says how its values are written."""

    def __init__(self, name: str, field: models.Field[Any, Any]) -> None:
        super().__init__(output_field=field)
        self.name = name

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, Any]:
        return "%s", (self,)


class Statement(Generic[M]):
    """Finds at most one row of a queryset whose values are given later, `select_related()` included.

    `build` returns the queryset, with a Parameter for each value that differs between runs. Making the SQL of a joined
    SELECT takes the framework longer than answering it takes the database.
    """

    def __init__(self, build: Callable[[], models.QuerySet[M]]) -> None:
        self._build = build
        self._own = threading.local()

    def one(self, **values: Any) -> M | None:
        """The first row for these values of the parameters, or None."""
        connection = connections[DEFAULT_DB_ALIAS]
        compiled: _Compiled[M] | None = getattr(self._own, "compiled", None)
        # A thread may have another connection than the last time.
        if compiled is None or compiled.connection is not connection:
            compiled = self._own.compiled = _Compiled(self._build().order_by()[:1], connection)
        return compiled.run(values)


class _Compiled(Generic[M]):
    def __init__(self, queryset: models.QuerySet[M], connection: BaseDatabaseWrapper) -> None:
        self.connection = connection
        self.model = queryset.model
        self.compiler: Any = queryset.query.get_compiler(connection=connection)
        self.sql, self.parameters = self.compiler.as_sql()
        shape, select = self.compiler.klass_info, self.compiler.select
        self.columns = slice(shape["select_fields"][0], shape["select_fields"][-1] + 1)
        self.names = [each[0].target.attname for each in select[self.columns]]
        self.converters = self.compiler.get_converters([each[0] for each in select])
        self.related = get_related_populators(shape, select, connection.alias)  # type: ignore[call-arg]  # 5.2 takes three

    def run(self, values: dict[str, Any]) -> M | None:
        cursor = sending.execute(self.sql, [self._value(each, values) for each in self.parameters], reads=True)
        found: Sequence[Any] | None = cursor.fetchone()
        cursor.close()
        if found is None:
            return None
        (row,) = self.compiler.apply_converters([found], self.converters)
        instance = self.model.from_db(self.connection.alias, self.names, row[self.columns])
        for each in self.related:
            each.populate(row, instance)
        return instance

    def _value(self, parameter: Any, values: dict[str, Any]) -> Any:
        if not isinstance(parameter, Parameter):
            return parameter
        return parameter.output_field.get_db_prep_value(values[parameter.name], self.connection)


def insert(instance: models.Model) -> None:
    """Write a new row as `save(force_insert=True)` would, without reading back what the database generates.

    Signals are not sent. Raises what the database raises; where rows are gathered, later.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    sql, columns = _insertion(type(instance), connection.vendor)
    sending.insert(sql, [each.value_of(instance, connection) for each in columns])
    instance._state.adding, instance._state.db = False, connection.alias


@dataclass(frozen=True)
class _Column:
    """A column of a new row: its field, the attribute that is its value, what says of a value that the field would not
    change it before (None where it never does), and the types of values that the database takes as they are, or by one
    call, whatever the field would ask them."""

    field: models.Field[Any, Any]
    attribute: str
    is_fit: Callable[[Any], bool] | None
    taken: Mapping[type, Callable[[Any], Any] | None]

    def value_of(self, instance: models.Model, connection: BaseDatabaseWrapper) -> Any:
        value = getattr(instance, self.attribute)
        if self.is_fit is not None and not self.is_fit(value):
            value = self.field.pre_save(instance, True)
        kind = type(value)
        if kind not in self.taken:
            return self.field.get_db_prep_save(value, connection)
        convert = self.taken[kind]
        return value if convert is None else convert(value)


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else timezone.make_aware(moment, timezone.get_default_timezone())


def _taken(field: Any, connection: Any) -> dict[type, Callable[[Any], Any] | None]:
    """What a field's `get_db_prep_save` comes to for values of exactly these types."""
    ops, sqlite = connection.ops, connection.vendor == "sqlite"
    if isinstance(field, models.CharField | models.TextField):
        return {str: None}
    if isinstance(field, models.BooleanField):
        return {bool: None}
    if isinstance(field, models.IntegerField):
        plain = sqlite or isinstance(field, models.AutoField)
        return {int: None if plain else ops.integerfield_type_map[field.get_internal_type()]}
    if isinstance(field, models.UUIDField):
        return {uuid.UUID: operator.attrgetter("hex") if sqlite else None}
    if isinstance(field, models.DateTimeField):
        return {datetime: (lambda moment: ops.adapt_datetimefield_value(_aware(moment))) if sqlite else _aware}
    if isinstance(field, models.JSONField):
        convert = functools.partial(ops.adapt_json_value, encoder=field.encoder)
        return {dict: convert, list: convert}
    return {}


def _column(field: models.Field[Any, Any], connection: Any) -> _Column:
    target: Any = field
    while isinstance(target, models.ForeignKey):
        target = target.target_field
    plain = type(field).pre_save in (models.Field.pre_save, models.UUIDField.pre_save, models.DateTimeField.pre_save)
    plain &= not (getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False))
    is_fit = None if plain else getattr(field, "is_fit", lambda value: False)
    taken = {**_taken(target, connection), type(None): None} if connection.vendor in ("sqlite", "postgresql") else {}
    return _Column(field, field.attname, is_fit, taken)


@functools.cache
def _insertion(model: type[models.Model], vendor: str) -> tuple[str, tuple[_Column, ...]]:
    quote = connections[DEFAULT_DB_ALIAS].ops.quote_name
    fields = tuple(each for each in model._meta.local_concrete_fields if not isinstance(each, models.AutoField))
    columns = ", ".join(quote(str(each.column)) for each in fields)
    places = ", ".join(["%s"] * len(fields))
    # The names are the model's own.
    return f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({places})", tuple(  # noqa: S608
        _column(each, connections[DEFAULT_DB_ALIAS]) for each in fields
    )
