"""The errors of the room `wiki`: what can be wrong with a vault, a plan or an embedder.

The room raises them; faces print them by their code, as every error of lith.
"""

from lith.errors import BadSelector, LithError


class WikiError(LithError):
    """Something about a vault that the user can act on."""

    code = "wiki"


class NoVault(WikiError):
    """No folder at or above the start looks like a vault."""

    code = "no_vault"


class OutsideVault(WikiError):
    """A path leaves the vault, goes through a symlink, or has a name that no vault may hold."""

    code = "outside_vault"


class PageNotFound(WikiError):
    """No page has this path, name or address."""

    code = "page_not_found"


class PageBroken(WikiError):
    """A page cannot be edited without risk, because its frontmatter is not what a YAML loader accepts."""

    code = "page_broken"


class PlanStale(WikiError):
    """The vault changed between plan and apply, so nothing was written."""

    code = "plan_stale"


class VaultDamaged(WikiError):
    """A state file of the vault (counter, manifest, ledger, thresholds) cannot be read."""

    code = "vault_damaged"


class CounterBackwards(WikiError):
    """A rebuild would set the address counter below a number that was already given."""

    code = "counter_backwards"


class FoldInUse(WikiError):
    """A fold cannot be undone: another fold holds it, or its page was edited."""

    code = "fold_in_use"


class FoldUnsound(WikiError):
    """A fold page fails its own checks (entries, numbers, citations), so it was not written."""

    code = "fold_unsound"


class EmbedderFailed(WikiError):
    """The embedding model is absent, unreachable, or answered with something else than vectors."""

    code = "embedder_failed"


class BadLabels(BadSelector):
    """A file of calibration labels cannot be understood."""

    code = "bad_labels"
