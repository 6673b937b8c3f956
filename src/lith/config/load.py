"""Reading the settings: defaults, under the config file, under `LITH_*` variables, under options of the command.

A key that does not exist, a wrong type or an unknown word is a `ConfigError` that names the place and the valid ones: a setting that
is silently ignored would be a lie.
"""

import difflib
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from lith.config.settings import SETTINGS, Plain, Setting, find_setting
from lith.config.values import ArchiveSettings, Config, SourceSettings, Value, WikiSettings
from lith.errors import ConfigError, UsageError

_SWITCH = {"on": "on", "off": "off", "true": "on", "false": "off"}
_AGE = re.compile(r"\d{1,6}[smhd]")


def load(
    file: Path, environment: Mapping[str, str], *, sources: Sequence[str], flags: Mapping[str, Sequence[str]] | None = None
) -> Config:
    """The settings in force. `flags` are settings given by options, as the words of the command. Raises `ConfigError`,
    and `UsageError` for what an option says.
    """
    values = {setting.key: Value(setting.key, setting.default, "default") for setting in SETTINGS}
    text = _read(file)
    if text is not None:
        values |= {value.key: value for value in _from_file(text, file, sources)}
    values |= {value.key: value for value in _from_environment(environment, sources)}
    for key, words in (flags or {}).items():
        setting = find_setting(key)
        if setting is not None and words:
            values[key] = Value(key, _from_option(setting, words, sources), "an option")
    ordered = tuple(values[setting.key] for setting in SETTINGS)
    sections: dict[str, dict[str, Plain]] = {}
    for value in ordered:
        section, _, name = value.key.partition(".")
        sections.setdefault(section, {})[name] = value.value
    return Config(
        sources=msgspec.convert(sections["sources"], SourceSettings),
        archive=msgspec.convert(sections["archive"], ArchiveSettings),
        wiki=msgspec.convert(sections["wiki"], WikiSettings),
        values=ordered,
        file=str(file),
        file_exists=text is not None,
    )


def _from_option(setting: Setting, words: Sequence[str], sources: Sequence[str]) -> Plain:
    """Check the words of an option. Raises `UsageError`: they are a part of the command line."""
    try:
        return _from_words(setting, words, setting.flag, sources)
    except ConfigError as error:
        raise UsageError(error.message, hint=error.hint) from error


def _read(file: Path) -> str | None:
    try:
        return file.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"could not read {file}: {error}", hint="correct the file or move it away") from error


def _from_file(text: str, file: Path, sources: Sequence[str]) -> list[Value]:
    import tomllib  # noqa: PLC0415 -- most homes have no config file, and the import costs as much as a search

    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file} is not valid TOML: {error}", hint="correct the file or move it away") from error
    found = []
    for section, table in document.items():
        names = [setting.name for setting in SETTINGS if setting.section == section]
        if not names:
            raise _unknown(f"[{section}]", [f"[{setting.section}]" for setting in SETTINGS], f"{file}{_line(text, section)}")
        if not isinstance(table, dict):
            raise ConfigError(f"{file}: {section} must be a table, [{section}]")
        for name, raw in table.items():
            place = f"{file}{_line(text, section, name)}"
            setting = find_setting(f"{section}.{name}")
            if setting is None:
                raise _unknown(f"{section}.{name}", [f"{section}.{known}" for known in names], place)
            found.append(Value(setting.key, _from_toml(setting, raw, place, sources), place))
    return found


def _from_environment(environment: Mapping[str, str], sources: Sequence[str]) -> list[Value]:
    found = []
    known = {setting.variable: setting for setting in SETTINGS}
    prefixes = tuple({f"LITH_{setting.section.upper()}_" for setting in SETTINGS})
    for name, text in environment.items():
        if name in known:
            words = [text] if known[name].shape == "path" else [word for word in re.split(r"[,\n]", text) if word.strip()]
            found.append(Value(known[name].key, _from_words(known[name], words, f"${name}", sources), f"${name}"))
        elif name.startswith(prefixes):
            raise _unknown(name, list(known), "the environment")
    return found


