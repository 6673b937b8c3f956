"""`lith demo`."""

from lith.faces.cli.views.tour import show_demo
from lith.faces.cli.words import Command, Values
from lith.ops.demo import DemoRequest


def request(_: Values) -> DemoRequest:
    """There is nothing to say."""
    return DemoRequest()


COMMAND = Command(
    operation="demo",
    request=request,
    show=show_demo,
    details=(
        "The sessions are written for the demo, in the formats of real clients. They and their map are kept in a folder of their own "
        "within lith's data directory; your own sessions are not read. With --quiet it prints that folder and nothing else."
    ),
    examples=("lith demo", "export LITH_DATA_DIR=$(lith demo --quiet)"),
)
