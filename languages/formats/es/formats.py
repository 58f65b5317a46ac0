"""Number formats of Spanish pages, where browsers and CLDR differ from Django."""

THOUSAND_SEPARATOR = "."
