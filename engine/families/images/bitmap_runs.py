"""Decompress the run-length encodings of Windows and OS/2 bitmaps (RLE4, RLE8, RLE24)."""

from __future__ import annotations

_END_OF_ROW, _END, _SKIP = 0, 1, 2


def rows(data: bytes, at: int, width: int, height: int, bits: int) -> bytes:
    """All rows in order, a byte per pixel, or three if `bits` is 24; skipped pixels are zero.

    Raises EOFError if the data ends before the picture without an end marker.
    """
    size = 3 if bits == 24 else 1
    found = bytearray(width * height * size)
    x = y = 0
    try:
        while y < height:
            count, value = data[at], data[at + 1]
            at += 2
            if count:
                if bits == 4:
                    pixels = bytes((value >> 4, value & 15)) * ((count + 1) // 2)
                elif bits == 8:
                    pixels = bytes((value,)) * count
                else:
                    pixels = data[at - 1 : at + 2] * count
                    at += 2
            elif value == _END_OF_ROW:
                x, y = 0, y + 1
                continue
            elif value == _END:
                break
            elif value == _SKIP:
                x, y = x + data[at], y + data[at + 1]
                at += 2
                continue
            else:
                count = value
                length = (count * bits + 7) // 8
                pixels = data[at : at + length]
                if len(pixels) < length:
                    raise EOFError("the pixels end early")
                if bits == 4:
                    pixels = bytes(half for each in pixels for half in (each >> 4, each & 15))
                at += length + length % 2
            begin, fitting = (y * width + x) * size, min(count, max(0, width - x)) * size
            found[begin : begin + fitting] = pixels[:fitting]
            x += count
    except IndexError as error:
        if (y, x) != (height - 1, width):
            raise EOFError("the pixels end early") from error
    return bytes(found)
