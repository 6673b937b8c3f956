"""`lith wiki frontier`."""

from collections.abc import Mapping, Sequence
from typing import Any

from lith.faces.cli.commands.wiki import choices
from lith.faces.cli.layout import columns, display_width
from lith.faces.cli.output import Output, bold, dim
from lith.faces.cli.views.wiki import note_vault, show_next
from lith.faces.cli.words import Command, Option, Values
from lith.ops.wiki.frontier import FrontierRequest, FrontierResult
from lith.wiki.frontier import TOP, Scored, Topic

TOP_OPTION = Option(("--top",), "top", f"So many pages [default: {TOP}].", shape="number", metavar="N", least=1)
PAGE = Option(("--page",), "page", "The score of this page.", metavar="PAGE")
ALIASES = Option(("--aliases",), "aliases", "Count links that resolve by an alias, too.", shape="flag")
EXPLAIN = Option(("--explain",), "explain", "Show links, age and weight, and names without a page.", shape="flag")
CHOOSE = Option(
    ("--choose",),
    "choose",
    "Choose: a number of the list, a page, or a topic in words. Alone it shows the list and asks.",
    metavar="[CHOICE]",
    bare="",
)


def request(values: Values) -> FrontierRequest:
    """Which pages, and what is chosen."""
    return FrontierRequest(
        vault=values.text("vault"),
        top=values.number("top") or TOP,
        page=values.text("page"),
        aliases=values.flag("aliases"),
        explain=values.flag("explain"),
        choose=values.text("choose"),
    )


def extras(out: Output) -> Mapping[str, Any]:
    """The operation's `ask` argument, where somebody can be asked."""
    if not out.can_ask:
        return {}

    def ask(items: Sequence[Scored]) -> str | None:
        _show_list(items, out, explain=False)
        word = out.ask("A number, a topic of your own, or nothing for none: ")
        return word or out.ask("What do you want to research? ")

    return {"ask": ask}


def show(result: FrontierResult, out: Output) -> None:
    """The chosen topic with its context, or else the list."""
    if result.topic is not None:
        _show_topic(result.topic, out)
        return
    if result.asked:
        out.line("no topic was chosen")
        return
    note_vault(result.vault, out)
    if not result.items:
        out.line("there is no page with a score in this vault")
        return
    _show_list(result.items, out, explain=result.explain)
    out.note(f"{len(result.items)} of {result.total} pages")
    show_next(result.next, out, say="to choose")


def _show_list(items: Sequence[Scored], out: Output, *, explain: bool) -> None:
    rows = [("", "score", "out", "in", "days", "page")]
    for number, item in enumerate(items, 1):
        rows.append((str(number), f"{item.score:.2f}", str(item.out), str(item.into), str(item.days), item.title))
    header, *lines = columns(rows, right=frozenset(range(5)))
    out.line(dim(header))
    for line, item in zip(lines, items, strict=True):
        out.line(line)
        if explain:
            _explain(item, out)


def _explain(item: Scored, out: Output) -> None:
    out.line("     ", dim(item.path + (f"  {item.address}" if item.address else "")))
    weight = f"({item.out} out - {item.into} in) * {item.recency:.4f} = {item.score:.4f}, updated {item.updated}"
    out.line("     ", weight)
    for name, names in (("links", item.links), ("linked by", item.linked_by), ("no page yet", item.unresolved)):
        if names:
            out.line(
                "     ", dim(f"{name}: "), _names([text.rsplit("/", 1)[-1].removesuffix(".md") for text in names], out, len(name))
            )


def _names(names: Sequence[str], out: Output, used: int) -> str:
    """As many names as two lines hold, and how many more there are."""
    room = 2 * out.width - used - 20
    kept: list[str] = []
    for name in names:
        room -= display_width(name) + 2
        if room < 0:
            break
        kept.append(name)
    more = f" and {len(names) - len(kept)} more" if len(names) > len(kept) else ""
    return "; ".join(kept) + more


def _show_topic(topic: Topic, out: Output) -> None:
    """The topic as text for a research prompt."""
    out.line("Topic: ", bold(topic.title))
    if topic.path is None:
        out.line("No page has this name yet.")
        return
    out.line(f"Page: {topic.path}" + (f" ({topic.address})" if topic.address else ""))
    for name, values in (
        ("Sections", topic.headings),
        ("Links", topic.links),
        ("Linked by", topic.linked_by),
        ("Named there, without a page", topic.unresolved),
    ):
        if values:
            out.line(f"{name}: {'; '.join(values)}")


COMMAND = Command(
    operation="wiki frontier",
    request=request,
    show=show,
    options=(TOP_OPTION, PAGE, ALIASES, EXPLAIN, CHOOSE, choices.VAULT),
    details=(
        "score = (pages it links - pages that link it) * exp(-days since its update / 30). It proposes, you choose: --choose prints the "
        "topic with its context for a research prompt."
    ),
    examples=("lith wiki frontier", "lith wiki frontier --explain --top 10", "lith wiki frontier --choose 2"),
    extras=extras,
)
