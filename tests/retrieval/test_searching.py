"""`find` as a whole: what is found, in which order, page by page."""

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.retrieval.building import DAY, START, MapBuilder, assistant, call, profile, user

from lith.errors import UsageError
from lith.records.record import Role
from lith.records.scope import Scope
from lith.retrieval import find, read_session, searching
from lith.retrieval.answers import FindResult, Hit
from lith.retrieval.requests import FindRequest, ReadRequest


def search(builder: MapBuilder, query: str, **options: object) -> FindResult:
    return find(builder.connection, msgspec.convert({"query": query, **options}, FindRequest))


def refs(result: FindResult) -> list[str | None]:
    return [hit.session_ref for hit in result.results]


def test_a_hit_carries_the_whole_contract(builder: MapBuilder) -> None:
    ref = builder.add(
        "one",
        [user("please fix the sync lock"), assistant("done")],
        title="Sync lock",
        cwd="/home/u/app/src",
        project="/home/u/app",
    )
    (hit,) = search(builder, "lock").results
    assert (hit.rank, hit.session_ref, hit.source) == (1, ref, "claude_code")
    assert (hit.project, hit.cwd, hit.title) == ("/home/u/app", "/home/u/app/src", "Sync lock")
    assert (hit.match_source, hit.seq, hit.role, hit.message_count) == ("message", 1, "user", 2)
    assert (hit.snippet, hit.matched_fields) == ("please fix the sync lock", ["text"])
    assert hit.started_at == hit.timestamp == "2025-10-09T08:54:20.000Z"
    assert hit.ended_at == "2025-10-09T08:55:20.000Z"
    assert hit.evidence is not None
    assert (hit.evidence.argv, hit.evidence.side_effect) == (["lith", "read", ref, "--at", "1"], "none")
    assert hit.score is not None
    assert hit.record
    assert hit.parts == {}


def test_absent_values_are_left_out_of_the_json(builder: MapBuilder) -> None:
    builder.add("one", [user("lock", timed=False)], cwd=None)
    encoded = msgspec.json.decode(msgspec.json.encode(search(builder, "lock")))
    assert not {"project", "cwd", "title", "timestamp", "started_at", "thread", "also_in", "parts"} & encoded["results"][0].keys()
    assert "nothing" not in encoded


def test_the_data_directory_is_repeated_in_commands(builder: MapBuilder) -> None:
    builder.add("one", [user("lock")])
    (hit,) = search(builder, "lock", data_dir="/d").results
    assert hit.evidence is not None
    assert hit.evidence.argv[-2:] == ["--data-dir", "/d"]
    nothing = search(builder, "absent", data_dir="/d").nothing
    assert nothing is not None
    assert nothing.next == [["lith", "status", "--data-dir", "/d"]]


def test_every_tier_says_its_name(builder: MapBuilder) -> None:
    builder.add("one", [user("the sync lock hangs"), assistant("a lock that is in no sync => broken")])
    assert search(builder, "sync lock").match_mode == "phrase"
    assert search(builder, "lock sync").match_mode == "all"
    assert search(builder, "lock banana").match_mode == "some"
    assert search(builder, "=>").match_mode == "literal"
    assert search(builder, "banana").match_mode is None


def test_the_best_tier_is_not_said_of_all(builder: MapBuilder) -> None:
    builder.add("one", [user("a port and a proxy"), user("the proxy port")])
    builder.add("two", [user(f"a port {number}") for number in range(5)])
    result = search(builder, "proxy port")
    assert (result.total, result.match_mode, result.tiers) == (7, "phrase", {"phrase": 1, "all": 1, "some": 5})


def test_alternatives_are_not_all_words(builder: MapBuilder) -> None:
    builder.add("one", [user("a port"), user("a proxy")])
    assert (search(builder, "port OR proxy").match_mode, search(builder, "port OR proxy").total) == ("some", 2)
    builder.add("two", [user("a port, a proxy")])
    assert search(builder, "port OR proxy").tiers == {"all": 1, "some": 2}


@pytest.mark.parametrize("query", ["NOT proxy", "-proxy", '-"the proxy"', "NOT (proxy OR port)", "-proxy -port"])
def test_a_query_of_exclusions_alone_is_refused(builder: MapBuilder, query: str) -> None:
    builder.add("one", [user("a port"), user("the proxy")])
    with pytest.raises(UsageError, match="only says what to leave out") as error:
        search(builder, query)
    assert error.value.hint is not None
    assert "proxy" in error.value.hint


