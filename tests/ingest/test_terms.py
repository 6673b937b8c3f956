"""Terms: what was run, touched, talked about and linked; the same for the same texts, and never without end."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lith.ingest.terms import LIMITS, Text, find_terms, iter_commands


def call(tool: str, **fields: str) -> Text:
    return Text("call", tool, json.dumps(fields, ensure_ascii=False))


def message(text: str) -> Text:
    return Text("message", None, text)


def terms(*texts: Text) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {kind: {} for kind in LIMITS}
    for one in find_terms(texts):
        found[one.kind][one.term] = one.count
    return found


@pytest.mark.parametrize(
    ("command", "programs"),
    [
        ("git commit -m 'x' && git push", ["git commit", "git push"]),
        ("cd /work && FOO=1 sudo pytest -q | tail -5", ["pytest", "tail"]),
        ("python -m mypy src; ./run.sh", ["mypy", "run.sh"]),
        ("/usr/bin/npm run build || echo no", ["npm run"]),
        ("docker --version\nls", ["docker", "ls"]),
        ("", []),
        ("$(weird) [ -f x ]", []),
    ],
)
def test_programs_of_a_command(command: str, programs: list[str]) -> None:
    assert list(iter_commands(command)) == programs


def test_calls_give_tools_commands_files_and_addresses() -> None:
    found = terms(
        call("Bash", command="pytest -q"),
        call("Bash", command="pytest -x"),
        call("Edit", path="src/a.py"),
        call("apply_patch", path="src/a.py\nsrc/b.py"),
        call("WebFetch", url="https://example.org/docs?utm=1#top"),
    )
    assert found["operative"] == {"Bash": 2, "pytest": 2, "Edit": 1, "apply_patch": 1, "WebFetch": 1}
    assert found["target"] == {"src/a.py": 2, "src/b.py": 1, "https://example.org/docs": 1}


def test_words_are_counted_without_the_common_ones_and_in_every_script() -> None:
    found = terms(
        message("The retry storm: retry_policy. Please fix the retry, thank you. [masked:key] 0a1b2c3d4e5f"),
        message("再試行の嵐 再試行 повтор 포트"),
    )
    assert found["concept"]["retry"] == 2
    assert {"storm", "retry_policy", "再試行", "повтор", "포트"} <= set(found["concept"])
    assert not {"the", "please", "fix the", "masked", "thank", "0a1b2c3d4e5f"} & set(found["concept"])


def test_links_of_notes_and_not_of_shells() -> None:
    found = terms(message("see [[Retry policy]], [[a/b|label]] and [[c#part]]; if [[ -f x ]]; then [[0]] [[$a]]"))
    assert set(found["wikilink"]) == {"Retry policy", "a/b", "c"}


def test_addresses_in_messages_are_targets_and_no_words() -> None:
    found = terms(message("look at https://example.org/unusualword/page."))
    assert found["target"] == {"https://example.org/unusualword/page": 1}
    assert "unusualword" not in found["concept"]


def test_a_broken_call_still_has_its_tool() -> None:
    assert terms(Text("call", "Bash", "{not json"))["operative"] == {"Bash": 1}
    assert terms(Text("call", "Bash", '{"command": 5}'))["operative"] == {"Bash": 1}


TEXTS = st.lists(
    st.builds(Text, st.sampled_from(["message", "call", "result"]), st.none() | st.text(max_size=5), st.text(max_size=300))
    | st.builds(lambda command: Text("call", "Bash", json.dumps({"command": command, "path": command})), st.text(max_size=80)),
    max_size=12,
)


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_any_texts_give_the_same_few_terms_again(texts: list[Text]) -> None:
    found = find_terms(texts)
    assert found == find_terms(list(texts))
    assert len({(one.kind, one.term) for one in found}) == len(found)
    for kind, limit in LIMITS.items():
        assert sum(1 for one in found if one.kind == kind) <= limit
    assert all(one.count > 0 and one.term and len(one.term) <= 200 for one in found)
