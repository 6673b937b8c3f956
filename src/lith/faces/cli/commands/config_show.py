"""`lith config show`."""

from lith.faces.cli.output import Output, bold, dim
from lith.faces.cli.words import Command, Values
from lith.ops.config_show import ConfigShowRequest, ConfigShowResult, ShownSetting


def request(_: Values) -> ConfigShowRequest:
    """There is nothing to say."""
    return ConfigShowRequest()


def show(result: ConfigShowResult, out: Output) -> None:
    """Each setting with its value and origin, and how to change it."""
    state = "" if result.config_file_exists else "  (not there: all defaults)"
    out.line(dim("config file  "), result.config_file, dim(state))
    out.line(dim("data         "), result.data_dir)
    for setting in result.settings:
        out.line()
        out.line(bold(setting.key), " = ", _text(setting), dim(f"   from {setting.origin}"))
        out.line(f"  {setting.doc}")
        if setting.choices:
            out.line(f"  one of: {', '.join(setting.choices)}")
        out.line(dim(f"  override: ${setting.variable}"))


def _text(setting: ShownSetting) -> str:
    if isinstance(setting.value, str):
        return setting.value
    if isinstance(setting.value, dict):
        return ", ".join(f"{source}={path}" for source, paths in setting.value.items() for path in paths) or "(none)"
    return ", ".join(setting.value) or "(none)"


COMMAND = Command(
    operation="config show",
    request=request,
    show=show,
    details="Options of a command override LITH_* variables, those override the config file, and that overrides the defaults.",
    examples=("lith config show", "lith config show --json"),
)
