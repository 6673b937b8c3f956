"""A walk over the files below a root that never leaves it.

Adapters use it to find their clients' files. It reads directories and nothing else: a plain file costs no call of its own. What it
meets but cannot use it reports, with the reason, instead of passing over it.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

TRANSCRIPT_SUFFIXES = (".jsonl", ".jsonl.zst")


class Found(msgspec.Struct, frozen=True):
    """A file below the root. `relative` uses `/`.

    `trouble` says why it cannot be read as a file: `outside_root` (a symlink that leads out), `broken_link`, `folder` (a directory with
    the name of a transcript), `special_file` (a pipe, a socket, a device), `unreadable` (a directory that cannot be listed),
    `unreadable_name` (not text).
    """

    path: Path
    relative: str
    trouble: str | None = None


def iter_files(root: Path, within: Path | None = None) -> Iterator[Found]:
    """Every file below `root`, in a stable order; `relative` and the border of symlinks are those of `within`, a folder above `root`.

    A symlink is followed where its target is inside. A directory that can be reached in several ways is walked once, under its own name
    if it has one here. A root that is not there has no files.
    """
    border = within or root
    real_border = os.path.realpath(border)
    start = "" if root == border else root.relative_to(border).as_posix()
    if start and root.is_symlink() and (trouble := _judge_link(root, real_border)):
        yield _found(root, start, trouble)
        return
    seen: set[tuple[int, int]] = set()
    waiting = [(root, start)]
    while waiting:
        links: list[tuple[Path, str]] = []
        yield from _iter_below(waiting.pop(0), real_border, seen, links)
        waiting.extend(links)  # symlinked directories come after all the real ones


def _iter_below(
    start: tuple[Path, str], real_border: str, seen: set[tuple[int, int]], links: list[tuple[Path, str]]
) -> Iterator[Found]:
    stack = [start]
    while stack:
        folder, relative = stack.pop()
        try:
            status = folder.stat()
            if (status.st_dev, status.st_ino) in seen:
                continue
            seen.add((status.st_dev, status.st_ino))
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except FileNotFoundError:
            continue
        except OSError:
            yield _found(folder, relative or ".", "unreadable")
            continue
        folders: list[tuple[Path, str]] = []
        for entry in listed:
            here = (folder / entry.name, f"{relative}/{entry.name}" if relative else entry.name)
            is_link = entry.is_symlink()
            trouble = _judge_link(here[0], real_border) if is_link else None
            if trouble is None and entry.is_dir():
                if not entry.name.endswith(TRANSCRIPT_SUFFIXES):
                    (links if is_link else folders).append(here)
                    continue
                trouble = "folder"
            elif trouble is None and not entry.is_file():
                trouble = "special_file"
            yield _found(*here, trouble)
        stack.extend(reversed(folders))


def _judge_link(path: Path, real_border: str) -> str | None:
    """Why a symlink is not followed; None where it may be."""
    try:
        target = os.path.realpath(path, strict=True)
    except OSError:
        return "broken_link"
    inside = target == real_border or target.startswith(real_border.rstrip(os.sep) + os.sep)
    return None if inside else "outside_root"


def _found(path: Path, relative: str, trouble: str | None) -> Found:
    if not relative.isascii():
        try:
            relative.encode()
        except UnicodeEncodeError:
            relative = relative.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
            trouble = trouble or "unreadable_name"
    return Found(path=path, relative=relative, trouble=trouble)
