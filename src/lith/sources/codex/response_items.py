"""The lines that hold what the model got and gave: messages, reasoning, calls and their results.

Only `codex.parse` uses it.
"""

import re

from lith.records.record import Kind, Piece, Role
from lith.sources.codex import calls
from lith.sources.codex.classification import person_texts, prompt_text
from lith.sources.codex.facts import CONVERSATION, ERROR, META, TURN, Facts, answer_pieces, reasoning_pieces, type_name
from lith.sources.codex.results import has_failed
from lith.sources.codex.structs import Block, Line, Payload

_TYPED_COMMAND = re.compile(r"\s*<user_shell_command>\s*<command>(.*?)</command>", re.DOTALL)


def read_response_item(payload: Payload, line: Line) -> Facts:
    """What a `response_item` line says."""
    kind = payload.type
    if kind == "message":
        return _read_message(payload, line)
    name = type_name("response_item/", kind)
    if kind == "reasoning":
        blocks = payload.summary if isinstance(payload.summary, list) else []
        return Facts(name, CONVERSATION, reasoning_pieces([b.text for b in blocks if b.text], native=False))
    if kind == "function_call":
        pieces = calls.function_pieces(payload.name or "", payload.namespace, payload.arguments)
        return Facts(name, CONVERSATION, pieces, tool_use_id=payload.call_id)
    if kind == "custom_tool_call":
        pieces = calls.custom_pieces(payload.name or "", payload.input or "")
        return Facts(name, CONVERSATION, pieces, tool_use_id=payload.call_id)
    if kind in {"function_call_output", "custom_tool_call_output", "tool_search_output"}:
        return _read_output(name, payload)
    if kind == "web_search_call":
        piece = calls.call_piece(calls.SEARCH_TOOL, calls.action_fields(payload.action))
        return Facts(name, CONVERSATION, (piece,), tool_use_id=payload.call_id or payload.id)
    if kind == "local_shell_call":
        command = payload.action.command if payload.action is not None else None
        piece = calls.call_piece("local_shell", calls.command_fields(command))
        return Facts(name, CONVERSATION, (piece,), tool_use_id=payload.call_id or payload.id)
    if kind == "tool_search_call":
        pieces = calls.function_pieces("tool_search", None, payload.arguments)
        return Facts(name, CONVERSATION, pieces, tool_use_id=payload.call_id)
    if kind == "image_generation_call":
        piece = calls.call_piece("image_generation", [("description", payload.revised_prompt or "")])
        return Facts(name, CONVERSATION, (piece,), tool_use_id=payload.call_id or payload.id)
    if kind == "agent_message":  # from one agent to another
        return Facts(name, CONVERSATION)
    return Facts(name)


def _read_message(payload: Payload, line: Line) -> Facts:
    role = payload.role
    blocks = _blocks(payload.content)
    if role == "user":
        passthrough = payload.internal_chat_message_metadata_passthrough
        kinds = passthrough.content_item_kinds if passthrough is not None else None
        text = prompt_text(person_texts(blocks, kinds))
        name = "response_item/message/user"
        if not text:
            return _read_typed_command(name, blocks)
        return Facts(name, CONVERSATION | TURN, (Piece(Kind.MESSAGE, text, Role.USER, native=False),))
    if role == "assistant":
        name = "response_item/message/assistant"
        if line.metadata is not None and line.metadata.compaction_output:
            return Facts(name, META)
        return Facts(name, CONVERSATION, answer_pieces([block.text or "" for block in blocks], native=False))
    return Facts(type_name("response_item/message/", role), META)


def _read_typed_command(name: str, blocks: list[Block]) -> Facts:
    """A message with no word of a person in it; but a command that one ran by hand is told in this place."""
    for block in blocks:
        if match := _TYPED_COMMAND.match(block.text or ""):
            piece = calls.call_piece(calls.SHELL_TOOL, calls.command_fields(match[1]), role=Role.USER)
            return Facts(name, CONVERSATION, (piece,))
    return Facts(name, META)


def _read_output(name: str, payload: Payload) -> Facts:
    failed = ERROR if has_failed(memoryview(payload.output)) else 0
    return Facts(name, CONVERSATION | failed, tool_use_id=payload.call_id)


def _blocks(content: list[Block] | str | None) -> list[Block]:
    return [Block(text=content)] if isinstance(content, str) else content or []
