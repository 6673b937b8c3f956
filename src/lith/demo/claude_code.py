"""A demo session in the format of Claude Code: one JSON line per record, each with its parent."""

import re
from collections.abc import Sequence
from typing import Any

from lith.demo.script import Helper, Script, Step
from lith.demo.ticking import Ticking

VERSION = "2.1.332"
MODEL = "claude-opus-5-5"
AGENT_DIGITS = 17

Line = dict[str, Any]


def render(script: Script) -> dict[str, list[Line]]:
    """The files of a session below the client's folder: relative path to lines."""
    folder = f"projects/{re.sub(r'[^A-Za-z0-9]', '-', script.folder)}"
    writer = _Writer(script, sidechain=None)
    for turn in script.turns:
        writer.prompt(turn.prompt)
        writer.steps(turn.steps)
    files = {f"{folder}/{script.id}.jsonl": writer.lines}
    if script.helper is not None:
        agent_id = Ticking(script.id, script.start).short("a", AGENT_DIGITS - 1)
        files |= _render_helper(script, script.helper, writer, f"{folder}/{script.id}/subagents/agent-{agent_id}", agent_id)
    writer.lines.append({"type": "ai-title", "aiTitle": script.title, "sessionId": script.id})
    return files


def _render_helper(script: Script, helper: Helper, writer: "_Writer", stem: str, agent_id: str) -> dict[str, list[Line]]:
    """The sub-agent's own file, and the call and its result in the session that started it."""
    tool_use_id = writer.call("Agent", {"description": "look into it", "prompt": helper.task, "subagent_type": "general-purpose"})
    inner = _Writer(script, sidechain=agent_id)
    inner.prompt(helper.task)
    inner.steps(helper.steps)
    report = helper.steps[-1].say or ""
    writer.result(
        tool_use_id, report, {"status": "completed", "agentId": agent_id, "content": [{"type": "text", "text": report}]}
    )
    writer.steps([Step(say=report)])
    meta = {"agentType": "general-purpose", "description": "look into it", "toolUseId": tool_use_id, "spawnDepth": 1}
    return {f"{stem}.jsonl": inner.lines, f"{stem}.meta.json": [meta]}


class _Writer:
    """The records of one file."""

    def __init__(self, script: Script, *, sidechain: str | None) -> None:
        self.lines: list[Line] = []
        self._script = script
        self._ticking = Ticking(f"{script.id}/{sidechain or ''}", script.start)
        self._sidechain = sidechain
        self._parent: str | None = None
        self._prompt_id = ""

    def prompt(self, text: str) -> None:
        """What a person typed."""
        self._prompt_id = self._ticking.uuid()
        self._add("user", {"role": "user", "content": text}, promptId=self._prompt_id, promptSource="user")

    def steps(self, steps: Sequence[Step]) -> None:
        """What the agent did."""
        for step in steps:
            if step.say is not None:
                self._assistant({"type": "text", "text": step.say})
            elif step.run is not None:
                tool_use_id = self.call("Bash", {"command": step.run, "description": step.why})
                output = {"stdout": step.output, "stderr": "", "interrupted": False, "isImage": False}
                self.result(tool_use_id, step.output, output, failed=step.failed)
            elif step.edit is not None:
                path = f"{self._script.folder}/{step.edit}"
                tool_use_id = self.call("Edit", {"file_path": path, "old_string": step.old, "new_string": step.new})
                output = {"filePath": path, "oldString": step.old, "newString": step.new}
                self.result(tool_use_id, f"The file {path} has been updated.", output)

    def call(self, tool: str, arguments: dict[str, str]) -> str:
        """A tool call; returns its id."""
        tool_use_id = self._ticking.short("toolu_")
        self._assistant({"type": "tool_use", "id": tool_use_id, "name": tool, "input": arguments})
        return tool_use_id

    def result(self, tool_use_id: str, text: str, detail: dict[str, Any], *, failed: bool = False) -> None:
        """What came back from a tool."""
        block = {"tool_use_id": tool_use_id, "type": "tool_result", "content": text, "is_error": failed}
        self._add(
            "user",
            {"role": "user", "content": [block]},
            promptId=self._prompt_id,
            toolUseResult=detail,
            sourceToolAssistantUUID=self._parent,
        )

    def _assistant(self, block: dict[str, Any]) -> None:
        size = len(str(block))
        usage = {
            "input_tokens": 900 + 3 * size,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 4_200,
            "output_tokens": 20 + size // 4,
        }
        stop = "tool_use" if block["type"] == "tool_use" else "end_turn"
        message = {
            "id": self._ticking.short("msg_"),
            "type": "message",
            "role": "assistant",
            "model": MODEL,
            "content": [block],
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": usage,
        }
        self._add("assistant", message, requestId=self._ticking.short("req_", 20), apiBlockIndex=0)

    def _add(self, kind: str, message: dict[str, Any], **more: Any) -> None:
        line: Line = {"parentUuid": self._parent, "isSidechain": self._sidechain is not None}
        if self._sidechain is not None:
            line["agentId"] = self._sidechain
        self._parent = self._ticking.uuid()
        line |= {"type": kind, "message": message, "uuid": self._parent, "timestamp": self._ticking.tick(), **more}
        line |= {
            "userType": "external",
            "entrypoint": "cli",
            "cwd": self._script.folder,
            "sessionId": self._script.id,
            "version": VERSION,
            "gitBranch": self._script.branch,
        }
        self.lines.append(line)
