"""`lith config show`."""

from lith.faces.cli.layout import display_width
from lith.faces.cli.output import Output, bold, dim
from lith.faces.cli.words import Command, Values
from lith.ops.config_show import ConfigShowRequest, ConfigShowResult, ShownSetting


def request(_: Values) -> ConfigShowRequest:
    """There is nothing to say."""
    return ConfigShowRequest()


def show(result: ConfigShowResult, out: Output) -> None:
    """Each setting with its value and origin, and how to change it."""
    out.prose(f"config file: {result.config_file}", style="dim")
    if not result.config_file_exists:
        out.line(dim("  not there: all defaults, but for what variables say"))
    out.prose(f"data: {result.data_dir}", style="dim")
    for setting in result.settings:
        out.line()
        value = f"{setting.key} = {_text(setting)}"
        origin = f"from {setting.origin}"
        if display_width(value) + 3 + display_width(origin) <= out.width:
            out.line(bold(setting.key), value.removeprefix(setting.key), "   ", dim(origin))
        else:
            out.prose(value)
            out.prose(origin, style="dim", indent=2)
        out.prose(setting.doc, indent=2)
        if setting.choices:
            out.prose(f"one of: {', '.join(setting.choices)}", indent=2)
        out.line(dim(f"  override: ${setting.variable}"))


def _text(setting: ShownSetting) -> str:
    if isinstance(setting.value, str):
        return setting.value or "(none)"
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
