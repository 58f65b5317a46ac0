"""Compiled SQL: the queries that every request sends, compiled once instead of once a request."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.expressions import Expression
from django.db.models.query import get_related_populators
from django.db.models.sql.compiler import SQLCompiler

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
        with self.connection.cursor() as cursor:
            cursor.execute(self.sql, [self._value(each, values) for each in self.parameters])
            found: Sequence[Any] | None = cursor.fetchone()
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


@contextmanager
def in_one_round_trip() -> Iterator[None]:
    """Send the statements inside it, a whole transaction, without waiting for the answer to each, where that can be.

    On PostgreSQL only rows are waited for, and the COMMIT, which raises the error of whatever failed; how many rows a
    statement changed is not known. Elsewhere nothing is different.
    """
    connection: Any = connections[DEFAULT_DB_ALIAS]
    if connection.vendor != "postgresql":
        yield
        return
    connection.ensure_connection()
    with connection.wrap_database_errors, connection.connection.pipeline():
        yield


def insert(instance: models.Model) -> None:
    """Write a new row as `save(force_insert=True)` would, without reading back what the database generates.

    Signals are not sent. Raises what the database raises.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    sql, fields = _insertion(type(instance), connection.vendor)
    values = [each.get_db_prep_save(each.pre_save(instance, True), connection) for each in fields]
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
    instance._state.adding, instance._state.db = False, connection.alias


@cache
def _insertion(model: type[models.Model], vendor: str) -> tuple[str, tuple[models.Field[Any, Any], ...]]:
    quote = connections[DEFAULT_DB_ALIAS].ops.quote_name
    fields = tuple(each for each in model._meta.local_concrete_fields if not isinstance(each, models.AutoField))
    columns = ", ".join(quote(str(each.column)) for each in fields)
    places = ", ".join(["%s"] * len(fields))
    # The names are the model's own.
    return f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({places})", fields  # noqa: S608
