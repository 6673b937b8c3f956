"""The record types that Claude Code is known to write, over all versions.

Only the adapter uses it. A type that is not here is kept and counted like any other; it is news for whoever maintains the adapter.
"""

_PLAIN = """
    user assistant summary system attachment progress
    file-history-snapshot file-history-delta queue-operation last-prompt pr-link
    custom-title ai-title agent-name agent-color agent-setting tag task-summary
    mode permission-mode worktree-state bridge-session content-replacement attribution-snapshot speculation-accept
    marble-origami-commit marble-origami-snapshot goal goal-cleared
    api-request api-request-blob api-request-shape cost-state tools-used atis-latch
"""

_SUBTYPES = {
    "system": """
        compact_boundary microcompact_boundary local_command informational api_error api_metrics stop_hook_summary turn_duration
        away_summary bridge_status permission_retry scheduled_task_fire memory_saved agents_killed model_refusal_fallback
    """,
    "progress": """
        agent_progress bash_progress powershell_progress hook_progress mcp_progress query_update search_results_received
        skill_progress waiting_for_task repl_tool_call
    """,
    "attachment": """
        queued_command file directory already_read_file compact_file_reference pdf_reference edited_text_file edited_image_file
        selected_lines_in_ide opened_file_in_ide nested_memory relevant_memories current_session_memory diagnostics
        plan_mode plan_mode_reentry plan_mode_exit plan_file_reference auto_mode auto_mode_exit critical_system_reminder
        todo todo_reminder task_reminder task_status task_progress unified_tasks background_task_status
        async_hook_response hook_success hook_additional_context hook_blocking_error hook_non_blocking_error hook_cancelled
        hook_error_during_execution hook_stopped_continuation hook_permission_decision hook_system_message
        skill_listing dynamic_skill invoked_skills skill_discovery output_style mcp_resource mcp_instructions_delta
        agent_mention agent_listing_delta deferred_tools_delta deferred_tools_record teammate_mailbox team_context
        token_usage total_tokens_reminder output_token_usage budget_usd compaction_reminder context_efficiency
        companion_intro verify_plan_reminder max_turns_reached ultrathink_effort ultramemory structured_output
        command_permissions command_queue date date_change environment model session_context prompt_snapshot
        credential_org remote_session_change
    """,
}

_KNOWN = frozenset(_PLAIN.split()) | {
    f"{type_}/{subtype}" for type_, subtypes in _SUBTYPES.items() for subtype in subtypes.split()
}


def knows_type(type: str) -> bool:
    """Whether the adapter was written for records of this type."""
    return type in _KNOWN
