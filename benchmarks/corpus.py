"""A seeded corpus of coding sessions with the byte shares of real ones: most of it tool output, two hundredths of it talk.

    python -m benchmarks.corpus OUT --mb 80 --session-mb 80 [--source claude_code|codex] [--seed 1]

The same arguments give the same bytes. Shares of a Claude Code session that this aims at (percent of bytes): toolUseResult 37, progress
22, tool results 13, envelope 9.5, thinking signatures 4, tool inputs 4, usage 3, images 3, thinking 1, attachments 1, assistant text 1,
user text 0.75.
"""

import argparse
import base64
import json
import math
import random
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path
from typing import Any

WORDS = 12_000
PATHS = 1_500
START = datetime(2026, 1, 5, 9, tzinfo=UTC)
TOOLS = ("Bash", "Read", "Edit", "Grep", "Bash", "Read")
SUFFIXES = (".py", ".ts", ".go", ".md", ".json", ".rs")


class Voice:
    """Words, file names and output drawn from one seeded vocabulary with the frequencies of natural text."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        letters, vowels = "bcdfghklmnprstvw", "aeiou"
        vocabulary: list[str] = []
        seen = set()
        while len(vocabulary) < WORDS:
            word = "".join(self.random.choice(letters) + self.random.choice(vowels) for _ in range(self.random.randint(1, 4)))
            if word not in seen:
                seen.add(word)
                vocabulary.append(word)
        self.vocabulary = vocabulary
        self._cumulative = list(accumulate(1 / (rank + 2.7) for rank in range(WORDS)))
        self.paths = [self._new_path() for _ in range(PATHS)]
        self._path_weights = list(accumulate(1 / (rank + 2.7) for rank in range(PATHS)))
        self.pool = self._output_pool()

    def words(self, count: int) -> str:
        """A sentence-like run of words."""
        return " ".join(self.random.choices(self.vocabulary, cum_weights=self._cumulative, k=count))

    def path(self) -> str:
        """A file path as tools name it; few files are touched again and again, as in real work."""
        return self.random.choices(self.paths, cum_weights=self._path_weights)[0]

    def _new_path(self) -> str:
        parts = self.random.choices(self.vocabulary[:400], k=3)
        return f"/home/dev/{parts[0]}/src/{parts[1]}_{parts[2]}{self.random.choice(SUFFIXES)}"

    def output(self, size: int) -> str:
        """`size` characters of tool output, cut from a pool: generating words for most of the bytes would be slow and say nothing."""
        start = self.random.randrange(len(self.pool) - 1)
        piece = self.pool[start : start + size]
        while len(piece) < size:
            piece += self.pool[: size - len(piece)]
        return piece

    def size(self, median: float, sigma: float, top: int) -> int:
        """A length of a log-normal distribution, at most `top`."""
        return min(top, max(1, int(math.exp(self.random.gauss(math.log(median), sigma)))))

    def blob(self, size: int) -> str:
        """Base64 of random bytes."""
        return base64.b64encode(self.random.randbytes(size * 3 // 4)).decode()

    def _output_pool(self) -> str:
        lines = []
        for number in range(12_000):
            shape = self.random.random()
            if shape < 0.5:
                lines.append(f"{number:5d}\t    {self.words(6)} = {self.words(1)}({self.words(2)})")
            elif shape < 0.8:
                lines.append(f"{self.path()}:{number}: {self.words(8)}")
            else:
                lines.append(f"[{number}] {self.words(10)}")
        return "\n".join(lines)


def claude_session(voice: Voice, number: int, size: int, bulk: float = 1.0) -> Iterator[bytes]:
    """The lines of one Claude Code session of about `size` bytes."""
    rnd = voice.random
    session = str(uuid.UUID(int=rnd.getrandbits(128), version=4))
    clock = START + timedelta(hours=7 * number)
    parent: str | None = None
    written = 0

    def record(type_: str, **fields: Any) -> bytes:
        nonlocal parent, clock, written
        clock += timedelta(milliseconds=rnd.randint(200, 9000))
        own = str(uuid.UUID(int=rnd.getrandbits(128), version=4))
        head = {"parentUuid": parent, "isSidechain": False, "userType": "external", "cwd": f"/home/dev/project{number % 9}"}
        head |= {"sessionId": session, "version": "2.1.50", "gitBranch": "main", "slug": "quiet-otter", "type": type_}
        stamp = clock.strftime("%Y-%m-%dT%H:%M:%S.") + f"{clock.microsecond // 1000:03d}Z"
        data = (
            json.dumps({**head, **fields, "uuid": own, "timestamp": stamp}, ensure_ascii=False, separators=(",", ":")).encode()
            + b"\n"
        )
        parent = own
        written += len(data)
        return data

    def assistant(message: str, block: dict[str, Any]) -> bytes:
        usage: dict[str, Any] = {"input_tokens": rnd.randint(3, 900), "cache_creation_input_tokens": rnd.randint(0, 4000)}
        usage |= {"cache_read_input_tokens": rnd.randint(9000, 150_000), "output_tokens": rnd.randint(20, 900)}
        usage |= {"cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0}, "service_tier": "standard"}
        body = {
            "id": message,
            "type": "message",
            "role": "assistant",
            "model": "claude-opus-5-5",
            "content": [block],
            "stop_reason": None,
            "usage": usage,
        }
        return record("assistant", message=body, requestId=f"req_{rnd.getrandbits(80):020x}")

    while written < size:
        prompt = str(uuid.UUID(int=rnd.getrandbits(128), version=4))
        yield record("user", promptId=prompt, message={"role": "user", "content": voice.words(voice.size(45, 1.0, 4000))})
        for _ in range(voice.size(7, 0.7, 60)):
            if written >= size:
                break
            message, tool_id = f"msg_{rnd.getrandbits(96):024x}", f"toolu_{rnd.getrandbits(96):024x}"
            if rnd.random() < 0.6:
                yield assistant(
                    message, {"type": "thinking", "thinking": voice.words(25), "signature": voice.blob(int(580 * bulk))}
                )
            if rnd.random() < 0.45:
                yield assistant(message, {"type": "text", "text": voice.words(voice.size(24, 0.8, 2000))})
            tool = rnd.choice(TOOLS)
            output = voice.output(1 + int(bulk * voice.size(399, 2.06, 400_000)))
            yield assistant(message, {"type": "tool_use", "id": tool_id, "name": tool, "input": _tool_input(voice, tool)})
            for _ in range(rnd.choice((0, 1, 1, 2))):
                nested = {
                    "type": "assistant",
                    "message": {
                        "role": "assistant",
                        "content": [{"type": "text", "text": voice.output(1 + int(bulk * voice.size(1000, 0.9, 20_000)))}],
                    },
                }
                yield record("progress", data={"type": "agent_progress", "message": nested, "prompt": ""}, toolUseID=tool_id)
            content: Any = output[: max(200, len(output) // 3)]
            result: Any = {
                "stdout": output,
                "stderr": "",
                "interrupted": False,
                "isImage": False,
                "returnCodeInterpretation": None,
            }
            if rnd.random() < 0.004 * bulk:
                content = [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": voice.blob(80_000)}}]
                result = {"type": "image"}
            block = {"tool_use_id": tool_id, "type": "tool_result", "content": content, "is_error": rnd.random() < 0.05}
            yield record("user", promptId=prompt, message={"role": "user", "content": [block]}, toolUseResult=result)
        if rnd.random() < 0.3:
            yield record("attachment", attachment={"type": "file", "filename": voice.path(), "content": voice.output(1500)})
        if rnd.random() < 0.2:
            yield record(
                "file-history-snapshot", snapshot={"trackedFileBackups": {voice.path(): {"version": 1} for _ in range(12)}}
            )


def _tool_input(voice: Voice, tool: str) -> dict[str, Any]:
    if tool == "Bash":
        return {"command": f"{voice.words(3)} {voice.path()} --{voice.words(1)}", "description": voice.words(5)}
    if tool == "Grep":
        return {"pattern": voice.words(2), "path": voice.path()}
    if tool == "Edit":
        return {"file_path": voice.path(), "old_string": voice.output(500), "new_string": voice.output(600)}
    return {"file_path": voice.path()}


def codex_session(voice: Voice, number: int, size: int) -> Iterator[bytes]:
    """The lines of one Codex rollout of about `size` bytes, as version 0.120 writes them."""
    rnd = voice.random
    thread = str(uuid.UUID(int=rnd.getrandbits(128), version=4))
    clock = START + timedelta(hours=7 * number)
    written = 0

    def record(type_: str, payload: dict[str, Any]) -> bytes:
        nonlocal clock, written
        clock += timedelta(milliseconds=rnd.randint(200, 9000))
        stamp = clock.strftime("%Y-%m-%dT%H:%M:%S.") + f"{clock.microsecond // 1000:03d}Z"
        data = (
            json.dumps(
                {"timestamp": stamp, "type": type_, "payload": payload}, ensure_ascii=False, separators=(",", ":")
            ).encode()
            + b"\n"
        )
        written += len(data)
        return data

    meta = {
        "id": thread,
        "timestamp": "2026-01-05T09:00:00.000Z",
        "cwd": f"/home/dev/project{number % 9}",
        "originator": "codex_cli_rs",
    }
    yield record(
        "session_meta", {**meta, "cli_version": "0.120.0", "source": "cli", "base_instructions": {"text": voice.output(20_000)}}
    )
    while written < size:
        text = voice.words(voice.size(45, 1.0, 4000))
        yield record("turn_context", {"cwd": meta["cwd"], "model": "gpt-6", "approval_policy": "never", "summary": "auto"})
        yield record("response_item", {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]})
        yield record("event_msg", {"type": "user_message", "message": text, "kind": "plain"})
        for _ in range(voice.size(7, 0.7, 60)):
            call = f"call_{rnd.getrandbits(96):024x}"
            output = voice.output(voice.size(900, 1.8, 400_000))
            arguments = json.dumps({"cmd": f"{voice.words(3)} {voice.path()}", "workdir": meta["cwd"]})
            yield record(
                "response_item", {"type": "function_call", "name": "exec_command", "arguments": arguments, "call_id": call}
            )
            yield record("response_item", {"type": "function_call_output", "call_id": call, "output": output})
            if rnd.random() < 0.5:
                yield record("event_msg", {"type": "exec_command_end", "call_id": call, "stdout": output, "exit_code": 0})
            usage = {
                "input_tokens": rnd.randint(9000, 90_000),
                "cached_input_tokens": 8000,
                "output_tokens": 400,
                "total_tokens": 99_000,
            }
            yield record("event_msg", {"type": "token_count", "info": {"total_token_usage": usage, "last_token_usage": usage}})
        answer = voice.words(voice.size(60, 0.8, 3000))
        yield record(
            "response_item", {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": answer}]}
        )
        yield record("event_msg", {"type": "agent_message", "message": answer})


def write_corpus(
    root: Path, *, source: str, megabytes: float, session_megabytes: float, seed: int = 1, bulk: float = 1.0
) -> list[Path]:
    """Write sessions below `root` until they hold about `megabytes`; returns their paths. `root` is what `--root` takes.

    `bulk` scales what tools put out; a small one gives the same talk in far fewer bytes.
    """
    voice = Voice(seed)
    total = 0
    paths: list[Path] = []
    while total < megabytes * 1e6:
        number = len(paths)
        size = int(min(session_megabytes * 1e6, max(50_000, megabytes * 1e6 - total)))
        if source == "claude_code":
            name = f"-home-dev-project{number % 9}/{uuid.UUID(int=voice.random.getrandbits(128), version=4)}.jsonl"
            lines = claude_session(voice, number, size, bulk)
        else:
            stamp = f"2026-01-05T09-{number // 60 % 60:02d}-{number % 60:02d}"
            name = f"sessions/2026/01/05/rollout-{stamp}-{uuid.UUID(int=voice.random.getrandbits(128), version=4)}.jsonl"
            lines = codex_session(voice, number, size)
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            for data in lines:
                total += file.write(data)
        paths.append(path)
    return paths


def main() -> None:
    """Write a corpus from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--mb", type=float, default=80)
    parser.add_argument("--session-mb", type=float, default=5)
    parser.add_argument("--source", choices=("claude_code", "codex"), default="claude_code")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    paths = write_corpus(
        options.out, source=options.source, megabytes=options.mb, session_megabytes=options.session_mb, seed=options.seed
    )
    print(f"{len(paths)} sessions, {sum(path.stat().st_size for path in paths) / 1e6:.1f} MB in {options.out}")


if __name__ == "__main__":
    main()
