"""How pages write numbers in Spanish, where browsers and CLDR differ from what Django has."""

THOUSAND_SEPARATOR = "."
