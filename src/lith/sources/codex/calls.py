"""What a tool call shows: its tool and the allow-listed arguments.

Only `sources.codex.parse` uses it. Of a patch only the paths are shown, of a script only the commands and the names of the tools that
it calls; contents, what is typed into a running process, working directories, options and the prompts of sub-agents (their sessions
begin with them) never.
"""

import re
import shlex
from collections.abc import Iterable
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

import msgspec

from lith.records.record import Kind, Piece, Role
from lith.sources.codex.lines import decode_arguments
from lith.sources.codex.structs import Action, Arguments

Field = tuple[str, str]

PATCH_TOOL = "apply_patch"
SHELL_TOOL = "exec_command"
SEARCH_TOOL = "web_search"
SCRIPT_TOOL = "exec"
"""The one tool of code mode, whose input is JavaScript that calls the others."""

_SHELL_TOOLS = frozenset({"exec_command", "shell_command", "shell", "container.exec", "local_shell", "unified_exec"})
# The searchable arguments under lith's names, in the order of `Arguments`; those without a name belong to one tool only.
_FIELD_NAMES = (
    *("command", "command", "path", "path", "pattern", "query", "query", "query", "query", "url"),
    *("description", "description", "description", "description", "description", None),
)
_PATCH_START = "*** Begin Patch"
_PATCH_PATH = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$", re.MULTILINE)
_SCRIPT_PATH = re.compile(r"\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)(?=\\[nr]|[\r\n\"'`]|\Z)")
_SHELL_FLAGS = frozenset({"-c", "-lc", "-ic", "-lic", "-Command", "-command", "/c", "/C"})
_SCRIPT_CALL = re.compile(r"\btools(?:\.([A-Za-z_]\w*)|\[[\"']([A-Za-z_]\w*)[\"']\])")
_SCRIPT_ARGUMENT = re.compile(
    r"""(?<![\w.])["']?(cmd|command|query|q|url|path|pattern)["']?\s*:\s*"""
    r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.|\$(?!\{))*`)""",
    re.DOTALL,
)
_SCRIPT_TOOLS = {"web__run": SEARCH_TOOL}
_SCRIPT_FIELDS = {"cmd": "command", "q": "query"}
_SCRIPT_ESCAPE = re.compile(r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|(\r?\n)|(.))", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}


def call_piece(tool: str, fields: Iterable[Field], *, role: Role = Role.ASSISTANT, order: int = 0, native: bool = True) -> Piece:
    """The piece of one call; its text is the values of its fields, one a line, by which two forms of a call are told to be one."""
    kept = tuple(dict.fromkeys([field for field in fields if field[1]]))
    return Piece(Kind.CALL, "\n".join([value for _, value in kept]), role, None, tool, kept, order, native)


def function_pieces(name: str, namespace: str | None, arguments: Any, *, native: bool = True) -> tuple[Piece, ...]:
    """The pieces of a `function_call`, whose arguments are JSON in a string."""
    given = decode_arguments(arguments)
    fields: Iterable[Field]
    if name == PATCH_TOOL:
        fields = patch_fields(given.input if isinstance(given.input, str) else "")
    elif name in _SHELL_TOOLS:
        fields = (*command_fields(given.cmd if given.cmd is not None else given.command), *_described(given))
    else:
        fields = _generic_fields(given)
    return (call_piece(qualified_tool(name, namespace), fields, native=native),)


def custom_pieces(name: str, text: str) -> tuple[Piece, ...]:
    """The pieces of a `custom_tool_call`, whose input is free text."""
    if name == SCRIPT_TOOL:
        return script_pieces(text)
    if _PATCH_START in text:
        return (call_piece(PATCH_TOOL, patch_fields(text)),)
    return (call_piece(name, ()),)


def script_pieces(script: str) -> tuple[Piece, ...]:
    """One piece for each tool call in a script of code mode, with the arguments that are plain literals."""
    calls = list(_SCRIPT_CALL.finditer(script))
    patched = [("path", path.strip()) for path in _SCRIPT_PATH.findall(script)] if _PATCH_START in script else []
    pieces = []
    bare = set()
    for index, call in enumerate(calls):
        tool = _SCRIPT_TOOLS.get(call[1] or call[2], call[1] or call[2])
        end = calls[index + 1].start() if index + 1 < len(calls) else len(script)
        fields = patched if tool == PATCH_TOOL else _literal_fields(tool, script, call.end(), end)
        if not fields or tool == PATCH_TOOL:
            if tool in bare:
                continue
            bare.add(tool)
        pieces.append(call_piece(tool, fields, order=index))
    return tuple(pieces) or (call_piece(SCRIPT_TOOL, ()),)


def _literal_fields(tool: str, script: str, start: int, end: int) -> list[Field]:
    fields: list[Field] = []
    for name, literal in _SCRIPT_ARGUMENT.findall(script, start, end):
        field = _SCRIPT_FIELDS.get(name, name)
        if field == "command":
            fields += command_fields(_read_literal(literal))
        elif tool not in _SHELL_TOOLS:
            fields.append((field, _read_literal(literal)))
    return fields


def action_fields(action: Action | None, query: str | None = None) -> list[Field]:
    """The fields of a web search: what was looked for, opened, or found in a page."""
    if action is None:
        return [("query", query or "")]
    queries = [action.query] if action.query else action.queries or []
    fields = [("query", text) for text in queries]
    fields += [("url", action.url or ""), ("pattern", action.pattern or "")]
    return fields if any(value for _, value in fields) else [("query", query or "")]


def command_fields(command: Any) -> list[Field]:
    """A command as it would be typed; of a patch inside it only the paths."""
    text = command_text(command)
    if _PATCH_START not in text:
        return [("command", text)]
    before = text.partition(_PATCH_START)[0].strip()
    return [*([] if before in {"", PATCH_TOOL} else [("command", before)]), *patch_fields(text)]


def command_text(command: Any) -> str:
    """A command line from a string or from an argument vector; a shell that only carries a script is left out."""
    if isinstance(command, str):
        return command.strip()
    if not isinstance(command, list):
        return ""
    words = [word for word in command if isinstance(word, str)]
    if len(words) == 3 and words[1] in _SHELL_FLAGS:
        return words[2].strip()
    if len(words) == 2 and words[1].lstrip().startswith(_PATCH_START):
        return "\n".join(words)
    return shlex.join(words)


def patch_fields(patch: str) -> list[Field]:
    """The paths in the headers of a patch."""
    return [("path", path.strip()) for path in _PATCH_PATH.findall(patch)]


def qualified_tool(name: str, namespace: str | None) -> str:
    """One spelling of a tool: an MCP tool is `mcp__<server>__<tool>` in every version."""
    if namespace and namespace.startswith("mcp__") and not name.startswith("mcp__"):
        return f"{namespace.rstrip('_')}__{name}"
    return name


@lru_cache(maxsize=256)
def local_path(path: str) -> str:
    """A path, where newer clients write a percent-encoded `file:` URI."""
    if not path.startswith("file://"):
        return path
    decoded = unquote(path[len("file://") :].partition("?")[0])
    return decoded[1:] if re.match(r"/[A-Za-z]:", decoded) else decoded


def _described(given: Arguments) -> list[Field]:
    return [("description", _text(value)) for value in (given.description, given.justification) if value is not None]


def _generic_fields(given: Arguments) -> list[Field]:
    fields: list[Field] = []
    for name, value in zip(_FIELD_NAMES, msgspec.structs.astuple(given), strict=True):
        if value is None or name is None:
            continue
        if name == "command":
            fields += command_fields(value)
        elif name == "path":
            fields += [(name, local_path(path)) for path in _texts(value)]
        else:
            fields += [(name, text) for text in _texts(value)]
    return fields


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _texts(value: Any) -> list[str]:
    """The texts in a string, a list of strings, or a list of objects that hold a query (`q`) or a step of a plan."""
    if isinstance(value, str):
        return [value.strip()]
    items = value if isinstance(value, list) else []
    return [_text(item.get("q") or item.get("step")) if isinstance(item, dict) else _text(item) for item in items]


def _read_literal(literal: str) -> str:
    """The value of a JavaScript string literal without substitutions."""
    body = literal[1:-1]
    if "\\" in body:
        body = _SCRIPT_ESCAPE.sub(_unescape, body).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return body.strip()


def _unescape(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code is not None:
        return chr(min(int(code, 16), 0x10FFFF))
    return "" if match[4] else _ESCAPES.get(match[5], match[5])
