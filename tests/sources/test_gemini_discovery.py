"""Gemini CLI: which files are looked at, and which are transcripts."""

from pathlib import Path

import pytest

from lith.sources.gemini import SOURCE

CHAT = "session-2026-06-01T08-00-5e551000.jsonl"


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"{}\n")


def listed(root: Path) -> dict[str, str | None]:
    return {candidate.relative: candidate.skip for candidate in SOURCE.iter_candidates(root)}


def test_the_clients_variable_names_the_home(home: Path, tmp_path: Path) -> None:
    assert list(SOURCE.default_roots(home, {})) == [home / ".gemini" / "tmp"]
    assert list(SOURCE.default_roots(home, {"GEMINI_CLI_HOME": str(tmp_path)})) == [tmp_path / ".gemini" / "tmp"]
    assert list(SOURCE.default_roots(home, {"GEMINI_CLI_HOME": "~/g"})) == [home / "g" / ".gemini" / "tmp"]


def test_chats_are_found_from_any_folder_above_them(tmp_path: Path) -> None:
    root = tmp_path / ".gemini"
    agent = "chats/5e551000/a9e4.jsonl"
    make(root, f"tmp/shop/chats/{CHAT}", f"tmp/shop/{agent}", "settings.json", "history/x/session-1.jsonl")
    assert listed(root) == {f"tmp/shop/chats/{CHAT}": None, f"tmp/shop/{agent}": None}
    assert listed(root / "tmp") == {f"shop/chats/{CHAT}": None, f"shop/{agent}": None}
    assert listed(root / "tmp" / "shop") == {f"chats/{CHAT}": None, agent: None}
    assert listed(root / "tmp" / "shop" / "chats") == {CHAT: None, "5e551000/a9e4.jsonl": None}


@pytest.mark.parametrize("name", ["settings.json", "oauth_creds.json"])
def test_a_folder_of_the_client_without_projects_is_not_walked(tmp_path: Path, name: str) -> None:
    make(tmp_path, name, "extensions/session-1.jsonl")
    assert listed(tmp_path) == {}


def test_other_files_are_listed_with_a_reason(tmp_path: Path) -> None:
    make(
        tmp_path,
        f"shop/chats/{CHAT}",
        f"shop/chats/{CHAT}.zst",
        "shop/chats/session-2026-03-01T08-00-01d00000.json",
        "shop/chats/notes.txt",
        "shop/chats/other.jsonl",
        "shop/tool-outputs/session-5e55/run_1.txt",
        "shop/tool-outputs/session-5e55/session-x.jsonl",
        "shop/checkpoints/a.json",
        "shop/logs.json",
        "shop/.project_root",
        "shop/shell_history",
    )
    assert listed(tmp_path) == {
        f"shop/chats/{CHAT}": None,
        f"shop/chats/{CHAT}.zst": None,
        "shop/chats/session-2026-03-01T08-00-01d00000.json": "single_object_format",
        "shop/chats/notes.txt": "not_a_transcript",
        "shop/chats/other.jsonl": "not_a_transcript",
        "shop/tool-outputs/session-5e55/run_1.txt": "tool_result",
        "shop/tool-outputs/session-5e55/session-x.jsonl": "tool_result",
        "shop/checkpoints/a.json": "checkpoint",
        "shop/logs.json": "history",
        "shop/.project_root": "index",
        "shop/shell_history": "not_a_transcript",
    }


def test_a_file_without_its_header_is_named_after_itself() -> None:
    assert SOURCE.file_context(f"shop/chats/{CHAT}", b"").transcript == CHAT.removesuffix(".jsonl")
    assert SOURCE.file_context("shop/chats/5e551000/a9e4.jsonl.zst", b"{}").transcript == "5e551000/a9e4"
    assert SOURCE.file_context("", b"\xff").transcript == "unknown"
