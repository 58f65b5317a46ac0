"""Recognise layout errors that are the document's fault."""

from __future__ import annotations

import os
from types import TracebackType

import reportlab
import xhtml2pdf
from reportlab.pdfbase.pdfdoc import PDFError
from reportlab.pdfbase.ttfonts import TTFError
from reportlab.platypus.doctemplate import LayoutError
from xhtml2pdf.config.resources import RenderLimitError
from xhtml2pdf.util import ImageWarning

_OWN = (LayoutError, PDFError, TTFError, ImageWarning, RenderLimitError)
# Errors that the libraries raise for invalid values. A missing or wrong name, attribute, key or type is a bug in a
# program, and never raised for a document on purpose.
_OF_VALUES = (ValueError, ArithmeticError, AssertionError, NotImplementedError)
_LIBRARIES = tuple(os.path.dirname(os.path.realpath(str(each.__file__))) + os.sep for each in (xhtml2pdf, reportlab))
_OURS = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", "..")) + os.sep


def is_refusal(error: Exception) -> bool:
    """Whether the libraries refuse the document; any other error is a bug in the service."""
    return isinstance(error, _OWN) or (isinstance(error, _OF_VALUES) and _raised_by_library(error.__traceback__))


def _raised_by_library(trace: TracebackType | None) -> bool:
    """Whether the innermost frame of theirs and ours is the libraries': code they call in turn is neither's."""
    theirs = False
    while trace is not None:
        file = os.path.realpath(trace.tb_frame.f_code.co_filename)
        if file.startswith(_LIBRARIES):
            theirs = True
        elif file.startswith(_OURS):
            theirs = False
        trace = trace.tb_next
    return theirs
