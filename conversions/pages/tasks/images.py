"""Tasks for images."""

from __future__ import annotations

from conversions.pages.tasks.task import CHOOSING_ORDER, TURNS, Field, Gathering, Task, pairs, same

_QUALITY = Field("quality", "Quality", "85 looks like the original; 60 is good enough for a preview.")
_WIDTH = Field("width", "Width, in pixels", "Leave one of the two empty to keep the proportions.")
_HEIGHT = Field("height", "Height, in pixels", "")
_BACKGROUND = Field("background", "Colour behind transparent parts", "JPG has no transparency.")
_EDITABLE = same("jpg png webp avif heic gif bmp tiff")
_METADATA = Field(
    "metadata",
    "Camera data",
    "Photos carry the date, the camera and often the place where they were taken.",
    "keep",
    {"keep": "Keep all of it", "stripGps": "Remove the place", "strip": "Remove everything"},
)

TASKS = (
    Task(
        "compress-image",
        "Compress image",
        "Make a photo small enough for an email, form or website. You can set a target size.",
        "Pictures",
        same("jpg webp avif heic"),
        "smaller",
        fields=(
            Field("targetSize", "At most, in kB", "We find the best quality that fits: 200 means 200 kB."),
            _QUALITY,
            _METADATA,
        ),
        asked=(
            (
                "And PNG?",
                ("PNG has no quality setting. Convert it to WebP, which is much smaller and keeps transparency."),
            ),
        ),
        called="shrink reduce smaller size photo jpeg kb mb make image smaller optimise optimize picture",
    ),
    Task(
        "resize-image",
        "Resize image",
        "Resize a picture to the width or height you need.",
        "Pictures",
        _EDITABLE,
        "smaller",
        fields=(
            _WIDTH,
            _HEIGHT,
            Field(
                "fit",
                "If both are given",
                "",
                "inside",
                {
                    "inside": "Fit the whole picture inside",
                    "cover": "Fill and crop the rest",
                    "smart": "Fill and keep what matters in view",
                    "fill": "Stretch it",
                },
            ),
            Field("enlarge", "Enlarge smaller pictures too", ""),
        ),
        called="scale dimensions pixels bigger larger smaller photo thumbnail width height",
    ),
    Task(
        "crop-image",
        "Crop image",
        "Keep the part of a picture that matters.",
        "Pictures",
        _EDITABLE,
        "cut",
        fields=(Field("crop", "What to keep", ""),),
        called="cut trim photo picture",
    ),
    Task(
        "rotate-image",
        "Rotate image",
        "Rotate or mirror a picture.",
        "Pictures",
        _EDITABLE,
        "turn",
        fields=(
            Field("rotate", "Rotate", "", "90", {"0": "Not at all", **TURNS}),
            Field(
                "flip",
                "Mirror",
                "",
                "none",
                {"none": "Not at all", "horizontal": "Left and right", "vertical": "Top and bottom"},
            ),
        ),
        called="turn flip mirror orientation photo picture sideways",
    ),
    Task(
        "remove-photo-metadata",
        "Remove the place from photos",
        "Remove the place, date and camera from a photo before you publish it.",
        "Pictures",
        same("jpg png webp avif heic tiff"),
        "cleaned",
        fields=(
            Field(
                "metadata",
                "Remove",
                "",
                "strip",
                {"strip": "All camera data", "stripGps": "Only the place"},
            ),
        ),
        asked=(
            (
                "Is the picture itself changed?",
                ("It is rotated upright if needed, and saved again at a quality that looks the same."),
            ),
        ),
        called="exif gps location privacy strip metadata clean",
    ),
    Task(
        "heic-to-jpg",
        "HEIC to JPG",
        "Convert iPhone photos so that everyone can open them.",
        "Pictures",
        ("heic-to-jpg",),
        fields=(_QUALITY, _METADATA),
        called="iphone apple photo heif jpeg",
    ),
    Task(
        "webp-to-jpg",
        "WebP to JPG or PNG",
        "Convert pictures saved from a website so that every program can open them.",
        "Pictures",
        ("webp-to-jpg",),
        fields=(_QUALITY, _BACKGROUND),
        asked=(("Can I keep transparency?", "Yes, as a PNG: choose WebP to PNG in the list of formats."),),
        called="jpeg png google image",
    ),
    Task(
        "png-to-jpg",
        "PNG to JPG",
        "Convert screenshots and pictures to a fraction of their size.",
        "Pictures",
        ("png-to-jpg",),
        "smaller",
        fields=(_QUALITY, _BACKGROUND),
        called="jpeg photo screenshot",
    ),
    Task(
        "jpg-to-webp",
        "Pictures to WebP",
        "The same quality at about two thirds of the size, for websites.",
        "Pictures",
        pairs("jpg png gif tiff bmp", "webp"),
        "smaller",
        fields=(_QUALITY, _WIDTH),
        called="jpeg png web google website",
    ),
    Task(
        "pictures-to-gif",
        "Pictures to GIF",
        "Combine pictures in an animation, in your order.",
        "Pictures",
        ("zip-to-gif",),
        "merge",
        fields=(
            Field("delay", "Time for each picture, in milliseconds", "500 is half a second.", "500"),
            Field("repeat", "Repeats", "0 loops forever."),
            Field("width", "Width, in pixels", "480 keeps it small. All pictures get the size of the first one."),
        ),
        asked=(CHOOSING_ORDER,),
        gathers=Gathering("zip-to-gif", ("jpg", "png", "webp", "gif", "bmp", "heic", "avif", "tiff")),
        called="animated gif animation slideshow frames photos make",
    ),
    Task(
        "svg-to-png",
        "SVG to PNG",
        "Convert a drawing to a picture of any size.",
        "Pictures",
        ("svg-to-png",),
        fields=(_WIDTH, _HEIGHT),
        called="vector logo render icon",
    ),
    Task(
        "image-to-svg",
        "Picture to SVG",
        "Convert a logo or drawing to shapes that stay sharp at any size.",
        "Pictures",
        pairs("png jpg webp", "svg"),
        fields=(
            Field("colors", "Colours", "", "color", {"color": "As in the picture", "bw": "Black and white"}),
            Field(
                "detail",
                "Detail",
                "",
                "medium",
                {"low": "Few, large shapes", "medium": "Medium", "high": "Many small shapes"},
            ),
        ),
        asked=(
            (
                "Does it work for photos?",
                "Photos come out looking painted. It works best for logos and drawings.",
            ),
        ),
        called="vector trace vectorize vectorise logo",
    ),
    Task(
        "favicon",
        "Make a favicon",
        "Make the icon for a browser tab, with all sizes in one file.",
        "Pictures",
        pairs("png svg jpg webp", "ico"),
        called="ico icon website tab",
    ),
    Task(
        "image-to-text",
        "Image to text",
        "Read the text in a photo or screenshot, so that you can copy it.",
        "Pictures",
        pairs("png jpg webp tiff heic", "txt"),
        "read",
        fields=(Field("language", "Language of the text", "eng for English, deu for German; several as deu+eng."),),
        called="ocr extract copy screenshot photo scan recognise recognize picture",
    ),
)
