"""Coverage says what was synced and never that it is fresh."""

from tests.retrieval.building import START, MapBuilder, user

from lith.records.scope import Scope
from lith.retrieval import find, read_coverage
from lith.retrieval.requests import FindRequest


def test_nothing_was_synced(builder: MapBuilder) -> None:
    coverage = read_coverage(builder.connection, Scope())
    assert (coverage.requested, coverage.state, coverage.last_sync) == ("all", "missing", None)


def test_what_was_synced_is_not_checked(builder: MapBuilder) -> None:
    builder.cover("claude_code", pending=2, failed=1)
    builder.cover("codex", pending=1)
    builder.set_meta("last_sync", str(START))
    coverage = read_coverage(builder.connection, Scope())
    assert (coverage.state, coverage.last_sync) == ("not_checked", "2025-10-09T08:53:20.000Z")
    assert (coverage.pending_files, coverage.failed_files) == (3, 1)


def test_a_client_without_coverage_is_missing(builder: MapBuilder) -> None:
    builder.cover("claude_code", pending=2)
    both = read_coverage(builder.connection, Scope(sources=("pi", "claude_code")))
    assert (both.requested, both.state) == ("claude_code,pi", "missing")
    one = read_coverage(builder.connection, Scope(sources=("claude_code",)))
    assert (one.requested, one.state, one.pending_files) == ("claude_code", "not_checked", 2)


def test_every_search_carries_it(builder: MapBuilder) -> None:
    builder.add("one", [user("lock")])
    builder.cover()
    assert find(builder.connection, FindRequest(query="lock")).coverage.state == "not_checked"
    assert find(builder.connection, FindRequest(query="banana")).coverage.state == "not_checked"
