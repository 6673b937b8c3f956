"""Decoded JSON without secrets: the name of a key decides first, then the text of the value.

More certain than scrubbing the serialized text: a value under a secret name goes whatever its type and spelling. Never changes the value it
is given.
"""

from collections.abc import Iterator
from typing import Any

from lith.scrub.rules.names import Kind, kind_of
from lith.scrub.rules.verdict import hides_secret
from lith.scrub.text import mask_of, scrub

MAX_DEPTH = 512
"""What is nested deeper is replaced by a mask: whoever encodes the value recurses, and hostile depth must not reach it."""

_TOO_DEEP = "[masked:too-deep]"
_NAME_KEYS = ("name", "key", "Name", "Key", "variable", "header")
_VALUE_KEYS = frozenset({"value", "Value"})
_HEADER = "Authorization: "


def scrub_json(value: Any) -> Any:
    """Copies a decoded JSON value with every secret masked: under secret names, and in every string and key.

    Dicts, lists and tuples are copied (tuples as lists), numbers under names like `password` become masks, other values stay.
    """
    top: list[Any] = [None]
    work: list[tuple[Any, Any, Any, str, int]] = [(value, top, 0, "", 0)]
    while work:
        source, target, slot, name, depth = work.pop()
        if depth > MAX_DEPTH:
            target[slot] = _TOO_DEEP
        elif isinstance(source, dict):
            copy: dict[Any, Any] = {}
            target[slot] = copy
            names = _value_names(source)
            for key, child in source.items():
                slot_key = _free_key(copy, key)
                copy[slot_key] = None
                _place(child, copy, slot_key, names.get(key, key) if isinstance(key, str) else "", depth, work)
        elif isinstance(source, list | tuple):
            items: list[Any] = [None] * len(source)
            target[slot] = items
            for index, (item_name, child) in enumerate(_named_items(source, name)):
                _place(child, items, index, item_name, depth, work)
        else:
            _place(source, target, slot, name, depth, work)
    return top[0]


def _place(child: Any, target: Any, slot: Any, name: str, depth: int, work: list[tuple[Any, Any, Any, str, int]]) -> None:
    if isinstance(child, dict | list | tuple):
        work.append((child, target, slot, name, depth + 1))
    elif isinstance(child, str):
        target[slot] = _scrub_string(child, name)
    elif isinstance(child, int | float) and not isinstance(child, bool):
        target[slot] = _scrub_number(child, kind_of(name))
    else:
        target[slot] = child


def _value_names(source: dict[Any, Any]) -> dict[str, str]:
    """In `{"name": "DB_PASSWORD", "value": …}` the value goes by the name beside it."""
    given = next((source[key] for key in _NAME_KEYS if isinstance(source.get(key), str)), None)
    return dict.fromkeys(_VALUE_KEYS, given) if given and kind_of(given) else {}


def _named_items(source: list[Any] | tuple[Any, ...], name: str) -> Iterator[tuple[str, Any]]:
    """Items of a list go by the list's name; in arguments, the word after `--password` goes by that."""
    flag = ""
    for item in source:
        yield (name if kind_of(name) else flag, item)
        option = isinstance(item, str) and item.startswith("--") and "=" not in item
        flag = item.lstrip("-") if option else ""


def _free_key(copy: dict[Any, Any], key: Any) -> Any:
    if not isinstance(key, str):
        return key
    shown = scrub(key).text
    while shown in copy:
        shown += "'"
    return shown


def _scrub_string(value: str, name: str) -> str:
    shown = scrub(value).text
    kind = kind_of(name) if name else None
    if kind is None:
        return shown
    if kind == "authorization":
        return scrub(_HEADER + value).text.removeprefix(_HEADER)
    if not (hides_secret(kind, name, value) or hides_secret(kind, name, shown)):
        return shown
    whole = shown.startswith("[masked:") and shown.find("]") == len(shown) - 1
    return shown if whole else mask_of("key" if kind == "weak" else kind)


def _scrub_number(value: int | float, kind: Kind | None) -> int | float | str:
    if kind == "password" or (kind == "pin" and abs(value) >= 1000):
        return mask_of(kind)
    return value
