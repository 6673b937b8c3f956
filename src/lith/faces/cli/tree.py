"""click's objects, made from the commands' plain data when they are asked for.

Only this module imports click. The summary of a command is its operation's; the module of a command is imported when it is called or
its help is read, not when the list of commands is.
"""

import difflib
from collections.abc import Sequence
from functools import partial
from typing import Any

import click
from click.shell_completion import shell_complete

from lith import __version__
from lith.errors import UsageError
from lith.faces.cli import failures
from lith.faces.cli.commands import COMMANDS, load_command
from lith.faces.cli.execute import execute
from lith.faces.cli.output import Output
from lith.faces.cli.words import EVERYWHERE, Argument, Command, Option, Values
from lith.ops.table import get_operation

HELP = """One memory for all your coding agents: search what was said and done in past sessions.

lith reads the sessions that coding agents leave on this machine, keeps a searchable map of them, and answers with evidence. It needs
no network, and it changes nothing but its own files."""
GROUPS = {"config": "Look at the settings."}
COMPLETION = "_LITH_COMPLETE"
"""The variable by which a shell asks for completions: `eval "$(_LITH_COMPLETE=bash_source lith)"`."""


def run(argv: list[str], out: Output) -> int:
    """Run a command line. Raises `LithError` for one that cannot be understood."""
    group = build(out)
    instruction = out.environment.get(COMPLETION)
    if instruction:
        return shell_complete(group, {}, "lith", COMPLETION, instruction)
    try:
        # not `group.main`, which would deal with broken pipes and interrupts on its own
        with group.make_context("lith", list(argv)) as context:
            return int(group.invoke(context) or 0)
    except click.UsageError as error:
        raise _as_usage_error(error) from error
    except click.exceptions.Exit as error:
        return error.exit_code


def build(out: Output) -> click.Group:
    """The whole program as a click group, writing to `out`."""
    params = [_option(option) for option in EVERYWHERE]
    params.append(click.Option(["--version", "-V"], is_flag=True, help="Print the version."))
    group = _Lazy(
        "lith", names=tuple(COMMANDS), out=out, params=params, help=HELP, invoke_without_command=True, no_args_is_help=False
    )
    group.callback = partial(_program, out)
    return group


class _Helpful(click.Command):
    """A command whose help goes through the one writer."""

    def __init__(self, *args: Any, out: Output, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.out = out

    def get_help_option(self, ctx: click.Context) -> click.Option | None:  # noqa: ARG002
        """`--help`, printing through `out`."""
        return click.Option(
            ["--help", "-h"], is_flag=True, is_eager=True, expose_value=False, help="Show this text.", callback=self._print_help
        )

    def _print_help(self, ctx: click.Context, _: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            for line in ctx.get_help().splitlines():
                self.out.line(line)
            ctx.exit()


class _Lazy(_Helpful, click.Group):
    """A group that knows its commands by name and imports one when it is needed. `prefix` is the words before their names."""

    def __init__(self, *args: Any, names: Sequence[str], prefix: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.names = names
        self.prefix = prefix

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names, in the order of the table."""
        return list(dict.fromkeys(name.removeprefix(self.prefix).partition(" ")[0] for name in self.names))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of a name, imported now; a group where several share their first word."""
        full = self.prefix + cmd_name
        if full in self.names:
            return make_command(full, self.out)
        inner = tuple(name for name in self.names if name.startswith(full + " "))
        if not inner:
            return None
        group = _Lazy(cmd_name, names=inner, prefix=full + " ", out=self.out, help=GROUPS[full], no_args_is_help=False)
        group.invoke_without_command = True
        group.callback = partial(_help_if_alone, self.out)
        return group

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, with the names that are near when there is none of that name."""
        name = args[0]
        if self.get_command(ctx, name) is None:
            near = difflib.get_close_matches(name, self.list_commands(ctx), n=2)
            hint = f"did you mean {' or '.join(near)}?" if near else f"the commands are {', '.join(self.list_commands(ctx))}"
            raise failures.usage(f"there is no command {self.prefix + name!r}", self.prefix.strip(), hint=hint)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, from the table, without importing them."""
        rows = []
        for name in self.list_commands(ctx):
            full = self.prefix + name
            rows.append((name, get_operation(full).doc if full in self.names else GROUPS[full]))
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def make_command(name: str, out: Output) -> click.Command:
    """The click command of one of lith's commands."""
    command = load_command(name)
    params: list[click.Parameter] = [_argument(argument) for argument in command.arguments]
    params += [_option(option) for option in command.all_options]
    made = _Helpful(
        name.rpartition(" ")[2],
        out=out,
        params=params,
        help=help_text(command),
        epilog=_examples(command),
        short_help=get_operation(name).doc,
    )
    made.callback = partial(_call, command, out)
    return made


def help_text(command: Command) -> str:
    """What `--help` says above the options."""
    return "\n\n".join(text for text in (get_operation(command.operation).doc, command.details) if text)


def _examples(command: Command) -> str | None:
    lines = "\n".join(f"  {example}" for example in command.examples)
    return f"\b\nExamples:\n{lines}" if lines else None


def _call(command: Command, out: Output, **values: Any) -> int:
    return execute(command, Values(values), out)


def _program(out: Output, **values: Any) -> None:
    out.as_json = out.as_json or bool(values["json"])
    out.quiet = bool(values["quiet"])
    out.data_dir = values["data_dir"]
    if values["version"]:
        out.line(f"lith {__version__}")
        raise click.exceptions.Exit(0)
    _help_if_alone(out)


def _help_if_alone(out: Output) -> None:
    context = click.get_current_context()
    if context.invoked_subcommand is None:
        if out.as_json:
            raise failures.usage("a command is missing", "")
        for line in context.get_help().splitlines():
            out.line(line)


def _option(option: Option) -> click.Option:
    declarations = [*option.flags, option.key]
    if option.shape == "flag":
        return click.Option(declarations, is_flag=True, help=option.help)
    kind: click.ParamType[Any] | None = None
    if option.shape == "number":
        kind = click.IntRange(min=option.least)
    elif option.choices:
        kind = click.Choice(option.choices)
    return click.Option(declarations, type=kind, multiple=option.many, metavar=option.metavar, help=option.help)


def _argument(argument: Argument) -> click.Argument:
    return click.Argument(
        [argument.key], nargs=-1 if argument.many else 1, required=argument.required, metavar=_metavar(argument)
    )


def _metavar(argument: Argument) -> str:
    word = argument.metavar + ("..." if argument.many else "")
    return word if argument.required else f"[{word}]"


def _as_usage_error(error: click.UsageError) -> UsageError:
    words = error.ctx.command_path.removeprefix("lith").strip() if error.ctx else ""
    hint = None
    if isinstance(error, click.NoSuchOption) and words == "find":
        hint = "put -- before words to search for that begin with a dash"
    return failures.usage(error.format_message().rstrip("."), words, hint=hint)
