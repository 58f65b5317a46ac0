"""The CSS that has an effect in PDFs made by PlutoPrint, as measured by tests/converters/test_css_understood.py."""

from __future__ import annotations

UNDERSTOOD = frozenset((
    "align-content", "align-items", "align-self", "alignment-baseline", "background", "background-clip",
    "background-color", "background-image", "background-origin", "background-position", "background-repeat",
    "background-size", "baseline-shift", "block-size", "border", "border-block", "border-block-color",
    "border-block-end", "border-block-end-color", "border-block-end-style", "border-block-end-width",
    "border-block-start", "border-block-start-color", "border-block-start-style", "border-block-start-width",
    "border-block-style", "border-block-width", "border-bottom", "border-bottom-color",
    "border-bottom-left-radius", "border-bottom-right-radius", "border-bottom-style", "border-bottom-width",
    "border-collapse", "border-color", "border-end-end-radius", "border-end-start-radius", "border-inline",
    "border-inline-color", "border-inline-end", "border-inline-end-color", "border-inline-end-style",
    "border-inline-end-width", "border-inline-start", "border-inline-start-color", "border-inline-start-style",
    "border-inline-start-width", "border-inline-style", "border-inline-width", "border-left", "border-left-color",
    "border-left-style", "border-left-width", "border-radius", "border-right", "border-right-color",
    "border-right-style", "border-right-width", "border-spacing", "border-start-end-radius",
    "border-start-start-radius", "border-style", "border-top", "border-top-color", "border-top-left-radius",
    "border-top-right-radius", "border-top-style", "border-top-width", "border-width", "bottom", "box-sizing",
    "break-after", "break-before", "break-inside", "caption-side", "clear", "clip", "clip-path", "clip-rule",
    "color", "column-count", "column-gap", "column-rule", "column-rule-color", "column-rule-style",
    "column-rule-width", "column-span", "column-width", "columns", "content", "counter-increment",
    "counter-reset", "counter-set", "direction", "display", "dominant-baseline", "empty-cells", "fill",
    "fill-opacity", "fill-rule", "flex", "flex-basis", "flex-direction", "flex-flow", "flex-grow", "flex-shrink",
    "flex-wrap", "float", "font", "font-family", "font-kerning", "font-size", "font-style", "font-weight", "gap",
    "height", "inline-size", "inset", "inset-block", "inset-block-end", "inset-block-start", "inset-inline",
    "inset-inline-end", "inset-inline-start", "justify-content", "left", "letter-spacing", "line-height",
    "list-style", "list-style-image", "list-style-position", "list-style-type", "margin", "margin-block",
    "margin-block-end", "margin-block-start", "margin-bottom", "margin-inline", "margin-inline-end",
    "margin-inline-start", "margin-left", "margin-right", "margin-top", "marker", "marker-end", "marker-mid",
    "marker-start", "mask", "max-block-size", "max-height", "max-inline-size", "max-width", "min-block-size",
    "min-height", "min-inline-size", "min-width", "mix-blend-mode", "object-fit", "object-position", "opacity",
    "order", "outline", "outline-color", "outline-offset", "outline-style", "outline-width", "overflow",
    "overflow-wrap", "pad", "padding", "padding-block", "padding-block-end", "padding-block-start",
    "padding-bottom", "padding-inline", "padding-inline-end", "padding-inline-start", "padding-left",
    "padding-right", "padding-top", "page-break-after", "page-break-before", "page-break-inside", "position",
    "prefix", "quotes", "range", "right", "row-gap", "size", "src", "stop-color", "stop-opacity", "stroke",
    "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit",
    "stroke-opacity", "stroke-width", "suffix", "symbols", "system", "tab-size", "table-layout", "text-align",
    "text-anchor", "text-decoration", "text-decoration-color", "text-decoration-line", "text-decoration-style",
    "text-indent", "text-transform", "top", "transform", "transform-origin", "unicode-bidi", "unicode-range",
    "vertical-align", "visibility", "white-space", "width", "word-break", "word-spacing", "z-index",
))  # fmt: skip
"""The properties with a visible effect, and the descriptors of @font-face and @counter-style."""

GRID = frozenset((
    "grid", "grid-area", "grid-auto-columns", "grid-auto-flow", "grid-column", "grid-column-end",
    "grid-column-gap", "grid-column-start", "grid-gap", "grid-row", "grid-row-end", "grid-row-gap",
    "grid-row-start", "grid-template", "grid-template-areas", "grid-template-columns", "grid-template-rows",
    "justify-items", "justify-self", "place-content", "place-items", "place-self",
))  # fmt: skip
"""The properties that grids.py reads."""

OWN = frozenset((
    "text-overflow", "-webkit-line-clamp", "-webkit-box-orient", "zoom", "page", "string-set", "hyphens",
    "text-orientation", "text-combine-upright", "aspect-ratio", "box-shadow",
))  # fmt: skip
"""The properties that modules read: cut_lines, zoomed, named_pages, page_texts, hyphenation, writing_modes,
aspect_ratios and box_shadows."""

_COMMON = frozenset(("auto", "none", "normal", "initial", "inherit", "unset", "revert", "revert-layer"))
_EDGES = frozenset((
    "baseline", "center", "end", "first", "flex-end", "flex-start", "left", "legacy", "right", "safe", "self-end",
    "self-start", "space-around", "space-between", "space-evenly", "start", "stretch",
))  # fmt: skip
_BREAKS = frozenset((
    "all", "always", "avoid", "avoid-column", "avoid-page", "column", "left", "page", "recto", "right", "verso",
))  # fmt: skip
_LINES = frozenset((
    "dashed", "dotted", "double", "groove", "hidden", "inset", "outset", "ridge", "solid",
))  # fmt: skip

