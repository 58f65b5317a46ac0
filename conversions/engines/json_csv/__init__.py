"""JSON and NDJSON to CSV and TSV, in memory that does not grow with the file.

Text in this package is byte text wherever it is cut, searched and joined: UTF-8 seen as Latin-1, one character for each
byte. Joins and splits then work on strings of one byte a character, and what they give is written as it is.
"""

from conversions.engines.json_csv.conversion import convert

__all__ = ["convert"]
