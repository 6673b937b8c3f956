"""Identifiers: how `query_flow.ts`, `fooBar`, `src/a/b.py` and `ERR_NOT_FOUND` become tokens that every way of writing them shares.

Called by the analyzer and the query builder of `lith.kernel.text` only. FTS5 splits at separators by itself, so an identifier needs
two more things: one whole token (separators gone, lower case), and the words inside camelCase.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

MAX_TOKEN = 64
EDGES = "-./\\_"
"""Characters that separate the parts of an identifier, and are no part of it at its edges."""

_MAX_CHUNK = 512  # a longer chunk is a blob or a deep path: only its file name is looked at
_MAX_BLOB = 255
_MAX_PARTS = 12  # random strings look like camelCase with very many words

_CHUNK_TABLE = "".join(chr(i) if chr(i).isalnum() or chr(i) in EDGES else " " for i in range(128))
_NOT_ONE_NAME = re.compile(r"\.\.+|--+")  # `wait...what`, `a--b`
_SLASHES = re.compile(r"[/\\]+")
_SEPARATORS = re.compile(r"[-_./\\]+")
_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
_CAMEL_WORD = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+")
_PLURAL = re.compile(r"[A-Z]{2,}s")  # URLs, IDs
_SIGNS = {"++": re.compile(r"\+\+(?![A-Za-z0-9])"), "#": re.compile(r"#(?![A-Za-z0-9])")}  # C++, C#, F#
_LONG_RUN = re.compile(r"\S{65,}")
_LONG_WORD = re.compile(r"[^\W_]{65,}")
_BLOB = re.compile(r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/=_-]{256,}")


class Identifier(NamedTuple):
    """What an identifier adds to the words in it: `wholes` (single tokens) and `camel` (words to be read as a phrase)."""

    wholes: tuple[str, ...]
    camel: tuple[str, ...]


_NOTHING = Identifier((), ())


def iter_chunks(text: str) -> Iterator[str]:
    """Yield each distinct run of ASCII letters, digits and separators that may be an identifier, in order of appearance."""
    plain = text if text.isascii() else text.encode("ascii", "replace").decode("ascii")
    for chunk in dict.fromkeys(plain.translate(_CHUNK_TABLE).split()):
        if not (chunk.isalnum() and (chunk[1:].islower() or chunk.islower() or chunk.isupper() or chunk.isdigit())):
            yield chunk


def iter_groups(text: str) -> Iterator[str]:
    """Yield the additional tokens of every identifier in the text; words in one string belong together as a phrase."""
    for chunk in iter_chunks(text):
        wholes, camel = split_identifier(chunk)
        yield from wholes
        yield from camel
    yield from dict.fromkeys(_iter_signed(text))


def _iter_signed(text: str) -> Iterator[str]:
    for sign, name in (("++", "plusplus"), ("#", "sharp")):
        if sign in text:
            for match in _SIGNS[sign].finditer(text):
                before = text[max(match.start() - 2, 0) : match.start()]
                if before[-1:].isalpha() and before.isascii() and not before[:-1].isalnum():
                    yield before[-1].lower() + name


def find_signed(word: str) -> str | None:
    """Return the token of a name that ends in `++` or `#`, such as `C++` → `cplusplus`; None for other words."""
    return next(_iter_signed(word), None) if len(word) <= 3 else None


def split_identifier(chunk: str) -> Identifier:
    """Return what a chunk adds: for a path its file name and, when short, all of it; for a name the whole and its camelCase words."""
    chunk = chunk.strip(EDGES)
    if len(chunk) > _MAX_CHUNK:
        chunk = _SLASHES.split(chunk[-_MAX_CHUNK:])[-1]
        if len(chunk) > MAX_TOKEN * 2:
            return _NOTHING
    names = _NOT_ONE_NAME.split(chunk)
    if len(names) == 1:
        return _split_name(chunk)
    found = [_split_name(name.strip(EDGES)) for name in names]
    return Identifier(_distinct(t for f in found for t in f.wholes), _distinct(t for f in found for t in f.camel))


@lru_cache(maxsize=8192)
def _split_name(chunk: str) -> Identifier:
    wholes: list[str] = []
    camel: list[str] = []
    segments = _SLASHES.split(chunk)
    if len(segments) > 1:
        _add_whole(chunk, wholes)
    for segment in reversed(segments):
        name = segment.strip("-._")
        _add_whole(name, wholes)
        for part in name.split("."):
            if part != name:
                _add_whole(part.strip("-_"), wholes)
            _add_camel(part, camel)
    return Identifier(_distinct(wholes), _distinct(camel)) if wholes or camel else _NOTHING


def _distinct(tokens: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tokens))


def _add_whole(name: str, wholes: list[str]) -> None:
    whole = _SEPARATORS.sub("", name)
    if len(whole) < len(name) and 1 < len(whole) <= MAX_TOKEN and not whole.isdigit():
        wholes.append(whole.lower())


def _add_camel(part: str, camel: list[str]) -> None:
    if not _CAMEL.search(part) or _PLURAL.fullmatch(part) or len(part) > MAX_TOKEN:
        return
    words = _CAMEL_WORD.findall(part)
    if len(words) <= _MAX_PARTS and (len(words) < 4 or len(part) >= 2 * len(words)):
        camel.append(" ".join(words).lower())


def cut_long_words(text: str) -> str:
    """Cut words of more than 64 characters, and blobs such as base64, to their first 64: the tail is noise that nobody types."""
    runs = {run for run in text.split() if len(run) > MAX_TOKEN}
    if all(_cut_run(run) == run for run in runs):
        return text
    return _LONG_RUN.sub(lambda run: _cut_run(run[0]), text)


def _cut_run(run: str) -> str:
    run = _BLOB.sub(_cut_blob, run) if len(run) > _MAX_BLOB else run
    return _LONG_WORD.sub(lambda word: word[0][:MAX_TOKEN], run)


def _cut_blob(blob: re.Match[str]) -> str:
    run = blob[0]
    separators = sum(map(run.count, "+/=_-"))
    mixed = any(map(str.isdigit, run)) and not run.islower() and not run.isupper()
    return run[:MAX_TOKEN] if mixed and separators * 16 < len(run) else run
