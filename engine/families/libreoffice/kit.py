"""Load LibreOffice as a library, with a folder of its own, controlled by macros."""

from __future__ import annotations

import atexit
import ctypes
import functools
import os
import shutil
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

from engine.families.libreoffice import options as installation
from engine.toolkit import own_fonts

# Offsets in the C structures of LibreOfficeKit/LibreOfficeKit.h, which are only ever extended at their ends.
_DESTROY, _GET_ERROR, _RUN_MACRO = 1, 3, 11

_MACROS = Path(__file__).with_name("macros.bas")
_BASIC = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE {kind} PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" '
)
_SPACES = 'xmlns:library="http://openoffice.org/2000/library" xmlns:xlink="http://www.w3.org/1999/xlink"'
_LIBRARIES = (
    f'<library:libraries {_SPACES}><library:library library:name="Standard" library:link="false"/></library:libraries>'
)

_SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
{items}</oor:items>
"""
_ITEM = (
    '<item oor:path="/org.openoffice.{path}">'
    '<prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>\n'
)
_VALUES = (
    # A complete profile: otherwise the presets would be copied over it.
    ("Setup/Office", "ooSetupInstCompleted", "true"),
    ("Office.Common/Misc", "FirstRun", "false"),
    ("Office.Common/Misc", "UseOpenCL", "false"),
    # Document macros never run and links are never followed: each load requests it too, and the sandbox has no network.
    ("Office.Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("Office.Common/Security/Scripting", "DisablePythonRuntime", "true"),
    ("Office.Calc/Content/Update", "Link", "2"),
    ("Office.Writer/Content/Update", "Link", "0"),
    ("Office.Common/Save/URL", "FileSystem", "false"),
    ("Inet/Settings", "ooInetProxyType", "0"),
)


_WITHOUT_SVG = (
    '<item oor:path="/org.openoffice.TypeDetection.GraphicFilter/Filters">'
    '<node oor:name="svg_Import" oor:op="remove"/></item>\n'
)


_FOLDER_NAME = "SUITE_FOLDER"
"""The variable that names the folder to the macros."""


@functools.cache
def folder() -> Path:
    """Return this process's folder of the suite's profile and answers, which is removed when the process ends.

    Two processes may have the same folder for temporary files: each needs its own profile.
    """
    made = Path(tempfile.mkdtemp(prefix="suite-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    os.environ[_FOLDER_NAME] = str(made)
    return made


def warm() -> None:
    """Map the libraries without starting a thread: anything after the fork is up to each child."""
    _library()


def _library() -> ctypes.CDLL:
    return ctypes.CDLL(installation.program("libmergedlo.so"))


class Failed(Exception):
    """A macro could not be run: a bug here or in the installation."""


class Kit:
    """The running suite; there can be one per process, and it ends with it.

    SVG pictures can load other files, and the suite draws them in place of any other kind of picture. `svg` says that
    the document's have no addresses; without it none is drawn.
    """

    def __init__(self, *, svg: bool) -> None:
        # Rendered in memory, without a display, with the service's own fonts.
        os.environ["SAL_USE_VCLPLUGIN"] = "svp"
        own_fonts.configure(Path(__file__).with_name("fonts.conf"))
        profile = folder() / "profile"
        _make_profile(profile, svg=svg)
        library = _library()
        library.libreofficekit_hook_2.restype = ctypes.c_void_p
        library.libreofficekit_hook_2.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
        self._kit = library.libreofficekit_hook_2(installation.program("").encode(), profile.as_uri().encode())
        if not self._kit:
            raise Failed("the suite does not start")
        functions = ctypes.cast(self._kit, ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p)))[0]
        pointer = ctypes.c_void_p
        self._run_macro = ctypes.CFUNCTYPE(ctypes.c_int, pointer, ctypes.c_char_p)(functions[_RUN_MACRO])
        self._get_error = ctypes.CFUNCTYPE(pointer, pointer)(functions[_GET_ERROR])
        destroy = ctypes.CFUNCTYPE(None, pointer)(functions[_DESTROY])
        atexit.register(destroy, self._kit)

    def run(self, name: str, *arguments: str) -> dict[str, list[str]]:
        """Run one of our macros and return its answers by name; raises Failed if it can't be run."""
        answers = folder() / "answers"
        answers.unlink(missing_ok=True)
        given = ",".join(_literal(each) for each in arguments)
        if not self._run_macro(self._kit, f"macro:///Standard.Module1.{name}({given})".encode()):
            raise Failed(ctypes.string_at(self._get_error(self._kit)).decode("utf-8", "replace"))
        found: dict[str, list[str]] = {}
        for line in answers.read_text("utf-8", "replace").split("\n"):
            key, sign, value = line.partition("=")
            if sign:
                found.setdefault(key, []).append(value)
        return found


def _literal(value: str) -> str:
    if '"' in value or "%" in value or not value.isascii():
        raise Failed("an argument can't be spelled in the macro's address")
    return f'"{value}"'


def _make_profile(profile: Path, *, svg: bool) -> None:
    """A user's profile with our settings and macros."""
    library = profile / "user" / "basic" / "Standard"
    library.mkdir(parents=True)
    items = "".join(_ITEM.format(path=path, name=name, value=value) for path, name, value in _VALUES)
    items += "" if svg else _WITHOUT_SVG
    (profile / "user" / "registrymodifications.xcu").write_text(_SETTINGS.format(items=items))
    listed = _BASIC.format(kind="library:libraries") + f'"libraries.dtd">\n{_LIBRARIES}'
    for name in ("script", "dialog"):
        (library.parent / f"{name}.xlc").write_text(listed)
        element = '<library:element library:name="Module1"/>' if name == "script" else ""
        (library / f"{name}.xlb").write_text(
            _BASIC.format(kind="library:library")
            + f'"library.dtd">\n<library:library {_SPACES} library:name="Standard" library:readonly="false" '
            f'library:passwordprotected="false">{element}</library:library>'
        )
    (library / "Module1.xba").write_text(
        _BASIC.format(kind="script:module")
        + '"module.dtd">\n<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" '
        f'script:language="StarBasic">{escape(_MACROS.read_text())}</script:module>'
    )
