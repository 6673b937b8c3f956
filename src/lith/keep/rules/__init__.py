"""Every rule of the pruner, in the order in which records meet them. Rules are pure and know no file."""

from collections.abc import Mapping

from lith.errors import UsageError
from lith.keep.rules import compaction, duplicates, images, noise, outputs, sentinels, snapshots, thinking
from lith.keep.rules.rule import MODES, Rule, Scene

__all__ = ["MODES", "RULES", "Rule", "Scene", "active_rules"]

RULES: dict[str, Rule] = {
    rule.name: rule
    for family in (noise, snapshots, compaction, thinking, images, duplicates, sentinels, outputs)
    for rule in family.RULES
}


def active_rules(mode: str, switches: Mapping[str, bool]) -> tuple[Rule, ...]:
    """The rules that are on in a mode, with some switched by name. Raises `UsageError`, naming the ones there are."""
    if mode not in MODES:
        raise UsageError(f"there is no mode {mode!r}", hint=f"the modes are {', '.join(MODES)}, handoff")
    for name in switches:
        if name not in RULES:
            raise UsageError(f"there is no rule {name!r}", hint=f"the rules are {', '.join(RULES)}")
    return tuple(rule for rule in RULES.values() if switches.get(rule.name, mode in rule.modes))
