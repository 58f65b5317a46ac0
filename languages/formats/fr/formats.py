"""How pages write numbers in French, where browsers and CLDR differ from what Django has."""

THOUSAND_SEPARATOR = "\u202f"
