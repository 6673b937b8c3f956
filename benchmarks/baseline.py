"""The bare reader that cold sync is measured against: read, split, typed decode, pick the text. No hash, no index, nothing kept."""

from collections.abc import Sequence
from pathlib import Path

import msgspec


class Block(msgspec.Struct):
    """A content block, as far as the text goes."""

    type: str | None = None
    text: str | None = None


class Message(msgspec.Struct):
    """A message, as far as the text goes."""

    role: str | None = None
    content: str | list[Block] | None = None


class Line(msgspec.Struct):
    """A transcript line, as far as an index needs it."""

    type: str | None = None
    uuid: str | None = None
    timestamp: str | None = None
    parentUuid: str | None = None  # noqa: N815
    sessionId: str | None = None  # noqa: N815
    message: Message | None = None


def read_split_decode_pick(paths: Sequence[Path]) -> int:
    """Read all files and pick the texts; returns how many there were."""
    decode = msgspec.json.Decoder(Line).decode
    picked = 0
    for path in paths:
        with path.open("rb") as file:
            while chunk := file.read(4 << 20):
                lines = (chunk + file.readline()).split(b"\n")
                texts: list[tuple[str | None, str | None]] = []
                for line in lines:
                    if not line:
                        continue
                    record = decode(line)
                    content = record.message.content if record.message else None
                    if isinstance(content, str):
                        texts.append((record.uuid, content))
                    elif content:
                        texts.extend((record.uuid, block.text) for block in content if block.type == "text")
                picked += len(texts)
    return picked
