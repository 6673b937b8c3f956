"""Running lith in tests: in this process for speed, or as the program that a user starts."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from lith.faces.cli.main import run


class Outcome(NamedTuple):
    """What a command left behind."""

    status: int
    stdout: bytes
    stderr: bytes

    @property
    def text(self) -> str:
        """Standard output as text."""
        return self.stdout.decode()

    @property
    def notes(self) -> str:
        """Standard error as text."""
        return self.stderr.decode()

    @property
    def json(self) -> Any:
        """Standard output as the one JSON object that it must be."""
        lines = self.stdout.splitlines()
        assert len(lines) == 1, self
        answer = msgspec.json.decode(lines[0])
        assert isinstance(answer, dict)
        assert answer["schema_version"] == 1
        assert isinstance(answer["elapsed_ms"], float)
        return answer

    @property
    def error(self) -> Any:
        """The error under `--json`."""
        error = self.json["error"]
        assert set(error) <= {"code", "message", "hint", "next"}
        assert all(argv[0] == "lith" for argv in error.get("next", []))
        return error


class CommandLine:
    """lith in this process, its output captured at the file descriptors."""

    def __init__(self, capture: pytest.CaptureFixture[bytes]) -> None:
        self._capture = capture

    def __call__(self, *argv: str) -> Outcome:
        """Run one command."""
        self._capture.readouterr()
        status = run(list(argv))
        out, err = self._capture.readouterr()
        return Outcome(status, out, err)


def start_lith(
    *argv: str, environment: dict[str, str] | None = None, cwd: Path | None = None, python: tuple[str, ...] = ()
) -> Outcome:
    """Run lith as a program of its own, in the test's environment; `python` are options of the interpreter."""
    done = subprocess.run(
        [sys.executable, *python, "-m", "lith", *argv],
        capture_output=True,
        env={**os.environ, **(environment or {})},
        cwd=cwd,
        check=False,
        timeout=120,
        stdin=subprocess.DEVNULL,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)
