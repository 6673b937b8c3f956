"""How a value is given to a name: the pattern that finds `name … value`, and what stands around it.

Used by `assignments.py`. Says which form it is (`op`, `flag`, `prose`, …), never whether it is a secret: that is `verdict.py`.
"""

import re

from msgspec import Struct

from lith.scrub.regex import Regex
from lith.scrub.rules.names import Kind, kind_of
from lith.scrub.rules.rule import skip_escape

PATTERN = r"""(?x)
    (?P<name>[A-Za-z0-9_-]{1,80}+|[^\x00-\x7f]{2,10}?(?=[ \t]*(?:[:=：＝是为は]|[-=]>)))
    (?P<kq>(?:\\{7}|\\{3}|\\)?["'`]|&quot;|\*\*)?
    (?P<idx>\]|\[[0-9]{0,4}\]|\?)?
    (?: (?P<pair>(?:\s|\\n){0,40},?(?:\s|\\n){0,40}(?:(?:\\{7}|\\{3}|\\)?["'])?[Vv]alue(?:(?:\\{7}|\\{3}|\\)?["'])?\s{0,4}[:=]\s{0,4})
      | (?P<typed>(?(kq)(?!))[ \t]{0,8}:?[ \t]{0,8}[A-Za-z_*&][\w.\[\]|*&]{0,40}(?:[ \t]\|[ \t]\w{1,20}){0,2}
            [ \t]{0,40}=[ \t]{0,40}(?=[fbru]{0,2}["']))
      | (?P<op>[ \t]{0,40}(?:=>|:=|:-|\?=|\+=|={1,3}|!={1,2}|:(?!:)(?:\*\*)?|：|＝|→)[ \t]{0,40}
            (?:[|>][+-]?[ \t]{0,40}(?:\n|\\n)[ \t]{1,80})?)
      | (?P<markup>>)
      | (?P<call>\([ \t]{0,8}(?=[fbru]?[\\"'`]))
      | (?P<cell>[ \t]{0,40}\|[ \t]{0,40}(?=[^\s|]{6}))
      | (?P<comma>(?(kq),\s{0,40}(?=[fbru]?[\\"'`])|(?!)))
      | (?P<prose>(?:[ \t]{1,8}(?:is|was|to|as|are|now|set)){1,3}[ \t]{0,8}:?[ \t]{1,8}(?=\S{6})|[ \t]{0,8}[是为は][ \t]{0,8})
      | (?P<gap>[ \t]{1,8}(?=[A-Za-z0-9+/_.~=-]{16}|\S{0,40}[0-9!@$%^&])) )
"""
"""Begins at a secret word inside a name and ends where the value begins; the last group that matched is the form.

`pair`: a name and, beside it, a `value`. `typed`: `name: type = value`. `op`: `name = value` in all spellings. `gap`: only a blank between.
"""

FLAG_PATTERN = r"""(?x)[ ](?P<name>--[A-Za-z0-9_-]{2,80}+)(?P<kq>(?!))?(?P<idx>(?!))?(?P<op>(?!))?(?P<gap>[ ]{1,8})(?=[^\s-])"""

_NAME_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
_NAME_REACH = 80
_LINE_REACH = 120
_LINE_PREFIX = Regex(
    r"""(?x) (?:[\w./-]{0,80}:)? [ \t]* (?:[0-9]+(?:→|\t|:|\|))? [ \t]* [-+>\#*$]? [ \t]*
    (?:(?:export|set|setx|env|ENV|ARG|declare[ ]-x|local|readonly|-e|--env)[ \t]+)? [\w./-]{0,60}[.:]? ["']? """
)
_LATTER = frozenset({"key", "keys"})
_FORMER = Regex(r"(?i)\b(api|access|secret|private|encryption|signing|license|account|auth|master|webhook)[ ]\Z")


class Given(Struct, frozen=True):
    """A name that promises a secret and the form in which a value follows.

    `sign` is the operator (`=`, `:`, `==`, …), `flag` marks an option of a command, `first` is where the name begins and `before` the
    character before it, `quote` the quote that closes the name.
    """

    name: str
    kind: Kind
    how: str
    sign: str
    flag: bool
    first: int
    before: str
    quote: str
    indexed: bool

    @property
    def wrap(self) -> str:
        """The quote that a mask needs where a bare JSON value (a number) stood."""
        key_quoted = self.quote[-1:] in {'"', "'", ";"} and not self.indexed
        return self.quote if key_quoted and self.sign == ":" else ""


def read_given(match: re.Match[str]) -> Given | None:
    """Reads the whole name at a match, also to the left of it; None if it promises no secret or is part of a URL or a mask."""
    text, start, tail = match.string, match.start("name"), match["name"]
    left = text[max(0, start - _NAME_REACH) : start]
    stem = left[len(left.rstrip(_NAME_CHARS)) :] if tail.isascii() else ""
    first, name = start - len(stem), stem + tail
    begin = skip_escape(text, first)
    escaped, name, first = begin > first, name[begin - first :], begin
    flag, name = name.startswith("-") and not escaped, name.strip("-_")
    if name.lower() in _LATTER and (former := _FORMER.search(text, max(0, first - 20), first)):
        name = f"{former[1]}_{name}"
    kind = kind_of(name)
    if kind is None or kind == "authorization" or text.endswith("[masked:", 0, first):
        return None
    how = match.lastgroup or ""
    sign = _sign(match, how)
    if _is_no_name(name, how, sign, match["op"] or "", text[max(0, first - 2) : first]):
        return None
    before = text[first - 1] if first else ""
    return Given(name, kind, how, sign, flag, first, before, match["kq"] or "", match["idx"] is not None)


def _sign(match: re.Match[str], how: str) -> str:
    if how == "op":
        return match["op"].strip()[:2].rstrip("*|>") or ":"
    return ":" if how == "pair" and ":" in match["pair"] else "="


def _is_no_name(name: str, how: str, sign: str, operator: str, before: str) -> bool:
    """Leaves `PASS: test`, the verb `pass`, `//user:password@` and `arn:…:secret:…` to themselves."""
    if sign == ":" and (name == "PASS" or before == "//" or before[-1:] == ":"):
        return True
    return name == "pass" and (how != "op" or operator[0] == " ")


def starts_line(text: str, first: int) -> bool:
    """Says whether a name stands at the start of its line, after an indent, `export`, a line number, a diff mark or a dotted prefix."""
    left = text[max(0, first - _LINE_REACH) : first]
    if (cut := max(left.rfind("\n"), left.rfind("\\n") + 1)) > 0 or left.startswith("\n"):
        left = left[cut + 1 :]
    return len(left) < _LINE_REACH and _LINE_PREFIX.fullmatch(left) is not None
