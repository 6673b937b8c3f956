"""The demo sessions as they are written down: who says and does what. Pure data, read from the TOML files beside it."""

from importlib.resources import files
from typing import Literal

import msgspec


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that the agent does: it says something, runs a command, or changes a file from `old` to `new`."""

    say: str | None = None
    run: str | None = None
    edit: str | None = None
    why: str = ""
    output: str = ""
    old: str = ""
    new: str = ""
    failed: bool = False


class Turn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One prompt of a person and what the agent did about it."""

    prompt: str
    steps: tuple[Step, ...]


class Helper(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sub-agent that the last turn starts, with its task and its own steps; the last of them is what it reports."""

    task: str
    steps: tuple[Step, ...]


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One session. `folder` is a working directory that need not exist, `start` an ISO time in UTC."""

    client: Literal["claude_code", "codex"]
    id: str
    folder: str
    branch: str
    start: str
    title: str
    turns: tuple[Turn, ...]
    helper: Helper | None = None


def load_scripts() -> list[Script]:
    """Every demo session, the oldest first."""
    folder = files("lith.demo").joinpath("sessions")
    texts = [entry.read_bytes() for entry in folder.iterdir() if entry.name.endswith(".toml")]
    return sorted((msgspec.toml.decode(text, type=Script) for text in texts), key=lambda script: script.start)
