"""Shell completion for formats and options, generated from the service's listing."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fileconv.client import Client

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
"""What may be in the script, which a shell executes: it comes from the service."""
_OWN = ("--to", "--from", "--output", "--url", "--jobs", "--json", "--quiet")


def script(client: Client, shell: str = "bash") -> str:
    """The script, for `eval` in bash or zsh, or to be sourced in fish."""
    listing = client.formats()
    formats = _words(each for found in listing["formats"] for each in found["extensions"])
    names = _words(each["name"] for found in listing["conversions"] for each in found["options"])
    options = sorted(map(dashed, names))
    if shell == "fish":
        lines = [f"complete -c fileconv -l {each.removeprefix('--')}" for each in (*_OWN, *options)]
        return "\n".join([*lines, f"complete -c fileconv -l to -x -a '{' '.join(formats)}'"])
    lines = [
        "_fileconv() {",
        '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
        '  if [[ "$before" == --to || "$before" == --from ]]; then',
        f'    COMPREPLY=($(compgen -W "{" ".join(formats)}" -- "$word"))',
        '  elif [[ "$word" == -* ]]; then',
        f'    COMPREPLY=($(compgen -W "{" ".join((*_OWN, *options))}" -- "$word"))',
        "  else",
        '    COMPREPLY=($(compgen -f -- "$word"))',
        "  fi",
        "}",
        "complete -F _fileconv fileconv",
    ]
    return "\n".join(["autoload -U +X bashcompinit && bashcompinit", *lines] if shell == "zsh" else lines)


def _words(found: Iterable[str]) -> list[str]:
    return sorted({each for each in found if _WORD.fullmatch(each)})


def dashed(option: str) -> str:
    """The command-line spelling of an option: `pageSize` is `--page-size`."""
    return "--" + re.sub(r"([A-Z])", lambda match: "-" + match[1].lower(), option)
