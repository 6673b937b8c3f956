"""A little world for sync: a root of session files that a test changes as clients (and accidents) do, and the map made from it."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from backports import zstd

from lith.ingest import Progress, RootSpec, SyncReport, SyncRequest, sync
from lith.sources.registry import get_source


class World:
    """A root of one client, a data directory, and the syncs between them."""

    def __init__(self, base: Path, source: str) -> None:
        self.base = base
        self.source = source
        self.root = base / "root"
        self.root.mkdir(parents=True, exist_ok=True)
        self.data = base / "data"

    @property
    def map(self) -> Path:
        return self.data / "map.sqlite"

    def sync(
        self,
        data: Path | None = None,
        progress: Callable[[Progress], None] = lambda _: None,
        lock_wait_seconds: float = 30.0,
        **options: Any,
    ) -> SyncReport:
        return sync(
            SyncRequest(roots=(RootSpec(self.source, self.root),), **options),
            data_dir=data or self.data,
            sources={self.source: get_source(self.source)},
            clock=lambda: 1_800_000_000_000,
            progress=progress,
            lock_wait_seconds=lock_wait_seconds,
        )

    def path(self, name: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def write(self, name: str, data: bytes) -> None:
        self.path(name).write_bytes(data)

    def append(self, name: str, data: bytes) -> None:
        with self.path(name).open("ab") as file:
            file.write(data)

    def truncate(self, name: str, size: int) -> None:
        os.truncate(self.path(name), size)

    def compress(self, name: str) -> str:
        path = self.path(name)
        packed = path.with_name(path.name + ".zst")
        packed.write_bytes(zstd.compress(path.read_bytes()))
        path.unlink()
        return name + ".zst"


def claude_user(number: int, session: str, text: str, *, parent: str | None = None, agent: str | None = None) -> bytes:
    """A line as Claude Code writes it for a typed prompt."""
    record: dict[str, Any] = {
        "parentUuid": parent,
        "isSidechain": agent is not None,
        "type": "user",
        "message": {"role": "user", "content": text},
        "uuid": record_uuid(number),
        "timestamp": moment(number),
        "cwd": "/home/dev/shop",
        "sessionId": session,
        "version": "2.1.50",
        "gitBranch": "main",
        "promptId": record_uuid(number + 500_000),
    }
    if agent:
        record["agentId"] = agent
    return line(record)


def claude_assistant(
    number: int, session: str, *blocks: dict[str, Any], parent: str | None = None, message: str | None = None
) -> bytes:
    """A line as Claude Code writes it for a block of an answer."""
    return line(
        {
            "parentUuid": parent,
            "isSidechain": False,
            "message": {
                "id": message or f"msg_{number:024x}",
                "type": "message",
                "role": "assistant",
                "model": "claude-opus-5-5",
                "content": list(blocks),
                "usage": {"input_tokens": 10, "output_tokens": 3, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 0},
            },
            "type": "assistant",
            "uuid": record_uuid(number),
            "timestamp": moment(number),
            "cwd": "/home/dev/shop",
            "sessionId": session,
            "version": "2.1.50",
        }
    )


def text_block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def bash_block(number: int, command: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{number:022x}", "name": "Bash", "input": {"command": command}}


def record_uuid(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012x}"


def moment(number: int) -> str:
    return f"2026-03-01T{number // 3600 % 24:02d}:{number // 60 % 60:02d}:{number % 60:02d}.000Z"


def line(record: dict[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def codex_meta(number: int, thread: str, *, parent: str | None = None) -> bytes:
    """A `session_meta` line as Codex writes it."""
    payload: dict[str, Any] = {
        "id": thread,
        "timestamp": moment(number),
        "cwd": "/home/dev/shop",
        "cli_version": "0.125.0",
        "source": "cli",
    }
    if parent:
        payload |= {"forked_from_id": parent}
    return line({"timestamp": moment(number), "type": "session_meta", "payload": payload})


def codex_item(number: int, role: str, text: str) -> bytes:
    """A `response_item` message."""
    block = {"type": "input_text" if role == "user" else "output_text", "text": text}
    return line(
        {"timestamp": moment(number), "type": "response_item", "payload": {"type": "message", "role": role, "content": [block]}}
    )


def codex_event(number: int, type_: str, text: str) -> bytes:
    """The event form of a message."""
    return line({"timestamp": moment(number), "type": "event_msg", "payload": {"type": type_, "message": text}})


def codex_call(number: int, command: str) -> bytes:
    """A shell call."""
    arguments = json.dumps({"cmd": command})
    payload = {"type": "function_call", "name": "exec_command", "arguments": arguments, "call_id": f"call_{number}"}
    return line({"timestamp": moment(number), "type": "response_item", "payload": payload})
