"""Judge embedders on a labelled set of conversations: retrieval of sessions, lexical alone and summed with the best message's cosine.

    python -m benchmarks.embedding.judge FOLDER [--model NAME ...] [--everywhere] [--cut CHARS] [--weight 1.5]

FOLDER holds `*_questions.jsonl[.zst]` and `*_sessions.jsonl[.zst]` as LongMemEval's are laid out here: a question has `question`,
`haystack` (pairs of session id and date) and `answer_session_ids`; a session has `id` and `turns` (role, text, and whatever labels follow).
Nothing of it is kept.
"""

import argparse
import math
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import msgspec
import numpy as np

from lith.embed import Embedder, get_embedder
from lith.kernel.text_words import STOPWORDS

Scores = dict[str, float]


def main() -> None:
    """Print a table: one line per leg and model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", action="append")
    parser.add_argument(
        "--everywhere", action="store_true", help="search all sessions, not the question's haystack: harder, finer"
    )
    parser.add_argument("--cut", type=int, default=None, help="characters of a message that are embedded")
    parser.add_argument("--weight", type=float, default=1.5)
    options = parser.parse_args()
    sessions = {line["id"]: [turn[1] for turn in line["turns"]] for line in _read(options.folder, "sessions")}
    questions = [line for line in _read(options.folder, "questions") if line["answer_session_ids"]]
    if options.everywhere:
        names = list(sessions)
        haystacks, index = [names] * len(questions), _index(sessions, names)
        lexical = [_lexical(index, names, line["question"]) for line in questions]
    else:
        haystacks = [[name for name, _ in line["haystack"] if name in sessions] for line in questions]
        lexical = [
            _lexical(_index(sessions, names), names, line["question"]) for line, names in zip(questions, haystacks, strict=True)
        ]
    print(f"{len(questions)} questions, {len(sessions)} sessions, {sum(map(len, sessions.values()))} messages")
    _show("bm25", questions, lexical)
    for name in options.model or ["static", "static-64"]:
        began = time.process_time()
        embedder = get_embedder(name)
        cosines = _cosines(embedder, sessions, questions, haystacks, options.cut)
        _show(f"{embedder.name} alone", questions, cosines)
        summed = [_sum(words, meaning, options.weight) for words, meaning in zip(lexical, cosines, strict=True)]
        _show(f"{embedder.name} summed", questions, summed, f"  ({time.process_time() - began:.1f} CPU s)")


def _read(folder: Path, what: str) -> list[dict[str, Any]]:
    path = next(iter(sorted(folder.glob(f"*_{what}.jsonl*"))))
    data = path.read_bytes()
    if path.suffix == ".zst":
        data = subprocess.run(["zstd", "-dc", str(path)], capture_output=True, check=True).stdout
    return [msgspec.json.decode(line) for line in data.splitlines()]


def _index(sessions: dict[str, list[str]], names: list[str]) -> apsw.Connection:
    """Some sessions, each one document with porter stems."""
    connection = apsw.Connection(":memory:")
    connection.execute("create virtual table talk using fts5(body, tokenize='porter unicode61')")
    connection.executemany(
        "insert into talk(rowid, body) values (?, ?)", [(i, "\n".join(sessions[s])) for i, s in enumerate(names)]
    )
    return connection


def _lexical(index: apsw.Connection, names: list[str], question: str) -> Scores:
    """BM25 of the sessions that hold any of the question's words."""
    words = [word for word in re.findall(r"\w+", question.lower()) if word not in STOPWORDS]
    query = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
    rows = index.execute("select rowid, -bm25(talk) from talk where talk match ?", (query,)) if query else []
    return {names[row]: score for row, score in rows}


def _cosines(
    embedder: Embedder,
    sessions: dict[str, list[str]],
    questions: list[dict[str, Any]],
    haystacks: list[list[str]],
    cut: int | None,
) -> list[Scores]:
    """For each question the cosine of every session's best message."""
    names = list(sessions)
    ends = np.cumsum([len(sessions[name]) for name in names])
    messages = embedder.embed([text[:cut] for name in names for text in sessions[name]])
    asked = embedder.embed([question["question"] for question in questions])
    starts = [0, *ends[:-1]]
    best = np.maximum.reduceat(messages @ asked.T, starts, axis=0)
    place = {name: row for row, name in enumerate(names)}
    return [{name: float(best[place[name], column]) for name in haystack} for column, haystack in enumerate(haystacks)]


def _sum(words: Scores, meaning: Scores, weight: float) -> Scores:
    """Each leg over its best, then added: ranks alone would throw the distances away."""
    most, best = max(words.values(), default=1.0), max(meaning.values(), default=1.0)
    return {name: words.get(name, 0.0) / most + weight * score / best for name, score in meaning.items()}


def _show(label: str, questions: list[dict[str, Any]], scores: list[Scores], note: str = "") -> None:
    ranked = [sorted(score, key=lambda name: -score[name]) for score in scores]
    answers = [set(question["answer_session_ids"]) for question in questions]

    def mean(measure: Callable[[list[str], set[str]], float]) -> float:
        return sum(map(measure, ranked, answers)) / len(questions)

    figures = {
        "NDCG@10": mean(_ndcg),
        "hit@1": mean(lambda found, right: bool(right & set(found[:1]))),
        "hit@5": mean(lambda found, right: bool(right & set(found[:5]))),
        "recall@5": mean(lambda found, right: len(right & set(found[:5])) / len(right)),
    }
    print(f"{label:36}" + "  ".join(f"{name} {value:.3f}" for name, value in figures.items()) + note)


def _ndcg(found: list[str], right: set[str], depth: int = 10) -> float:
    gained = sum(1 / math.log2(place + 2) for place, name in enumerate(found[:depth]) if name in right)
    return gained / sum(1 / math.log2(place + 2) for place in range(min(depth, len(right))))


if __name__ == "__main__":
    sys.exit(main())
