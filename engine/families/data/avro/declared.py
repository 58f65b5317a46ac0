"""Column types declared by an Avro schema."""

from __future__ import annotations

from typing import Any

from engine.families.data.schema import NULL, Kind, Type

_MOST_LEVELS = 30
_KINDS: dict[str, Kind] = {
    "boolean": "boolean",
    "int": "integer",
    "long": "integer",
    "float": "number",
    "double": "number",
    "string": "text",
    "enum": "text",
    "date": "date",
    "time-millis": "time",
    "time-micros": "time",
    "timestamp-millis": "instant",
    "timestamp-micros": "instant",
    "local-timestamp-millis": "timestamp",
    "local-timestamp-micros": "timestamp",
}


def column_type(schema: Any, levels: int = _MOST_LEVELS) -> Type | None:
    """The type of a column; None for a union of several, a reference to an earlier type, or a map."""
    if isinstance(schema, list):
        branches = [each for each in schema if each != "null"]
        return column_type(branches[0], levels) if len(branches) == 1 else None
    if isinstance(schema, str):
        kind = _KINDS.get(schema)
        return Type(kind) if kind else None
    if not isinstance(schema, dict) or not levels:
        return None
    if schema.get("logicalType") == "decimal":
        scale = int(schema.get("scale", 0))
        return Type("decimal", max(0, int(schema["precision"]) - scale), scale)
    if "logicalType" in schema:
        kind = _KINDS.get(str(schema["logicalType"]))
        return Type(kind) if kind else None
    if schema["type"] == "array":
        return Type("list", item=column_type(schema["items"], levels - 1) or NULL)
    if schema["type"] == "record":
        fields = ((str(each["name"]), column_type(each["type"], levels - 1) or NULL) for each in schema["fields"])
        return Type("struct", fields=tuple(fields))
    return column_type(schema["type"], levels - 1)
