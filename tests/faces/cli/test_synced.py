"""What a sync says to a person."""

import io

import pytest

from lith.faces.cli.layout import display_width
from lith.faces.cli.output import Output
from lith.faces.cli.views.synced import show_sync
from lith.ingest.report import FileProblem, SyncReport, Totals


def said(report: SyncReport, *, quiet: bool = False) -> tuple[str, str]:
    stdout, stderr = io.StringIO(), io.StringIO()
    out = Output(started=0.0, environment={}, stdout=stdout, stderr=stderr)
    out.quiet = quiet
    show_sync(report, out)
    return stdout.getvalue(), stderr.getvalue()


def report(problems: list[FileProblem] | None = None, **counts: int) -> SyncReport:
    totals = Totals(files=3, unchanged=2)
    for name, count in counts.items():
        setattr(totals, name, count)
    return SyncReport(totals=totals, sources={"claude_code": totals}, problems=problems or [])


@pytest.mark.parametrize("reason", ["outside_root", "broken_link", "special_file", "unreadable"])
def test_a_file_out_of_reach_is_named_with_its_path_in_one_piece(reason: str) -> None:
    path = "/home/someone/" + "a-long-folder-name/" * 6 + "x.jsonl"
    text, _ = said(report([FileProblem("claude_code", path, reason)]))
    lines = text.splitlines()
    assert f"  {path}" in lines
    assert any(line.startswith(reason) for line in lines)
    assert all(display_width(line) <= 80 for line in lines if path not in line)
    assert "more" not in text


def test_quiet_says_why_the_exit_status_is_1_and_nothing_else() -> None:
    problem = FileProblem("claude_code", "/a/x.jsonl", "unreadable", "Permission denied")
    assert said(report(), quiet=True) == ("", "")
    assert said(report([problem], failed=1), quiet=True) == (
        "",
        "lith: 1 file could not be read\n  /a/x.jsonl: Permission denied\n",
    )


def test_a_full_table_went_beyond_80_columns() -> None:
    text, _ = said(
        report(added=100, appended=1_000, replayed=1_000, gone=100, failed=100, messages=1_234_567, bytes_read=987_654_321)
    )
    assert all(display_width(line) <= 80 for line in text.splitlines())
    assert "failed" in text
    assert "gone" not in said(report())[0]


def test_a_map_made_anew_had_two_reasons() -> None:
    damaged = report()
    damaged.rebuilt = True
    damaged.warnings = ["it was no database; it was kept as map.sqlite.damaged-1, and a new one was made"]
    assert "other rules" not in said(damaged)[0]
    older = report()
    older.rebuilt = True
    assert "other rules" in said(older)[0]


def test_one_file_ends_and_two_files_end() -> None:
    assert "1 file ends in an unfinished line" in said(report(pending=1))[0]
    assert "2 files end in unfinished lines" in said(report(pending=2))[0]
