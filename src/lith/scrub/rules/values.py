"""What a value is: where it ends, and whether it is a placeholder, a reference, a path, or looks random.

The judges of the rules and `structured.py` ask here. Never looks at names. Every function reads a bounded stretch or moves forward only,
so that hostile text costs linear time.
"""

import math
import re
from collections import Counter

from msgspec import Struct

from lith.scrub.regex import Regex
from lith.scrub.rules.names import word_set

LONG = 512
"""A value longer than this is no identifier, no reference and no placeholder."""

REACH = 1 << 14
"""How far the end of a value is looked for before anybody has said that it is a secret."""

_SHORT = 80
_OPEN = Regex(r"""[fFbBrRuUL]{0,2}(?P<q>(?:\\{7}|\\{3}|\\)?["'`]|&(?:quot|apos|#34|#39);|[“‘])""")
_CLOSE = {"“": "”", "‘": "’"}
_STRUCTURE = Regex(r'"[ \t]*[,}\]:]')
_BARE = Regex(r"""[^\s"'`\\,;<>(){}\[\]|&“”‘’「」，。；、]{1,600}""")
_TOKEN = Regex(r"""[^\s"'`\\<>“”‘’「」，。；、]{1,600}""")
_REST_OF_RUN = Regex(r"""[^\s"'`\\,;<>(){}\[\]|&“”‘’「」，。；、]*""")
_LINE_END = Regex(r"[ \t]*(?:#|\\[nr]|[\r\n]|\Z)")

