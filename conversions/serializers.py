"""The API's representation of conversions, and option forms derived from declarations."""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable
from typing import Any

from django.http import QueryDict
from django.utils.functional import cached_property
from rest_framework import serializers

from conversions.models import Conversion
from conversions.record_sizes import recorded
from conversions.wording import restored, worded
from engine.toolkit.failures import InvalidFields
from engine.toolkit.fields import parse
from engine.toolkit.options import Option, describe


class MessageField(serializers.CharField):
    """A stored message in the language of the request."""

    def to_representation(self, value: Any) -> str:
        return worded(restored(value))


class RecordedOptionsField(serializers.DictField):
    """Options as recorded; those of older records may be longer."""

    def to_representation(self, value: Any) -> Any:
        return recorded(value)


class WarningSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    message = MessageField(source="*")


class FailureSerializer(serializers.Serializer[Any]):
    code = serializers.CharField(source="error_code")
    message = MessageField(source="failure")


class VerifiedSerializer(serializers.Serializer[Any]):
    ok = serializers.BooleanField(allow_null=True, help_text="null where it can't be told; `differences` says why.")
    compared = MessageField(
        help_text="By kind, how many the result and the file have, such as `rows 12/12, values 35/36`."
    )
    differences = serializers.ListField(child=MessageField(), help_text="Losses that no warning names.")


_SELDOM = ("verified", "madeBy")
"""Fields omitted when empty."""
_RESULT = ("outputName", "outputBytes", "contentType", "sha256", "expiresAt", "downloadUrl")


class ConversionSerializer(serializers.ModelSerializer[Conversion]):
    """A conversion; a failed one has `error` instead of the result's fields."""

    inputName = serializers.CharField(source="input_name")
    inputBytes = serializers.IntegerField(source="input_bytes")
    outputName = serializers.CharField(source="output_name", required=False)
    outputBytes = serializers.IntegerField(source="output_bytes", required=False)
    contentType = serializers.CharField(source="content_type", required=False)
    sha256 = serializers.CharField(required=False)
    options = RecordedOptionsField(
        help_text="As applied. `true` stands for a secret, and for the longest texts if all have more than 10 KB."
    )
    detected = serializers.DictField(help_text="What was detected in the input, such as its delimiter.")
    warnings = WarningSerializer(many=True)
    durationMs = serializers.IntegerField(source="duration_ms")
    createdAt = serializers.DateTimeField(source="created_at")
    expiresAt = serializers.DateTimeField(source="expires_at", required=False)
    downloadUrl = serializers.CharField(source="download_url", required=False)
    verified = VerifiedSerializer(
        required=False, help_text="The outcome of the comparison with the file, if `verify=1` was sent."
    )
    madeBy = serializers.CharField(
        source="maker", required=False, help_text="In an organisation's history: the member who converted it."
    )
    error = FailureSerializer(source="*", required=False)

    class Meta:
        model = Conversion
        fields = [
            "id", "slug", "status", "inputName", "inputBytes", "outputName", "outputBytes", "contentType", "sha256",
            "options", "detected", "engine", "warnings", "credits", "durationMs", "createdAt", "expiresAt",
            "downloadUrl", "verified", "madeBy", "error",
        ]  # fmt: skip

    @cached_property
    def _columns(self) -> list[tuple[str, Callable[[Any], Any], Callable[[Any], Any]]]:
        """Each field's name, getter and formatter, computed once."""
        return [
            (
                str(each.field_name),
                operator.attrgetter(".".join(each.source_attrs)) if each.source_attrs else lambda instance: instance,
                each.to_representation,
            )
            for each in self._readable_fields
        ]

    def to_representation(self, instance: Conversion) -> dict[str, Any]:
        # DRF resolves each field's getter again for every row.
        absent = _RESULT if instance.status == Conversion.Status.FAILED else ("error",)
        shown: dict[str, Any] = {}
        for name, value_of, represented in self._columns:
            if name in absent:
                continue
            value = value_of(instance)
            if value is not None:
                shown[name] = represented(value)
            elif name not in _SELDOM:
                shown[name] = None
        return shown