_LETTERS = frozenset((
    "common-ligatures", "contextual", "diagonal-fractions", "discretionary-ligatures", "historical-ligatures",
    "lining-nums", "no-common-ligatures", "no-contextual", "no-discretionary-ligatures", "oldstyle-nums",
    "ordinal", "proportional-nums", "slashed-zero", "stacked-fractions", "sub", "super", "tabular-nums",
    "titling-caps", "unicase",
))  # fmt: skip

SMALL_CAPS = frozenset(("small-caps", "all-small-caps"))

WORDS: dict[str, frozenset[str]] = {
    "align-content": _EDGES, "align-items": _EDGES, "align-self": _EDGES, "justify-content": _EDGES,
    "background-attachment": frozenset(("scroll", "local")),
    "background-clip": frozenset(("border-box", "padding-box", "content-box")),
    "break-after": _BREAKS, "break-before": _BREAKS, "break-inside": _BREAKS,
    "border-style": _LINES, "outline-style": _LINES,
    "clear": frozenset(("left", "right", "both", "inline-start", "inline-end")),
    "column-fill": frozenset(("auto", "balance", "balance-all")),
    "content-visibility": frozenset(("visible",)),
    "display": frozenset((
        "-webkit-box", "-webkit-flex", "-webkit-inline-box", "-webkit-inline-flex", "block", "contents",
        "flex", "flow", "flow-root", "grid", "inline", "inline-block", "inline-flex", "inline-grid",
        "inline-table", "list-item", "math", "ruby", "table", "table-caption", "table-cell", "table-column",
        "table-column-group", "table-footer-group", "table-header-group", "table-row", "table-row-group",
    )),
    "float": frozenset(("left", "right", "inline-start", "inline-end", "footnote")),
    "font-variant": _LETTERS | SMALL_CAPS, "font-variant-caps": _LETTERS | SMALL_CAPS,
    "mix-blend-mode": frozenset((
        "color", "color-burn", "color-dodge", "darken", "difference", "exclusion", "hard-light", "hue",
        "lighten", "luminosity", "multiply", "overlay", "saturation", "screen", "soft-light",
    )),
    "position": frozenset(("static", "relative", "absolute", "fixed", "sticky", "-webkit-sticky")),
    "text-align": frozenset((
        "-webkit-auto", "-webkit-center", "-webkit-left", "-webkit-match-parent", "-webkit-right", "center",
        "end", "justify", "left", "match-parent", "right", "start",
    )),
    "text-indent": frozenset(("each-line",)),
    "text-wrap": frozenset(("wrap", "nowrap", "stable")),
    "visibility": frozenset(("visible", "hidden", "collapse")),
    "white-space": frozenset(("nowrap", "pre", "pre-wrap", "pre-line", "break-spaces", "collapse", "preserve", "wrap")),
    "writing-mode": frozenset(("horizontal-tb", "lr", "lr-tb", "rl", "rl-tb")),
}  # fmt: skip
"""The keywords that a property supports, if it does not support all, or supports only keywords."""

_COUNTED = frozenset((
    "attr", "counter", "counters", "element", "leader", "linear-gradient", "radial-gradient", "string", "url", "var",
))  # fmt: skip
_FLAT = frozenset((
    "calc", "clamp", "matrix", "max", "min", "perspective", "rotate", "rotatez", "scale", "scale3d", "scalex",
    "scaley", "scalez", "skew", "skewx", "skewy", "translate", "translate3d", "translatex", "translatey",
    "translatez", "var",
))  # fmt: skip

FUNCTIONS: dict[str, frozenset[str]] = {
    "clip-path": frozenset(("url(#", "var")),
    "content": _COUNTED,
    "mask": frozenset(("url(#", "var")),
    "transform": _FLAT,
}
"""The functions that a property understands; those of other properties are colours, lengths and pictures."""

SELECTORS = frozenset((
    "after", "before", "blank", "empty", "first", "first-child", "first-letter", "first-of-type", "has", "is",
    "last-child", "last-of-type", "left", "link", "marker", "not", "nth", "nth-child",
    "nth-last-child", "nth-last-of-type", "nth-of-type", "only-child", "only-of-type", "right", "root", "where",
))  # fmt: skip
"""The pseudo-classes and pseudo-elements that are supported, including those of @page."""

OF_A_READER = frozenset((
    "active", "any-link", "autofill", "backdrop", "closed", "cue", "current", "default", "defined",
    "details-content", "file-selector-button", "focus", "focus-visible", "focus-within", "fullscreen", "future",
    "grammar-error", "highlight", "host", "hover", "in-range", "indeterminate", "invalid", "local-link", "modal",
    "muted", "open", "optional", "out-of-range", "part", "past", "paused", "placeholder", "placeholder-shown",
    "playing", "popover-open", "read-only", "read-write", "required", "scope", "seeking", "selection", "slotted",
    "spelling-error", "stalled", "state", "target", "target-text", "user-invalid", "user-valid", "valid",
    "view-transition", "visited",
))  # fmt: skip
"""Selectors that match nothing on paper, or only after interaction on a screen."""
