"""Terms: the vocabulary of a thread, taken from its texts by fixed rules. Pure.

`weaving` calls it. Four kinds: what was run (`operative`), what it was run on (`target`), what was talked about (`concept`), and links in
double brackets (`wikilink`). A thread's terms depend on its own texts only: how rare a word is elsewhere is for whoever asks to weigh, or
else every sync would change the terms of every thread.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec

from lith.kernel.text_words import STOPWORDS
from lith.records.record import Kind

VERSION = 1
LIMITS = {"operative": 10, "target": 12, "concept": 14, "wikilink": 4}
"""Kinds, and how many terms of each a thread keeps: the most frequent ones."""

MAX_TERM = 200
_MAX_TEXT = 16_000  # characters of one text that are looked at; a longer one is pasted, not said
_MAX_WORD = 40
_FIRST_WORDS = 60  # of the words said once, those that were said first count: the prompt is there
_WORD = re.compile(r"[a-z][a-z0-9_.-]+[a-z0-9]")
_SCRIPTS = re.compile(r"[\u30a1-\u30fa\u30fc]{2,12}|[\u4e00-\u9fff]{2,6}|[\uac00-\ud7a3]{2,8}|[\u0370-\u03ff\u0400-\u04ff]{3,24}")
_URL = re.compile(r"https?://[^\s<>\"'`)\]}|\\^]{3,}")
_LINK = re.compile(r"\[\[([^\[\]\n|#]{1,80})(?:[|#][^\[\]\n]{0,80})?\]\]")
_HEX = re.compile(r"[0-9a-f]{7,}\Z")
_STEPS = re.compile(r"&&|\|\||[;|&\n]")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_VERB = re.compile(r"[a-z][a-z0-9:_-]{0,30}\Z")
_NAME = re.compile(r"[A-Za-z0-9_.+-]{1,40}\Z")

_COMMON_WORDS = """
    able above actually add added after again all also always another anything around away back because before below best better both
    bit but call change changed changes check click come comes currently different does doesn don done each else enough even ever every
    everything existing few file files find first fine follow following get gets getting give given gives go goes going good got great
    happen help here however idea instead keep know last later least left less let lets like line lines little long look looking looks
    lot made make makes making many masked maybe mean means might more most move much must name need needed needs never new next nothing
    now number off ok okay old once one only onto other out over own part per place please point possible probably put really right run
    running same say says second see seems set several show shows simple since single something sometimes start started still stop sure
    take takes text thank thanks thing things think third though three through time together top toward true try trying turn two under
    until up update use used uses using very via want wanted wants was way well whether while without work working works yes yet
"""
_COMMON = frozenset(_COMMON_WORDS.split()) | {word for word in STOPWORDS if len(word) > 2}
_PREFIXES = frozenset({"sudo", "time", "nohup", "env", "command", "exec", "nice", "xargs", "then", "do", "else", "if", "while"})
_IGNORED = frozenset(
    {"cd", "echo", "true", "false", "export", "set", "fi", "done", "for", "exit", "sleep", "printf", "source", "test"}
)
_PROGRAMS = """
    apt apt-get aws brew bun bundle cargo composer conda deno docker docker-compose dotnet flutter gcloud gh git go gradle helm
    jj kubectl lith make mix mvn npm npx pip pip3 pnpm podman poetry rails rustup systemctl terraform tox uv uvx yarn
"""
_WITH_VERB = frozenset(_PROGRAMS.split())
_FIELDS = msgspec.json.Decoder(dict[str, str])


class Text(msgspec.Struct, frozen=True, array_like=True):
    """A text of a thread: a message, or a call with its fields as a JSON object."""

    kind: str
    tool: str | None
    text: str


class Term(msgspec.Struct, frozen=True, array_like=True):
    """A term and how often it is in a thread."""

    kind: str
    term: str
    count: int


def find_terms(texts: Iterable[Text]) -> list[Term]:
    """The terms of a thread, kind by kind, the most frequent first."""
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in LIMITS}
    said = []
    for one in texts:
        if one.kind == Kind.CALL:
            _count_call(one, counts)
        elif one.kind == Kind.MESSAGE:
            said.append(one.text if len(one.text) <= _MAX_TEXT else one.text[:_MAX_TEXT])
    _count_said("\n".join(said), counts)
    return [Term(kind, term, count) for kind, limit in LIMITS.items() for term, count in _find_best(counts[kind], limit)]


def _find_best(counts: Counter[str], limit: int) -> list[tuple[str, int]]:
    """The most frequent terms; of equals the longer one says more, and the last key makes the order a total one."""
    if len(counts) > limit:
        least = sorted(counts.values())[-limit]
        items = [item for item in counts.items() if item[1] >= least]
        return sorted(items, key=_rank)[:limit]
    return sorted(counts.items(), key=_rank)


def _rank(item: tuple[str, int]) -> tuple[int, int, str]:
    return (-item[1], -len(item[0]), item[0])


def _count_said(text: str, counts: dict[str, Counter[str]]) -> None:
    if "://" in text:
        counts["target"].update(_clean_url(url) for url in _URL.findall(text))
        text = _URL.sub(" ", text)
    if "[[" in text:
        counts["wikilink"].update(name for link in _LINK.findall(text) if (name := _link_name(link)))
    words = Counter(_WORD.findall(text.lower()))
    often = {word: count for word, count in words.items() if count > 1}
    if len(often) < 2 * LIMITS["concept"]:
        often |= dict(islice(words.items(), _FIRST_WORDS))
    concepts = counts["concept"]
    for word in often.keys() - _COMMON:
        if len(word) < 7 or (len(word) <= _MAX_WORD and not _HEX.match(word)):
            concepts[word] = often[word]
    if not text.isascii():
        concepts.update(_SCRIPTS.findall(text))


def _count_call(call: Text, counts: dict[str, Counter[str]]) -> None:
    if call.tool:
        counts["operative"][call.tool[:MAX_TERM]] += 1
    try:
        fields = _FIELDS.decode(call.text)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return
    for path in fields.get("path", "").splitlines():
        if path.strip():
            counts["target"][path.strip()[:MAX_TERM]] += 1
    if url := fields.get("url"):
        counts["target"][_clean_url(url)] += 1
    if command := fields.get("command"):
        counts["operative"].update(iter_commands(command[:_MAX_TEXT]))


def iter_commands(command: str) -> Iterator[str]:
    """The programs that a shell command runs, each with its verb where it has one: `git commit`, `pytest`, `npm run`."""
    for step in _STEPS.split(command):
        words = step.split(maxsplit=8)
        while words and (words[0] in _PREFIXES or _ASSIGNMENT.match(words[0])):
            del words[0]
        if not words:
            continue
        name = words[0].strip("\"'()").rpartition("/")[2]
        if name in _IGNORED or not _NAME.match(name) or name.startswith("-"):
            continue
        if name.startswith("python") and len(words) > 2 and words[1] == "-m":
            yield words[2]
        elif name in _WITH_VERB and len(words) > 1 and _VERB.match(words[1]):
            yield f"{name} {words[1]}"
        else:
            yield name


def _clean_url(url: str) -> str:
    """A URL without what changes from visit to visit."""
    return url.partition("#")[0].partition("?")[0].rstrip(".,;:!?/")[:MAX_TERM]


def _link_name(link: str) -> str:
    """The page that a link names; nothing for a shell's or a program's double brackets."""
    name = link.strip()
    return "" if not name or link[0].isspace() or name[0] in "-$!:\"'" or not any(c.isalpha() for c in name) else name
