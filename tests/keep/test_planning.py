"""Whatever the transcript: the pruned one is valid, says the same, and pruning it again changes nothing."""

import io
import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.keep.strategies import transcripts
from tests.keep.transcripts import EVERYTHING, LONG, REAL, Writer, make
from tests.keep.world import KEY, NOW

from lith.archive import FileKey
from lith.errors import UsageError
from lith.keep import MODES, RULES, CannotPrune, PrunePlan, plan_prune
from lith.keep.outline import read_outline
from lith.keep.planning import LIMIT, decide
from lith.keep.rewriting import iter_rewritten
from lith.keep.validation import validate


def prune(data: bytes, mode: str = "resume", switches: dict[str, bool] | None = None) -> bytes:
    """The pruned bytes, validated."""
    file = io.BytesIO(data)
    outline = read_outline(file, len(data))
    decisions = decide(outline, mode=mode, switches=switches or {}, limit=LIMIT)
    pruned = b"".join(one.new for one in iter_rewritten(file, outline, decisions) if one.new is not None)
    validate(file, outline, io.BytesIO(pruned), decisions, len(pruned))
    return pruned


def plan(data: bytes, path: Path, switches: dict[str, bool] | None = None) -> PrunePlan:
    path.write_bytes(data)
    return plan_prune(KEY, path, now=NOW, switches=switches)


def records(data: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in data.splitlines()]


@settings(max_examples=60, deadline=None)
@given(transcripts(), st.sampled_from(MODES))
def test_any_transcript_stays_valid_and_pruning_twice_is_pruning_once(data: bytes, mode: str) -> None:
    pruned = prune(data, mode)
    assert len(pruned) <= len(data)
    assert prune(pruned, mode) == pruned


@settings(max_examples=30, deadline=None)
@given(transcripts(), st.dictionaries(st.sampled_from(sorted(RULES)), st.booleans()))
def test_any_choice_of_rules_stays_valid(data: bytes, switches: dict[str, bool]) -> None:
    pruned = prune(data, switches=switches)
    assert prune(pruned, switches=switches) == pruned


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("path", REAL, ids=lambda path: f"{path.parts[-4]}-{path.stem[:18]}")
def test_real_transcripts(path: Path, mode: str) -> None:
    data = path.read_bytes()
    pruned = prune(data, mode)
    assert prune(pruned, mode) == pruned


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=transcripts())
def test_the_preview_is_what_happens(data: bytes, tmp_path: Path) -> None:
    preview = plan(data, tmp_path / "a.jsonl")
    pruned = prune(data)
    assert (preview.bytes_before, preview.bytes_after) == (len(data), len(pruned))
    assert sum(kind.bytes_before for kind in preview.kinds) == len(data)
    assert sum(kind.bytes_after for kind in preview.kinds) == len(pruned)
    assert preview.changes == (pruned != data)
    assert preview.removed == sum(rule.removed for rule in preview.rules)
    assert msgspec.convert(msgspec.to_builtins(preview), PrunePlan) == preview, "a plan is plain JSON"


def test_every_rule_finds_its_work_in_a_session_with_everything(tmp_path: Path) -> None:
    preview = plan(EVERYTHING, tmp_path / "a.jsonl", {"compaction": True})
    idle = [rule.name for rule in preview.rules if not rule.removed + rule.shortened]
    assert idle == []
    assert all(rule.bytes > 0 for rule in preview.rules)
    assert {rule.name for rule in preview.rules} == set(RULES)


def test_off_means_off(tmp_path: Path) -> None:
    assert not plan(EVERYTHING, tmp_path / "a.jsonl", dict.fromkeys(RULES, False)).changes


def test_walls_stay_for_resuming_and_go_for_extracting() -> None:
    data = make(["prompt", "answer", "wall", "prompt", "answer"])
    walls = [record for record in records(prune(data)) if record.get("subtype") == "compact_boundary"]
    assert len(walls) == 1
    extracted = records(prune(data, "extract"))
    assert [record["type"] for record in extracted] == ["user", "assistant", "user", "assistant"]
    assert [record["parentUuid"] for record in extracted] == [None, *(record["uuid"] for record in extracted[:-1])]


