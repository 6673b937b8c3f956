"""`wiki lint`: check the vault, and with `fix` plan or make the repairs that have exactly one right answer."""

import msgspec

from lith import __version__
from lith.errors import UsageError
from lith.ops.runtime import Runtime
from lith.ops.wiki.place import VaultRequest, VaultResult, command, opened
from lith.wiki import apply_fix, format_report, lint_vault, plan_fix
from lith.wiki.lint.fix import Repair
from lith.wiki.lint.report import Finding

DOCUMENTS = ("sarif", "github")
"""Formats that another program defines."""
FORMATS = ("text", "json", *DOCUMENTS)


class LintRequest(VaultRequest, frozen=True, kw_only=True):
    """`form` is one of `FORMATS`; `fix` plans repairs, `apply` makes them."""

    form: str = "text"
    fix: bool = False
    apply: bool = False


class Repairs(msgspec.Struct, frozen=True):
    """Repairs, planned or made."""

    applied: bool
    items: list[Repair]
    total: int


class LintResult(VaultResult, frozen=True, kw_only=True):
    """All findings with their counts, after the repairs where those were made. `document` is the report in a format of others."""

    items: list[Finding]
    total: int
    pages: int
    pages_read: int
    errors: int
    warnings: int
    infos: int
    repairs: Repairs | None = None
    form: str = "text"
    document: str | None = None
    next: list[list[str]] | None = None


def lint(request: LintRequest, runtime: Runtime) -> LintResult:
    """Check a vault. Raises `UsageError`, and `VaultDamaged` for state files that must be repaired by hand before a fix."""
    if request.apply and not request.fix:
        raise UsageError("--apply goes with --fix", hint="lint alone changes nothing")
    repairs = None
    following: list[list[str]] = []
    with opened(request, runtime) as vault:
        if request.fix:
            plan = plan_fix(vault)
            if request.apply:
                apply_fix(vault, plan, now=runtime.clock())
            elif plan.items:
                following = [command(request, runtime, "lint", "--fix", "--apply")]
            repairs = Repairs(request.apply, plan.items, len(plan.items))
        report = lint_vault(vault)
        document = format_report(report, request.form, version=__version__) if request.form in DOCUMENTS else None
    return LintResult(
        vault=str(vault.root), items=report.items, total=len(report.items), pages=report.pages, pages_read=report.pages_read,
        errors=report.errors, warnings=report.warnings, infos=report.infos, repairs=repairs, form=request.form, document=document,
        next=following or None,
    )  # fmt: skip
