"""Convert Apache Arrow (Feather) to and from rows."""

from __future__ import annotations

from engine.families.data.adapters import Adapter
from engine.families.data.arrow.options import ArrowOut
from engine.families.data.converters import declare_all
from engine.toolkit.formats import ARROW, CSV, JSON, NDJSON, PARQUET, TSV, XLSM, XLSX
from engine.toolkit.options import NoOptions

_POLARS = ("polars", "polars")
OUTPUTS = (CSV, TSV, JSON, NDJSON, XLSX, PARQUET)
INPUTS = (*OUTPUTS, XLSM)

READER = Adapter(ARROW, "arrow.files:read", "tables", NoOptions, "an Arrow file", _POLARS)
WRITER = Adapter(
    ARROW, "arrow.files:write", "table", ArrowOut, "to an Arrow file with typed columns", _POLARS, nested=True
)

declare_all(__name__, readers=[READER], outputs=OUTPUTS, writers=[WRITER], inputs=INPUTS)
