"""Fit the weights of `lith.kernel.tokens` to public byte-pair vocabularies and report the error.

Reads folders of text, cuts them into pieces, counts tokens with two vocabularies and solves a least-squares problem with weights that may
not be negative. Needs packages that lith itself does not; README.md beside this file says which and how to run it.
"""

import argparse
import base64
import hashlib
import json
import random
import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import bpe_openai  # type: ignore[import-not-found]
import numpy as np
import tiktoken  # type: ignore[import-not-found]

from lith.kernel.tokens import PATTERNS, count_patterns, estimate_tokens

PIECE_SIZES = (60, 150, 400, 1000, 2500, 6000)
PIECES_PER_GROUP = 400
MAX_FILE = 120_000
MESSAGE = re.compile(r'^msgstr(?:\[\d\])? ((?:"(?:[^"\\]|\\.)*"\n)+)', re.MULTILINE)

Counter = Callable[[str], int]


def load_counters(claude: Path) -> dict[str, Counter]:
    """Return the token counters: the vocabulary in the package of Anthropic, and two of OpenAI."""
    described = json.loads(claude.read_text())
    ranks: dict[bytes, int] = {}
    for line in described["bpe_ranks"].splitlines():
        _, offset, *tokens = line.split(" ")
        ranks.update((base64.b64decode(token), int(offset) + number) for number, token in enumerate(tokens))
    legacy = tiktoken.Encoding("claude", pat_str=described["pat_str"], mergeable_ranks=ranks, special_tokens={})
    wide, older = (bpe_openai.get_encoding(name) for name in ("o200k_base", "cl100k_base"))
    return {
        "claude": lambda text: len(legacy.encode_ordinary(unicodedata.normalize("NFKC", text))),
        "o200k": lambda text: len(wide.encode_ordinary(text)),
        "cl100k": lambda text: len(older.encode_ordinary(text)),
    }


def iter_texts(folder: Path, pattern: str) -> Iterator[str]:
    """Yield the texts of a folder; of a message catalogue the translations only."""
    paths = [path for path in sorted(folder.rglob(pattern)) if path.is_file() and path.stat().st_size > 300]
    random.Random(1).shuffle(paths)
    for path in paths[:120]:
        text = path.read_text(encoding="utf-8", errors="ignore")[:MAX_FILE]
        if path.suffix == ".po":
            strings = (re.sub(r'"\n"', "", found.strip().strip('"')) for found in MESSAGE.findall(text))
            text = "\n".join(string.replace("\\n", "\n").replace('\\"', '"') for string in strings if string)
        yield text


def iter_made_up() -> Iterator[str]:
    """Yield what folders of text have too little of: digests, base64, identifiers, numbers, letters, emoji, drawn boxes."""
    rng = random.Random(7)
    emoji = [chr(code) for code in range(0x1F300, 0x1F650)]
    for _ in range(60):
        lines = [rng.randbytes(20).hex() for _ in range(8)]
        yield "\n".join(f"{line[:8]}-{line[8:12]}-{line[12:16]}-{line[16:20]}-{line[20:32]}" for line in lines)
        yield "\n".join(f"{line} {rng.randrange(10**6)} file{rng.randrange(99)}.bin" for line in lines)
        yield base64.b64encode(rng.randbytes(600)).decode()
        yield "\n".join(
            f"2024-0{rng.randrange(1, 9)}-1{rng.randrange(9)} 12:{rng.randrange(10, 60)}:07,{rng.random():.6f}" for _ in range(20)
        )
        yield " ".join(
            "".join(rng.choices(emoji, k=rng.randrange(1, 4))) + " " + rng.choice(("done", "ok", "see")) for _ in range(20)
        )
        yield " ".join("".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randrange(30, 200))) for _ in range(3))
        width = rng.randrange(10, 70)
        yield "\n".join(
            [
                f"┌{'─' * width}┐",
                *(f"│ {'x' * rng.randrange(9):<{width - 2}} │" for _ in range(5)),
                f"└{'─' * width}┘",
                "-" * width,
            ]
        )


