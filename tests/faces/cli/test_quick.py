"""The quick reading of `find` means what click's means, or leaves the line to click."""

from typing import Any

import click
from hypothesis import given
from hypothesis import strategies as st

from lith.faces.cli import quick, tree
from lith.faces.cli.commands.find import COMMAND
from lith.faces.cli.output import Output

FLAGS = [flag for option in COMMAND.all_options for flag in option.flags]
WORDS = st.one_of(
    st.sampled_from([*FLAGS, "--", "-", "-n5", "--limit=3", "--since=", "--json=1", "--help", "--unknown", "-x", "--sin", "-qn"]),
    st.sampled_from(["flaky", "5", "0", "-1", "٣", "user", "codex", "", "two words", "a=b", "日本"]),
)


def by_click(words: list[str]) -> dict[str, Any] | None:
    """What click makes of the words; None where it refuses them or does something else."""
    seen: dict[str, Any] = {}
    command = tree.make_command("find", Output(started=0.0))
    command.callback = lambda **values: seen.update(values)
    try:
        command.main(list(words), standalone_mode=False)
    except (click.UsageError, click.exceptions.Exit):
        return None
    return seen or None


@given(st.lists(WORDS, max_size=7))
def test_the_quick_reading_is_clicks(words: list[str]) -> None:
    values = quick.parse(COMMAND, words)
    if values is not None and "--help" not in words and "-h" not in words:
        assert values == by_click(words)


def test_plain_lines_are_read_quickly() -> None:
    values = quick.parse(
        COMMAND, ["flaky", "test", "--since", "3d", "-n", "5", "--source=codex", "--source", "pi", "--json", "--", "-x"]
    )
    assert values is not None
    assert values["query"] == ("flaky", "test", "-x")
    assert values["since"] == "3d"
    assert values["limit"] == 5
    assert values["source"] == ("codex", "pi")
    assert values["json"] is True
    assert values["until"] is None


def test_what_is_not_plain_is_left_to_click() -> None:
    for words in (
        [],
        ["--json"],
        ["x", "--help"],
        ["x", "--sinse", "1d"],
        ["x", "-n"],
        ["x", "-n", "ten"],
        ["x", "--role", "usr"],
    ):
        assert quick.parse(COMMAND, words) is None