def test_words_in_quotes_are_not_stemmed(builder: MapBuilder) -> None:
    builder.add("stem", [user("Now I change the port.")])
    exact = builder.add("exact", [user("I CHANGED  the *Pört* yesterday.")])
    assert refs(search(builder, '"Changed the port"')) == [exact]
    assert set(refs(search(builder, "changed the port"))) == {exact, "claude_code:stem"}
    assert refs(search(builder, 'port -"changed the port"')) == ["claude_code:stem"]
    assert refs(search(builder, '"changes" OR "changed"')) == [exact]
    assert refs(search(builder, '"chang*" port')) == []
    assert search(builder, '"changing the port"').nothing is not None


def test_words_in_quotes_are_found_in_long_texts_and_calls(builder: MapBuilder) -> None:
    long = builder.add("long", [assistant("filler " * 3000 + "retried twice " + "filler " * 3000)])
    called = builder.add("call", [user("go"), call("Bash", command="echo retried && twice")])
    assert set(refs(search(builder, '"retried twice"'))) == {long, called}


@pytest.mark.parametrize("query", ['"', "-", '""', "- -", "*", '" "'])
def test_a_sign_of_the_syntax_is_no_question(builder: MapBuilder, query: str) -> None:
    builder.add("one", [user('he said - "no" *')])
    with pytest.raises(UsageError, match="nothing to search for"):
        search(builder, query)


def test_a_word_with_a_particle_is_found_below_the_word_itself(builder: MapBuilder) -> None:
    partial = builder.add("partial", [user("포트 번호를 바꿨다")], title="포트", start=START + DAY)
    builder.add("title", [user("x"), profile("title", "포트")], start=START + DAY)
    whole = builder.add("whole", [assistant("여기에서 다른 여러 가지 설정을 다 확인한 다음에 포트를 바꿨다")])
    assert refs(search(builder, "포트를"))[0] == whole
    assert partial in refs(search(builder, "포트를"))
    assert refs(search(builder, '"포트를"')) == [whole]


def test_what_holds_a_part_of_a_run_stands_below_what_holds_it(builder: MapBuilder) -> None:
    builder.add("partial", [user("文字コードと文字列の文字")], start=START + DAY)
    whole = builder.add("whole", [assistant("この長い文章のどこかでファイルの名前がひどく文字化けしてしまいました")])
    result = search(builder, "文字化け")
    assert refs(result) == [whole, "claude_code:partial"]
    assert result.tiers["some"] == 1


def test_the_beginning_of_a_hash_is_enough(builder: MapBuilder) -> None:
    ref = builder.add("one", [user("see commit 8f3a2b1c9d")])
    assert refs(search(builder, "8f3a2b")) == [ref]
    assert search(builder, "beef00").nothing is not None


def test_a_file_selects_the_turns_in_which_it_was_named(builder: MapBuilder) -> None:
    said = [user("hello 8123"), user("set the port to 8123"), call("Edit", path="/home/u/app/notes.txt"), assistant("8123 it is")]
    builder.add("one", [*said, user("and 8123 elsewhere"), call("Read", path="/home/u/app/other.txt")])
    result = search(builder, "8123", scope=Scope(files=("notes.txt",)))
    assert sorted(hit.seq or 0 for hit in result.results) == [2, 3]
    assert [hit.seq for hit in search(builder, "8123", scope=Scope(files=("notes.txt",), roles=(Role.ASSISTANT,))).results] == [3]
    assert search(builder, "8123", scope=Scope(files=("absent.txt",))).results == []


def test_a_fork_is_no_subagent(builder: MapBuilder) -> None:
    builder.add("one", [user("lock")])
    builder.add("fork", [user("sync lock")], parent="one", source="pi")
    (hit,) = search(builder, "sync AND lock").results
    assert (hit.kind, hit.parent) == ("main", "pi:one")


def test_what_holds_the_phrase_or_every_word_comes_first(builder: MapBuilder) -> None:
    builder.add("some", [user("lock lock lock lock")])
    builder.add("all", [user("the lock was not there when the long running sync of everything in this folder began at last")])
    builder.add("phrase", [user("why does the sync lock hang while the other process is still writing its files to this folder")])
    assert refs(search(builder, "sync lock")) == ["claude_code:phrase", "claude_code:all", "claude_code:some"]