_PLACEHOLDER = Regex(
    r"""(?ix) [<\[({]+[^<>]*[>\])}]+ | (?:sk|key|api|token)?[-_]?(?:\.\.\.|…).*
    | (?:your|my|the|some|an?|insert|enter|replace|put|change|add|paste|use)[-_ .]?[a-z_ .-]*
      (?:key|token|secret|password|passwd|credential|here|value|id|me|this)s?[a-z_ .-]*
    | (?:masked|redacted|removed|filtered|elided|truncated|todo|fixme|tbd|changeme|n/?a|empty|example|placeholder|dummy|sample)
    | [a-z][a-z0-9_-]{0,40}[-_](?:x{3,}|\*{3,}|\.{3}) | [a-z_-]*(?:placeholder|goes[-_ ]here|example)[-_a-z]* """
)
_REFERENCE = Regex(
    r"""(?x) \$\{.* | \$\(.* | \$(?:[A-Za-z_][\w:.]*|[0-9@*\#?])? | %[A-Za-z_]\w*% | %\(?[\w.]*\)?[sdr] | \{\{.*
    | \#\{.* | \{[\w.!:\[\]'"()-]*\}
    | !\w+.* | @?[A-Za-z_]\w*\(.*
    | (?:process\.env|os\.environ|os\.getenv|env|secrets|vars|config|settings|self|this|vault|var|local|data|module)[.\[][\w.\[\]"']+
    | (?:op|vault|awssm|gcpsm|secret|keychain|aws-sm|ref\+\w+)://.* | arn:aws[\w-]*:.* """
)
_TYPES = word_set(
    "str string strings bytes int integer number numeric bool boolean any object array float double char varchar text secretstr optional"
    " required none null nil undefined unknown true false yes no on off void never self option vec list dict map tuple set type types byte"
    " buffer bearer basic include omit same-origin password token secret apikey api-key key default auto manual env file prompt disabled"
    " enabled inherit"
)
_CODE = Regex(r"@?[A-Za-z_]\w{0,80}(?:(?:\.|::|->|\?\.)\w{1,80}){0,12}[(\[{<]")
_PATTERN = Regex(r"\[\^?[\w\\-]|\\[wdsbWDSB]|\(\?|\A#[0-9A-Fa-f]{3,8}\Z|\A<\|")
_PATH = Regex(
    r"(?:~|\.{1,2}|[A-Za-z]:)?[\\/](?:[\w.@ ~+-]*[\\/])*[\w.@ ~+-]*"
    r"|[a-z0-9_.-]+(?:/[a-z0-9_.-]+){2,}"
    r"|[\w.-]+(?:/[\w.-]+)*\.(?:pem|key|json|ya?ml|toml|txt|env|crt|p12|pub|py|ts|js|go|rs|md)"
)
_LABEL_WORDS = word_set(
    "must required should cannot invalid incorrect enter confirm forgot reset choose least characters optional field missing"
    " expired"
)
_PLAIN_TERM = Regex(
    r"""(?ix) v?[0-9]+(?:[.:][0-9]+)+\S* | [0-9]+(?:[.,][0-9]+)?-?[a-z%]+ | [0-9]{4}-[0-9]{2}\S*
    | (?:sha|md|rsa|aes|ed|utf|base|http|oauth|argon|pbkdf|bcrypt|crc|win|int|uint|float)-?[0-9]+\S{0,12}
    | (?:[hrep]s|p)-?(?:256|384|512) | [iuf](?:8|16|32|64) | x509\S{0,8} | 2fa | oauth2\S{0,8} """
)
_HASH = Regex(r"(?:(?:sha(?:1|224|256|384|512)|md5|blake2b|blake3|h1)[-:])[A-Za-z0-9+/=_-]+")
_UUID = Regex(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_HEX = Regex(r"(?:0x)?[0-9a-fA-F]+")
_RANDOM = Regex(r"[A-Za-z0-9+/_.~=-]+")


class Value(Struct, frozen=True):
    """A value in a text: its span without quotes, and the quote it stood in (empty for a bare one)."""

    text: str
    start: int
    end: int
    quote: str = ""


def read_value(text: str, position: int, *, line: bool = False, reach: int = REACH) -> Value | None:
    """Reads the value at a position: quoted at any level of escaping, or bare.

    With `line` a bare value may hold any character but blanks and quotes, if it is the last word of its line (YAML, env files).
    """
    opening = _OPEN.match(text, position)
    if opening:
        start, end = _inside_quotes(text, opening, reach)
        return Value(text[start:end], start, end, opening["q"])
    if line and (token := _TOKEN.match(text, position)) and _LINE_END.match(text, token.end()):
        word = token[0].rstrip(",;")
        if word and not (word[-1] in ":)]}" and not set(word) & set("([{")):
            return Value(word, position, position + len(word))
    bare = _BARE.match(text, position)
    return Value(bare[0], position, bare.end()) if bare else None


def end_of_value(text: str, value: Value) -> int:
    """Finds the true end of a value that was read only up to a bound; to be asked only about what will be masked."""
    if not value.quote:
        rest = _REST_OF_RUN.match(text, value.end) if value.end - value.start >= LONG else None
        return rest.end() if rest else value.end
    if value.end - value.start < REACH - 1:
        return value.end
    return _find_close(text, value.start, value.quote, len(text))


def _inside_quotes(text: str, opening: re.Match[str], reach: int) -> tuple[int, int]:
    quote, start = opening["q"], opening.end()
    if quote in ('"', "'") and text.startswith(quote * 2, start):
        start += 2
        end = text.find(quote * 3, start)
        return start, len(text) if end < 0 else end
    return start, _find_close(text, start, quote, reach)


def _find_close(text: str, start: int, quote: str, reach: int) -> int:
    """Finds where a quoted value ends; without a closing quote with its line, or where the JSON around it must go on."""
    limit = min(len(text), start + reach)
    line_end = text.find("\n", start, limit)
    limit = line_end if line_end >= 0 else limit
    end, closed = _closing_quote(text, start, quote, limit)
    if quote[-1] == '"':
        return end if closed else _before_escape(text, start, end)
    if structure := _STRUCTURE.search(text, start, end):
        end, closed = structure.start(), False
    if not closed and (other := text.find('"', start, end)) >= 0:
        end = other
    return end if closed else _before_escape(text, start, end)


def _before_escape(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1] == "\\":
        end -= 1
    return end


def _closing_quote(text: str, start: int, quote: str, limit: int) -> tuple[int, bool]:
    """Finds the quote that ends a value: one at the level of the opening quote, or at an outer one.

    A quote is as many levels deep as the count of backslashes before it has trailing ones in binary: `"` 0, `\\"` 1, `\\\\\\"` 2;
    an even count is escaped backslashes and a quote of level 0.
    """
    close = _CLOSE.get(quote, quote)
    level, mark = (_level(len(close) - 1), close[-1]) if close[0] == "\\" else (0, close)
    at = text.find(mark, start, limit)
    while at >= 0:
        slashes = 0
        while at - slashes > start and text[at - slashes - 1] == "\\":
            slashes += 1
        found = _level(slashes)
        if mark == "'" and not slashes and not level and at > start and text.startswith("''", at):
            at += 1
        elif found <= level or len(mark) > 1:
            return at - min(slashes, (1 << found) - 1), True
        at = text.find(mark, at + 1, limit)
    return limit, False


def _level(slashes: int) -> int:
    level = 0
    while slashes & 1:
        slashes >>= 1
        level += 1
    return level


def is_placeholder(value: str) -> bool:
    """Says whether a value stands for a secret that is not there: `<your-key>`, `xxxx`, `***`, a mask."""
    if not value.strip().strip("xX*.•·_-?#…:") or value.startswith("[masked:"):
        return True
    return len(value) <= _SHORT and _PLACEHOLDER.fullmatch(value) is not None


def is_reference(value: str) -> bool:
    """Says whether a value names a secret kept elsewhere or yet to be filled in: `${TOKEN}`, `process.env.X`, `{{ vault_pw }}`, `x=%s`."""
    return len(value) <= LONG and (_REFERENCE.fullmatch(value) is not None or "%s" in value or "{}" in value)


def is_code(value: str) -> bool:
    """Says whether a bare value is an expression: a call, an item, a parametrized type (`tokens[0]`, `Optional[str]`)."""
    return _CODE.match(value) is not None


def is_pattern(value: str) -> bool:
    """Says whether a value is a regular expression or a colour, which lexers and themes give to things named `token`."""
    return len(value) <= LONG and _PATTERN.search(value) is not None


def is_type_word(value: str) -> bool:
    """Says whether a value is the name of a type or a setting (`string`, `required`), as in an annotation or a schema."""
    return value.lower().rstrip("?!|;,.") in _TYPES


def is_path(value: str) -> bool:
    """Says whether a value is a path of a file, and not a token that happens to hold slashes."""
    if len(value) > LONG or _PATH.fullmatch(value) is None:
        return False
    parts = re.split(r"[\\/]", value)
    return not any(looks_random(part, 20) for part in (*parts, "".join(parts)))


def is_sentence(value: str) -> bool:
    """Says whether a value is a label or a message about a secret: `Password must have 8 characters`."""
    words = value.lower().replace(".", " ").split() if len(value) <= LONG else []
    return len(words) >= 3 and not _LABEL_WORDS.isdisjoint(words)


def looks_chosen(value: str) -> bool:
    """Says whether a word in running text looks like a password or a token: letters mixed with digits or signs."""
    if not 6 <= len(value) <= LONG or not any(c.isalpha() for c in value):
        return False
    if not any(c.isdigit() or c in "!@#$%^&*+=?" for c in value.rstrip("?!*").lstrip("*")):
        return False
    return not (is_plain_term(value) or "://" in value or is_path(value) or _UUID.fullmatch(value) or _HASH.fullmatch(value))


def is_plain_term(value: str) -> bool:
    """Says whether a word with digits is a term: a version, a measure, a date, an algorithm (`base64-encoded`, `256-bit`, `2.1.0`)."""
    return _PLAIN_TERM.fullmatch(value) is not None


def looks_random(value: str, least: int = 16) -> bool:
    """Says whether a value of at least `least` characters looks made by a generator rather than by a person.

    Letters and digits change places often (a capital that begins a word does not count) and characters repeat little. UUIDs, hex
    digests and `sha512-…` hashes are left alone.
    """
    if not least <= len(value) <= LONG or _RANDOM.fullmatch(value) is None:
        return False
    if _HEX.fullmatch(value) or _UUID.fullmatch(value) or _HASH.fullmatch(value):
        return False
    classes = "".join("d" if c.isdigit() else "u" if c.isupper() else "l" if c.islower() else "-" for c in value)
    if "d" not in classes or not ("u" in classes or "l" in classes):
        return False
    changes = sum(classes.count(pair) for pair in ("lu", "ld", "dl", "ud", "du"))
    return changes > 0.2 * (len(value) - 1) and entropy(value) >= min(3.8, 0.75 * math.log2(len(value)))


def entropy(value: str) -> float:
    """Shannon entropy of the characters of a value, in bits per character."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values())
