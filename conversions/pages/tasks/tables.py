"""Tasks for tables and data."""

from __future__ import annotations

from conversions.pages.tasks.task import Field, Task, pairs

_DELIMITER = Field(
    "delimiter", "Between the columns", "A comma for most programs, a semicolon for Excel in much of Europe."
)
_WHERE = Field("where", "Only rows where", "Such as age > 30 and city = 'Paris'.")
_COLUMNS = Field("columns", "Only these columns", "In the order that you want them: name, city.")

TASKS = (
    Task(
        "json-to-csv",
        "JSON to CSV",
        "A list of records as a table for Excel or a database, nested values in columns of their own.",
        "Tables and data",
        pairs("json ndjson", "csv"),
        fields=(_DELIMITER, _COLUMNS, _WHERE),
        asked=(
            (
                "What if records differ?",
                "A column is made for each name that occurs anywhere. Whatever could not be said in a table is named.",
            ),
        ),
        called="array records table spreadsheet jsonl",
    ),
    Task(
        "csv-to-json",
        "CSV to JSON",
        "Each row as a record, for a program or an API.",
        "Tables and data",
        pairs("csv tsv", "json"),
        fields=(
            Field(
                "types",
                "Values",
                "",
                "text",
                {"text": "Keep as text", "infer": "Make numbers, dates and yes or no of them"},
            ),
        ),
        called="array records api table",
    ),
    Task(
        "csv-to-excel",
        "CSV to Excel",
        "With numbers and dates that Excel understands, and leading zeros that it doesn't eat.",
        "Tables and data",
        pairs("csv tsv", "xlsx"),
        fields=(
            Field("decimal", "Decimal sign", "", ".", {".": "Point: 1.5", ",": "Comma: 1,5"}),
            Field(
                "types",
                "Values",
                "",
                "infer",
                {"infer": "Numbers and dates, where they are some", "text": "All as text"},
            ),
        ),
        called="xls xlsx spreadsheet open import semicolon",
    ),
    Task(
        "excel-to-csv",
        "Excel to CSV",
        "Every sheet as plain text that any program reads.",
        "Tables and data",
        pairs("xlsx xls ods", "csv"),
        fields=(_DELIMITER, Field("sheets", "Sheets", "", "one", {"one": "The first one", "all": "All, in a ZIP"})),
        called="xls xlsx spreadsheet export sheet",
    ),
    Task(
        "clean-csv",
        "Clean CSV",
        "Another delimiter, UTF-8 in place of broken letters, fewer columns, only the rows that you want.",
        "Tables and data",
        pairs("csv tsv", "csv"),
        "cleaned",
        fields=(
            _DELIMITER,
            _COLUMNS,
            _WHERE,
            Field("sort", "Sort by", "Such as city, -age."),
            Field("escapeFormulas", "Make formulas harmless", "For a table that strangers have filled in."),
        ),
        called="fix encoding utf8 semicolon delimiter filter sort columns repair umlauts",
    ),
    Task(
        "xml-to-excel",
        "XML to Excel",
        "The list in an XML file as a sheet.",
        "Tables and data",
        ("xml-to-xlsx",),
        called="xls xlsx spreadsheet table feed",
    ),
    Task(
        "json-to-excel",
        "JSON to Excel",
        "A list of records as a sheet with typed columns.",
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
        "Settings from one notation into the other, comments named as lost.",
        "Tables and data",
        ("yaml-to-json",),
        called="yml config",
    ),
    Task(
        "contacts-to-csv",
        "Contacts to CSV",
        "An address book (VCF) as a table.",
        "Tables and data",
        ("vcf-to-csv",),
        called="vcf vcard address book phone google",
    ),
    Task(
        "calendar-to-csv",
        "Calendar to CSV",
        "The events of a calendar file (ICS) as a table.",
        "Tables and data",
        ("ics-to-csv",),
        called="ics ical events google outlook",
    ),
)
