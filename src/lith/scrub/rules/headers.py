"""Rules for HTTP headers that carry credentials: `Authorization` of every scheme, lone `Bearer` tokens, cookies.

The scheme stays, the credentials go.
"""

import re
from collections.abc import Iterable

from lith.scrub.regex import Regex
from lith.scrub.rules.names import word_set
from lith.scrub.rules.rule import Rule, Span
from lith.scrub.rules.values import (
    LONG,
    Value,
    end_of_value,
    is_code,
    is_placeholder,
    is_reference,
    is_type_word,
    looks_random,
    read_value,
)
from lith.scrub.rules.verdict import is_after_string

_SCHEMES = word_set(
    "bearer basic digest token negotiate ntlm apikey api-key key aws4-hmac-sha256 aws4-hmac-sha256-payload hawk hoba mutual vapid oauth"
    " geniekey splunk sso-key bot privatetoken ssws dpop gnap hmac signature firebase jwt scram-sha-256 scram-sha-1"
)
_SCHEME = Regex(r"(?P<scheme>[A-Za-z][A-Za-z0-9-]{0,30})[ \t]{1,8}(?=\S)")
_PARAMETER = (
    r"""[\w-]{1,40}=(?:(?P<QQ>(?:\\{7}|\\{3}|\\)?")(?![,:}\]])[^"\\\n]{0,900}(?P=QQ)(?=[\s,;'"\\]|\Z)|[^\s,"'\\]{0,900})"""
)
_PARAMETERS = Regex(
    _PARAMETER.replace("QQ", "first") + r"(?:[ \t]{0,8},[ \t]{0,8}" + _PARAMETER.replace("QQ", "next") + "){0,29}"
)
_CREDENTIALS = Regex(r"""[^\s"'`\\,;<>]{1,600}""")
_REST_OF_CREDENTIALS = Regex(r"""[^\s"'`\\,;<>]*""")
_COOKIE_CHAR = r"""(?:[^\r\n"'`\\]|(?<==)"[\w%./+=~!-]{1,200}"(?=[;\s]|\Z))"""
_COOKIES = Regex(_COOKIE_CHAR + "{1,600}")
_REST_OF_LINE = Regex(_COOKIE_CHAR + "*")
_PAIR = Regex(r"[!#$%&*+.^_|~0-9A-Za-z-]{1,80}=[^\s;]")


def judge_authorization(match: re.Match[str]) -> Iterable[Span]:
    """Masks the credentials of an `Authorization` header and leaves its scheme."""
    text, at = match.string, match.end()
    value = read_value(text, at)
    quoted = value if value and value.quote else None
    if match["kq"] if quoted is None else _closes_instead(match, quoted):
        return ()
    start = quoted.start if quoted else at
    end = quoted.end if quoted else len(text)
    scheme = _SCHEME.match(text, start, min(end, start + 64))
    at = scheme.end() if scheme else start
    known = scheme is not None and scheme["scheme"].lower() in _SCHEMES
    parameters = _PARAMETERS.match(text, at, end) if scheme else None
    if parameters and (known or '"' in parameters[0] or "," in parameters[0]) and not _stands_for_one(parameters[0]):
        return ((at, parameters.end(), ""),)
    credentials = _CREDENTIALS.match(text, at, end)
    if credentials is None or not _are_credentials(credentials[0], known=known):
        return ()
    if quoted and known:
        return ((at, end_of_value(text, quoted), ""),)
    rest = _REST_OF_CREDENTIALS.match(text, credentials.end())
    return ((at, rest.end() if rest else credentials.end(), ""),)


def _closes_instead(match: re.Match[str], value: Value) -> bool:
    """Says whether the quote after a header's colon closes the string that the header's name stands in."""
    key_quote = match["kq"] or ""
    return is_after_string(value) if key_quote != value.quote else False


def _are_credentials(word: str, *, known: bool) -> bool:
    if _stands_for_one(word) or is_code(word):
        return False
    return known or (len(word) >= 8 and any(c.isdigit() for c in word))


