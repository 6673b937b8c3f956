"""`lith find`."""

from lith.faces.cli import options
from lith.faces.cli.output import Output
from lith.faces.cli.selecting import split_fields, to_selection
from lith.faces.cli.words import Argument, Command, Option, Values
from lith.ops.find import FindRequest
from lith.retrieval.answers import FindResult

ROLE = Option(
    ("--role",),
    "roles",
    "Only what this role said. Repeat it for both.",
    many=True,
    choices=("user", "assistant"),
)
TOOL = Option(
    ("--tool",), "tools", "Only calls of this tool, in any case, such as Bash. Repeat it for several.", many=True, metavar="NAME"
)
FILE = Option(("--file",), "files", "Only calls that name this file or folder. Repeat it for several.", many=True, metavar="PATH")
EXPLAIN = Option(("--explain",), "explain", "Add the parts of every score.", shape="flag")
FACETS = Option(("--facets",), "facets", "Add what the threads of the results have in common.", shape="flag")
LIMIT = 10


def request(values: Values) -> FindRequest:
    """The words, joined by spaces, and where to look for them."""
    return FindRequest(
        query=" ".join(values.words("query")),
        selection=to_selection(values, roles=values.words("roles"), tools=values.words("tools"), files=values.words("files")),
        limit=values.number("limit") or LIMIT,
        cursor=values.text("cursor"),
        fields=split_fields(values, "session_ref", "evidence"),
        max_tokens=values.number("max_tokens"),
        explain=values.flag("explain"),
        facets=values.flag("facets"),
    )


def show(result: FindResult, out: Output) -> None:
    """The hits for a person."""
    from lith.faces.cli.views.hits import show_results  # noqa: PLC0415 -- not needed under --json

    show_results(result, out)


COMMAND = Command(
    operation="find",
    request=request,
    show=show,
    arguments=(Argument("query", "QUERY", many=True),),
    options=(
        *options.SCOPE,
        ROLE,
        TOOL,
        FILE,
        options.limit(LIMIT, "results", most=200),
        options.CURSOR,
        options.FIELDS,
        options.MAX_TOKENS,
        EXPLAIN,
        FACETS,
    ),
    details=(
        'Plain words are alternatives, and what has more of them comes first. In one quoted argument, "exact words" stand together, '
        "-word leaves out, prefix* stands for any ending, and AND wants both. Everything after -- belongs to the query. Each result comes "
        "with the command that reads it."
    ),
    examples=(
        "lith find flaky test time zone",
        "lith find '\"retry storm\" -carrier' --since 30d",
        "lith find --since 30d -- retry -carrier",
        "lith find migration --project . --role user",
        "lith find 文字化け --json",
    ),
)
