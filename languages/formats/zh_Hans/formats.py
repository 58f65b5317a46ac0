"""Number formats of Chinese pages, where browsers and CLDR differ from Django."""

THOUSAND_SEPARATOR = ","
NUMBER_GROUPING = 3
