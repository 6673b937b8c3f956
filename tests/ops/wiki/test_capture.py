"""Sessions as pages: every claim leads to its message, and a page is only ever written where that takes nothing away."""

import re
from pathlib import Path

import pytest

from lith.errors import UsageError
from lith.ops.block import BlockRequest, block
from lith.ops.read import ReadRequest, read
from lith.ops.runtime import Runtime
from lith.ops.selection import Selection
from lith.ops.sync import SyncRequest, sync
from lith.ops.wiki.capture import Captured, CaptureRequest, CaptureResult, capture
from lith.ops.wiki.frontier import FrontierRequest, frontier
from lith.ops.wiki.lint import LintRequest, lint
from lith.wiki.frontmatter import read_front
from lith.wiki.page import read_page

STORM = "codex:019cc1a4-52c0-7d10-8a11-6f20c3d4e503"
QUOTES = "claude_code:3f0c61de-6a0b-4a4b-9a52-0f6d2c1b7e01"
CITE = re.compile(r'\[#(\d+)\]\(<lith:([^>]+)> "(rec:[^"]+)"\)')


def run(runtime: Runtime, *addresses: str, apply: bool = False, restore: bool = False, show: bool = False) -> CaptureResult:
    asked = CaptureRequest(vault="notes", addresses=addresses, apply=apply, restore=restore, show=show)
    return capture(asked, runtime)


def only(result: CaptureResult) -> Captured:
    assert len(result.items) == 1
    return result.items[0]


def tree(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file() and "local" not in path.parts
    }


def test_a_plan_writes_nothing_and_applying_it_writes_what_it_says(synced: Runtime, notes: Path) -> None:
    before = tree(notes)
    plan = run(synced)
    assert tree(notes) == before
    assert {item.status for item in plan.items} == {"new"}
    assert plan.next
    done = run(synced, apply=True)
    assert [item.path for item in done.items] == [item.path for item in plan.items]
    assert [item.address for item in done.items] == [f"c-{number:06d}" for number in range(1, len(done.items) + 1)]
    assert all((notes / str(item.path)).is_file() for item in done.items)
    assert "capture | 6 sessions" in (notes / "wiki" / "log.md").read_text()


def test_every_claim_leads_to_its_message_and_to_its_record(synced: Runtime, notes: Path) -> None:
    run(synced, apply=True)
    claims = 0
    for page in (notes / "wiki" / "sessions").glob("*.md"):
        section = ""
        for line in page.read_text().splitlines():
            section = line[3:] if line.startswith("## ") else section
            if not section or not line.startswith("- "):
                assert not section or not line or line.startswith("## "), "nothing is said without evidence"
                continue
            cites = CITE.findall(line)
            assert cites, line
            for seq, ref, record in cites:
                message = next(m for m in read(ReadRequest(address=ref), synced).messages if m.anchor)
                assert message.seq == int(seq)
                assert block(BlockRequest(record), synced).session_ref == ref.partition("#")[0]
                claims += 1
            if section == "Outcomes":
                said = " ".join(message.text.replace("`", "'").split())
                assert line[2:].partition(" ([#")[0].removesuffix(" …") in said
    assert claims > 12


def test_pages_that_were_talked_about_are_linked_and_the_frontier_sees_it(synced: Runtime, notes: Path) -> None:
    path = only(run(synced, STORM, apply=True)).path
    assert path is not None
    facts = read_page((notes / path).read_bytes(), "x")
    assert [link.target for link in facts.links] == ["Retry storm", "Backoff"]
    scored = frontier(FrontierRequest(vault="notes", page=path), synced).items[0]
    assert (scored.out, scored.into) == (2, 0)
    report = lint(LintRequest(vault="notes"), synced)
    assert [finding for finding in report.items if finding.path == path] == []


