"""Tasks for tables and data."""

from __future__ import annotations

from conversions.pages.tasks.task import Field, Task, pairs

_DELIMITER = Field(
    "delimiter", "Between the columns", "A comma for most programs, a semicolon for Excel in much of Europe."
)
_WHERE = Field("where", "Only rows where", "Such as age > 30 and city = 'Paris'.")
_COLUMNS = Field("columns", "Only these columns", "List the columns in the order you want: name, city.")

TASKS = (
    Task(
        "json-to-csv",
        "JSON to CSV",
        "Convert a list of records to a table for Excel or a database, with nested values in separate columns.",
        "Tables and data",
        pairs("json ndjson", "csv"),
        fields=(_DELIMITER, _COLUMNS, _WHERE),
        asked=(
            (
                "What if records differ?",
                "You get a column for every name that occurs. The result lists anything a table can't show.",
            ),
        ),
        called="array records table spreadsheet jsonl",
    ),
    Task(
        "csv-to-json",
        "CSV to JSON",
        "Convert each row to a record, for a program or an API.",
        "Tables and data",
        pairs("csv tsv", "json"),
        fields=(
            Field(
                "types",
                "Values",
                "",
                "text",
                {"text": "Keep as text", "infer": "Convert to numbers, dates and yes/no values"},
            ),
        ),
        called="array records api table",
    ),
    Task(
        "csv-to-excel",
        "CSV to Excel",
        "Keep numbers and dates that Excel understands, and leading zeros.",
        "Tables and data",
        pairs("csv tsv", "xlsx"),
        fields=(
            Field("decimal", "Decimal sign", "", ".", {".": "Point: 1.5", ",": "Comma: 1,5"}),
            Field(
                "types",
                "Values",
                "",
                "infer",
                {"infer": "Detect numbers and dates", "text": "All as text"},
            ),
        ),
        called="xls xlsx spreadsheet open import semicolon",
    ),
    Task(
        "excel-to-csv",
        "Excel to CSV",
        "Convert every sheet to plain text that any program can read.",
        "Tables and data",
        pairs("xlsx xls ods", "csv"),
        fields=(_DELIMITER, Field("sheets", "Sheets", "", "one", {"one": "The first one", "all": "All, in a ZIP"})),
        called="xls xlsx spreadsheet export sheet",
    ),
    Task(
        "clean-csv",
        "Clean CSV",
        "Change the delimiter, repair garbled characters, and keep only the columns and rows you want.",
        "Tables and data",
        pairs("csv tsv", "csv"),
        "cleaned",
        fields=(
            _DELIMITER,
            _COLUMNS,
            _WHERE,
            Field("sort", "Sort by", "Such as city, -age."),
            Field("escapeFormulas", "Make formulas harmless", "For tables filled in by people you don't know."),
        ),
        called="fix encoding utf8 semicolon delimiter filter sort columns repair umlauts",
    ),
    Task(
        "xml-to-excel",
        "XML to Excel",
        "Convert the list in an XML file to a sheet.",
        "Tables and data",
        ("xml-to-xlsx",),
        called="xls xlsx spreadsheet table feed",
    ),
    Task(
        "json-to-excel",
        "JSON to Excel",
        "Convert a list of records to a sheet with typed columns.",
        "Tables and data",
        pairs("json ndjson", "xlsx"),
        fields=(_COLUMNS, _WHERE),
        called="xls xlsx spreadsheet table",
    ),
    Task(
        "parquet-to-csv",
        "Parquet to CSV",
        "Read a Parquet file without special software.",
        "Tables and data",
        ("parquet-to-csv",),
        fields=(_DELIMITER, _COLUMNS, _WHERE),
        called="open view arrow dataset table",
    ),
    Task(
        "yaml-to-json",
        "YAML to JSON",
        "Convert settings from one notation to the other. Lost comments are listed.",
        "Tables and data",
        ("yaml-to-json",),
        called="yml config",
    ),
    Task(
        "contacts-to-csv",
        "Contacts to CSV",
        "Convert an address book (VCF) to a table.",
        "Tables and data",
        ("vcf-to-csv",),
        called="vcf vcard address book phone google",
    ),
    Task(
        "calendar-to-csv",
        "Calendar to CSV",
        "Convert the events in a calendar file (ICS) to a table.",
        "Tables and data",
        ("ics-to-csv",),
        called="ics ical events google outlook",
    ),
)
