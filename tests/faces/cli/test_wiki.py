"""`lith wiki` as it is typed: what a person sees, what a program gets, what ends with which status."""

import json
import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest
from tests.command_line import CommandLine, start_lith

from lith.faces.cli.commands import COMMANDS

PAGES = {
    "index.md": "# Index\n\n- [[Alpha]]\n- [[Beta]]\n",
    "log.md": "# Log\n\n"
    + "".join(f"## [2026-01-{day:02}] note | Entry {day}\n- Wrote {day} lines to [[Alpha]]\n\n" for day in range(20, 0, -1)),
    "Alpha.md": "---\ncreated: 2026-01-01\nupdated: 2026-01-20\n---\n# Alpha\n\n## First steps\n\n[[Beta]], [[Nowhere]], [[Beta#Gone]]\n",
    "Beta.md": "---\ncreated: 2026-01-02\n---\n# Beta\n\n[[Alpha#first steps]] and [[al-pha]]\n",
}


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A plain folder of notes with a few mistakes in it, which is the working directory."""
    root = tmp_path / "notes"
    (root / ".obsidian").mkdir(parents=True)
    for name, text in PAGES.items():
        (root / name).write_text(text)
    monkeypatch.chdir(root)
    return root


def tree(root: Path) -> dict[str, bytes]:
    files = (path for path in root.rglob("*") if path.is_file() and "local" not in path.parts)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


@pytest.mark.usefixtures("vault")
def test_lint_for_a_person_and_for_programs(lith: CommandLine) -> None:
    outcome = lith("wiki", "lint")
    assert outcome.status == 1
    assert "dead-link: [[Nowhere]] leads nowhere" in outcome.text
    assert "Beta.md has no heading 'Gone'" in outcome.text
    assert "first steps" not in outcome.text, "headings are compared without case"
    assert "4 pages: 2 errors, 1 warning" in outcome.text
    answer = lith("wiki", "lint", "--json").json
    assert answer["total"] == len(answer["items"]) == 3
    assert answer["errors"] == 2
    as_format = json.loads(lith("wiki", "lint", "--format", "json").stdout)
    assert [as_format[key] for key in ("items", "total", "errors")] == [answer[key] for key in ("items", "total", "errors")]
    assert json.loads(lith("wiki", "lint", "--format", "sarif").stdout)["version"] == "2.1.0"
    assert lith("wiki", "lint", "--format", "github").text.startswith("::error file=Alpha.md")
    assert lith("wiki", "lint", "--format", "sarif", "--json").error["code"] == "usage"
    assert lith("wiki", "lint", "--format", "sarfi", "--json").error["code"] == "usage"


def test_a_fix_is_planned_then_made(lith: CommandLine, vault: Path) -> None:
    before = tree(vault)
    plan = lith("wiki", "lint", "--fix", "--json").json
    assert tree(vault) == before
    assert [(item["before"], item["after"]) for item in plan["repairs"]["items"]] == [("[[al-pha]]", "[[Alpha|al-pha]]")]
    assert lith(*plan["next"][0][1:]).status == 1, "one error has no single right answer"
    assert "[[Alpha|al-pha]]" in (vault / "Beta.md").read_text()
    assert lith("wiki", "lint", "--apply", "--json").error["code"] == "usage"


def test_folds_are_planned_written_and_taken_back(lith: CommandLine, vault: Path) -> None:
    before = tree(vault)
    plan = lith("wiki", "fold", "--json").json
    assert [(fold["level"], fold["entries"]) for fold in plan["items"]] == [(1, 16)]
    assert plan["unfolded"]["0"] == 4
    assert not plan["applied"]
    assert tree(vault) == before
    assert "would write 1 fold" in lith("wiki", "fold").text
    assert "## Outcomes" in lith("wiki", "fold", "--show").text
    assert lith(*plan["next"][0][1:]).text.startswith("wrote 1 fold")
    after = tree(vault)
    assert lith("wiki", "fold", "run", "--apply", "--json").json["items"] == []
    assert tree(vault) == after
    listed = lith("wiki", "fold", "levels", "--json").json
    assert [(fold["ref"], fold["children"]) for fold in listed["items"]] == [("f1.1", 16)]
    assert "level 1" in lith("wiki", "fold", "levels").text
    assert "nothing was written" in lith("wiki", "fold", "undo", "f1.1").text.lower()
    assert lith("wiki", "fold", "undo", "f1.1", "--apply").status == 0
    assert tree(vault) == before
    assert lith("wiki", "fold", "undo", "f9.9", "--json").error["code"] == "usage"


@pytest.mark.usefixtures("vault")
def test_the_status_of_folds_names_the_triggers(lith: CommandLine) -> None:
    status = lith("wiki", "fold", "status", "--json").json
    assert status["levels"][0] == {"level": 0, "items": 20, "waiting": 20}
    triggers = {trigger["name"]: trigger for trigger in status["triggers"]}
    assert set(triggers) == {"batch", "tokens", "novelty", "staleness"}
    assert triggers["batch"]["fires"]
    assert lith("wiki", "fold", "triggers", "--json").json["items"] == status["triggers"]
    text = lith("wiki", "fold", "status").text
    assert "log entries" in text
    assert "fires" in text
    assert lith(*status["next"][0][1:]).status == 0


def test_addresses_from_assignment_to_resolution(lith: CommandLine, vault: Path) -> None:
    beta = (vault / "Beta.md").read_text()
    assert lith("wiki", "address", "assign", "Beta").text.startswith("c-000001  Beta.md")
    assert (vault / "Beta.md").read_text().replace("address: c-000001\n", "") == beta
    assert lith("wiki", "address", "assign", "Beta", "--json").json["items"] == [
        {"path": "Beta.md", "address": "c-000001", "new": False}
    ]
    outcome = lith("wiki", "address", "resolve", "c-1")
    assert outcome.text == (vault / "Beta.md").read_text()
    assert outcome.notes.startswith("Beta.md  (c-000001, c-000001:h")
    (vault / ".vault-meta" / "address-counter.txt").unlink()
    assert lith("wiki", "address", "verify").status == 1
    assert "was lost, says 2 now" in lith("wiki", "address", "rebuild").text
    assert lith("wiki", "address", "verify").status == 0
    assert lith("wiki", "address", "resolve", "c-9", "--json").error["code"] == "page_not_found"
    assert lith("wiki", "address", "resolve", "zz", "--json").error["code"] == "bad_selector"
    assert lith("wiki", "address", "assign", "Bet", "--json").error["hint"] == "the closest page is Beta.md"


def test_older_pages_are_backfilled_by_a_plan(lith: CommandLine, vault: Path) -> None:
    assert lith("wiki", "init", "--json").json["total"] == 4
    assert lith("wiki", "init").text.startswith("this vault lacks nothing")
    plan = lith("wiki", "address", "backfill", "--json").json
    assert [(item["address"], item["path"]) for item in plan["items"]] == [("l-000001", "Alpha.md"), ("l-000002", "Beta.md")]
    assert "address" not in (vault / "Alpha.md").read_text()
    assert lith(*plan["next"][0][1:]).status == 0
    assert "address: l-000001\n" in (vault / "Alpha.md").read_text()


@pytest.mark.usefixtures("vault")
def test_the_frontier_is_scored_and_chosen_from(lith: CommandLine) -> None:
    answer = lith("wiki", "frontier", "--json").json
    assert {item["path"]: (item["out"], item["in"]) for item in answer["items"]} == {"Alpha.md": (1, 1), "Beta.md": (1, 1)}
    assert "no page yet: Nowhere" in lith("wiki", "frontier", "--explain").text
    chosen = lith("wiki", "frontier", "--choose", "Alpha", "--json").json["topic"]
    assert (chosen["path"], chosen["unresolved"]) == ("Alpha.md", ["Nowhere"])
    assert lith("wiki", "frontier", "--choose", "a topic of mine").text.startswith("Topic: a topic of mine\n")
    assert lith("wiki", "frontier", "--choose", "7", "--json").error["code"] == "usage"
    asked = lith("wiki", "frontier", "--choose", "--json").json
    assert "topic" not in asked
    assert asked["next"] == [["lith", "wiki", "frontier", "--choose", "1"]]
    assert lith("wiki", "frontier", "--page", "index", "--json").error["code"] == "usage"


def test_sources_log_and_hot(lith: CommandLine, vault: Path) -> None:
    source = vault.parent / "paper.md"
    source.write_text("# A paper\n\nIt says much.\n")
    assert lith("wiki", "ingest", "../paper.md").text.startswith("created  c-000001  sources/A paper.md")
    assert lith("wiki", "ingest", "../paper.md", "--json").json["items"][0]["status"] == "unchanged"
    (vault / "sources" / "A paper.md").unlink()
    assert "--restore" in lith("wiki", "ingest", "../paper.md").text
    assert lith("wiki", "ingest", "../paper.md", "--restore", "--json").json["items"][0]["status"] == "restored"
    assert "[[A paper]]" in lith("wiki", "log", "note", "Read", "it", "--page", "A paper", "-b", "Decision: use it").text
    assert lith("wiki", "log", "fold", "x", "--json").error["code"] == "usage"
    assert not (vault / "hot.md").exists()
    plan = lith("wiki", "hot", "--json").json
    assert plan["words"] <= 500
    assert "Read it" in plan["text"]
    assert lith(*plan["next"][0][1:]).status == 0
    assert "as it should be" in lith("wiki", "hot", "--apply").text


def test_skills_are_installed_and_a_changed_one_stays(lith: CommandLine, vault: Path) -> None:
    assert [item["status"] for item in lith("wiki", "skill", "install", "--json").json["items"]] == ["written"] * 4
    skill = vault / ".claude" / "skills" / "wiki-lint" / "SKILL.md"
    skill.write_text(skill.read_text() + "mine\n")
    outcome = lith("wiki", "skill", "install", "--json").json
    assert [item["status"] for item in outcome["items"]] == ["same", "same", "same", "changed"]
    assert lith(*outcome["next"][0][1:]).text.startswith("replaced")
    assert lith("wiki", "skill", "install", "nope", "--json").error["code"] == "usage"


def test_every_command_that_a_skill_teaches_is_one() -> None:
    folder = Path(__file__).resolve().parents[3] / "src" / "lith" / "wiki" / "skills"
    taught = [
        words
        for skill in sorted(folder.glob("*.md"))
        for words in (part.split() for part in skill.read_text().split("`")[1::2])
        if words[:2] == ["lith", "wiki"]
    ]
    assert len(taught) > 10
    for words in taught:
        names = {" ".join(words[1:length]) for length in (3, 4)} | {f"{words[1]} {words[2]} {last}" for last in ("run", "report")}
        assert names & set(COMMANDS), words


@pytest.mark.usefixtures("vault")
def test_tiling_with_the_built_in_model(lith: CommandLine) -> None:
    words = [f"word{number}" for number in range(60)]
    for name in ("One", "Two"):
        Path(f"{name}.md").write_text(f"# Same title\n\n{' '.join(words)}\n")
    outcome = lith("wiki", "tiling", "--output", "meta/tiling.md")
    assert outcome.status == 1
    assert "1 near-duplicate pair" in outcome.text
    assert "[[One]] and [[Two]]" in Path("meta/tiling.md").read_text()
    answer = lith("wiki", "tiling", "report", "--json").json
    assert [(pair["first"], pair["second"]) for pair in answer["items"]] == [("One.md", "Two.md")]
    assert answer["embedded"] == 0
    assert lith("wiki", "tiling", "--output", "../out.md", "--json").error["code"] == "outside_vault"
    assert lith("wiki", "tiling", "--bands", "high", "--json").error["code"] == "usage"
    assert lith("wiki", "tiling", "--ollama-url", "http://192.0.2.1", "--json").error["code"] == "usage"
    error = lith("wiki", "tiling", "--model", "nomic-embed-text", "--ollama-url", "http://127.0.0.1:1", "--json").error
    assert error["code"] == "embedder_failed"


def test_a_group_with_a_default_still_knows_its_commands(lith: CommandLine, vault: Path) -> None:
    assert lith("wiki", "fold", "--help").text.startswith("Usage: lith wiki fold")
    assert lith("wiki", "fold", "statsu", "--json").error["code"] == "usage"
    assert lith("wiki", "fold", "--vault", str(vault), "--json").json["items"]
    assert lith("wiki", "fold", "--vault", str(vault), "status", "--json").error["code"] == "usage"
    assert "capture" in lith("wiki").text


def test_a_folder_inside_a_vault_becomes_no_vault_by_accident(
    lith: CommandLine, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (vault / "deep").mkdir()
    monkeypatch.chdir(vault / "deep")
    assert lith("wiki", "init", "--json").error["code"] == "usage"
    assert lith("wiki", "init", "--vault", ".", "--json").json["vault"] == str((vault / "deep").resolve())
    assert lith("wiki", "init", "a", "--vault", "b", "--json").error["code"] == "usage"


def test_a_missing_extra_says_what_to_install(vault: Path) -> None:
    program = "import sys; sys.modules['pyromark'] = None\nfrom lith.faces.cli.main import run\nsys.exit(run(['wiki', 'lint', '--json']))"
    done = subprocess.run([sys.executable, "-c", program], cwd=vault, capture_output=True, check=False)
    error = json.loads(done.stdout)["error"]
    assert done.returncode == 1
    assert error["code"] == "missing_extra"
    assert "pip install 'lith[wiki]'" in error["hint"]


def test_nothing_of_the_wiki_is_imported_for_other_commands(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom lith.faces.cli.main import run\n"
        "for argv in (['--help'], ['list'], ['config', 'show'], ['sync'], ['find', 'x']): run(argv)\n"
        "sys.stderr.write('\\0' + ' '.join(name for name in sys.modules if 'wiki' in name))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, check=False, env=dict(os.environ))
    assert done.stderr.rpartition(b"\0")[2] == b""


def at_a_terminal(argv: list[str], *typed: str) -> str:
    """What a person at a terminal sees who types these lines."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(sys.executable, [sys.executable, "-m", "lith", *argv])
    seen = b""
    lines = list(typed)
    while True:
        ready, _, _ = select.select([terminal], [], [], 30)
        assert ready, seen
        try:
            data = os.read(terminal, 65536)
        except OSError:
            break
        if not data:
            break
        seen += data
        if lines and seen.rstrip(b" ").endswith((b":", b"?")) and seen.endswith(b" "):
            os.write(terminal, lines.pop(0).encode() + b"\n")
    os.waitpid(pid, 0)
    return seen.decode()


@pytest.mark.usefixtures("vault")
def test_a_person_is_asked_for_a_topic() -> None:
    assert "Page: Alpha.md" in at_a_terminal(["wiki", "frontier", "--choose"], "1")
    assert "No page has this name yet." in at_a_terminal(["wiki", "frontier", "--choose"], "", "quantum beans")
    assert "no topic was chosen" in at_a_terminal(["wiki", "frontier", "--choose"], "", "")


def test_the_program_works_on_a_vault_that_is_named(vault: Path, tmp_path: Path) -> None:
    outcome = start_lith("wiki", "lint", "--vault", "notes", "--json", cwd=tmp_path)
    assert outcome.json["vault"] == str(vault.resolve())
    assert start_lith("wiki", "lint", "--json", cwd=tmp_path).error["code"] == "no_vault"
