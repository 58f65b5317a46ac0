"""Convert Apache ORC to and from rows."""

from __future__ import annotations

from engine.families.data.adapters import Adapter
from engine.families.data.converters import declare_all
from engine.families.data.orc.options import OrcOut
from engine.toolkit.formats import CSV, JSON, NDJSON, ORC, PARQUET, TSV, XLSM, XLSX
from engine.toolkit.options import NoOptions

_PYARROW = ("pyarrow", "pyarrow")
OUTPUTS = (CSV, TSV, JSON, NDJSON, XLSX, PARQUET)
INPUTS = (*OUTPUTS, XLSM)

READER = Adapter(ORC, "orc.reading:read", "tables", NoOptions, "an ORC file", _PYARROW)
WRITER = Adapter(ORC, "orc.writing:write", "table", OrcOut, "to an ORC file with typed columns", _PYARROW)

declare_all(__name__, readers=[READER], outputs=OUTPUTS, writers=[WRITER], inputs=INPUTS)
