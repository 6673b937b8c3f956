"""`lith block`."""

from lith.faces.cli.output import Output
from lith.faces.cli.words import Argument, Command, Values
from lith.ops.block import BlockRequest, BlockResult


def request(values: Values) -> BlockRequest:
    """Which record."""
    return BlockRequest(values.required("address"))


def show(result: BlockResult, out: Output) -> None:
    """The bytes, and nothing else: not even a line end."""
    out.raw(result.data())


COMMAND = Command(
    operation="block",
    request=request,
    show=show,
    arguments=(Argument("address", "ADDRESS"),),
    details=(
        "ADDRESS is a record, rec:<id>, or a message, claude_code:<session id>#12. The bytes are written as they are in the transcript, "
        "secrets included; with --json they come with where they are."
    ),
    examples=("lith block rec:7dca0aad", "lith block claude_code:3f0c61de#3 | jq .", "lith block rec:7dca0aad --json"),
)
