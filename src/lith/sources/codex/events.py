"""The lines that tell a person what happens: messages and calls once more, counters, and changes of the session.

Only `codex.parse` uses it.
"""

from typing import Any

from lith.records.record import Kind, Label, Piece
from lith.sources.base import FileContext
from lith.sources.codex import calls, session
from lith.sources.codex.facts import (
    ERROR,
    LARGEST_COUNT,
    META,
    ROLLBACK,
    Facts,
    answer_facts,
    prompt_facts,
    read_usage,
    reasoning_pieces,
    type_name,
)
from lith.sources.codex.structs import Item, Payload


def read_event(payload: Payload, context: FileContext) -> Facts:
    """What an `event_msg` line says."""
    kind = payload.type
    if kind == "token_count":
        info = payload.info
        return Facts("event_msg/token_count", usage=read_usage(info.total_token_usage if info is not None else None))
    if kind == "item_completed" and payload.item is not None:
        return _read_item(payload.item, context)
    name = type_name("event_msg/", kind)
    if kind == "user_message":
        injected = payload.kind not in {None, "plain"}
        return Facts(name, META) if injected else prompt_facts(name, [payload.message or ""])
    if kind == "agent_message":
        return answer_facts(name, [payload.message or ""])
    if kind == "agent_reasoning":
        return Facts(name, 0, reasoning_pieces([payload.text or ""], native=True))
    if kind == "thread_rolled_back":
        turns = str(min(max(payload.num_turns or 0, 0), LARGEST_COUNT))
        return Facts(name, ROLLBACK, (), (("rollback", turns),))
    if kind == "thread_name_updated":
        title = (payload.thread_name or "").strip()
        return Facts(name, 0, (Piece(Kind.PROFILE, title, None, Label.TITLE),) if title else ())
    if kind in {"error", "stream_error"} or (kind == "task_complete" and payload.error is not None):
        return Facts(name, ERROR)
    return _read_call_event(name, payload)


def _read_call_event(name: str, payload: Payload) -> Facts:
    """The end of a tool call: the same call as a response item's, and whether it failed."""
    kind, id_ = payload.type, payload.call_id
    failed = ERROR if payload.exit_code or payload.success is False or payload.status in {"failed", "declined"} else 0
    if kind == "exec_command_end":
        return Facts(name, failed, (_shell_piece(payload.command),), tool_use_id=id_)
    if kind == "patch_apply_end":
        return Facts(name, failed, (_patch_piece(payload.changes),), tool_use_id=id_)
    if kind == "mcp_tool_call_end" and payload.invocation is not None:
        made = payload.invocation
        return Facts(name, failed, _mcp_pieces(made.server, made.tool, made.arguments), tool_use_id=id_)
    if kind == "web_search_end":
        fields = calls.action_fields(payload.action, payload.query)
        return Facts(name, failed, (calls.call_piece(calls.SEARCH_TOOL, fields, native=False),), tool_use_id=id_)
    return Facts(name, failed, tool_use_id=id_, target=payload.new_thread_id)


def _read_item(item: Item, context: FileContext) -> Facts:
    kind = item.type
    name = type_name("event_msg/item_completed/", kind)
    if kind == "UserMessage":
        return prompt_facts(name, [block.text for block in item.content or () if block.text])
    if kind == "AgentMessage":
        return answer_facts(name, [block.text for block in item.content or () if block.text])
    if kind == "Plan":
        return answer_facts(name, [item.text or ""])
    if kind == "Reasoning":
        return Facts(name, 0, reasoning_pieces(item.summary_text or [], native=True))
    failed = ERROR if item.exit_code or item.status in {"failed", "declined"} or item.error is not None else 0
    attributes: tuple[tuple[str, str], ...] = ()
    if kind == "CommandExecution":
        pieces: tuple[Piece, ...] = (_shell_piece(item.command),)
        attributes = session.cwd_attributes(item.cwd, context)
    elif kind == "FileChange":
        pieces = (_patch_piece(item.changes),)
    elif kind == "McpToolCall":
        pieces = _mcp_pieces(item.server, item.tool, item.arguments)
    elif kind == "WebSearch" or (kind == "Extension" and item.kind == "web.search"):
        pieces = (calls.call_piece(calls.SEARCH_TOOL, calls.action_fields(item.action, item.query), native=False),)
    elif kind == "ImageView":
        pieces = (calls.call_piece("view_image", [("path", calls.local_path(item.path or ""))], native=False),)
    elif kind in {"CollabAgentToolCall", "DynamicToolCall"} and item.tool:
        pieces = (calls.call_piece(item.tool, (), native=False),)
    else:
        return Facts(name, failed, tool_use_id=item.id, target=item.agent_thread_id)
    target = item.receiver_thread_ids[0] if item.receiver_thread_ids and len(item.receiver_thread_ids) == 1 else None
    return Facts(name, failed, pieces, attributes, tool_use_id=item.id, target=target)


def _shell_piece(command: Any) -> Piece:
    return calls.call_piece(calls.SHELL_TOOL, calls.command_fields(command), native=False)


def _patch_piece(changes: Any) -> Piece:
    paths = [("path", calls.local_path(path)) for path in changes or ()]
    return calls.call_piece(calls.PATCH_TOOL, paths, native=False)


def _mcp_pieces(server: str | None, tool: str | None, arguments: Any) -> tuple[Piece, ...]:
    return calls.function_pieces(tool or "", f"mcp__{server}" if server else None, arguments, native=False)
