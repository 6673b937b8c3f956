"""`config show`: the settings in force, each with where it came from."""

import msgspec

from lith.config.settings import SETTINGS
from lith.config.values import Value
from lith.ops.runtime import Runtime


class ConfigShowRequest(msgspec.Struct, frozen=True):
    """Nothing to say: it shows everything."""


class ShownSetting(msgspec.Struct, frozen=True):
    """One setting. `origin` is `default`, a file and line, `$LITH_…` or an option; `variable` would override the file."""

    key: str
    value: str | list[str] | dict[str, list[str]]
    origin: str
    variable: str
    doc: str
    choices: tuple[str, ...] | None = None


class ConfigShowResult(msgspec.Struct, frozen=True):
    """`data_dir` and `config_file` are paths; `config_file_exists` says whether the file is there."""

    data_dir: str
    config_file: str
    config_file_exists: bool
    settings: list[ShownSetting]


def config_show(_: ConfigShowRequest, runtime: Runtime) -> ConfigShowResult:
    """Every setting, its value and its origin. Raises `ConfigError`."""
    config = runtime.config
    rows = zip(SETTINGS, config.values, strict=True)
    shown = [
        ShownSetting(setting.key, _shape(value), value.origin, setting.variable, setting.doc, setting.choices or None)
        for setting, value in rows
    ]
    return ConfigShowResult(str(runtime.data_dir), config.file, config.file_exists, shown)


def _shape(value: Value) -> str | list[str] | dict[str, list[str]]:
    if isinstance(value.value, str):
        return value.value
    if value.key != "sources.roots":
        return [str(item) for item in value.value]
    roots: dict[str, list[str]] = {}
    for source, path in (pair for pair in value.value if isinstance(pair, tuple)):
        roots.setdefault(source, []).append(path)
    return roots
