"""What a text in a rollout is: a person's words, a model's words, or something that the client put in.

Only `sources.codex` uses it. Both forms of a message (event and response item) pass through the same functions, because the
arrangement can only see that two texts are one message when their hashes are equal.
"""

import re
from collections.abc import Sequence

from lith.sources.codex.structs import Block

_INJECTED_TAGS = frozenset(
    {
        "additional_context",
        "agent_message_board_notification",
        "apps_instructions",
        "codex_internal_context",
        "collaboration_mode",
        "context_window",
        "environment_context",
        "environments",
        "extension_context",
        "goal_context",
        "hook_prompt",
        "in-app-browser-context",
        "instructions",
        "model_switch",
        "permissions",
        "personality_spec",
        "realtime_conversation",
        "recommended_plugins",
        "skill",
        "skills_instructions",
        "subagent_notification",
        "turn_aborted",
        "user_action",
        "user_goal_update",
        "user_instructions",
        "user_shell_command",
    }
)
_INJECTED_STARTS = (
    "Another language model started to solve this problem",
    "Here is a list of plugins that are available but not installed.",
    "Warning: The maximum number of unified exec processes",
    "Warning: Your account was flagged for potentially high-risk cyber activity",
    "Warning: apply_patch was requested via ",
)
_AGENTS_START = "# agents.md instructions"
_TAG = re.compile(r"<([A-Za-z_][\w-]*)(?=[\s>])")
_IMAGE_TAG = re.compile(r"\s*</?image(?:\s[^<>]*)?>\s*\Z")
_EDITOR_STARTS = (
    "# Context from my IDE setup:",
    "# Files mentioned by the user:",
    "This block is automatically supplied ambient UI state",
)
_EDITOR_REQUEST = "## My request for Codex:"
_LOOK = 256  # characters of a text that are enough to see how it begins
_FAR = 65_536  # characters in which an editor's preamble ends
_CITATION = re.compile(r"<oai-mem-citation>.*?(?:</oai-mem-citation>|\Z)", re.DOTALL)
_PLAN = re.compile(r"<proposed_plan>(.*?)(?:</proposed_plan>|\Z)", re.DOTALL)
_SUMMARY_LEAD = re.compile(r"Another language model started to solve this problem[^\n]*:\n")
CLIENT_ANSWERS = frozenset({"Compact task completed"})
"""Texts that the client itself writes as an agent's message."""


def is_injected(text: str) -> bool:
    """Whether a whole text of role user is the client's, not a person's."""
    start = text[:_LOOK].lstrip()
    if not start:
        return False
    if start[0] == "<":
        match = _TAG.match(start)
        if match is None or (tag := match[1].lower()) not in _INJECTED_TAGS:
            return False
        close = text.lower().rfind(f"</{tag}")
        return close < 0 or not text[close:].partition(">")[2].strip()
    if start[0] == "#":
        return start[: len(_AGENTS_START)].lower() == _AGENTS_START and "<INSTRUCTIONS>" in text
    return start.startswith(_INJECTED_STARTS)


def person_texts(content: Sequence[Block], kinds: Sequence[str] | None) -> list[str]:
    """The texts of a user message's blocks that a person wrote; `kinds` is the client's own word for each, if it gave one.

    A message with one injected block is injected as a whole for clients without `kinds`, as they treat it so themselves.
    """
    if kinds is not None and len(kinds) == len(content):
        named = zip(content, kinds, strict=True)
        texts = [block.text for block, kind in named if block.text and kind.startswith(("user.", "unknown"))]
        return [text for text in texts if not is_injected(text)]
    texts = [block.text for block in content if block.text]
    return [] if any(map(is_injected, texts)) else texts


def prompt_text(parts: Sequence[str]) -> str:
    """What a person wrote, from the text blocks of a prompt: without the tags around images, and without an editor's preamble."""
    text = parts[0] if len(parts) == 1 else "".join([part for part in parts if not _IMAGE_TAG.match(part)])
    text = text.strip()
    if _EDITOR_REQUEST in text[:_FAR] and text.startswith((*_EDITOR_STARTS, _EDITOR_REQUEST)):
        return text.partition(_EDITOR_REQUEST)[2].strip()
    return text


def answer_texts(text: str) -> tuple[str, ...]:
    """What a model said, from one text block: the text without citations, and each plan in it as a text of its own."""
    if "<" in text:
        if "<oai-mem-citation>" in text:
            text = _CITATION.sub("", text)
        if "<proposed_plan>" in text:
            plans = [plan.strip() for plan in _PLAN.findall(text)]
            return tuple(part for part in (_PLAN.sub("", text).strip(), *plans) if part)
    text = text.strip()
    return (text,) if text and text not in CLIENT_ANSWERS else ()


def summary_text(message: str) -> str:
    """A compaction summary without the fixed sentence that the client puts before it."""
    match = _SUMMARY_LEAD.match(message)
    return (message[match.end() :] if match else message).strip()


_RESPONSE_ITEMS = (
    "message agent_message reasoning local_shell_call function_call function_call_output custom_tool_call custom_tool_call_output "
    "tool_search_call tool_search_output web_search_call image_generation_call ghost_snapshot compaction compaction_summary "
    "context_compaction additional_tools other"
)
_EVENTS = (
    "user_message agent_message agent_reasoning agent_reasoning_raw_content agent_reasoning_section_break token_count error warning "
    "stream_error task_started task_complete turn_started turn_complete turn_aborted turn_diff thread_rolled_back thread_name_updated "
    "thread_goal_updated thread_settings_applied context_compacted entered_review_mode exited_review_mode undo_started undo_completed "
    "exec_command_begin exec_command_end patch_apply_begin patch_apply_end mcp_tool_call_begin mcp_tool_call_end web_search_begin "
    "web_search_end image_generation_end view_image_tool_call plan_update background_event guardian_assessment sub_agent_activity "
    "collab_agent_spawn_end collab_agent_interaction_end collab_waiting_end collab_close_end collab_resume_end "
    "dynamic_tool_call_request dynamic_tool_call_response item_started model_reroute deprecation_notice"
)
_ITEMS = (
    "UserMessage HookPrompt AgentMessage Plan Reasoning CommandExecution DynamicToolCall CollabAgentToolCall SubAgentActivity WebSearch "
    "ImageView Sleep ImageGeneration FileChange McpToolCall ContextCompaction Extension"
)
_ROLES = "user assistant developer system"
KNOWN_TYPES = frozenset(
    {
        "session_meta",
        "turn_context",
        "compacted",
        "world_state",
        "token_usage_record",
        "inter_agent_communication",
        "inter_agent_communication_metadata",
        "state",
        *(f"response_item/{name}" for name in _RESPONSE_ITEMS.split()),
        *(f"response_item/message/{role}" for role in _ROLES.split()),
        *(f"event_msg/{name}" for name in _EVENTS.split()),
        *(f"event_msg/item_completed/{name}" for name in _ITEMS.split()),
    }
)
"""The record types this adapter was written for."""

BARE_ITEMS = frozenset(_RESPONSE_ITEMS.split())
"""The types of the oldest files, whose lines are response items without an envelope."""

TEXT_TYPES = frozenset(
    {
        "response_item/message/assistant",
        "event_msg/user_message",
        "event_msg/agent_message",
        "event_msg/item_completed/UserMessage",
        "event_msg/item_completed/AgentMessage",
    }
)
"""The record types that are expected to give messages."""
