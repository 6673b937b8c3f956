"""`lith wiki skill install`."""

from lith.faces.cli.commands.wiki import choices
from lith.faces.cli.layout import columns
from lith.faces.cli.output import Output, dim
from lith.faces.cli.views.wiki import show_next
from lith.faces.cli.words import Argument, Command, Option, Values
from lith.ops.wiki.skill_install import SkillInstallRequest, SkillInstallResult
from lith.wiki.skill import FOLDER

FOLDER_OPTION = Option(
    ("--folder",), "folder", f"Where skills are, below the vault or your home [default: {FOLDER}].", metavar="PATH"
)
USER = Option(("--user",), "user", "Install for all your projects, in your home.", shape="flag")
FORCE = Option(("--force",), "force", "Replace files that somebody changed.", shape="flag")


def request(values: Values) -> SkillInstallRequest:
    """Which skills, and where."""
    return SkillInstallRequest(
        vault=values.text("vault"),
        names=values.words("names"),
        folder=values.text("folder") or FOLDER,
        user=values.flag("user"),
        force=values.flag("force"),
    )


def show(result: SkillInstallResult, out: Output) -> None:
    """What became of each skill."""
    for line in columns([(item.status, item.name, item.path) for item in result.items]):
        out.line(line)
    if result.next:
        out.line(dim("changed: somebody edited the file, so it stays"))
    show_next(result.next, out)


COMMAND = Command(
    operation="wiki skill install",
    request=request,
    show=show,
    arguments=(Argument("names", "NAME", many=True, required=False),),
    options=(FOLDER_OPTION, USER, FORCE, choices.VAULT),
    details="NAME is wiki-fold, wiki-frontier, wiki-ingest or wiki-lint; without one, all of them. A file that somebody changed stays.",
    examples=("lith wiki skill install", "lith wiki skill install wiki-lint --user"),
)
