"""`lith wiki lint`."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from lith.errors import UsageError
from lith.faces.cli.commands.wiki import choices
from lith.faces.cli.output import Output, Styled, bold, dim
from lith.faces.cli.views.wiki import counted, note_vault, show_plan
from lith.faces.cli.words import Command, Option, Values
from lith.ops.wiki.lint import FORMATS, LintRequest, LintResult, Repairs
from lith.wiki.lint.report import INFO, RULES, Finding

_STYLES = {"error": "red", "warning": "yellow", "info": "dim"}
_FEW_NOTES = 10
"""More notes than that are counted by rule."""

FORMAT = Option(("--format",), "form", "text, json, sarif or github [default: text].", choices=FORMATS)
FIX = Option(("--fix",), "fix", "Plan the repairs that have exactly one right answer; --apply makes them.", shape="flag")


def request(values: Values) -> LintRequest:
    """In which form, and whether to repair."""
    form = values.text("form")
    if values.flag("json") and form not in {None, "json"}:
        raise UsageError(f"--json and --format {form} exclude each other")
    return LintRequest(vault=values.text("vault"), form=form or "text", fix=values.flag("fix"), apply=values.flag("apply"))


def show(result: LintResult, out: Output) -> None:
    """The findings by page, or the document of another program's format."""
    if result.document is not None:
        out.raw(result.document.encode("utf-8", "backslashreplace"))
        return
    if result.form == "json":
        out.object(result)
        return
    note_vault(result.vault, out)
    if result.repairs is not None:
        _show_repairs(result.repairs, out)
    else:
        _show_findings(result.items, out)
    counts = (counted(result.errors, "error"), counted(result.warnings, "warning"), counted(result.infos, "note"))
    left = " left" if result.repairs is not None and result.repairs.applied else ""
    out.line(bold(f"{counted(result.pages, 'page')}: {', '.join(counts)}{left}"))
    show_plan(result.next, out)


def _show_findings(items: Sequence[Finding], out: Output) -> None:
    """The findings by page; many notes are counted by rule instead."""
    notes = [item for item in items if item.severity == INFO]
    many = len(notes) > _FEW_NOTES
    shown = [item for item in items if not (many and item.severity == INFO)]
    for path, findings in groupby(shown, key=lambda item: item.path):
        out.line(bold(path))
        for item in findings:
            out.line(f"  {item.line}: ", Styled(item.severity, _STYLES[item.severity]), f" {item.rule}: {item.message}")
            if item.hint:
                out.line("     ", dim(item.hint))
    for rule, count in Counter(item.rule for item in notes).items() if many else ():
        out.line(dim(f"{counted(count, 'note')}: {rule}: {RULES[rule][1]} (--json lists them)"))


def _show_repairs(repairs: Repairs, out: Output) -> None:
    verb = "made" if repairs.applied else "would make"
    out.line(f"{verb} {counted(repairs.total, 'repair')}" if repairs.items else "nothing has exactly one right answer")
    for path, items in groupby(repairs.items, key=lambda item: item.path):
        out.line(bold(path))
        for item in items:
            out.line(f"  {item.line}: ", Styled(item.before, "red"), dim("  to  "), Styled(item.after, "green"))


def status(result: LintResult, _: Values) -> int:
    """1 where there are errors."""
    return 1 if result.errors else 0


COMMAND = Command(
    operation="wiki lint",
    request=request,
    show=show,
    options=(FORMAT, FIX, choices.APPLY, choices.VAULT),
    details=(
        "Dead links and headings, orphans, ambiguous names, addresses, counters, manifest, frontmatter, folds, sources. Exit status 1: "
        "there are errors (after the repairs, if those were made)."
    ),
    examples=(
        "lith wiki lint",
        "lith wiki lint --fix",
        "lith wiki lint --fix --apply",
        "lith wiki lint --format sarif > lint.sarif",
    ),
    status=status,
)
