"""The texts that the static table is fitted on: documentation and code talk that this machine has on its disk.

Called by `build.py` only. Every kind is a generator of paragraphs and reads what is installed; a kind that finds nothing is an empty
one. Never add the text of a benchmark here that the table is judged by.
"""

import ast
import gzip
import hashlib
import html
import os
import random
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

MIN_WORDS, MAX_CHARS = 4, 480
FILES_PER_KIND = 6000
"""So many files of a kind are opened, chosen by the seed: there are a hundred thousand pages of rustdoc."""

_BLANK = re.compile(r"\n\s*\n")
_SPACE = re.compile(r"\s+")
_TAG = re.compile(r"<[^<>]*>")


def collect(seed: int, quotas: dict[str, int], repositories: list[Path]) -> dict[str, list[str]]:
    """For each kind at most its quota of different paragraphs, the same for the same seed and the same disk."""
    seen: set[bytes] = set()
    chosen: dict[str, list[str]] = {}
    for kind, quota in quotas.items():
        found: list[str] = []
        for text in KINDS[kind](random.Random(f"{seed} {kind}"), repositories):
            if len(text.split()) < MIN_WORDS:
                continue
            digest = hashlib.blake2b(text.casefold().encode(errors="replace"), digest_size=12).digest()
            if digest not in seen:
                seen.add(digest)
                found.append(text)
            if len(found) >= 6 * quota:
                break
        random.Random(f"{seed} {kind} sample").shuffle(found)
        chosen[kind] = found[:quota]
    return chosen


def _paragraphs(text: str, rng: random.Random, *, keep: float = 0.5) -> Iterator[str]:
    for block in _BLANK.split(text):
        flat = _SPACE.sub(" ", block).strip(" *#/-=")
        if len(flat) > MAX_CHARS:
            flat = flat[: rng.randint(80, MAX_CHARS)].rsplit(" ", 1)[0]
        if sum(map(str.isalpha, flat)) > 0.55 * len(flat) and rng.random() < keep:
            yield flat


def _files(root: Path, pattern: str, rng: random.Random, *, most: int = FILES_PER_KIND) -> list[Path]:
    paths = sorted(path for path in root.rglob(pattern) if path.is_file()) if root.is_dir() else []
    rng.shuffle(paths)
    return paths[:most]


def _read(path: Path) -> str:
    try:
        data = path.read_bytes()[:400_000]
        if path.suffix == ".gz":
            data = gzip.decompress(path.read_bytes())[:400_000]
    except (OSError, EOFError):
        return ""
    return data.decode(errors="ignore")


