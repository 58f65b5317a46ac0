"""The encryption of a PDF that is written: a new one, or what the document had."""

from __future__ import annotations

import secrets

import pikepdf

from conversions.families.pdf.options import PdfOptions

_ALLOW = {
    "all": pikepdf.Permissions(),
    "print": pikepdf.Permissions(
        extract=False, modify_annotation=False, modify_assembly=False, modify_form=False, modify_other=False
    ),
    "none": pikepdf.Permissions(
        extract=False,
        modify_annotation=False,
        modify_assembly=False,
        modify_form=False,
        modify_other=False,
        print_highres=False,
        print_lowres=False,
    ),
}


def new(options: PdfOptions) -> pikepdf.Encryption:
    """With the passwords that the options give."""
    return pikepdf.Encryption(
        user=options.user_password or "",
        owner=options.owner_password or options.user_password or "",
        allow=_ALLOW[options.allow or "all"],
    )


def same(pdf: pikepdf.Pdf, options: PdfOptions) -> pikepdf.Encryption:
    """With the password that opened the document, and what it allowed."""
    password = options.password or ""
    # Where no password is needed to read, the one for its restrictions is not known.
    return pikepdf.Encryption(user=password, owner=password or secrets.token_urlsafe(24), allow=pdf.allow)
