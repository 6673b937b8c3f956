"""The rule of last resort: a long random value given to any name at all.

Names of things that are random but public (ids, digests, cursors, signatures of packages) are left alone.
"""

import re
from collections.abc import Iterable

from lith.scrub.regex import Regex
from lith.scrub.rules.rule import Rule, Span
from lith.scrub.rules.values import entropy, looks_random

_LEAST = 32
_NAME = Regex(
    r"""(?<![/:A-Za-z0-9_-])(?P<name>[A-Za-z0-9_-]{0,60}[A-Za-z_-][A-Za-z0-9_-]{0,10})(?:\\{0,15}["'])?\s{0,4}(?:[:=]|=>|:=)\s{0,4}(?:\\{0,15}["'])?\Z"""
)
_PUBLIC = Regex(
    r"(?:\A|[_-]|(?<=[a-z0-9])(?=[A-Z]))(?i:id|ids|uuid|hash|digest|integrity|checksum|sha[0-9]*|etag|sig|signature|ref|commit|rev|revision|cursor|url|uri|path|file|name|h1"
    r"|data|content|nonce|fingerprint|version|state|code|text|title|image|src|href|class|classname|model|branch|tag|slug|page|next|prev|base64|token|str)\Z"
)
_KNOWN_ID = Regex(
    r"(?:toolu|msg|req|call|resp|chatcmpl|run|file|asst|thread|item|fc|rs|ws|srvtoolu|batch|org|proj|user|cus|evt|pi|ch|in)_"
)


def judge_random(match: re.Match[str]) -> Iterable[Span]:
    """Masks a run of 32 to 256 characters that mixes both cases and digits at random, where a name, `=` or `:` stands before it."""
    text, start, word = match.string, match.start("s"), match["s"]
    if len(word) > 256 or _KNOWN_ID.match(word) or not looks_random(word, _LEAST) or entropy(word) < 4.0:
        return ()
    if not (any(c.islower() for c in word) and any(c.isupper() for c in word)):
        return ()
    name = _NAME.search(text[max(0, start - 80) : start])
    if name is None or _PUBLIC.search(name["name"]):
        return ()
    return ((start, match.end("s"), ""),)


RULES = (
    Rule(
        "random-value",
        ("=", ":", '"', "'"),
        r"""[=:"'](?P<s>[A-Za-z0-9+/_-]{32,300}={0,2})(?![A-Za-z0-9+/_=.-])""",
        judge=judge_random,
        positives=(
            "SENTRY=«aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5»",
            '{"upload": "«aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA==»"}',
        ),
        negatives=(
            "commit=0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d",
            '"integrity": "sha512-aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5aB3dE5fG7hI9jA=="',
            'src="data:image/png;base64,aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"',
            '"tool_use_id": "toolu_01aB3dE5fG7hI9jK1lM3nO5pQ7"',
            "id: 550e8400-e29b-41d4-a716-446655440000",
            "path=/usr/lib/python3/dist-packages/Some2/Long3/Path4/Name5",
        ),
    ),
)
