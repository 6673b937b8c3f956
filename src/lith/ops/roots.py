"""Which folders of which clients sync and status look at: the client's own places, or what the settings or `--root` say instead."""

import os
from collections.abc import Sequence

from lith.ingest.report import RootSpec
from lith.ops.known_clients import check_client
from lith.ops.runtime import Runtime
from lith.sources.registry import SOURCES

DEMO_SESSIONS = "demo-sessions"
"""A data directory with this folder in it belongs to the demo: it knows the sessions in there, and no others."""


def plan_roots(runtime: Runtime, only: Sequence[str] = ()) -> tuple[RootSpec, ...]:
    """The roots to look at, in the order of the registry. Raises `UnknownSource`, `UsageError`, `ConfigError`.

    `only` names clients; none means all that are not disabled. A client that lith has no adapter for yet is an error where it is named.
    """
    wanted = [check_client(name, "--source") for name in only]
    bundled = runtime.data_dir / DEMO_SESSIONS
    if os.path.isdir(bundled):  # noqa: PTH112 -- where it may not be looked at, it is not there
        names = [name for name in wanted or SOURCES if (bundled / name).is_dir()]
        return tuple(RootSpec(name, bundled / name) for name in names)
    settings = runtime.config.sources
    given: dict[str, list[str]] = {}
    for name, path in settings.roots:
        given.setdefault(name, []).append(path)
    specs = []
    for name, source in SOURCES.items():
        if (wanted and name not in wanted) or (not wanted and name in settings.disabled):
            continue
        if name in given:
            specs += [RootSpec(name, runtime.path(path), given=True) for path in given[name]]
        else:
            specs += [RootSpec(name, path) for path in source.default_roots(runtime.home, runtime.environment)]
    return tuple(specs)
