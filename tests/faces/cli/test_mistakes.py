"""A command line that cannot be understood is told what was probably meant."""

import shlex

import pytest
from tests.command_line import CommandLine

from lith.faces.cli import mistakes


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("find port -proxy", "port -proxy"),
        ("find '-proxy port'", "port -proxy"),
        ("find -proxy port --since 2d", "port -proxy"),
        ("find port -node", "port -node"),
        ("find port -quick -hard", "port -quick -hard"),
        ("start port -proxy", "port -proxy"),
    ],
)
def test_a_word_to_leave_out_was_an_option_and_the_hint_searched_for_it(lith: CommandLine, typed: str, meant: str) -> None:
    argv = shlex.split(typed)
    error = lith(*argv, "--json").error
    assert error["code"] == "usage"
    assert shlex.join(["lith", argv[0], meant]) in error["hint"]
    assert "put --" not in error["hint"]
    following = error["next"][0]
    assert following[:3] == ["lith", argv[0], meant]
    assert ("--since" in following) == ("--since" in argv)


def test_nothing_but_words_to_leave_out_is_no_search(lith: CommandLine) -> None:
    assert "a word to look for" in lith("find", "-proxy", "--json").error["hint"]


@pytest.mark.parametrize(
    ("typed", "near"),
    [("--sinse", "--since"), ("--lmit", "--limit"), ("--sesion", "--session"), ("-since", "--since"), ("-quiet", "--quiet")],
)
def test_the_option_that_is_nearest_was_not_named_first(lith: CommandLine, typed: str, near: str) -> None:
    assert lith("find", "x", typed, "2d", "--json").error["hint"].startswith(f"did you mean {near}")


def test_an_option_without_its_value_pointed_to_the_wrong_help(lith: CommandLine) -> None:
    assert lith("find", "x", "--json", "--limit").error["next"] == [["lith", "find", "--help"]]
    assert lith("config", "show", "--json", "--data-dir").error["next"] == [["lith", "config", "show", "--help"]]


@pytest.mark.parametrize(
    ("typed", "following"),
    [
        ("search retry storm -n 3", "lith find retry storm -n 3"),
        ("show codex:019c", "lith read codex:019c"),
        ("help", "lith --help"),
        ("help find", "lith find --help"),
        ("version", "lith --version"),
        ("init", "lith start"),
        ("settings", "lith config show"),
    ],
)
def test_a_command_of_other_programs_got_no_suggestion(lith: CommandLine, typed: str, following: str) -> None:
    error = lith("--json", *typed.split()).error
    assert error["next"][0] == following.split()
    assert "did you mean" in error["hint"]


def test_the_command_of_a_line_is_found_among_its_options() -> None:
    assert mistakes.find_command(["--data-dir", "find", "config", "show", "x"]) == "config show"
    assert mistakes.find_command(["--json", "find", "list"]) == "find"
    assert mistakes.find_command(["fnid"]) == ""
