"""The conversion engine: files in, files out, without Django.

    from engine import convert

    result = convert("report.html", "report.pdf", pageSize="A4")
    for warning in result.warnings:
        print(warning.code, warning.message)

`engine.conversion.convert` documents its arguments and errors.
"""

from typing import Any

__all__ = ["Result", "UnknownConversion", "convert"]


def __getattr__(name: str) -> Any:
    # Children of the sandbox import parts of this package, but never these names.
    if name in __all__:
        from engine import conversion

        return getattr(conversion, name)
    raise AttributeError(f"module 'engine' has no attribute {name!r}")