def _from_toml(setting: Setting, raw: Any, place: str, sources: Sequence[str]) -> Plain:
    """Check the type of a value from the file; the words in it are checked as those of the other origins are."""
    if setting.shape == "switch" and isinstance(raw, bool):
        raw = "on" if raw else "off"
    if setting.shape in {"choice", "path", "switch", "age"} and isinstance(raw, str):
        return _from_words(setting, [raw], place, sources)
    if setting.shape == "sources" and _is_texts(raw):
        return _from_words(setting, raw, place, sources)
    if setting.shape == "roots" and isinstance(raw, dict):
        pairs = [(name, [paths] if isinstance(paths, str) else paths) for name, paths in raw.items()]
        if all(_is_texts(paths) for _, paths in pairs):
            return _from_words(setting, [f"{name}={path}" for name, paths in pairs for path in paths], place, sources)
    shapes = {
        "choice": "one word",
        "switch": "true or false",
        "age": 'a length of time in quotes, "10m"',
        "path": "one path in quotes",
        "sources": 'a list of client names, ["codex"]',
        "roots": 'a table of client names and paths, roots.codex = ["/path"]',
    }
    raise ConfigError(f"{place}: {setting.key} must be {shapes[setting.shape]}")


def _from_words(setting: Setting, words: Sequence[str], place: str, sources: Sequence[str]) -> Plain:
    """Check the words of a setting: one choice, client names, or `name=path` pairs."""
    cleaned = [word.strip() for word in words]
    if setting.shape == "choice":
        if len(cleaned) != 1 or cleaned[0] not in setting.choices:
            raise _unknown(", ".join(cleaned) or "nothing", setting.choices, place)
        return cleaned[0]
    if setting.shape == "switch":
        if len(cleaned) != 1 or cleaned[0].lower() not in _SWITCH:
            raise _unknown(", ".join(cleaned) or "nothing", list(_SWITCH), place)
        return _SWITCH[cleaned[0].lower()]
    if setting.shape == "age":
        if len(cleaned) != 1 or not _AGE.fullmatch(cleaned[0]):
            raise ConfigError(f"{place}: {', '.join(cleaned)!r} is not a length of time", hint="write 30s, 10m, 2h or 1d")
        return cleaned[0]
    if setting.shape == "path":
        return cleaned[0] if cleaned else ""
    if setting.shape == "sources":
        return tuple(_source(word, sources, place) for word in cleaned)
    pairs = []
    for word in cleaned:
        name, equals, path = word.partition("=")
        if not equals or not path:
            raise ConfigError(
                f"{place}: {word!r} must be NAME=PATH", hint=f"such as {sources[0]}=/path; the names are {', '.join(sources)}"
            )
        pairs.append((_source(name, sources, place), os.fspath(path)))
    return tuple(pairs)


def _is_texts(raw: Any) -> bool:
    return isinstance(raw, list) and all(isinstance(item, str) for item in raw)


def _source(word: str, sources: Sequence[str], place: str) -> str:
    if word not in sources:
        raise _unknown(word, sources, place)
    return word


def _unknown(word: str, valid: Sequence[str], place: str) -> ConfigError:
    near = difflib.get_close_matches(word, valid, n=1, cutoff=0.5)
    hint = f"valid: {', '.join(dict.fromkeys(valid))}"
    hint = f"did you mean {near[0]}? {hint}" if near else hint
    return ConfigError(f"{place}: {word!r} is not valid here", hint=hint)


def _line(text: str, section: str, name: str | None = None) -> str:
    """`:12` for the line that sets a key, as far as a look at the lines can tell; else nothing."""
    inside = False
    own = rf"[\"']?{re.escape(name or '')}[\"']?\s*[.=]"
    dotted = rf"{re.escape(section)}\.{re.escape(name or '')}\s*[.=]"
    for number, line in enumerate(text.splitlines(), 1):
        word = line.strip()
        if word.startswith("["):
            table = word.strip("[] \t").partition("#")[0].strip()
            inside = table == section
            if table == (section if name is None else f"{section}.{name}"):
                return f":{number}"
        elif name is not None and re.match(own if inside else dotted, word):
            return f":{number}"
    return ""
