"""Aliases of CSS properties, and the properties that have no visible effect on paper."""

from __future__ import annotations

RENAMED = {
    "word-wrap": "overflow-wrap", "overflow-x": "overflow", "overflow-y": "overflow", "grid-gap": "gap",
    "grid-row-gap": "row-gap", "grid-column-gap": "column-gap", "flex-align": "align-items",
    "text-wrap-mode": "text-wrap", "text-wrap-style": "text-wrap",
}  # fmt: skip
"""Aliases of known properties."""

WITHOUT_EFFECT = frozenset((
    "panose-1",
    "additive-symbols", "anchor-name", "animation", "azimuth", "backface-visibility", "behavior", "bleed",
    "block-step", "bookmark-label", "bookmark-level", "bookmark-state", "caret-color", "color-adjust",
    "color-interpolation", "color-interpolation-filters", "color-rendering", "color-scheme",
    "contain-intrinsic-size", "cursor", "dynamic-range-limit", "enable-background", "end-indent", "fallback",
    "font-display", "font-language-override", "font-optical-sizing", "font-palette", "font-smooth",
    "font-synthesis", "font-variant-alternates", "forced-color-adjust", "image-orientation", "image-rendering",
    "image-resolution", "ime-mode", "inherits", "initial-value", "input-security", "interactivity",
    "interpolate-size", "isolation", "layout-grid-mode", "line-height-step", "margin-trim", "marks", "math-depth",
    "math-style", "mso-line-height-rule", "nav-index", "negative", "overflow-anchor", "overflow-clip-margin",
    "overscroll-behavior", "overscroll-behavior-x", "overscroll-behavior-y", "pointer-events", "position-anchor",
    "position-area", "position-try", "position-try-fallbacks", "print-color-adjust", "reading-flow",
    "reading-order", "resize", "ruby-align", "ruby-position", "scroll-behavior", "scrollbar-color",
    "scrollbar-gutter", "scrollbar-width", "shape-image-threshold", "shape-margin", "shape-rendering",
    "space-after", "space-before", "speak", "speak-as", "start-indent", "supported-color-schemes",
    "syntax", "tab-interval", "text-autospace",
    "text-size-adjust", "text-spacing-trim", "timeline-scope", "touch-action", "transition",
    "user-select", "will-change",
))  # fmt: skip
"""Properties that change nothing on paper, not even in browsers."""

REFINEMENTS = frozenset((
    "accent-color", "appearance", "ascent-override", "box-decoration-break", "contain",
    "container", "container-name", "container-type", "content-visibility", "descent-override", "field-sizing",
    "font-feature-settings", "font-size-adjust", "font-stretch", "font-variant",
    "font-variant-caps", "font-variant-east-asian", "font-variant-emoji", "font-variant-ligatures",
    "font-variant-numeric", "font-variant-position", "font-variation-settings", "hanging-punctuation",
    "hyphenate-character", "hyphenate-limit-chars", "hyphens", "line-break", "line-gap-override", "orphans",
    "paint-order", "perspective", "perspective-origin", "size-adjust", "text-box", "text-box-edge",
    "text-box-trim", "text-combine-upright", "text-decoration-skip", "text-decoration-skip-ink",
    "text-decoration-thickness", "text-justify", "text-orientation", "text-overflow", "text-rendering",
    "text-underline-offset", "text-underline-position", "text-wrap", "text-wrap-style", "transform-style",
    "vector-effect", "view-transition-class", "view-transition-name", "widows",
))  # fmt: skip
"""Properties with subtle effects in browsers: on line breaks, letter forms or form fields. Content that is cut off
because they are unsupported is detected in the finished page."""

UNSEEN = WITHOUT_EFFECT | {"flex-shrink"} | REFINEMENTS - {"font-variant", "font-variant-caps"}
"""Properties that other engines and formats need not report either."""

WITHOUT_EFFECT_BEGINNINGS = (
    "--", "-webkit-", "-moz-", "-ms-", "-o-", "-khtml-", "-apple-", "-epub-", "-premailer-", "-prince-", "prince-",
    "-ah-", "-pdf-", "-fx-", "-inkscape-", "-sodipodi-", "mso-", "animation-", "transition-", "scroll-", "nav-",
)  # fmt: skip

NO_VALUE = frozenset(
    ("none", "auto", "normal", "initial", "inherit", "unset", "revert", "revert-layer", "0", "visible")
)
"""Values that have the same effect as no value."""

PREFIXED = frozenset((
    "-webkit-align-content", "-webkit-align-items", "-webkit-align-self", "-webkit-background-clip",
    "-webkit-background-origin", "-webkit-background-size", "-webkit-border-radius", "-webkit-box-shadow",
    "-webkit-box-sizing", "-webkit-clip-path", "-webkit-column-count", "-webkit-column-gap",
    "-webkit-column-rule", "-webkit-column-span", "-webkit-column-width", "-webkit-columns", "-webkit-filter",
    "-webkit-flex", "-webkit-flex-basis", "-webkit-flex-direction", "-webkit-flex-flow", "-webkit-flex-grow",
    "-webkit-flex-shrink", "-webkit-flex-wrap", "-webkit-justify-content", "-webkit-mask", "-webkit-mask-image",
    "-webkit-opacity", "-webkit-order", "-webkit-shape-outside", "-webkit-text-emphasis", "-webkit-transform",
    "-webkit-transform-origin", "-webkit-writing-mode",
))  # fmt: skip
"""Prefixed names that browsers treat like the names without the prefix."""

PREFIXED_ONLY = frozenset(("-webkit-text-fill-color", "-webkit-text-stroke", "-webkit-box-reflect"))
"""Prefixed names that all browsers support, and that have no name without a prefix."""
