"""Prints the reference of the command line, docs/cli.md, from the commands themselves.

    python tools/cli_reference.py > docs/cli.md

A test compares the committed file with what this prints.
"""

import io
import sys

import click

from lith.faces.cli import tree
from lith.faces.cli.commands import COMMANDS
from lith.faces.cli.output import Output

INTRO = """# Command line

Made from the commands by `tools/cli_reference.py`; do not edit.

Every command takes `--json` and then prints one object, with `schema_version` and `elapsed_ms` in front. Exit status 0 is success (finding
nothing is one), 1 an error, 2 a command line that cannot be understood, 130 an interrupt. Under `--json` an error is
`{"error": {"code", "message", "hint", "next"}}` on standard output; `next` are commands that help, as lists of words.
"""


def render() -> str:
    """The whole reference as Markdown."""
    group = tree.build(Output(started=0.0, environment={}, stdout=io.StringIO(), stderr=io.StringIO()))
    context = click.Context(group, info_name="lith", terminal_width=80, max_content_width=80)
    parts = [INTRO, _block("lith", context)]
    for name in COMMANDS:
        command = tree.make_command(name, Output(started=0.0, environment={}, stdout=io.StringIO(), stderr=io.StringIO()))
        inner = click.Context(command, info_name=f"lith {name}", terminal_width=80, max_content_width=80)
        parts.append(_block(f"lith {name}", inner))
    return "\n".join(parts)


def _block(title: str, context: click.Context) -> str:
    return f"## {title}\n\n```text\n{context.get_help().rstrip()}\n```\n"


if __name__ == "__main__":
    sys.stdout.write(render())
