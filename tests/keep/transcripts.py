"""Transcripts for the pruner: real ones, and made ones with everything in them that a client writes or a crash leaves."""

import json
import uuid
from pathlib import Path
from typing import Any

from lith.scrub import wrap_sentinel

REAL = sorted((Path(__file__).parents[1] / "data" / "claude_code").rglob("*.jsonl"))
SESSION = "5e551011-aaaa-4bbb-8ccc-000000000000"
LONG = "\n".join(f"{number}: 출력 output line of some tool {number * 7919}" for number in range(200))

NAMES = """
    prompt answer call thinking mixed progress snapshot title mode queue image picture_result error recalled hook wall log joined garbage
    blank orphan twin branch summary odd_numbers spilled big_input prompt_snapshot lone
"""
KINDS = NAMES.split()


class Writer:
    """Writes records one after the other, each the child of the one before."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.parent: str | None = None
        self.uuids: list[str] = []
        self.number = 0

    def id(self) -> str:
        self.number += 1
        return str(uuid.UUID(int=self.number << 64 | 0x4000 << 48, version=4))

    def add(self, type: str, *, chain: bool = True, **fields: Any) -> str:
        own = self.id()
        head = {"parentUuid": self.parent, "isSidechain": False} if chain else {}
        record = {**head, "type": type, **fields, "sessionId": SESSION}
        if chain:
            record |= {"uuid": own, "timestamp": f"2026-01-05T09:{self.number // 60 % 60:02d}:{self.number % 60:02d}.000Z"}
            self.parent = own
            self.uuids.append(own)
        self.raw(json.dumps(record, ensure_ascii=self.number % 2 == 0, separators=(",", ":")).encode())
        return own

    def raw(self, data: bytes) -> None:
        self.lines.append(data + b"\n")

    def write(self, kind: str) -> None:
        getattr(self, f"_{kind}")()

    def _prompt(self) -> None:
        self.add("user", message={"role": "user", "content": f"please do {self.number}, 부탁합니다 " + "word " * 100})

    def _answer(self) -> None:
        content = [{"type": "text", "text": "an answer \u2028 " + "long " * 600}]
        self.add("assistant", message={"id": f"m{self.number}", "role": "assistant", "content": content})

    def _call(self, output: Any = LONG, result: Any = None, **block: Any) -> None:
        call = f"toolu_{self.number}"
        use = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": "ls", "timeout": 1.0}}
        self.add("assistant", message={"id": f"m{self.number}", "role": "assistant", "content": [use]})
        content = [{"tool_use_id": call, "type": "tool_result", "content": output, "is_error": False, **block}]
        self.add(
            "user", message={"role": "user", "content": content}, toolUseResult=result or {"stdout": LONG + "x", "stderr": ""}
        )

    def _thinking(self) -> None:
        content = [{"type": "thinking", "thinking": "hm", "signature": "c2ln" * 30}]
        self.add("assistant", message={"id": f"m{self.number}", "role": "assistant", "content": content})

    def _mixed(self) -> None:
        content = [{"type": "thinking", "thinking": "hm " * 90, "signature": "c2ln" * 30}, {"type": "text", "text": "said"}]
        self.add("assistant", message={"id": f"m{self.number}", "role": "assistant", "content": content})

    def _progress(self) -> None:
        self.add("progress", data={"type": "bash_progress", "output": "x" * 300}, toolUseID="t")

    def _snapshot(self) -> None:
        last = self.uuids[0] if self.uuids else "none"
        self.add("file-history-snapshot", chain=False, messageId=last, snapshot={"messageId": last, "files": {"a": 1}})

    def _title(self) -> None:
        self.add("ai-title", chain=False, aiTitle=f"title {self.number}")

    def _mode(self) -> None:
        self.add("mode", chain=False, mode="plan" if self.number % 2 else "normal")

    def _queue(self) -> None:
        self.add("queue-operation", chain=False, operation="enqueue", content="typed while busy")

    def _image(self) -> None:
        source = {"type": "base64", "media_type": "image/png", "data": "aGVsbG8h" * 200}
        self.add(
            "user", message={"role": "user", "content": [{"type": "text", "text": "look"}, {"type": "image", "source": source}]}
        )

    def _picture_result(self) -> None:
        source = {"type": "base64", "media_type": "image/png", "data": "aGVsbG8h" * 200}
        result = {"type": "image", "file": {"base64": "aGVsbG8h" * 200, "type": "image/png", "originalSize": 1200}}
        self._call([{"type": "image", "source": source}, {"type": "text", "text": LONG}], result)

    def _error(self) -> None:
        self._call("Error: " + LONG, "Error: " + LONG, is_error=True)

    def _recalled(self) -> None:
        self._call(wrap_sentinel("what was said once " * 20, [f"claude_code:{SESSION}#12"]), {"stdout": "short"})

    def _hook(self) -> None:
        text = wrap_sentinel("what was said once " * 20, ["claude_code:abc#1", "claude_code:abc#2"])
        self.add("attachment", attachment={"type": "hook_additional_context", "content": [text], "hookName": "SessionStart"})

    def _wall(self) -> None:
        before, kept = self.parent, self.uuids[-3:]
        self.parent = None
        segment = {"headUuid": kept[0], "anchorUuid": kept[-1], "tailUuid": kept[-1]} if kept else {}
        wall = self.add(
            "system",
            subtype="compact_boundary",
            logicalParentUuid=before,
            compactMetadata={
                "trigger": "auto",
                "preTokens": 9,
                "preservedSegment": segment,
                "preservedMessages": {"uuids": kept},
            },
        )
        assert wall == self.parent
        self.add("user", isCompactSummary=True, message={"role": "user", "content": "This session is being continued … " * 20})

    def _log(self) -> None:
        self.add("api-request-blob", chain=False, hash="ab", message={"role": "user", "content": "again " * 50})
        self.add("system", subtype="turn_duration", durationMs=12)

    def _joined(self) -> None:
        self.add("user", message={"role": "user", "content": "one of two " * 30})
        first = self.lines.pop()[:-1]
        self._snapshot()
        self.raw(first + self.lines.pop()[:-1])

    def _garbage(self) -> None:
        self.raw(b'{"type":"user","uuid":"broken')

    def _blank(self) -> None:
        self.raw(b"  ")

    def _orphan(self) -> None:
        self.parent = "00000000-dead-4000-8000-000000000000"
        self._progress()
        self._answer()

    def _twin(self) -> None:
        if self.lines:
            self.lines.append(self.lines[-1])

    def _branch(self) -> None:
        if len(self.uuids) > 2:
            self.parent = self.uuids[len(self.uuids) // 2]
        self._prompt()

    def _summary(self) -> None:
        self.add("summary", chain=False, summary="what it was", leafUuid=self.uuids[0] if self.uuids else "none")

    def _odd_numbers(self) -> None:
        own = self.id()
        raw = (
            f'{{"uuid":"{own}","n":1.0,"big":123456789012345678901234567890,"e":1E3,"parentUuid":%s,"type":"user","message":'
            % (json.dumps(self.parent))
        )
        raw += f'{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{own}","content":{json.dumps(LONG)}}}]}},'
        self.raw(
            (raw + f'"toolUseResult":{{"x":-0,"long":{json.dumps(LONG)},"list":{json.dumps(LONG.split(chr(10)))}}}}}').encode()
        )
        self.parent = own
        self.uuids.append(own)

    def _spilled(self) -> None:
        self._call("<persisted-output> preview", {"stdout": LONG, "persistedOutputPath": "/x/tool-results/a.txt"})

    def _big_input(self) -> None:
        use = {"type": "tool_use", "id": f"w{self.number}", "name": "Write", "input": {"file_path": "/a", "content": LONG}}
        self.add("assistant", message={"id": f"m{self.number}", "role": "assistant", "content": [use]})
        self.add(
            "user",
            message={"role": "user", "content": [{"tool_use_id": f"w{self.number - 1}", "type": "tool_result", "content": "ok"}]},
        )

    def _prompt_snapshot(self) -> None:
        self.add("attachment", attachment={"type": "prompt_snapshot", "systemPrompt": ["filler " * 60]})

    def _lone(self) -> None:
        self.raw(b'{"type":"user","uuid":"%s","message":{"content":"\\ud83d %s"}}' % (self.id().encode(), b"x" * 3000))


def make(kinds: list[str], *, final_newline: bool = True, start: int = 0) -> bytes:
    """A transcript of records of these kinds; `start` makes their ids others."""
    writer = Writer()
    writer.number = start
    for kind in kinds:
        writer.write(kind)
    data = b"".join(writer.lines)
    return data if final_newline else data[:-1]


EVERYTHING = make([*KINDS, "snapshot", "mode", "title", "prompt_snapshot", "prompt", "thinking", "call"])
