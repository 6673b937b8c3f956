"""The query language: from what a person typed to a `Query`.

Called through `lith.kernel.text`. Plain words, "quoted phrases", `-word`, `-"a phrase"`, `prefix*`, `AND`, `OR`, `NOT` and parentheses
round them. Nothing that can be typed is an error: what makes no sense as syntax is taken as words. It knows nothing of FTS5.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from lith.kernel.text_query import Group, Node, Query, Term, iter_terms
from lith.kernel.text_scripts import cut_scripts, normal_form, split_scripts, trimmed
from lith.kernel.text_words import FLAG_TAKERS, NOT_AFTER

MAX_CHARS = 4096
"""Only so much of a query is read."""

_MAX_TOKENS = 512
_MAX_DEPTH = 8
_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»＂「」『』", '"') | {"\0": " ", "’": "'"})
_ATOM = re.compile(r'(?P<dash>-?)"(?P<phrase>[^"]*)"|(?P<word>[^\s"]+)')
_DASHED = re.compile(r"-[^\W\d_]")
_OPERATORS = frozenset({"AND", "OR", "NOT"})
_SIGNS_OF_SYNTAX = '"-*()'  # alone they ask for nothing: every other text has them
# A long or one-letter flag, a path, a variable, a pipe: in such a query no dash excludes a word.
_CODE_LIKE = re.compile(r"(?:^|\s)(?:--\w|-[A-Za-z0-9](?=\s|$)|\.{0,2}/|\.(?=\s|$)|\$[\w({]|(?:\|\|?|&&|>>?|<)(?=\s))")
_PREFIX = re.compile(r"[^*]*\w\*")
_SIGNED = re.compile(r"[A-Za-z](?:\+\+|#)")
_PUNCTUATION = r"[!-/:-@\[-^`{-~\u00a1-\u00bf\u2010-\u205e\u3000-\u3003\u3008-\u3020]+"
_NO_GLUE = re.compile(r"[()\[\]{}<>,;:=|&!?`~^%]+")  # `foo(bar)`, `key=value`: several words, not one identifier
_EDGES = re.compile(f"^{_PUNCTUATION}|{_PUNCTUATION}$")


class _Token(msgspec.Struct, frozen=True):
    kind: str  # "word", "not" (an excluded word), an operator, "(" or ")"
    terms: tuple[Term, ...] = ()
    text: str = ""


def parse_query(q: str) -> Query:
    """Parse what a person typed; anything can be typed."""
    text = q[:MAX_CHARS].translate(_QUOTES)
    if text.count('"') % 2:  # the last quote closes nothing; an apostrophe keeps apart without beginning a word
        at = text.rindex('"')
        text = f"{text[:at]}'{text[at + 1 :]}"
    parser = _Parser(_checked_operators(list(_iter_tokens(text))[:_MAX_TOKENS]))
    items = parser.parse_all()
    literals = [t.text for node in items for t in iter_terms(node) if t.unspaced and len(t.text) == 1]
    if not items and not parser.excluded:
        literals = [bare for word in q[:MAX_CHARS].split() if (bare := word.strip('"')).strip(_SIGNS_OF_SYNTAX)]
    return Query(q, tuple(items), tuple(parser.excluded), tuple(dict.fromkeys(literals)))


def _iter_tokens(text: str) -> Iterator[_Token]:
    atoms = list(_ATOM.finditer(text))
    words = [atom["word"] or "" for atom in atoms]
    grouped = not _OPERATORS.isdisjoint(word.strip("()") for word in words)
    flags = 4 if words and words[0] in FLAG_TAKERS else 0  # "-rf", "-jar", but "-merge"
    if _CODE_LIKE.search(text):
        flags = MAX_CHARS
    for atom, word in zip(atoms, words, strict=True):
        starts = atom.start() == 0 or text[atom.start() - 1] in " \t\r\n("
        if not word:
            if _has_token(atom["phrase"]):
                yield _Token("not" if atom["dash"] and starts else "word", (Term(atom["phrase"].strip(), quoted=True),))
            continue
        inner = word
        while grouped and inner.startswith("("):
            yield _Token("(")
            inner = inner[1:]
        closing = 0
        while grouped and inner.endswith(")") and inner.count(")") > inner.count("("):
            inner, closing = inner[:-1], closing + 1
        if inner in _OPERATORS:
            yield _Token(inner, text=inner)
        elif starts and _DASHED.match(inner) and len(inner) > flags:
            yield _Token("not", _exclusion(inner[1:]))
        elif terms := tuple(_iter_word_terms(inner)):
            yield _Token("word", terms, inner)
        for _ in range(closing):
            yield _Token(")")


def _has_token(text: str) -> bool:
    return trimmed(cut_scripts(normal_form(text))) != ""


def _bare(word: str) -> str:
    if signed := _SIGNED.match(word):
        return signed[0] if not word[signed.end() :].strip("?!.,;:)") else word
    return _EDGES.sub("", word) or word


def _exclusion(word: str) -> tuple[Term, ...]:
    prefix = _PREFIX.fullmatch(word) is not None
    return (Term(_bare(normal_form(word)), prefix=prefix),) if _has_token(word) else ()


def _iter_word_terms(word: str) -> Iterator[Term]:
    prefix = _PREFIX.fullmatch(word) is not None
    parts = _NO_GLUE.split(normal_form(word))
    pieces = [piece for part in parts for piece in split_scripts(part) if _has_token(piece[0])]
    for number, (piece, unspaced) in enumerate(pieces, 1):
        yield Term(
            piece if unspaced else _bare(piece), prefix=prefix and not unspaced and number == len(pieces), unspaced=unspaced
        )


def _checked_operators(tokens: Sequence[_Token]) -> list[_Token]:
    """Turn operators without an operand on either side into the words that they are, and drop one that follows another."""
    checked: list[_Token] = []
    shouted = not any(term.text != term.text.upper() for token in tokens for term in token.terms)
    for number, token in enumerate(tokens):
        left = checked[-1].kind if checked else ""
        right = tokens[number + 1] if number + 1 < len(tokens) else _Token("")
        if token.kind not in _OPERATORS:
            checked.append(token)
        elif token.kind == "NOT":
            operand = right.kind in {"word", "("} and right.text not in NOT_AFTER and left != "NOT"
            operand = operand and not (shouted and left == "")  # a message in capitals may begin so
            checked.append(token if operand else _Token("word", (Term("NOT"),)))
        elif left in {"word", "not", ")"} and right.kind in {"word", "not", "(", "NOT"}:
            checked.append(token)
        elif right.kind not in _OPERATORS:
            checked.append(_Token("word", (Term(token.text),)))
    return checked


class _Parser:
    """Reads tokens into nodes; AND binds closer than OR, both closer than standing side by side."""

    def __init__(self, tokens: Sequence[_Token]) -> None:
        self.tokens = tokens
        self.position = 0
        self.depth = 0
        self.skipped = 0  # parentheses nested too deep to be kept
        self.excluded: list[Node] = []

    def parse_all(self) -> list[Node]:
        return self._sequence()

    def _sequence(self) -> list[Node]:
        chains: list[list[list[Node]]] = []  # side by side, of alternatives, of nodes that must all be there
        operator = ""
        negated = False
        while self.position < len(self.tokens):
            token = self.tokens[self.position]
            self.position += 1
            if token.kind == ")" and self._closes():
                break
            if token.kind == "NOT":
                negated = True
            elif token.kind in _OPERATORS:
                operator = token.kind
            elif token.kind == "not":
                self.excluded.extend(token.terms)
            elif nodes := self._operand(token):
                if negated:
                    self.excluded.append(_joined(nodes))
                elif operator and chains:
                    if operator == "AND":
                        chains[-1][-1].append(_joined(nodes))
                    else:
                        chains[-1].append([_joined(nodes)])
                elif self._next_kind() in {"AND", "OR"}:
                    chains.append([[_joined(nodes)]])
                else:
                    chains.extend([[node]] for node in nodes)
                operator, negated = "", False
        return [_joined([_joined(every) for every in chain], every=False) for chain in chains]

    def _operand(self, token: _Token) -> list[Node]:
        if token.kind == "word":
            return list(token.terms)
        if token.kind == "(":
            if self.depth == _MAX_DEPTH:
                self.skipped += 1
                return []
            self.depth += 1
            nodes = self._sequence()
            return [_joined(nodes)] if nodes else []
        return []

    def _closes(self) -> bool:
        if self.skipped:
            self.skipped -= 1
            return False
        if self.depth:
            self.depth -= 1
            return True
        return False

    def _next_kind(self) -> str:
        return self.tokens[self.position].kind if self.position < len(self.tokens) else ""


def _joined(nodes: Iterable[Node], *, every: bool = True) -> Node:
    items = tuple(nodes)
    return items[0] if len(items) == 1 else Group(every, items)
