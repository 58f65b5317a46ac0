"""The encryption of a written PDF: new, or as before."""

from __future__ import annotations

import secrets

import pikepdf

from engine.families.pdf.options import PdfOptions

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
    """Encrypt with the passwords in the options."""
    return pikepdf.Encryption(
        user=options.user_password or "",
        owner=options.owner_password or options.user_password or "",
        allow=_ALLOW[options.allow or "all"],
    )


def same(pdf: pikepdf.Pdf, options: PdfOptions) -> pikepdf.Encryption:
    """Encrypt with the password that opened the document, and its permissions."""
    password = options.password or ""
    # If it opens without a password, its owner password is unknown.
    return pikepdf.Encryption(user=password, owner=password or secrets.token_urlsafe(24), allow=pdf.allow)
