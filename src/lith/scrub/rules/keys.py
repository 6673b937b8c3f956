"""Rules for keys in their file formats: PEM and PGP private keys (whole, escaped or cut off), PuTTY keys, JWTs.

Certificates, public keys and mere mentions of a header stay.
"""

import re
from collections.abc import Iterable

from lith.scrub.regex import Regex
from lith.scrub.rules.rule import Rule, Span, skip_escape

_END = Regex(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_BODY = Regex(r"(?:(?:\s|\\{1,8}[nrt])*(?:[A-Za-z0-9+/=]{24,}|(?:Proc-Type|DEK-Info|Version|Comment):[^\n\\\"']{0,80}))*")
_TAIL = Regex(
    r"(?:\s|\\{1,8}[nrt]){0,80}(?:[A-Za-z0-9+/=]{1,23}={0,2}(?=[\s\"'\\]{0,40}\Z)|(?=[A-Za-z]{0,20}[0-9+/])[A-Za-z0-9+/]{8,23}={0,2}(?![\w-]))"
)
_LINE = Regex(r"(?:(?<=\\[nrt])|(?<=\\u[0-9A-Fa-f]{4})|(?<![\\A-Za-z0-9+/_=-]))[A-Za-z0-9+/_=-]{24,}")
_CONTENT = Regex(r"[A-Za-z0-9+/=]{4,}")
_REACH = 1 << 15
_JWT_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
_HEADER_REACH = 4096


def judge_pem(match: re.Match[str]) -> Iterable[Span]:
    """Masks a private key from its header to its footer, or as far as the key's letters go where the footer is missing.

    Where quotes stand inside (a key written line by line in code) the lines are masked one by one.
    """
    text, start, after = match.string, match.start(), match.end()
    close = _END.search(text, after, after + _REACH)
    stop = close.start() if close else min(len(text), after + _REACH)
    if close and not re.search(r"[\"'`<]", text[after:stop]):
        return ((start, close.end(), ""),) if _CONTENT.search(text, after, stop) else ()
    if close:
        return [(line.start(), line.end(), "") for line in _LINE.finditer(text, after, stop)]
    body = _BODY.match(text, after, stop)
    end = body.end() if body else after
    if end == after:
        return ()
    tail = _TAIL.match(text, end)
    return ((start, tail.end() if tail else end, ""),)


def judge_jwt(match: re.Match[str]) -> Iterable[Span]:
    """Masks a JSON web token, signed or encrypted: the part before the first dot is a JSON object in base64."""
    text, dot = match.string, match.start()
    before = text[max(0, dot - _HEADER_REACH) : dot]
    start = skip_escape(text, dot - len(before) + len(before.rstrip(_JWT_CHARS)))
    return ((start, match.end(), ""),) if text.startswith("eyJ", start) and dot - start >= 8 else ()


_PEM_BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7" * 2
_HEAD = "-----BEGIN "
_FOOT = "-----END "

RULES = (
    Rule(
        "private-key",
        (_HEAD,),
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----",
        judge=judge_pem,
        positives=(
            f"key:\n«{_HEAD}RSA PRIVATE KEY-----\n{_PEM_BODY}\n{_PEM_BODY}\nAb==\n{_FOOT}RSA PRIVATE KEY-----»\nrest",
            f'{{"pem": "«{_HEAD}PRIVATE KEY-----\\n{_PEM_BODY}\\nAb==\\n{_FOOT}PRIVATE KEY-----»\\n"}}',
            f"«{_HEAD}OPENSSH PRIVATE KEY-----\n{_PEM_BODY}\n{_PEM_BODY[:20]}»",
            f"«{_HEAD}PGP PRIVATE KEY BLOCK-----\n\n{_PEM_BODY}\n=Ab12\n{_FOOT}PGP PRIVATE KEY BLOCK-----»",
            f"«{_HEAD}EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n{_PEM_BODY}»\n\nThe output was cut.",
            f'k = ("{_HEAD}PRIVATE KEY-----\\n"\n     "«{_PEM_BODY}»\\n"\n     "{_FOOT}PRIVATE KEY-----")',
        ),
        negatives=(
            f'if text.startswith("{_HEAD}PRIVATE KEY-----"):',
            f"{_HEAD}PUBLIC KEY-----\n{_PEM_BODY}\n{_FOOT}PUBLIC KEY-----",
            f"{_HEAD}CERTIFICATE-----\n{_PEM_BODY}\n{_FOOT}CERTIFICATE-----",
            f"{_HEAD}PRIVATE KEY-----\n...\n{_FOOT}PRIVATE KEY-----",
        ),
    ),
    Rule(
        "private-key",
        ("Private-Lines",),
        r"Private-Lines:[ \t]*[0-9]{1,4}(?P<s>(?:\s{1,2}[A-Za-z0-9+/=]{8,})+)",
        positives=(f"Private-Lines: 2«\n{_PEM_BODY}\n{_PEM_BODY}»\nPrivate-MAC: 00",),
    ),
    Rule(
        "jwt",
        (".",),
        r"\.[A-Za-z0-9_-]{15,}(?:\.[A-Za-z0-9_-]+){0,3}",
        judge=judge_jwt,
        positives=(
            "jwt «eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlX2lzX2hlcmU»!",
            "«eyJhbGciOiJkaXIifQ.eyJzdWIiOiIxMjM0NTY3ODkwIn»",
        ),
        negatives=("eyJhbGciOiJIUzI1NiJ9", "module.a_rather_long_function_name.attribute"),
    ),
)
