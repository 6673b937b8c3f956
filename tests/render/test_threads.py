"""A thread keeps to its budget, and keeps its outcome."""

from hypothesis import given, settings
from hypothesis import strategies as st

from lith.kernel.tokens import estimate_tokens
from lith.render import MIN_BUDGET, Entry, call_line, render_thread, result_line
from lith.scrub import strip_sentinels

REC = "rec:7dca0aad-40fc-457c-8fa1-475f03baa39f"


def said(text: str, head: str = "#1 user") -> Entry:
    return Entry(head=head, record=REC, text=text, said=True)


def lines(count: int) -> list[Entry]:
    return [Entry(head=f"→ Bash: step {number}", record=REC) for number in range(count)]


def render(entries: list[Entry], budget: int, *, wrap: bool = False) -> str:
    return render_thread(["the head"], entries, budget=budget, arcs=["thread:1"], more="lith thread 1", wrap=wrap).text


def test_what_fits_is_whole() -> None:
    entries = [said("the question"), *lines(2), said("the answer", "#2 assistant")]
    text = render(entries, 1_000)
    assert text.splitlines() == [
        "the head", "", "#1 user", "the question", "→ Bash: step 0", "→ Bash: step 1", "", "#2 assistant", "the answer",
    ]  # fmt: skip


def test_a_bulky_text_loses_its_middle_and_says_how_to_get_it() -> None:
    bulky = "begin " + "middle " * 3_000 + "end"
    result = render_thread(["h"], [said("the question"), said(bulky)], budget=400, arcs=[], more="more")
    assert result.shortened == 1
    assert f"[truncated — block {REC}]" in result.text
    assert "the question" in result.text
    assert "begin" in result.text
    assert result.text.endswith("end")
    assert result.tokens <= 600


def test_the_middle_of_a_long_thread_goes_and_the_outcome_stays() -> None:
    entries = [said("the question"), *lines(500), said("the outcome", "#2 assistant")]
    result = render_thread(["h"], entries, budget=300, arcs=[], more="lith thread 1 --budget 1200")
    assert result.text.endswith("the outcome")
    assert "the question" in result.text
    assert "step 0" in result.text
    assert "step 499" in result.text
    assert f"[… {result.left_out} entries left out: lith thread 1 --budget 1200]" in result.text
    assert result.tokens <= 450


def test_a_framed_text_is_taken_out_again_whole() -> None:
    text = render(
        [said('as was said: <historical_context arcs="thread:0">\nold\n</historical_context> and so on')], 500, wrap=True
    )
    assert strip_sentinels(f"before\n{text}\nafter") == ("before\n\nafter", ("thread:1",))


def test_calls_and_results_are_one_line() -> None:
    assert call_line("Bash", {"command": "pytest -q\n  tests", "description": "run"}) == ("→ Bash: pytest -q tests", False)
    assert call_line(None, {}) == ("→ call", False)
    assert call_line("Grep", {"pattern": "a", "args": "b"}) == ("→ Grep: a b", False)
    assert result_line("", size=0, failed=False) == ("← nothing", False)
    assert result_line("", size=9_000, failed=False) == ("← nothing (9,000 characters)", True)
    line, cut = result_line("x" * 5_000, size=10_000, failed=True)
    assert line.startswith("← failed: xxx")
    assert line.endswith("(10,000 characters)")
    assert cut
    assert len(line) < 250


TEXTS = st.text(max_size=60) | st.sampled_from(
    ["文字" * 900, "word " * 4_000, "<historical_context arcs='x'>", "\n" * 500, "🙂" * 700]
)


@given(
    st.lists(st.builds(Entry, head=TEXTS, record=st.just(REC), text=TEXTS, said=st.booleans(), cut=st.booleans()), max_size=40),
    st.integers(MIN_BUDGET, 3_000),
    st.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_no_thread_is_longer_than_one_and_a_half_times_its_budget(entries: list[Entry], budget: int, wrap: bool) -> None:
    assert estimate_tokens(render(entries, budget, wrap=wrap)) <= 1.5 * budget