def test_syntax_is_the_users(builder: MapBuilder) -> None:
    builder.add("one", [user("alpha beta")])
    builder.add("two", [user("beta alpha")])
    builder.add("three", [user("alphabet gamma")])
    assert refs(search(builder, '"alpha beta"')) == ["claude_code:one"]
    assert set(refs(search(builder, "alpha AND beta"))) == {"claude_code:one", "claude_code:two"}
    assert set(refs(search(builder, "alpha*"))) == {"claude_code:one", "claude_code:two", "claude_code:three"}
    assert refs(search(builder, "alpha* -beta")) == ["claude_code:three"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("我们提交代码之前先测试", "提交代码"),
        ("修", "修"),
        ("テストを実行する", "テスト"),
        ("Исправь ошибку блокировки", "ошибка блокировки"),
        ("der Schlüssel fehlt", "schlussel"),
        ("see queryFlow.ts for it", "query_flow.ts"),
        ("it is in src/lith/kernel/ids.py somewhere", "kernel/ids.py"),
        ("a => b", "=>"),
    ],
)
def test_scripts_names_and_symbols_are_found(builder: MapBuilder, text: str, query: str) -> None:
    builder.add("other", [user("nothing of the kind")])
    ref = builder.add("one", [user(text)])
    assert refs(search(builder, query)) == [ref]


def test_a_profile_hit_has_no_seq_and_borrows_no_message(builder: MapBuilder) -> None:
    builder.add("one", [user("hello"), profile("title", "Deadlock in the writer")])
    (hit,) = search(builder, "deadlock").results
    assert (hit.match_source, hit.label, hit.seq, hit.role) == ("profile", "title", None, None)
    assert hit.matched_fields == ["title"]
    assert hit.evidence is not None
    assert hit.evidence.argv == ["lith", "read", "claude_code:one"]


def test_the_evidence_of_a_compaction_reads_it_in_a_long_session(builder: MapBuilder) -> None:
    said = [user(f"message {number}") for number in range(200)]
    builder.add("one", [*said[:150], profile("compaction", "the deadlock in the writer"), *said[150:]])
    (hit,) = search(builder, "deadlock").results
    assert (hit.seq, hit.match_source) == (None, "profile")
    assert_evidence(builder, hit)


def test_a_call_hit_names_tool_and_fields(builder: MapBuilder) -> None:
    builder.add("one", [user("go"), call("Bash", command="make frobnicate", description="Build it")])
    (hit,) = search(builder, "frobnicate").results
    assert (hit.match_source, hit.tool, hit.seq, hit.matched_fields) == ("call", "Bash", 1, ["command"])
    assert hit.snippet == "make frobnicate"


def test_reviews_and_warmups_are_never_found(builder: MapBuilder) -> None:
    builder.add("review", [user("sync lock")], kind="review")
    builder.add("warmup", [user("sync lock")], kind="warmup")
    ref = builder.add("one", [user("sync lock")])
    assert refs(search(builder, "sync lock")) == [ref]
    assert refs(search(builder, "sync lock", scope=Scope(sessions=("claude_code:review",)))) == []


def test_a_subagent_is_labelled_and_below_its_parent(builder: MapBuilder) -> None:
    builder.add("one/agent", [user("find the sync lock")], kind="subagent", parent="one", start=START + DAY)
    builder.add("one", [user("find the sync lock")])
    first, second = search(builder, "sync lock").results
    assert (first.session_ref, first.kind) == ("claude_code:one", "main")
    assert (second.session_ref, second.kind, second.parent) == ("claude_code:one/agent", "subagent", "claude_code:one")


def test_copies_in_forks_are_one_hit_that_lists_the_others(builder: MapBuilder) -> None:
    said = [user("rename the flag", at=START), assistant("renamed the flag", at=START + 1)]
    builder.add("fork-b", [*said, user("other end", at=START + DAY)], start=START + 5)
    builder.add("origin", said, start=START)
    builder.add("fork-a", said, start=START + 3)
    result = search(builder, "rename the flag", limit=10)
    assert [hit.seq for hit in result.results] == [1, 2]
    assert result.total == 2
    assert {hit.session_ref for hit in result.results} | set(result.results[0].also_in) == {
        "claude_code:fork-a",
        "claude_code:fork-b",
        "claude_code:origin",
    }
    assert len(result.results[0].also_in) == 2


def test_equal_words_without_a_time_are_not_copies(builder: MapBuilder) -> None:
    builder.add("one", [user("go on with it", timed=False)])
    builder.add("two", [user("go on with it", timed=False)])
    assert set(refs(search(builder, "go on with it"))) == {"claude_code:one", "claude_code:two"}