class CompletedConversionSerializer(ConversionSerializer):
    """A successful conversion: the response to one in the OpenAPI document."""

    downloadUrl = serializers.CharField(allow_null=True, help_text="null if `fileExpired` is true.")
    fileExpired = serializers.BooleanField(
        required=False,
        help_text="true in a repeated response to an Idempotency-Key if the file has since expired or been "
        "deleted. Absent otherwise.",
    )

    class Meta(ConversionSerializer.Meta):
        fields = [*ConversionSerializer.Meta.fields[:-1], "fileExpired", "error"]

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        del fields["error"]
        for name in _RESULT:
            fields[name].required = True
        return fields


class DetectedSerializer(serializers.Serializer[Any]):
    """The file's format and other detected properties, by name."""

    format = serializers.CharField(help_text="The id of its format.")
    version = serializers.CharField(required=False, help_text="What it says of itself, such as `1.7` of a PDF.")


class DryRunSerializer(serializers.Serializer[Any]):
    """What a conversion would do; nothing is stored, charged or recorded."""

    slug = serializers.CharField()
    dryRun = serializers.BooleanField(help_text="true")
    inputName = serializers.CharField()
    inputBytes = serializers.IntegerField()
    detected = DetectedSerializer()
    options = serializers.DictField(help_text="All options, including defaults.")
    engine = serializers.CharField()
    credits = serializers.IntegerField(help_text="The cost; 0 for guests, who have a daily number of conversions.")
    predictedSeconds = serializers.FloatField(help_text="How long the conversion would take.")
    warnings = WarningSerializer(many=True)
    complete = serializers.BooleanField(
        help_text="Whether the conversion ran to the end, so that the list of warnings is complete. Files "
        "that take longer are only inspected."
    )
    outputBytes = serializers.IntegerField(required=False, help_text="The result's size, if complete.")


class HistoryRowSerializer(ConversionSerializer):
    """A conversion in a list."""

    leftOut = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="Fields that are empty here because the list would have more than 1 MB. The record has them.",
    )

    class Meta(ConversionSerializer.Meta):
        fields = [*ConversionSerializer.Meta.fields, "leftOut"]


_SHOWN = ConversionSerializer()


def shown(conversion: Conversion, *, gone: bool = False) -> dict[str, Any]:
    """A conversion as the API shows it. All share one serializer: creating its fields costs more than filling them.

    `gone` says that its file is known to be expired or deleted.
    """
    data = _SHOWN.to_representation(conversion)
    return {**data, "downloadUrl": None, "fileExpired": True} if gone else data


class OptionsSerializer(serializers.Serializer[Any]):
    """The text fields of one converter's form, as the OpenAPI document describes them."""


def _field(option: Option) -> serializers.Field[Any, Any, Any, Any]:
    common: dict[str, Any] = {"required": False, "help_text": option.documented}
    if option.nullable:
        common["allow_null"] = True
    else:
        common["default"] = option.default
    if option.kind == "choice":
        return serializers.ChoiceField(choices=option.choices, **common)
    if option.kind == "boolean":
        return serializers.BooleanField(**common)
    if option.kind == "integer":
        return serializers.IntegerField(min_value=_whole(option.minimum), max_value=_whole(option.maximum), **common)
    if option.kind == "number":
        return serializers.FloatField(min_value=option.minimum, max_value=option.maximum, **common)
    bounds: dict[str, Any] = {"min_length": option.min_length, "max_length": option.max_length}
    if option.pattern is not None:
        pattern = rf"\A(?:{option.pattern})\Z"
        # DRF's pattern check would reject an empty text.
        blank = not option.min_length and re.match(pattern, "") is not None
        # A text must not be trimmed: a tab is a delimiter.
        return serializers.RegexField(pattern, trim_whitespace=False, allow_blank=blank, **bounds, **common)
    return serializers.CharField(trim_whitespace=False, allow_blank=not option.min_length, **bounds, **common)


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)


