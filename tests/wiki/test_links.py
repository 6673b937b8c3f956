"""The link parser against a reference grammar: pages built from pieces whose links are known."""

from hypothesis import given, settings
from hypothesis import strategies as st

from lith.wiki.links import split_destination
from lith.wiki.page import read_page

NAMES = (
    st.text(alphabet="abcXYZ éß日本 ._-()'&+", min_size=1, max_size=12)
    .map(str.strip)
    .filter(lambda name: name not in {"", "None"})
)
Piece = tuple[str, list[str]]


@st.composite
def wikilink(draw: st.DrawFn) -> Piece:
    """A link in one of its spellings, with the target it must have."""
    name = draw(NAMES)
    tail = draw(st.sampled_from(["", "#Head", "#^blk", "^blk", "#A#B"]))
    text = draw(st.sampled_from(["", "|shown", "\\|shown", "|", "|a b [c] d"]))
    bang = draw(st.sampled_from(["", "!"]))
    pad = draw(st.sampled_from(["", " "]))
    return f"{bang}[[{pad}{name}{tail}{text}]]", [name]


@st.composite
def hidden(draw: st.DrawFn) -> Piece:
    """A link where none counts, on one line."""
    link, _ = draw(wikilink())
    shape = draw(st.sampled_from(["`{}`", "``{}``", "<!-- {} -->", "%% {} %%", "[[{}", "[[]]", "[[None]]", "\\{}"]))
    if shape in {"[[{}", "\\{}"}:
        return "[[ open [x", []
    return shape.format(link.replace("\\", "").replace("!", "")), []


PLAIN = st.sampled_from(["word", "and", "100 %", "a_b", "x = y", "(z)", "[one]", "]]", "#tag"]).map(
    lambda text: (text, list[str]())
)
LINE = st.lists(st.one_of(PLAIN, wikilink(), hidden()), min_size=1, max_size=4)


@st.composite
def block(draw: st.DrawFn) -> Piece:
    """One block: a paragraph, a list item, an indented line, a quote, or a fence whose links do not count."""
    pieces = draw(LINE)
    line = " ".join(text for text, _ in pieces)
    found = [name for _, names in pieces for name in names]
    shape = draw(st.sampled_from(["para", "item", "indent", "quote", "fence", "tilde", "long"]))
    if shape == "fence":
        return f"```py\n{line}\n```", []
    if shape == "tilde":
        return f"~~~\n{line}\n```\n~~~", []
    if shape == "long":
        return f"````\n{line}\n```\n{line}\n````", []
    lead = {"para": "See ", "item": "- See ", "indent": "    See ", "quote": "> See "}[shape]
    return lead + line + " end", found


@settings(max_examples=150, deadline=None)
@given(st.lists(block(), max_size=6), st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "\ufeff", "---\ntype: x\n---\n"]))
def test_links_are_those_of_the_grammar(blocks: list[Piece], eol: str, front: str) -> None:
    body = (front + "\n\n".join(text for text, _ in blocks)).replace("\n", eol)
    facts = read_page(body.encode(), "Page")
    assert [link.target for link in facts.links] == [name for _, names in blocks for name in names]
    assert facts.problems == []


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="[]|#^!\\`~$%<>-: \n\tabé", max_size=80))
def test_any_text_is_read_and_every_link_stands_where_it_says(text: str) -> None:
    data = text.encode()
    facts = read_page(data, "Page")
    for link in facts.links:
        if link.kind != "markdown" and not link.field:
            written = data[link.start : link.end].decode()
            assert written.lstrip("!").startswith("[[")
            assert written.endswith("]]")
            assert link.target in written
            assert "\n" not in written
        assert link.field or link.line == data[: link.start].count(b"\n") + 1


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=120))
def test_any_bytes_are_read(data: bytes) -> None:
    assert read_page(b"---\n" + data, "Page").title


def test_a_page_of_many_marks_is_read_in_linear_time() -> None:
    # A quadratic parser would need minutes for this.
    for body in (
        "[[a]] [b](c) " * 30_000,
        "[[" * 200_000,
        "[[a|" * 100_000,
        "[[a#" * 100_000,
        "`[[" * 100_000,
        "%% " * 100_000,
        "<!-- " * 100_000,
    ):
        assert all("\n" not in link.target for link in read_page(body.encode(), "Page").links)


def test_destinations() -> None:
    assert split_destination("My%20Note.md#Head") == ("My Note.md", "#Head")
    assert split_destination("#Head") == ("", "#Head")
    assert split_destination("https://example.org/a.md") is None
    assert split_destination("mailto:a@example.org") is None
    assert split_destination("//host/x") is None
    assert split_destination("") is None