def test_a_chatty_session_hides_no_other(builder: MapBuilder) -> None:
    builder.add("chatty", [user(f"the deploy failed deploy deploy {number}") for number in range(250)], start=START + DAY)
    quiet = [
        builder.add(f"quiet-{number}", [user(f"a long text that speaks of one deploy among many other things {number}")])
        for number in range(4)
    ]
    first = search(builder, "deploy", limit=10)
    assert set(refs(first)[:7]) == {*quiet, "claude_code:chatty"}
    assert len(first.results) == 10
    assert first.capped
    assert first.total == 254


def test_a_page_is_full_while_there_are_results_though_one_session_has_most(builder: MapBuilder) -> None:
    builder.add("chatty", [user(f"the deploy failed {number}") for number in range(20)], start=START + DAY)
    builder.add("quiet", [user("a deploy")])
    result = search(builder, "deploy", limit=15)
    assert len(result.results) == 15
    assert "claude_code:quiet" in refs(result)[:4]


def test_pages_go_on_beyond_what_is_ranked_together(builder: MapBuilder) -> None:
    builder.add("chatty", [user(f"the deploy failed {number}") for number in range(450)])
    seen: list[int | None] = []
    ranks: list[int | None] = []
    cursor = None
    while True:
        page = search(builder, "deploy", limit=70, cursor=cursor, fields=("seq", "rank"))
        assert page.total == 450
        seen += [hit.seq for hit in page.results]
        ranks += [hit.rank for hit in page.results]
        cursor = page.next_cursor
        if cursor is None:
            break
        assert len(page.results) == 70
    assert sorted(seen, key=str) == sorted(range(1, 451), key=str)
    assert ranks == list(range(1, 451))


