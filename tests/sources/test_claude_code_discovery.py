"""Claude Code: where its sessions are, and which files are transcripts."""

from pathlib import Path

import pytest

from lith.sources.base import FileContext
from lith.sources.claude_code import SOURCE

SESSION = "7d5e7588-0b6a-4eee-b724-dbe238822528"
FILES = {
    f"-home-dev/{SESSION}.jsonl": None,
    f"-home-dev/{SESSION}.jsonl.zst": None,
    "-home-dev/agent-a0d0679.jsonl": None,
    f"-home-dev/{SESSION}/subagents/agent-a1.jsonl": None,
    f"-home-dev/{SESSION}/subagents/agent-a1.meta.json": "sidecar",
    f"-home-dev/{SESSION}/subagents/workflows/w1/agent-a2.jsonl": None,
    f"-home-dev/{SESSION}/subagents/workflows/w1/journal.jsonl": "journal",
    f"-home-dev/{SESSION}/tool-results/b1.txt": "tool_result",
    f"-home-dev/{SESSION}/tool-results/b2.jsonl": "tool_result",
    f"-home-dev/{SESSION}/custom-title.json": "title",
    f"-home-dev/{SESSION}/other.jsonl": "unknown_place",
    "-home-dev/memory/MEMORY.md": "memory",
    "-home-dev/sessions-index.json": "index",
    "-home-dev/notes.txt": "not_a_transcript",
    "stray.jsonl": None,
}


@pytest.fixture
def projects(tmp_path: Path) -> Path:
    """A `projects` folder in a configuration folder, with one file of every kind."""
    root = tmp_path / "config" / "projects"
    for name in FILES:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"{}\n")
    (root.parent / "history.jsonl").write_bytes(b"{}\n")
    return root


def test_every_file_is_a_transcript_or_has_a_reason(projects: Path) -> None:
    found = {candidate.relative: candidate.skip for candidate in SOURCE.iter_candidates(projects)}
    assert found == FILES


def test_the_configuration_folder_is_a_root_too(projects: Path) -> None:
    found = {candidate.relative: candidate.skip for candidate in SOURCE.iter_candidates(projects.parent)}
    assert found == {f"projects/{name}": skip for name, skip in FILES.items()}


def test_one_project_is_a_root_too(projects: Path) -> None:
    found = {candidate.relative for candidate in SOURCE.iter_candidates(projects / "-home-dev") if candidate.skip is None}
    own = {name.removeprefix("-home-dev/") for name, skip in FILES.items() if skip is None and name.startswith("-")}
    # Seen from here a session's folder could as well be a project's.
    assert found == own | {f"{SESSION}/other.jsonl"}


def test_the_prompt_history_is_no_transcript(tmp_path: Path) -> None:
    (tmp_path / "history.jsonl").write_bytes(b"{}\n")
    assert [candidate.skip for candidate in SOURCE.iter_candidates(tmp_path)] == ["history"]


def test_a_projects_folder_that_leads_out_of_the_root_is_not_entered(projects: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "projects").symlink_to(projects)
    assert [(candidate.relative, candidate.skip) for candidate in SOURCE.iter_candidates(elsewhere)] == [
        ("projects", "outside_root")
    ]
    assert len(list(SOURCE.iter_candidates(elsewhere / "projects"))) == len(FILES)


def test_default_roots(home: Path) -> None:
    assert SOURCE.default_roots(home, {}) == [home / ".config" / "claude" / "projects", home / ".claude" / "projects"]
    assert SOURCE.default_roots(home, {"CLAUDE_CONFIG_DIR": " "}) == SOURCE.default_roots(home, {})


def test_the_clients_own_variable_may_name_several_roots(home: Path) -> None:
    roots = SOURCE.default_roots(home, {"CLAUDE_CONFIG_DIR": "/one, ~/two,,/one"})
    assert roots == [Path("/one/projects"), home / "two" / "projects"]


@pytest.mark.parametrize(
    ("relative", "first", "transcript"),
    [
        (f"-p/{SESSION}.jsonl", b"", SESSION),
        (f"-p/{SESSION}.jsonl.zst", b'{"sessionId":"another"}', SESSION),
        ("-p/a copy (1).jsonl", b"", "a_copy_(1)"),
        ("-p/agent-a1.jsonl", b'{"sessionId":"s-1","agentId":"a1"}', "s-1/a1"),
        ("-p/agent-a1.jsonl", b'{"sessionId":"s-1"}', "s-1/a1"),
        ("-p/agent-a1.jsonl", b"{torn", "agent-a1/a1"),
        (f"-p/{SESSION}/subagents/agent-a1.jsonl", b'{"sessionId":"another"}', f"{SESSION}/a1"),
        (f"-p/{SESSION}/subagents/workflows/w1/agent-a2.jsonl", b"", f"{SESSION}/a2"),
        (f"projects/-p/{SESSION}/subagents/agent-a1.jsonl", b"", f"{SESSION}/a1"),
        (f"{SESSION}/subagents/agent-a1.jsonl", b"", f"{SESSION}/a1"),
        ("agent-.jsonl", b"", "agent-/agent-"),
    ],
)
def test_the_transcript_that_a_file_lends_its_records(relative: str, first: bytes, transcript: str) -> None:
    assert SOURCE.file_context(relative, first) == FileContext(transcript=transcript)
