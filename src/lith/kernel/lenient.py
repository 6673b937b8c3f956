"""Takes what can be had from a JSON document that a strict or a typed decoder refuses.

Owns two repairs: of bytes (`repair_json`, `decode_lenient`), so that a bad character costs that character, and of types
(`convert_lenient`), so that a wrong field costs that field. Readers of foreign records call it after a strict attempt has failed. It names
what was dropped and never changes the raw bytes.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

import msgspec

from lith.kernel.jsonl_grammar import BACKSLASH, LBRACE, LBRACKET, QUOTE

MAX_DEPTH = 200
"""A document too deep for the decoder is given with the containers nested deeper than this as null."""

_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)
_BRACKETS = re.compile(rb'\\.|["\[\]{}]', re.DOTALL)
_NUMBERS = re.compile(rb'\\.|"|[-0-9][-+.0-9eE]*+', re.DOTALL)
_DROPPED: Any = object()

_any = msgspec.json.Decoder()
_T = TypeVar("_T", bound=msgspec.Struct)


def decode_lenient(data: bytes) -> Any:
    """Decode JSON whose structure is sound, repairing what `repair_json` repairs; raises msgspec.DecodeError where it is not sound."""
    try:
        return _any.decode(data)
    except (msgspec.DecodeError, RecursionError):
        return _any.decode(repair_json(data))


def repair_json(data: bytes) -> bytes:
    """Return JSON that any decoder takes: bytes that are not UTF-8 and lone surrogate escapes become U+FFFD.

    Containers that nest too deep and numbers out of every range become null. Broken structure is returned broken.
    """
    text = data.decode("utf-8", "replace").encode()
    text = _ESCAPE.sub(lambda match: rb"\ufffd" if match[1] else match[0], text)
    try:
        _any.decode(text)
    except RecursionError:
        text = _without_numbers(_without_depths(text))
    except msgspec.ValidationError:
        text = _without_numbers(text)
    except msgspec.DecodeError:
        pass
    return text


def convert_lenient(obj: Any, type_: type[_T]) -> tuple[_T, list[str]]:
    """Build a struct from decoded JSON, leaving every field of a wrong type at its default.

    Works the same in nested structs, and drops wrong elements of lists and dicts. The second result names what was dropped, by its JSON
    names joined with dots; `$` is the document itself. Every field of `type_` needs a default; a nested struct that lacks a required
    field is dropped.
    """
    default = type_()
    dropped: list[str] = []
    if not isinstance(obj, dict):
        return default, ["$"]
    try:
        found = _salvage(obj, type_, "", dropped)
    except RecursionError:
        found, dropped = _DROPPED, []
    return (default, [*dropped, "$"]) if found is _DROPPED else (found, dropped)


def _salvage(value: Any, type_: Any, path: str, dropped: list[str]) -> Any:
    """`value` as `type_`, made of the parts that fit, or _DROPPED, which only the caller reports."""
    try:
        return msgspec.convert(value, type_)
    except (ValueError, RecursionError):  # ValidationError is a ValueError; so is what a lone surrogate raises
        pass
    if type_ is msgspec.Raw:
        try:
            return msgspec.Raw(msgspec.json.encode(value))
        except ValueError:
            return _DROPPED
    if not isinstance(value, dict | list):
        return _DROPPED
    origin, args = get_origin(type_), get_args(type_)
    if origin is Annotated:
        return _salvage(value, args[0], path, dropped)
    if origin in (Union, UnionType):
        options = (_salvage(value, option, path, dropped) for option in args)
        return next((found for found in options if found is not _DROPPED), _DROPPED)
    kind = origin or type_
    if isinstance(value, dict):
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            return _salvage_struct(value, type_, kind, path, dropped)
        if kind is dict and args and args[0] is str:
            return dict(_iter_fitting(value.items(), args[1], path, dropped))
    elif (kind is list and args) or (kind is tuple and args[1:] == (...,)):
        return kind(item for _, item in _iter_fitting(enumerate(value), args[0], path, dropped))
    return _DROPPED


def _salvage_struct(value: dict[str, Any], type_: Any, struct: type[msgspec.Struct], path: str, dropped: list[str]) -> Any:
    config = struct.__struct_config__
    if config.array_like or (path and config.tag_field and value.get(config.tag_field) != config.tag):
        return _DROPPED
    names: list[str] = []
    if config.tag_field and value.get(config.tag_field, config.tag) != config.tag:
        names.append(config.tag_field)
    fitting = {}
    for name, encode_name, field_type in _fields(type_):
        if encode_name in value:
            for _, fit in _iter_fitting([(encode_name, value[encode_name])], field_type, path, names):
                fitting[name] = fit
    try:
        built = struct(**fitting)
    except (TypeError, ValueError):  # a required field is gone, or the struct's own check refuses what is left
        return _DROPPED
    dropped.extend(names)
    return built


def _iter_fitting(entries: Iterable[tuple[Any, Any]], type_: Any, path: str, dropped: list[str]) -> Iterator[tuple[Any, Any]]:
    """Yield the (key, value) pairs whose value fits, and note the others."""
    for key, value in entries:
        where = f"{path}.{key}" if path else str(key)
        try:
            found = _salvage(value, type_, where, dropped)
        except RecursionError:
            found = _DROPPED
        if found is _DROPPED:
            dropped.append(where)
        else:
            yield key, found


@lru_cache(maxsize=256)
def _fields(type_: Any) -> tuple[tuple[str, str, Any], ...]:
    """Name, JSON name and type of each field; msgspec resolves the annotations anew at every call."""
    return tuple((field.name, field.encode_name, field.type) for field in msgspec.structs.fields(type_))


def _without_depths(text: bytes) -> bytes:
    """The document with every container nested deeper than MAX_DEPTH as null."""
    kept: list[bytes] = []
    depth = copied = 0
    for match in _iter_outside_strings(text, _BRACKETS):
        opens = text[match.start()] in (LBRACE, LBRACKET)
        if opens and depth == MAX_DEPTH:
            kept += (text[copied : match.start()], b"null")
        depth += 1 if opens else -1
        if not opens and depth == MAX_DEPTH:
            copied = match.end()
    return b"".join((*kept, text[copied:]))


def _without_numbers(text: bytes) -> bytes:
    """The document with every number that the decoder cannot represent as null."""
    kept: list[bytes] = []
    copied = 0
    for match in _iter_outside_strings(text, _NUMBERS):
        try:
            _any.decode(match[0])
        except msgspec.DecodeError:
            kept += (text[copied : match.start()], b"null")
            copied = match.end()
    return b"".join((*kept, text[copied:]))


def _iter_outside_strings(text: bytes, pattern: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
    """Yield the matches outside strings of a pattern that also matches quotes and escapes."""
    inside = False
    for match in pattern.finditer(text):
        first = text[match.start()]
        if first == QUOTE:
            inside = not inside
        elif not inside and first != BACKSLASH:
            yield match