def _stands_for_one(word: str) -> bool:
    return len(word) <= LONG and (is_placeholder(word) or is_reference(word) or is_type_word(word) or word[:1] in "$<{")


def judge_bearer(match: re.Match[str]) -> Iterable[Span]:
    """Masks what follows `Bearer` if it looks like a token and not like the next word of a sentence."""
    word = match["s"]
    if is_placeholder(word) or not (looks_random(word) or (any(c.isdigit() for c in word) and len(word) >= 20)):
        return ()
    return ((match.start("s"), match.end("s"), ""),)


def judge_cookie(match: re.Match[str]) -> Iterable[Span]:
    """Masks the whole value of a `Cookie` or `Set-Cookie` header, if it begins with a `name=value`."""
    text, at = match.string, match.end()
    value = read_value(text, at)
    if value and value.quote:
        found = _are_cookies(value.text[:LONG]) and not _closes_instead(match, value)
        return ((value.start, end_of_value(text, value), ""),) if found else ()
    line = _COOKIES.match(text, at)
    if line is None or match["kq"] or not _are_cookies(line[0][:LONG]):
        return ()
    rest = _REST_OF_LINE.match(text, line.end())
    return ((at, rest.end() if rest else line.end(), ""),)


def _are_cookies(value: str) -> bool:
    return _PAIR.match(value) is not None and not is_placeholder(value) and not is_reference(value)


_SEPARATOR = r"""(?P<kq>\\{0,15}["'`])?\]?[ \t]{0,8}(?:=>|[:=,])[ \t]{0,8}"""
_B64 = "ZGV2Omh1bnRl" + "cjI="

RULES = (
    Rule(
        "authorization",
        ("auth",),
        "authorization" + _SEPARATOR,
        judge=judge_authorization,
        fold=True,
        positives=(
            f"Authorization: Basic «{_B64}»\nAccept: */*",
            "curl -H 'Authorization: Bearer «abc-def»' https://example.org",
            '{"Authorization": "token «abcdef»", "Accept": "*/*"}',
            r'{"cmd": "curl -H \"Authorization: Bearer «abc.def»\" x"}',
            'Proxy-Authorization: Digest «username="dev", realm="r", response="0a1b2c"»',
            "Authorization: AWS4-HMAC-SHA256 «Credential=AK/20250101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0a1b»",
            "authorization: «0a1b2c3d4e5f»",
            r'"GET / HTTP/1.1\r\nAuthorization: Custom «0a1b2c3d»\r\n\r\n"',
        ),
        negatives=(
            "Authorization: required for all endpoints",
            'headers = {"Authorization": f"Bearer {token}"}',
            '-H "Authorization: Bearer $TOKEN"',
            "Authorization: Bearer <token>",
            '"Authorization": "Bearer " + token',
            "authorization = Authorization(user)",
        ),
    ),
    Rule(
        "bearer",
        ("bearer ",),
        r"bearer[ \t]+(?P<s>[A-Za-z0-9._~+/=-]{16,})",
        judge=judge_bearer,
        fold=True,
        positives=("sent Bearer «aB3dE5fG7hI9jK1lM3» twice",),
        negatives=("the bearer authentication-scheme-of-http", "Bearer xxxxxxxxxxxxxxxxxxxxxxxx"),
    ),
    Rule(
        "cookie",
        ("cookie",),
        "cookie2?" + _SEPARATOR,
        judge=judge_cookie,
        fold=True,
        positives=(
            "Cookie: «sid=abc; theme=dark»\n",
            "set-cookie: «sid=abc; Path=/; HttpOnly»\n",
            '{"Cookie": "«sid=abc»"}',
            "curl -H 'Cookie: «a=b»' x",
        ),
        negatives=("cookie: a small piece of data", "cookies = jar", "Cookie: $COOKIE"),
    ),
)