def test_the_chain_is_rebuilt_over_long_runs_of_progress() -> None:
    data = make(["prompt", *["progress"] * 3000, "answer", *["progress"] * 10, "branch"])
    found = records(prune(data))
    assert [record["type"] for record in found] == ["user", "assistant", "user"]
    assert found[1]["parentUuid"] == found[0]["uuid"]


def test_a_circle_of_parents_is_left_as_it_is() -> None:
    ring = [
        b'{"type":"progress","uuid":"%s","parentUuid":"%s","data":{"x":"%s"}}\n' % (own, up, b"y" * 300)
        for own, up in ((b"a", b"c"), (b"b", b"a"), (b"c", b"b"), (b"d", b"c"))
    ]
    data = b"".join(ring)
    assert prune(data) == b"".join(ring[:3])


def test_what_a_compaction_preserved_stays() -> None:
    data = make(["prompt", "progress", "thinking", "progress", "wall", "prompt"])
    kept = [record["type"] for record in records(prune(data))]
    assert kept == ["user", "progress", "assistant", "progress", "system", "user", "user"]


def test_the_last_turn_keeps_its_thinking() -> None:
    data = make(["prompt", "thinking", "mixed", "prompt", "thinking", "mixed"])
    texts = [json.dumps(record) for record in records(prune(data))]
    assert [("signature" in text) for text in texts] == [False, False, False, True, True]


def test_the_last_of_each_setting_stays() -> None:
    data = make(["prompt", "title", "mode", "title", "mode", "title", "queue", "queue"])
    found = records(prune(data))
    assert [record["type"] for record in found] == ["user", "mode", "ai-title", "queue-operation", "queue-operation"]
    assert found[2] == records(data)[5]


def test_numbers_escapes_and_key_order_are_the_clients() -> None:
    data = make(["odd_numbers"])
    pruned = prune(data)
    assert len(pruned) < len(data) / 3
    assert b'"n":1.0,"big":123456789012345678901234567890,"e":1E3' in pruned
    assert b'"x":-0' in pruned
    assert list(records(pruned)[0]) == list(records(data)[0])


def test_a_cut_text_says_how_to_get_it_back_and_keeps_both_ends() -> None:
    (_, result) = records(prune(make(["call"]), switches={"results": False}))
    block = result["message"]["content"][0]  # type: ignore[index]
    assert block["is_error"] is False
    assert block["content"].startswith(LONG[:500])
    assert block["content"].endswith(LONG[-300:])
    assert f"[pruned — block rec:{result['uuid']}]" in block["content"]
    assert len(block["content"]) <= LIMIT


def test_a_picture_leaves_its_size() -> None:
    (record,) = records(prune(make(["image"])))
    blocks = record["message"]["content"]  # type: ignore[index]
    assert blocks[0] == {"type": "text", "text": "look"}
    assert blocks[1]["type"] == "text"
    assert blocks[1]["text"].startswith("[image/png, 1200 bytes] [pruned — block rec:")


def test_recalled_words_leave_their_addresses() -> None:
    pruned = prune(make(["recalled", "hook"])).decode()
    assert "what was said once" not in pruned
    assert '<consulted_arcs refs=\\"claude_code:abc#1 claude_code:abc#2\\"/>' in pruned


def test_words_of_people_and_models_are_untouched(tmp_path: Path) -> None:
    quoted = Writer()
    quoted.add(
        "user", message={"role": "user", "content": f'look at <historical_context arcs="x">{LONG}</historical_context> here'}
    )
    quoted.add("assistant", message={"role": "assistant", "content": [{"type": "text", "text": LONG * 3}]})
    data = b"".join(quoted.lines)
    assert prune(data) == data


def test_other_clients_unknown_rules_and_modes_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"")
    with pytest.raises(CannotPrune):
        plan_prune(FileKey("codex", "s", "s.jsonl"), path, now=NOW)
    with pytest.raises(UsageError, match="no rule 'nosuch'") as caught:
        plan_prune(KEY, path, now=NOW, switches={"nosuch": True})
    assert "thinking" in (caught.value.hint or "")
    with pytest.raises(UsageError, match="no mode"):
        plan_prune(KEY, path, now=NOW, mode="fast")
    assert not plan_prune(KEY, path, now=NOW).changes
