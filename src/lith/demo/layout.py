"""Laying the demo sessions out on the disk, as the clients would."""

from pathlib import Path

import msgspec

from lith.demo import claude_code, codex
from lith.demo.script import load_scripts
from lith.kernel.files import make_private_dir, write_atomic

RENDERERS = {"claude_code": claude_code.render, "codex": codex.render}


def write_sessions(folder: Path) -> int:
    """Write every demo session below `folder/<client>` and return how many sessions there are. A file that is right is not touched."""
    scripts = load_scripts()
    for script in scripts:
        for relative, lines in RENDERERS[script.client](script).items():
            path = folder / script.client / relative
            data = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
            if path.is_file() and path.read_bytes() == data:
                continue
            for parent in reversed(path.relative_to(folder.parent).parents[:-1]):
                make_private_dir(folder.parent / parent)
            write_atomic(path, data)
    return len(scripts)
