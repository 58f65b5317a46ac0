"""Which failures of a layout are the document's: what the libraries raise for one that they can't lay out."""

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
# What they raise for values that they can't do with. A name, an attribute, a key or a type that is missing or wrong is
# a mistake in a program, and never raised for a document on purpose.
_OF_VALUES = (ValueError, ArithmeticError, AssertionError, NotImplementedError)
_LIBRARIES = tuple(os.path.dirname(os.path.realpath(str(each.__file__))) + os.sep for each in (xhtml2pdf, reportlab))
_OURS = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", "..")) + os.sep


def is_refusal(error: Exception) -> bool:
    """Whether the libraries refuse the document; anything else that is raised is a fault of the service's."""
    return isinstance(error, _OWN) or (isinstance(error, _OF_VALUES) and _raised_by_library(error.__traceback__))


def _raised_by_library(trace: TracebackType | None) -> bool:
    """Whether the last of ours and theirs to be called was theirs: what it called in turn is of neither."""
    theirs = False
    while trace is not None:
        file = os.path.realpath(trace.tb_frame.f_code.co_filename)
        if file.startswith(_LIBRARIES):
            theirs = True
        elif file.startswith(_OURS):
            theirs = False
        trace = trace.tb_next
    return theirs
