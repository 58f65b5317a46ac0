"""Apache ORC: to and from rows."""

from __future__ import annotations

from conversions.families.data.adapters import Adapter
from conversions.families.data.converters import declare_all
from conversions.families.data.orc.options import OrcOut
from conversions.toolkit.formats import CSV, JSON, NDJSON, ORC, PARQUET, TSV, XLSX
from conversions.toolkit.options import NoOptions

_PYARROW = ("pyarrow", "pyarrow")
OUTPUTS = INPUTS = (CSV, TSV, JSON, NDJSON, XLSX, PARQUET)

READER = Adapter(ORC, "orc.reading:read", "tables", NoOptions, "the rows of an ORC file", _PYARROW)
WRITER = Adapter(ORC, "orc.writing:write", "table", OrcOut, "as an ORC file with typed columns", _PYARROW)

declare_all(__name__, readers=[READER], outputs=OUTPUTS, writers=[WRITER], inputs=INPUTS)
