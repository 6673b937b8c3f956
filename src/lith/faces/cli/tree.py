"""click's objects, made from the commands' plain data when they are asked for.

Only this module imports click. The summary of a command is its operation's; the module of a command is imported when it is called or
its help is read, not when the list of commands is.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import click
from click.shell_completion import shell_complete

from lith import __version__
from lith.faces.cli import failures, mistakes
from lith.faces.cli.commands import COMMANDS, load_command
from lith.faces.cli.execute import execute
from lith.faces.cli.output import Output
from lith.faces.cli.words import EVERYWHERE, Argument, Command, Option, Values
from lith.ops.table import get_operation

HELP = """One memory for all your coding agents: search what was said and done in past sessions.

lith reads the sessions that coding agents leave on this machine, keeps a searchable map of them, and answers with evidence. It needs
no network, and it changes nothing but its own files."""
GROUPS = {
    "archive": "Keep every byte of every session, whatever its client deletes or rewrites.",
    "config": "Look at the settings.",
    "wiki": "Keep a markdown wiki coherent: fold, address, tiling, frontier, lint.",
    "wiki fold": "Summarise batches of log entries in fold pages. Without a command it is `run`.",
    "wiki address": "Give pages addresses that outlive renames, and look them up.",
    "wiki tiling": "Find pages that say the same. Without a command it is `report`.",
    "wiki skill": "Teach an agent to maintain the wiki with these commands.",
}
DEFAULTS = {"config": "show", "wiki fold": "run", "wiki tiling": "report"}
"""Groups that are also a command: what they do when no command of theirs is named."""
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
        option = error.option_name if isinstance(error, click.NoSuchOption) else None
        raise mistakes.explain(error.format_message(), argv, option=option) from error
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
            _show_help(ctx, self.out)
            ctx.exit()


class _Lazy(_Helpful, click.Group):
    """A group that knows its commands by name and imports one when it is needed. `prefix` is the words before their names."""

    def __init__(self, *args: Any, names: Sequence[str], prefix: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.names = names
        self.prefix = prefix
        self.default: str | None = None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does it, after putting the default command before options that no command precedes."""
        if self.default is not None and (not args or (args[0].startswith("-") and not {"--help", "-h"} & set(args))):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

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
        params = [_option(option) for option in EVERYWHERE]
        group = _Lazy(
            cmd_name, names=inner, prefix=full + " ", out=self.out, params=params, help=GROUPS[full], no_args_is_help=False
        )
        group.default = DEFAULTS.get(full)
        group.invoke_without_command = True
        group.callback = partial(_group, self.out)
        return group

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, with the names that are near when there is none of that name."""
        name = args[0]
        if self.get_command(ctx, name) is None:
            raise mistakes.unknown_command(name, self.prefix.strip(), self.list_commands(ctx), self.out.argv)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, from the table, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.describe(name)) for name in self.list_commands(ctx)])

    def describe(self, name: str) -> str:
        """One line on a command or a group, without importing it."""
        full = self.prefix + name
        return get_operation(full).doc if full in self.names else GROUPS[full]


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


def _group(out: Output, **values: Any) -> None:
    _heed(out, values)
    _help_if_alone(out)


def _heed(out: Output, values: Mapping[str, Any]) -> None:
    """Take the options that may stand before the name of a command."""
    out.as_json = out.as_json or bool(values["json"])
    out.quiet = out.quiet or bool(values["quiet"])
    out.data_dir = values["data_dir"] or out.data_dir


def _program(out: Output, **values: Any) -> None:
    _heed(out, values)
    if values["version"]:
        if out.as_json:
            out.object({"version": __version__})
        else:
            out.line(f"lith {__version__}")
        raise click.exceptions.Exit(0)
    _help_if_alone(out)


def _help_if_alone(out: Output) -> None:
    context = click.get_current_context()
    if context.invoked_subcommand is None:
        if out.as_json:
            raise failures.usage("a command is missing", context.command_path.removeprefix("lith").strip())
        _show_help(context, out)


def _show_help(context: click.Context, out: Output) -> None:
    """The help of a command or a group, as text or, for programs, in parts."""
    if not out.as_json:
        for line in context.get_help().splitlines():
            out.line(line)
        return
    command = context.command
    shown = [_describe(param, context) for param in command.get_params(context)]
    help_object: dict[str, Any] = {
        "command": context.command_path,
        "usage": command.get_usage(context).removeprefix("Usage: "),
        "help": command.help,
        "arguments": [one for one in shown if "flags" not in one],
        "options": [one for one in shown if "flags" in one],
        "examples": [line.strip() for line in (command.epilog or "").splitlines()[2:]],
    }
    if isinstance(command, _Lazy):
        help_object["commands"] = [{"name": name, "help": command.describe(name)} for name in command.list_commands(context)]
    out.object(help_object)


def _describe(param: click.Parameter, context: click.Context) -> dict[str, Any]:
    """An argument or an option of a command, for programs."""
    if isinstance(param, click.Option):
        choices = list(param.type.choices) if isinstance(param.type, click.Choice) else None
        metavar = None if param.is_flag else param.make_metavar(context)
        return {"flags": [*param.opts], "help": param.help, "metavar": metavar, "choices": choices, "many": param.multiple}
    return {"name": param.name, "metavar": param.make_metavar(context), "required": param.required, "many": param.nargs == -1}


def _option(option: Option) -> click.Option:
    declarations = [*option.flags, option.key]
    if option.shape == "flag":
        return click.Option(declarations, is_flag=True, help=option.help)
    kind: click.ParamType[Any] | None = None
    if option.shape == "number":
        kind = click.IntRange(min=option.least, max=option.most)
    elif option.choices:
        kind = click.Choice(option.choices)
    shape: dict[str, Any] = {} if option.bare is None else {"is_flag": False, "flag_value": option.bare}
    return click.Option(declarations, type=kind, multiple=option.many, metavar=option.metavar, help=option.help, **shape)


def _argument(argument: Argument) -> click.Argument:
    return click.Argument(
        [argument.key], nargs=-1 if argument.many else 1, required=argument.required, metavar=_metavar(argument)
    )


def _metavar(argument: Argument) -> str:
    word = argument.metavar + ("..." if argument.many else "")
    return word if argument.required else f"[{word}]"
