"""How pages write numbers in Chinese, where browsers and CLDR differ from what Django has."""

THOUSAND_SEPARATOR = ","
NUMBER_GROUPING = 3