def cut_pieces(texts: Iterator[str]) -> list[tuple[bool, str]]:
    """Cut texts into pieces of many sizes; a third of the texts is held out."""
    rng = random.Random(5)
    pieces: list[tuple[bool, str]] = []
    for text in texts:
        held_out = hashlib.sha256(text[:2000].encode("utf-8", "ignore")).digest()[0] % 3 == 0
        start = 0
        while start < len(text):
            size = int(rng.choice(PIECE_SIZES) * rng.uniform(0.7, 1.3))
            piece = text[start : start + size]
            start += size
            if len(piece) > 40:
                pieces.append((held_out, piece))
    rng.shuffle(pieces)
    return pieces[:PIECES_PER_GROUP]


def solve(counts: np.ndarray, targets: np.ndarray, rounds: int = 4000) -> np.ndarray:
    """Return the weights >= 0 that minimise the squared error, by coordinate descent."""
    gram = counts.T @ counts
    gram += np.eye(len(gram)) * (1e-4 * np.trace(gram) / len(gram))
    right = counts.T @ targets
    weights = np.zeros(len(right))
    for _ in range(rounds):
        for column in range(len(weights)):
            step = (right[column] - gram[column] @ weights) / gram[column, column]
            weights[column] = max(0.0, weights[column] + step)
    return weights


def report(name: str, estimated: np.ndarray, tokens: np.ndarray, labels: list[str]) -> None:
    """Print bias and error against the mean of the first two vocabularies, and the bias against each."""
    target = tokens[:, :2].mean(axis=1)
    off = np.abs(estimated / target - 1)
    each = " ".join(f"{label} {estimated.sum() / tokens[:, column].sum() - 1:+4.0%}" for column, label in enumerate(labels))
    ratio = estimated.sum() / target.sum() - 1
    print(
        f"{name:14} n={len(off):5} bias {ratio:+6.1%}  mean error {off.mean():5.1%}  9 of 10 within {np.quantile(off, 0.9):5.1%} | {each}"
    )


def main() -> None:
    """Read the arguments, fit, print weights and errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claude", type=Path, required=True, help="claude.json of the npm package @anthropic-ai/tokenizer")
    parser.add_argument(
        "groups", nargs="+", metavar="NAME=GLOB@FOLDER", help="e.g. python=*.py@/usr/lib/python3; repeat a name to add"
    )
    arguments = parser.parse_args()
    counters = load_counters(arguments.claude)
    texts: dict[str, list[str]] = {"made up": list(iter_made_up())}
    for group in arguments.groups:
        name, _, rest = group.partition("=")
        pattern, _, folder = rest.partition("@")
        texts.setdefault(name, []).extend(iter_texts(Path(folder), pattern))
    rows = [(name, held, piece) for name, found in texts.items() for held, piece in cut_pieces(iter(found))]
    counts = np.array([count_patterns(piece) for _, _, piece in rows], dtype=float)
    tokens = np.array([[count(piece) for count in counters.values()] for _, _, piece in rows], dtype=float)
    names = np.array([name for name, _, _ in rows])
    held = np.array([held for _, held, _ in rows])
    target = tokens[:, :2].mean(axis=1)
    # Relative errors count, long pieces more than short ones; what is not a language of its own (`lang-…`) counts threefold.
    weight = np.where(np.char.startswith(names, "lang-"), 1.0, np.sqrt(3)) / target * np.sqrt(np.minimum(target, 500))
    weights = solve((counts * weight[:, None])[~held], (target * weight)[~held])
    for (_, pattern, _), value in zip(PATTERNS, weights, strict=True):
        print(f"{pattern!r:16} {value:.3f}")
    fitted, current = counts @ weights, np.array([estimate_tokens(piece) for _, _, piece in rows], dtype=float)
    for title, estimated in (("fitted now", fitted), ("as committed", current)):
        print(f"\n{title}, on pieces held out")
        for name in dict.fromkeys(names):
            report(name, estimated[held & (names == name)], tokens[held & (names == name)], list(counters))
        for name, where in (
            ("languages", np.char.startswith(names, "lang-")),
            ("all others", ~np.char.startswith(names, "lang-")),
        ):
            report(name, estimated[held & where], tokens[held & where], list(counters))


if __name__ == "__main__":
    main()
