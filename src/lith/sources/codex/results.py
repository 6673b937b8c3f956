"""Whether a tool's result says that it failed.

Only `sources.codex` uses it. Results are the bulk of a rollout: of their bytes only the ends are looked at, and no text is made of them.
"""

import re

_LEADS = (b"Process exited with code ", b"Exit code: ")
_NUMBER = re.compile(rb"(-?\d+)")
_EXIT_CODE = re.compile(rb'\\"exit_code\\":\s*(-?\d+)')
_END = 400
"""How far from its ends a result may hold the exit code, in bytes."""


def has_failed(output: memoryview) -> bool:
    """Whether the JSON of a call's output reports an exit code other than zero."""
    start = bytes(output[:_END])
    for lead in _LEADS:
        at = start.find(lead)
        if at == 1 or (at > 1 and start[at - 2 : at] == b"\\n"):
            return _is_failure(_NUMBER.match(start, at + len(lead)))
    if start.startswith(b'"{\\"output'):
        return _is_failure(_EXIT_CODE.search(bytes(output[-_END:])))
    return False


def _is_failure(match: re.Match[bytes] | None) -> bool:
    return match is not None and match[1].strip(b"-0") != b""
