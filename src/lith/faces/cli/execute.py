"""From the values of a command line to an answer: build the request, call the operation, show the result.

Both ways to read a command line (`tree`, `quick`) end here, so they cannot differ in what they do.
"""

from lith.faces.cli.output import Output
from lith.faces.cli.words import Command, Values
from lith.ops.runtime import open_runtime
from lith.ops.table import get_operation, load_function


def execute(command: Command, values: Values, out: Output) -> int:
    """Run a command and return the exit status. Raises what the operation raises."""
    out.as_json = out.as_json or values.flag("json")
    out.quiet = out.quiet or values.flag("quiet")
    out.command = command.operation
    values = values.having(json=out.as_json, quiet=out.quiet)
    _warn_of_variables(out)
    flags = {setting: _words(values, key) for key, setting in command.settings.items()}
    with open_runtime(data_dir=values.text("data_dir") or out.data_dir, flags=flags, environment=out.environment) as runtime:
        out.data_dir = runtime.data_dir_word
        request = command.request(values)
        function = load_function(get_operation(command.operation))
        extras = command.extras(out) if command.extras else {}
        result = function(request, runtime, **extras)
        if out.as_json:
            out.object(result)
        else:
            command.show(result, out)
        out.flush()
        return command.status(result, values) if command.status else 0


def _warn_of_variables(out: Output) -> None:
    """Say which `LITH_*` variables mean nothing: one that is misspelt would silently be no setting."""
    strange = [name for name in out.environment if name.startswith("LITH_") and name != "LITH_DATA_DIR"]
    if strange:
        from lith.config.settings import find_unknown_variables  # noqa: PLC0415 -- hardly anybody sets one

        for name, near in find_unknown_variables(strange):
            out.note(f"note: lith knows no variable {name}{f'; did you mean {near}?' if near else ', and ignores it'}")


def _words(values: Values, key: str) -> tuple[str, ...]:
    value = values.get(key)
    return () if value is None else (value,) if isinstance(value, str) else tuple(value)