def test_where_pages_end_before_the_total_they_say_why(builder: MapBuilder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MAX_BLOCKS", 1)
    builder.add("chatty", [user(f"the deploy failed {number}") for number in range(250)])
    first = search(builder, "deploy", limit=150, fields=("seq",))
    assert (first.next_cursor is None, first.ended) == (False, None)
    last = search(builder, "deploy", limit=150, fields=("seq",), cursor=first.next_cursor)
    assert (len(last.results), last.next_cursor) == (50, None)
    assert last.ended is not None
    assert "last of 200 results" in last.ended


def test_pages_repeat_nothing_and_are_full(builder: MapBuilder) -> None:
    for name in ("a", "b"):
        builder.add(name, [user(f"deploy number {number} of {name}") for number in range(7)])
    seen: list[tuple[str | None, int | None]] = []
    ranks: list[int | None] = []
    cursor = None
    for _ in range(20):
        page = search(builder, "deploy", limit=5, cursor=cursor)
        assert len(page.results) == 5 or page.next_cursor is None
        seen += [(hit.session_ref, hit.seq) for hit in page.results]
        ranks += [hit.rank for hit in page.results]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == page.total == 14
    assert ranks == list(range(1, 15))


def test_one_session_may_fill_a_page_when_it_is_asked_for(builder: MapBuilder) -> None:
    ref = builder.add("a", [user(f"deploy number {number}") for number in range(30)])
    builder.add("b", [user("deploy")])
    result = search(builder, "deploy", limit=20, scope=Scope(sessions=(ref,)))
    assert refs(result) == [ref] * 20
    assert result.total == 30
    assert not result.capped


def test_a_cursor_of_another_question_is_refused(builder: MapBuilder) -> None:
    builder.add("a", [user(f"deploy and build {number}") for number in range(9)])
    cursor = search(builder, "deploy", limit=2).next_cursor
    assert cursor is not None
    with pytest.raises(UsageError, match="another question"):
        search(builder, "build", limit=2, cursor=cursor)
    with pytest.raises(UsageError, match="not a cursor"):
        search(builder, "deploy", cursor="xyz")


def test_the_same_question_has_the_same_answer(builder: MapBuilder) -> None:
    for number in range(12):
        builder.add(f"s{number}", [user("equal words in every one", timed=False), assistant("equal words", at=START)])
    answers = [msgspec.json.encode(search(builder, "equal words")) for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]


def test_the_directory_one_asks_from_breaks_a_tie(builder: MapBuilder) -> None:
    builder.add("away", [user("sync lock")], cwd="/home/u/away", start=START + 1)
    builder.add("here", [user("sync lock")], cwd="/home/u/here")
    assert refs(search(builder, "sync lock", near="/home/u/here/src"))[0] == "claude_code:here"
    assert refs(search(builder, "sync lock", near="/home/u/away"))[0] == "claude_code:away"


def test_explain_gives_parts_that_add_up(builder: MapBuilder) -> None:
    builder.add("one", [user("sync lock"), assistant("the lock of sync")])
    for hit in search(builder, "sync lock", explain=True).results:
        assert hit.score == pytest.approx(sum(hit.parts.values()), abs=0.002)
        assert hit.parts["words"] > 0


def test_only_the_fields_asked_for(builder: MapBuilder) -> None:
    builder.add("one", [user("sync lock")])
    encoded = msgspec.json.decode(msgspec.json.encode(search(builder, "lock", fields=("session_ref", "snippet")).results))
    assert encoded == [{"session_ref": "claude_code:one", "snippet": "sync lock"}]
    with pytest.raises(UsageError, match="no field 'snipet'") as error:
        search(builder, "lock", fields=("snipet",))
    assert error.value.hint is not None
    assert "snippet" in error.value.hint


@pytest.mark.parametrize("query", ["", "   ", "\n"])
def test_a_question_without_a_word_is_refused(builder: MapBuilder, query: str) -> None:
    with pytest.raises(UsageError, match="nothing to search for"):
        search(builder, query)


@pytest.mark.parametrize("limit", [0, -1, 201])
def test_a_page_has_a_size(builder: MapBuilder, limit: int) -> None:
    with pytest.raises(UsageError, match="a page has"):
        search(builder, "lock", limit=limit)


SCOPES = [
    (Scope(sources=("codex",)), {"codex:b"}),
    (Scope(project="/home/u/p"), {"claude_code:a"}),
    (Scope(project="/home/u/p/deep/below"), {"claude_code:a"}),
    (Scope(project="p"), {"claude_code:a"}),
    (Scope(cwd="/home/u/p"), {"claude_code:a"}),
    (Scope(cwd="/home/u"), {"claude_code:a", "codex:b", "claude_code:a/x"}),
    (Scope(cwd="/home/u/p/s"), set()),
    (Scope(since=START + DAY), {"codex:b"}),
    (Scope(until=START + DAY), {"claude_code:a", "claude_code:a/x"}),
    (Scope(sessions=("codex:b", "claude_code:a")), {"codex:b", "claude_code:a"}),
    (Scope(exclude_sessions=("claude_code:a",)), {"codex:b"}),
    (Scope(subagents=False), {"claude_code:a", "codex:b"}),
    (Scope(roles=(Role.ASSISTANT,)), {"codex:b"}),
    (Scope(tools=("Read",)), {"claude_code:a"}),
    (Scope(files=("src/lock.py",)), {"claude_code:a"}),
    (Scope(files=("src",)), set()),
    (Scope(files=("/home/u/p/src",)), {"claude_code:a"}),
    (Scope(sources=("codex",), since=START + 90 * DAY), set()),
]


@pytest.mark.parametrize(("scope", "expected"), SCOPES)
def test_a_scope_narrows_before_anything_is_ranked(builder: MapBuilder, scope: Scope, expected: set[str]) -> None:
    builder.add("a", [user("lock one"), call("Read", path="/home/u/p/src/lock.py")], cwd="/home/u/p/sub", project="/home/u/p")
    builder.add("a/x", [user("lock two")], kind="subagent", parent="a", cwd="/home/u/q")
    builder.add("b", [assistant("lock three")], source="codex", cwd="/home/u/r", start=START + 2 * DAY)
    assert set(refs(search(builder, "lock", scope=scope))) == expected


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(max_size=60) | st.text(alphabet='ab "-*()AND修=>.', max_size=30))
def test_anything_can_be_typed(builder: MapBuilder, query: str) -> None:
    if builder.connection.execute("SELECT count(*) FROM sessions").fetchall()[0][0] == 0:
        builder.add(
            "one", [user("a b ab 修 => and"), assistant("(ab) b.a"), profile("title", "ab"), call("Bash", command="a && b")]
        )
    try:
        result = search(builder, query)
    except UsageError:
        return
    assert (result.nothing is None) == bool(result.results)
    for hit in result.results:
        assert_evidence(builder, hit)


def assert_evidence(builder: MapBuilder, hit: Hit) -> None:
    """The printed command reads what the hit was made from."""
    assert hit.evidence is not None
    argv = hit.evidence.argv
    assert argv[:2] == ["lith", "read"]
    at = int(argv[argv.index("--at") + 1]) if "--at" in argv else None
    result = read_session(builder.connection, ReadRequest(address=argv[2], at=at))
    records = {message.record for message in result.messages} | {text.record for text in result.profile}
    assert hit.record in records
