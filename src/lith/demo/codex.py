"""A demo session in the format of Codex: a rollout file of `{timestamp, type, payload}` lines."""

import json
from collections.abc import Sequence
from typing import Any

from lith.demo.script import Script, Step
from lith.demo.ticking import Ticking

VERSION = "0.171.0"
MODEL = "gpt-5"

Line = dict[str, Any]


def render(script: Script) -> dict[str, list[Line]]:
    """The files of a session below the client's folder: relative path to lines."""
    day, _, time = script.start.removesuffix("Z").partition("T")
    name = f"rollout-{day}T{time.replace(':', '-')}-{script.id}.jsonl"
    writer = _Writer(script)
    for turn in script.turns:
        writer.turn(turn.prompt, turn.steps)
    writer.event({"type": "thread_name_updated", "thread_id": script.id, "thread_name": script.title})
    return {f"sessions/{day.replace('-', '/')}/{name}": writer.lines}


class _Writer:
    """The lines of one rollout."""

    def __init__(self, script: Script) -> None:
        self.lines: list[Line] = []
        self._script = script
        self._ticking = Ticking(script.id, script.start)
        self._turn_id = ""
        self._total = 0
        meta = {
            "session_id": script.id,
            "id": script.id,
            "timestamp": script.start,
            "cwd": script.folder,
            "originator": "codex_cli",
            "cli_version": VERSION,
            "source": "cli",
            "thread_source": "user",
            "model_provider": "openai",
            "history_mode": "paginated",
            "git": {"branch": script.branch},
        }
        self._add("session_meta", meta)

    def turn(self, prompt: str, steps: Sequence[Step]) -> None:
        """One prompt and what was done about it."""
        self._turn_id = self._ticking.uuid()
        self.event({"type": "task_started", "turn_id": self._turn_id, "model_context_window": 258_400})
        self._add(
            "turn_context",
            {"turn_id": self._turn_id, "cwd": self._script.folder, "model": MODEL, "approval_policy": "on-request"},
        )
        self._message("user", prompt)
        for step in steps:
            if step.say is not None:
                self._message("assistant", step.say)
            elif step.run is not None:
                self._call("exec_command", {"cmd": step.run}, step)
            elif step.edit is not None:
                self._call("apply_patch", {"input": _patch(step)}, step)
        self.event({"type": "task_complete", "turn_id": self._turn_id, "last_agent_message": steps[-1].say})

    def event(self, payload: dict[str, Any]) -> None:
        """An event of the client."""
        self._add("event_msg", payload)

    def _message(self, role: str, text: str) -> None:
        """A message, in the two forms in which the client writes it."""
        message_id = self._ticking.short("msg_", 32)
        kind, item, part = ("input_text", "UserMessage", "text") if role == "user" else ("output_text", "AgentMessage", "Text")
        content = [{"type": kind, "text": text}]
        self._add("response_item", {"type": "message", "id": message_id, "role": role, "content": content})
        self._item({"type": item, "id": message_id, "content": [{"type": part, "text": text}]})

    def _call(self, name: str, arguments: dict[str, str], step: Step) -> None:
        call_id = self._ticking.short("call_", 20)
        self._add(
            "response_item",
            {
                "type": "function_call",
                "id": self._ticking.short("fc_"),
                "name": name,
                "arguments": json.dumps(arguments),
                "call_id": call_id,
            },
        )
        if step.run is not None:
            item = {
                "type": "CommandExecution",
                "id": call_id,
                "command": ["/bin/bash", "-lc", step.run],
                "cwd": f"file://{self._script.folder}",
                "status": "failed" if step.failed else "completed",
                "aggregated_output": step.output,
                "exit_code": int(step.failed),
            }
            self._item(item)
        output = f"Process exited with code {int(step.failed)}\nOutput:\n{step.output}"
        self._add("response_item", {"type": "function_call_output", "call_id": call_id, "output": output})
        self._total += 1_400 + len(step.output)
        usage = {"input_tokens": self._total, "cached_input_tokens": self._total // 2, "output_tokens": self._total // 20}
        self.event({"type": "token_count", "info": {"total_token_usage": usage, "last_token_usage": usage}})

    def _item(self, item: dict[str, Any]) -> None:
        self.event({"type": "item_completed", "thread_id": self._script.id, "turn_id": self._turn_id, "item": item})

    def _add(self, kind: str, payload: dict[str, Any]) -> None:
        self.lines.append({"timestamp": self._ticking.tick(), "ordinal": len(self.lines), "type": kind, "payload": payload})


def _patch(step: Step) -> str:
    removed = "\n".join(f"-{line}" for line in step.old.splitlines())
    added = "\n".join(f"+{line}" for line in step.new.splitlines())
    return f"*** Begin Patch\n*** Update File: {step.edit}\n@@\n{removed}\n{added}\n*** End Patch"
