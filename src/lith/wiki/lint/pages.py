"""Rules about single pages and paths: frontmatter, dates, encodings, names. Reads a snapshot only."""

from collections.abc import Iterator
from datetime import tzinfo

from lith.wiki.dates import read_day
from lith.wiki.lint.report import Finding, finding
from lith.wiki.snapshot import Snapshot
from lith.wiki.vault import name_problem


def page_findings(snapshot: Snapshot, zone: tzinfo | None) -> Iterator[Finding]:
    """What each page's own bytes have wrong, and what its path has."""
    for path, facts in snapshot.pages.items():
        for problem in facts.problems:
            yield finding(problem.rule, path, problem.message, line=problem.line)
        for key, text in (("created", facts.created), ("updated", facts.updated)):
            if text and read_day(text, zone) is None:
                yield finding("bad-date", path, f"{key}: {text!r} is not a date that can be read", hint="write it as YYYY-MM-DD")
        for part in path.split("/"):
            problem_of_name = name_problem(part)
            if problem_of_name is not None:
                yield finding("unsafe-name", path, f"{part!r} {problem_of_name}")
    for refusal in snapshot.refused:
        yield finding("refused-path", refusal.path, refusal.reason)
    yield from _case_twins(snapshot)


def _case_twins(snapshot: Snapshot) -> Iterator[Finding]:
    """Paths that are one path on a disk that ignores case."""
    by_form: dict[str, list[str]] = {}
    for path in (*snapshot.pages, *snapshot.files):
        by_form.setdefault(path.casefold(), []).append(path)
    for paths in by_form.values():
        for path in paths[1:]:
            yield finding("unsafe-name", path, f"is the same path as {paths[0]} on a disk that ignores case")