def _output(*argv: str) -> str:
    if shutil.which(argv[0]) is None:
        return ""
    done = subprocess.run(argv, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    return done.stdout.decode(errors="ignore").strip()


def _python_roots() -> list[Path]:
    here = {Path(entry) for entry in sys.path if entry.endswith("site-packages")} | {Path(os.__file__).parent}
    found = sorted(Path("/usr/lib").glob("python3*")) + sorted(here)
    return [root for root in found if root.is_dir()]


def _modules(rng: random.Random) -> Iterator[ast.Module]:
    paths = [path for root in _python_roots() for path in _files(root, "*.py", rng)]
    rng.shuffle(paths)
    for path in paths[:FILES_PER_KIND]:
        try:
            yield ast.parse(_read(path))
        except (SyntaxError, ValueError, RecursionError):
            continue


def docstrings(rng: random.Random, _: list[Path]) -> Iterator[str]:
    """Docstrings of the Python packages that are installed."""
    for module in _modules(rng):
        for node in ast.walk(module):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield from _paragraphs(ast.get_docstring(node) or "", rng)


def code(rng: random.Random, _: list[Path]) -> Iterator[str]:
    """Short functions of the Python packages that are installed, as code."""
    for module in _modules(rng):
        for node in ast.walk(module):
            if isinstance(node, ast.FunctionDef) and rng.random() < 0.2:
                text = ast.unparse(node)
                yield text[:MAX_CHARS] if len(text) > MAX_CHARS else text


def manuals(rng: random.Random, _: list[Path]) -> Iterator[str]:
    """Manual pages, without their roff."""
    for path in _files(Path("/usr/share/man"), "*.[1-8]*.gz", rng):
        if "/man/man" not in str(path) or (
            path.name.startswith("gcloud") and rng.random() < 0.95
        ):  # ten thousand pages of one program
            continue
        lines = []
        for raw in _read(path).splitlines():
            macro = re.match(r"[.'](\w*) ?(.*)", raw)
            line = macro[2] if macro and macro[1] in {"B", "I", "BR", "IR", "RB", "BI", "Nm", "Fl", "SM"} else raw
            lines.append(
                "" if line is raw and macro else re.sub(r"\\(f.|\(..|[&%|/,]|-)", lambda m: "-" if m[0] == r"\-" else "", line)
            )
        yield from _paragraphs("\n".join(lines), rng, keep=0.25)
    for path in _files(Path("/usr/share/info"), "*.info*.gz", rng):
        yield from _paragraphs(_read(path), rng, keep=0.25)


def descriptions(rng: random.Random, _: list[Path]) -> Iterator[str]:
    """Descriptions of the system's packages, from the package tool's list on disk: the broadest choice of subjects."""
    installed = _output("dpkg-query", "-W", "-f", "${Description}\\n\\n\\n")
    known = re.findall(r"^Description(?:-en)?: (.*(?:\n .*)*)", _output("apt-cache", "dumpavail"), re.MULTILINE)
    entries = installed.split("\n\n\n") * 2 + known
    rng.shuffle(entries)
    for entry in entries:
        yield from _paragraphs(re.sub(r"\n \.?(?=\n)", "\n", entry), rng, keep=0.6)


def go(rng: random.Random, _: list[Path]) -> Iterator[str]:
    """Doc comments of Go's standard library."""
    root = _output("go", "env", "GOROOT")
    for path in _files(Path(root) / "src", "*.go", rng) if root else []:
        text = re.sub(r"^(?!//).*$", "", _read(path), flags=re.MULTILINE)
        yield from _paragraphs(re.sub(r"^// ?", "", text, flags=re.MULTILINE), rng, keep=0.3)


def rust(rng: random.Random, _: list[Path]) -> Iterator[str]:
    """Paragraphs of the Rust documentation."""
    root = _output("rustc", "--print", "sysroot")
    for path in _files(Path(root) / "share" / "doc", "*.html", rng, most=8000) if root else []:
        if "arch" in path.parts and rng.random() < 0.95:  # thousands of vector instructions
            continue
        for block in re.findall(r"<p>(.*?)</p>", _read(path), re.DOTALL)[:12]:
            yield from _paragraphs(html.unescape(_TAG.sub("", block)), rng, keep=0.4)


def java(rng: random.Random, _: list[Path]) -> Iterator[str]:
    """Doc comments of Java's standard library."""
    program = shutil.which("java")
    archives = sorted(Path(program).resolve().parents[2].glob("*/lib/src.zip")) if program else []
    archive = next((path for path in archives if path.is_file()), None)
    if archive is None:
        return
    with zipfile.ZipFile(archive) as sources:
        names = sorted(name for name in sources.namelist() if re.search(r"java\.(base|net|sql|desktop|logging)/.*\.java$", name))
        rng.shuffle(names)
        for name in names[:2000]:
            for comment in re.findall(r"/\*\*(.*?)\*/", sources.read(name).decode(errors="ignore"), re.DOTALL):
                text = re.sub(r"^\s*\* ?", "", re.sub(r"\{@\w+ ([^}]*)\}", r"\1", comment), flags=re.MULTILINE)
                yield from _paragraphs(html.unescape(_TAG.sub("", text)), rng, keep=0.2)


def documents(rng: random.Random, _: list[Path]) -> Iterator[str]:
    """Markdown, text and HTML documents of installed packages, Node's among them."""
    roots = [Path("/usr/share/doc"), Path(_output("npm", "root", "-g") or "/nonexistent")]
    for root in roots:
        for pattern in ("*.md", "*.txt*", "*.rst", "README*", "NEWS*", "*.html"):
            for path in _files(root, pattern, rng, most=1500):
                text = _read(path)
                if path.suffix == ".html":
                    text = html.unescape(_TAG.sub("", re.sub(r"(?s)<(script|style).*?</\1>|</p>|<p>", "\n\n", text)))
                yield from _paragraphs(text, rng, keep=0.25)


def changes(rng: random.Random, _: list[Path]) -> Iterator[str]:
    """Entries of change logs: what people say of their commits."""
    for path in _files(Path("/usr/share/doc"), "*hange*.gz", rng):
        entries = re.split(r"\n\s*[*+-] |\n\s*\n", _read(path)[:60_000])
        rng.shuffle(entries)
        yield from (text for entry in entries[:12] for text in _paragraphs(entry, rng, keep=0.9))


def commits(rng: random.Random, repositories: list[Path]) -> Iterator[str]:
    """Commit messages of the repositories that were named."""
    for repository in repositories:
        messages = _output("git", "-C", str(repository), "log", "--no-merges", "--format=%B%x00").split("\0")
        rng.shuffle(messages)
        yield from (text for message in messages for text in _paragraphs(message, rng, keep=0.9))


KINDS: dict[str, Callable[[random.Random, list[Path]], Iterator[str]]] = {
    kind.__name__: kind for kind in (docstrings, code, manuals, descriptions, go, rust, java, documents, changes, commits)
}