@functools.cache
def serializer_for(declared: type) -> OptionsSerializer:
    """The serializer of an options dataclass, one field each; cached, as it has no request state."""
    fields: dict[str, Any] = {each.name: _field(each) for each in describe(declared)}
    kind: type[OptionsSerializer] = type(f"{declared.__name__}Serializer", (OptionsSerializer,), fields)
    return kind()


def parse_options(declared: type, fields: QueryDict | dict[str, str]) -> Any:
    """Validate form fields into an options instance; raises ValidationError, for unknown fields too."""
    if isinstance(fields, QueryDict):
        twice = {name: "Send this option once." for name in fields if len(fields.getlist(name)) > 1}
        if twice:
            raise serializers.ValidationError(twice)
        fields = {name: str(fields[name]) for name in fields}
    try:
        return parse(declared, fields)
    except InvalidFields as error:
        reasons = {name: worded(reason) for name, reason in error.reasons.items()}
        raise serializers.ValidationError(reasons) from error


class PeriodSerializer(serializers.Serializer[Any]):
    conversions = serializers.IntegerField()
    failures = serializers.IntegerField()
    credits = serializers.IntegerField()
    bytesIn = serializers.IntegerField(source="bytes_in")
    bytesOut = serializers.IntegerField(source="bytes_out")
    medianMs = serializers.IntegerField(source="median_ms", allow_null=True)
    p95Ms = serializers.IntegerField(source="p95_ms", allow_null=True)


class SlugPeriodSerializer(PeriodSerializer):
    slug = serializers.CharField(source="name")


class DayPeriodSerializer(PeriodSerializer):
    day = serializers.DateField(source="name")


class StatsSerializer(serializers.Serializer[Any]):
    since = serializers.DateField()
    until = serializers.DateField()
    totals = PeriodSerializer()
    bySlug = SlugPeriodSerializer(many=True)
    byDay = DayPeriodSerializer(many=True)


class FormatSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    extensions = serializers.ListField(child=serializers.CharField())
    contentType = serializers.CharField()
    kind = serializers.CharField(help_text="What the format is listed under, the id of one of the kinds.")


class KindSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    formats = serializers.ListField(child=serializers.CharField(), help_text="The ids of its formats.")


class OptionSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    type = serializers.CharField()
    default = serializers.JSONField()
    description = serializers.CharField()
    choices = serializers.ListField(child=serializers.CharField(), required=False)
    words = serializers.DictField(
        child=serializers.CharField(),
        required=False,
        help_text="For each choice its label and a line that explains it.",
    )
    unit = serializers.CharField(required=False, help_text="What a number counts, such as `px`.")
    minimum = serializers.FloatField(required=False)
    maximum = serializers.FloatField(required=False)
    minLength = serializers.IntegerField(required=False)
    maxLength = serializers.IntegerField(required=False)
    pattern = serializers.CharField(required=False)


class ListedConversionSerializer(serializers.Serializer[Any]):
    slug = serializers.CharField()
    input = serializers.CharField()
    output = serializers.CharField()
    summary = serializers.CharField()
    credits = serializers.IntegerField(help_text="The cost, or the minimum if charged per minute.")
    creditsPerMinute = serializers.IntegerField(required=False, help_text="Cost per started minute of audio or video.")
    plans = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Codes of the plans that include it."
    )
    engine = serializers.CharField(help_text="The libraries used here, with their versions.")
    audited = serializers.ListField(
        child=serializers.CharField(),
        help_text="What is counted in the file and the result, such as words and pictures. If the result "
        "has fewer, there is a warning.",
    )
    options = OptionSerializer(many=True, required=False, help_text="Left out by `options=no`.")


class FormatsSerializer(serializers.Serializer[Any]):
    formats = FormatSerializer(many=True)
    kinds = KindSerializer(many=True)
    conversions = ListedConversionSerializer(many=True)
