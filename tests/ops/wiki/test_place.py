"""Which vault is meant: the option, else the setting, else the nearest."""

from pathlib import Path

import pytest

from lith.kernel.clock import system_clock
from lith.ops.runtime import Runtime
from lith.ops.wiki.address_resolve import AddressResolveRequest, address_resolve
from lith.ops.wiki.lint import LintRequest, lint
from lith.ops.wiki.place import VaultRequest, command, find_place, page_word
from lith.wiki.errors import NoVault, PageNotFound


def runtime_in(cwd: Path, home: Path, **environment: str) -> Runtime:
    return Runtime(clock=system_clock, home=home, cwd=cwd, environment=environment, data_dir=home / "data")


def test_the_option_wins_over_the_setting_and_that_over_the_nearest(home: Path, notes: Path) -> None:
    near, configured = home / "near", home / "configured"
    for folder in (near, configured):
        (folder / ".obsidian").mkdir(parents=True)
    inside = near / "deep"
    inside.mkdir()
    plain = runtime_in(inside, home)
    with_setting = runtime_in(inside, home, LITH_WIKI_VAULT="configured")
    assert find_place(None, plain).root == near.resolve()
    assert find_place(None, with_setting).root == configured.resolve(), "a relative path of the settings begins at the home"
    assert find_place("~/notes", with_setting).root == notes.resolve()
    assert find_place("../../notes", with_setting).root == notes.resolve()


def test_the_setting_is_read_from_the_config_file(home: Path, notes: Path) -> None:
    file = home / ".config" / "lith" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text('[wiki]\nvault = "~/notes"\n')
    assert lint(LintRequest(), runtime_in(home, home)).vault == str(notes.resolve())


def test_no_vault_says_how_to_make_one(home: Path) -> None:
    with pytest.raises(NoVault) as raised:
        lint(LintRequest(), runtime_in(home, home))
    assert raised.value.next == [["lith", "wiki", "init", "--vault", "."]]


def test_a_suggested_command_names_the_vault_as_the_user_did(home: Path, notes: Path) -> None:
    runtime = runtime_in(home, home)
    assert command(VaultRequest(vault="notes"), runtime, "hot")[:5] == ["lith", "wiki", "hot", "--vault", "notes"]
    assert "--vault" not in command(VaultRequest(), runtime_in(notes, home), "hot")
    with pytest.raises(PageNotFound) as raised:
        address_resolve(AddressResolveRequest(vault="notes", address="c-7"), runtime)
    assert all(argv[-2:] == ["--vault", "notes"] for argv in raised.value.next)


def test_a_page_may_be_named_from_the_working_directory(home: Path, notes: Path) -> None:
    runtime = runtime_in(notes / "wiki" / "concepts", home)
    vault = find_place(None, runtime)
    assert page_word("Backoff.md", vault, runtime) == str((notes / "wiki" / "concepts" / "Backoff.md").resolve())
    assert page_word("Backoff", vault, runtime) == "Backoff"
