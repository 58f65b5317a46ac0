"""Number formats of French pages, where browsers and CLDR differ from Django."""

THOUSAND_SEPARATOR = "\u202f"
