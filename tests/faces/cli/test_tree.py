"""The command line as a whole: help, versions, and that it agrees with the table of operations."""

import pytest
from tests.command_line import CommandLine, start_lith

from lith import __version__
from lith.faces.cli.commands import COMMANDS, load_command
from lith.faces.cli.options import SCOPE
from lith.ops.table import OPERATIONS, get_operation, load, load_function


def test_every_operation_has_a_command_and_every_command_an_operation() -> None:
    assert sorted(COMMANDS) == sorted(operation.name for operation in OPERATIONS)
    for name in COMMANDS:
        assert load_command(name).operation == name


@pytest.mark.parametrize("name", [operation.name for operation in OPERATIONS])
def test_a_row_names_what_exists(name: str) -> None:
    operation = get_operation(name)
    hints = load_function(operation).__annotations__
    parameters = [value for key, value in hints.items() if key != "return"]
    assert parameters[0] is load(operation.request)
    assert hints["return"] is load(operation.result)


def test_the_operation_of_an_unknown_name_is_an_error() -> None:
    with pytest.raises(KeyError):
        get_operation("nothing")


@pytest.mark.parametrize("name", list(COMMANDS))
def test_help_explains_and_shows_examples_that_are_this_command(lith: CommandLine, name: str) -> None:
    outcome = lith(*name.split(), "--help")
    assert outcome.status == 0
    assert get_operation(name).doc.split()[0] in outcome.text
    assert f"lith {name}" in outcome.text
    assert "--json" in outcome.text
    assert all(len(line) <= 80 for line in outcome.text.splitlines() if not line.strip().startswith("lith "))
    assert lith(*name.split(), "-h").text == outcome.text


@pytest.mark.parametrize("name", list(COMMANDS))
def test_options_are_spelled_as_everywhere(name: str) -> None:
    shared = {flag: option for option in SCOPE for flag in option.flags}
    for option in load_command(name).all_options:
        for flag in option.flags:
            assert shared.get(flag, option) == option
            assert flag == flag.lower()
            assert "_" not in flag


def test_lith_alone_says_what_there_is(lith: CommandLine) -> None:
    outcome = lith()
    assert outcome.status == 0
    assert all(name.partition(" ")[0] in outcome.text for name in COMMANDS)
    assert lith("--help").text == outcome.text
    assert lith("--json").error["code"] == "usage"


@pytest.mark.parametrize("options", [(), ("--json",), ("--quiet",)])
def test_a_group_took_no_option_of_its_own(lith: CommandLine, options: tuple[str, ...]) -> None:
    alone, named = lith("config", *options), lith("config", "show", *options)
    assert alone.status == named.status == 0
    assert alone.text.partition('"data_dir"')[2] == named.text.partition('"data_dir"')[2]


@pytest.mark.parametrize("argv", [("--version",), ("-V",)])
def test_version(argv: tuple[str, ...]) -> None:
    assert start_lith(*argv).text == f"lith {__version__}\n"


@pytest.mark.parametrize("argv", [("--json", "--version"), ("--version", "--json"), ("-V", "--json")])
def test_the_version_was_text_under_json(lith: CommandLine, argv: tuple[str, ...]) -> None:
    assert lith(*argv).json["version"] == __version__


def test_help_was_text_under_json(lith: CommandLine) -> None:
    answer = lith("--help", "--json").json
    assert {"find", "sync", "config"} <= {one["name"] for one in answer["commands"]}
    answer = lith("find", "--help", "--json").json
    assert answer["command"] == "lith find"
    assert answer["arguments"][0]["name"] == "query"
    assert ["-n", "--limit"] in [one["flags"] for one in answer["options"]]
    assert answer["examples"] == list(load_command("find").examples)
    assert {"run", "status"} <= {one["name"] for one in lith("wiki", "fold", "--help", "--json").json["commands"]}


def test_a_shell_is_told_how_to_complete() -> None:
    assert "complete" in start_lith(environment={"_LITH_COMPLETE": "bash_source"}).text
    words = {"_LITH_COMPLETE": "bash_complete", "COMP_WORDS": "lith fi", "COMP_CWORD": "1"}
    assert "find" in start_lith(environment=words).text


def test_version_among_other_options(lith: CommandLine) -> None:
    assert lith("--quiet", "--version").text == f"lith {__version__}\n"
