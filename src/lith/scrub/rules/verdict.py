"""Whether a value given to a name is a secret: what the rules for assignments and `structured.py` decide by.

`hides_secret` judges a whole string (quoted, or decoded JSON); `judge_quoted` and `judge_bare` also weigh the form in a text, where a
bare word may be code (`token = get_token()`) or prose (`the password is stored hashed`).
"""

from lith.scrub.regex import Regex
from lith.scrub.rules.given import Given
from lith.scrub.rules.names import Kind, kind_of, word_set
from lith.scrub.rules.values import (
    LONG,
    Value,
    is_code,
    is_path,
    is_pattern,
    is_placeholder,
    is_plain_term,
    is_reference,
    is_sentence,
    is_type_word,
    looks_chosen,
    looks_random,
)

_IDENTIFIER = Regex(r"@?[A-Za-z_]\w*")
_DOTTED = Regex(r"@?[A-Za-z_]\w*(?:(?:\.|::|->|\?\.)\w+)+")
_ENV_NAME = Regex(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_NUMBER = Regex(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_HYPHENED = Regex(r"\*{0,2}_?[A-Za-z]+(?:-[A-Za-z]+)*_?\*{0,2}[.:!?]?")
_EMPHASIZED = Regex(r"\*{1,2}[A-Za-z]+\*{1,2}[.:!?]?|[A-Za-z]+[.:]")
_LOOKUP = Regex(r"""(?i)(?:getenv|get|env|config|pop|setdefault|define)\(\s{0,8}\\{0,15}["']\Z""")
_COMMON = word_set(
    "to for in and or is are the a an of on with from by as at flag option argument parameter instead must should can will if when then"
    " that this it not no value here via using file path options flags arguments parameters prompt field fields"
)
_OPENERS = frozenset("([{")
_AFTER_STRING = Regex(r"[,:)\]}]|\s+[+%,.)&|?:]|\Z")


def hides_secret(kind: Kind, name: str, value: str) -> bool:
    """Says whether a whole string given to a name is a secret, and not a placeholder, a reference, a path or a label."""
    word = value.strip()
    if not word or is_placeholder(word) or is_reference(word) or is_type_word(word):
        return False
    if kind == "weak":
        return looks_random(word)
    if kind == "pin":
        return word.isdigit() and 4 <= len(word) <= 8
    if kind == "cookie":
        return "=" in word or looks_random(word)
    if is_path(word) or is_sentence(word) or _ENV_NAME.fullmatch(word) or _letters(word) == _letters(name):
        return False
    if kind in {"token", "key", "credential"} and word.startswith(("http://", "https://")):
        return False
    if kind in {"token", "key"}:
        if is_pattern(word) or (" " in word and (not any(c.isdigit() for c in word) or "://" in word)):
            return False
        lone = name.lower() in {"token", "tokens"}
        return len(word) >= 12 or looks_chosen(word) or (len(word) >= 6 and not lone)
    return len(word) >= 3


def is_after_string(value: Value) -> bool:
    """Says whether a quote that seemed to open a value rather closes a string: what follows goes on like JSON or code."""
    return _AFTER_STRING.match(value.text) is not None


def judge_quoted(given: Given, value: Value, text: str) -> bool:
    """Says whether a quoted value is a secret."""
    if given.quote != value.quote and is_after_string(value):
        return False
    if given.before == value.quote[-1:] if not given.quote else _is_outer(value.quote, given.quote):
        return False
    if not hides_secret(given.kind, given.name, value.text):
        return False
    word = value.text.strip()
    if given.how in {"call", "cell"}:
        return looks_chosen(word)
    if given.how == "comma":
        return _judge_argument(given, value, text)
    if given.how == "prose":
        return len(word) >= 6
    if given.how == "gap":
        return given.flag or looks_random(word)
    shell_output = value.quote == "`" and given.sign == "=" and " " in word
    return not shell_output


def _is_outer(quote: str, inner: str) -> bool:
    return len(quote) < len(inner) and quote[-1] == inner[-1]


def _judge_argument(given: Given, value: Value, text: str) -> bool:
    """Judges `"--password", "x"` in a list of arguments and `getenv("PASSWORD", "x")`; other neighbours in lists mean nothing."""
    word = value.text.strip()
    if given.flag:
        return not word.startswith("-") and " " not in word and kind_of(word) is None
    start = value.start - len(value.quote)
    called = text[max(0, start - 160) : start].rpartition(given.name)[0]
    return given.name.isupper() and looks_chosen(word) and _LOOKUP.search(called) is not None


def judge_bare(given: Given, value: Value, text: str, *, line: bool) -> bool:
    """Says whether a bare value is a secret and not a piece of code or of a sentence; `line` if its name begins a line."""
    word, kind = value.text, given.kind
    if len(word) <= LONG and (not word or is_placeholder(word) or is_reference(word) or is_type_word(word)):
        return False
    if kind == "weak":
        return given.how in {"op", "pair", "gap"} and looks_random(word) and _DOTTED.fullmatch(word) is None
    if given.how in {"typed", "call", "comma"} or given.sign in {"==", "!="} or is_path(word):
        return False
    if _NUMBER.fullmatch(word):
        return kind == "password" and len(word) >= 4 and (given.how in {"op", "pair"} or given.flag)
    if kind in {"pin", "cookie"}:
        return False
    if given.how in {"prose", "cell"}:
        return looks_chosen(word) and not _names_a_secret(word)
    if given.how == "gap":
        return _judge_option(word) if given.flag else given.name.lower() != kind and looks_random(word)
    return _judge_word(given, value, text, line=line)


def _judge_option(word: str) -> bool:
    sentence = word[-1] in ".," or word.lower() in _COMMON
    return word[0] != "-" and len(word) >= 3 and not sentence and not _names_a_secret(word)


def _judge_word(given: Given, value: Value, text: str, *, line: bool) -> bool:
    """Judges a bare word after `=` or `:`, which may be a secret or a piece of code."""
    word, firm = value.text, given.kind in {"password", "secret"}
    env = given.name.isupper() and text[value.start - 1] not in " \t"
    simple = _IDENTIFIER.fullmatch(word) is not None
    if not env:
        if is_code(word) or is_plain_term(word) or "://" in word or _names_a_secret(word):
            return False
        dotted = _DOTTED.fullmatch(word) is not None
        if (simple or dotted) and (dotted or text[value.end : value.end + 1] in _OPENERS):
            return False
        simple = simple or (_EMPHASIZED if firm else _HYPHENED).fullmatch(word) is not None
    if not simple:
        return len(word) >= (4 if firm else 6) and any(c.isalnum() for c in word)
    if any(c.isdigit() for c in word):
        return len(word) >= (4 if firm or env else 6)
    return len(word) >= 3 and _is_given_letters(given, value, text, env=env, line=line)


def _is_given_letters(given: Given, value: Value, text: str, *, env: bool, line: bool) -> bool:
    """Judges letters alone: a secret in an env file, a query, a connection string or a YAML line; code elsewhere."""
    after = text[value.end : value.end + 1]
    if given.flag or given.before in {"?", "&"} or (env and given.sign != ":"):
        return value.text.lower() not in _COMMON
    if ";" in {given.before, after} and given.sign == "=" and (given.before == ";" or given.name[0].isupper()):
        return True
    whole_line = line and after in {"", "\n", "\r", "\\", " "} and given.kind in {"password", "secret"}
    spaced = text[value.start - 1] in " \t\n"
    return whole_line and value.text[0].islower() and spaced == (given.sign == ":") and _ends_line(text, value.end)


def _ends_line(text: str, at: int) -> bool:
    rest = text[at : at + 40].lstrip(" \t")
    return not rest or rest[0] in "\r\n#" or rest[:2] in {"\\n", "\\r"}


def _names_a_secret(word: str) -> bool:
    """Says whether an identifier is itself the name of a secret, as in `token = access_token`."""
    return len(word) <= LONG and _IDENTIFIER.fullmatch(word) is not None and kind_of(word) is not None


def _letters(word: str) -> str:
    return word.replace("_", "").replace("-", "").lower() if len(word) <= LONG else ""