def test_capturing_again_changes_nothing(synced: Runtime, notes: Path) -> None:
    run(synced, apply=True)
    before = tree(notes)
    again = run(synced, apply=True)
    assert {item.status for item in again.items} == {"unchanged"}
    assert tree(notes) == before
    (notes / "wiki" / "elsewhere").mkdir()
    page = next((notes / "wiki" / "sessions").glob("*storm*"))
    page.rename(notes / "wiki" / "elsewhere" / "My storm.md")
    assert only(run(synced, STORM)).path == "wiki/elsewhere/My storm.md"


def grow(runtime: Runtime) -> None:
    with next(runtime.data_dir.rglob("3f0c61de*.jsonl")).open("a") as file:
        file.write(
            '{"type":"user","message":{"role":"user","content":"One more thing: document the zones."},'
            '"uuid":"0b7a4c9e-1111-4222-8333-444455556666","timestamp":"2026-03-02T10:00:00.000Z","cwd":"/demo/parcel-api",'
            f'"sessionId":"{QUOTES.partition(":")[2]}"}}\n'
        )
    sync(SyncRequest(), runtime)


def test_a_session_that_grew_is_written_anew_under_its_address(synced: Runtime, notes: Path) -> None:
    first = only(run(synced, QUOTES, apply=True))
    page = notes / str(first.path)
    created = read_front(page.read_bytes()).values["created"]
    grow(synced)
    assert only(run(synced, QUOTES)).status == "grown"
    second = only(run(synced, QUOTES, apply=True))
    assert (second.status, second.path, second.address) == ("grown", first.path, first.address)
    assert "document the zones" in page.read_text()
    assert read_front(page.read_bytes()).values["created"] == created
    assert only(run(synced, QUOTES)).status == "unchanged"


def test_a_page_that_somebody_edited_is_left_alone(synced: Runtime, notes: Path) -> None:
    page = notes / str(only(run(synced, QUOTES, apply=True)).path)
    page.write_text(page.read_text() + "\nMy own remark.\n")
    grow(synced)
    result = run(synced, QUOTES, apply=True)
    assert only(result).status == "edited"
    assert page.read_text().endswith("My own remark.\n")
    assert "document the zones" not in page.read_text()


def test_a_page_that_was_deleted_stays_so_unless_it_is_asked_back(synced: Runtime, notes: Path) -> None:
    first = only(run(synced, STORM, apply=True))
    (notes / str(first.path)).unlink()
    assert only(run(synced, STORM, apply=True)).status == "deleted"
    assert not (notes / str(first.path)).exists()
    back = only(run(synced, STORM, apply=True, restore=True))
    assert (back.status, back.address) == ("restored", first.address)


def test_a_message_stands_for_its_arc_and_has_a_page_of_its_own(synced: Runtime, notes: Path) -> None:
    arc = only(run(synced, f"{STORM}#3", show=True))
    assert arc.source.startswith("thread:")
    assert arc.text is not None
    assert {seq for seq, _, _ in CITE.findall(arc.text)} == {"3", "4"}
    run(synced, f"{STORM}#3", STORM, apply=True)
    assert {item.status for item in run(synced, arc.source, STORM).items} == {"unchanged"}


def test_two_sessions_of_one_name_get_two_pages(synced: Runtime, notes: Path) -> None:
    path = notes / str(only(run(synced, STORM)).path)
    path.parent.mkdir(parents=True)
    path.write_text("# Somebody else's page\n")
    done = only(run(synced, STORM, apply=True))
    assert done.path is not None
    assert done.path.endswith("(019cc1a4-52c0).md")
    assert path.read_text() == "# Somebody else's page\n"


def test_naming_sessions_and_narrowing_them_exclude_each_other(synced: Runtime, notes: Path) -> None:
    with pytest.raises(UsageError):
        capture(CaptureRequest(vault="notes", addresses=(STORM,), selection=Selection(since="3d")), synced)
    narrowed = capture(CaptureRequest(vault="notes", selection=Selection(sources=("codex",)), limit=1), synced)
    assert (len(narrowed.items), narrowed.total) == (1, 2)
    assert narrowed.next is not None
    assert narrowed.next[0][3:7] == ["--source", "codex", "--limit", "1"]
    assert narrowed.next_cursor
