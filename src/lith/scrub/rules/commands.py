"""Rules for passwords in the short options of commands, whose name says nothing: `curl -u`, `mysql -p`, `sshpass -p`; and netrc lines.

Long options (`--password`) belong to `assignments.py`.
"""

import re
from collections.abc import Iterable

from lith.scrub.regex import Regex
from lith.scrub.rules.rule import Rule, Span
from lith.scrub.rules.values import is_placeholder, is_reference

_LINE_REACH = 300
_FETCHERS = Regex(r"(?:curl|wget|https?|xh|svn)\b[^\n|;&]*\Z")
_GLUED = Regex(r"(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump|7z[az]?)\b[^\n|;&]*\Z")
_SPACED = Regex(
    r"(?:sshpass|(?:docker|podman|helm|oc|az|skopeo|buildah|nerdctl)\b[^\n|;&]*\blogin|mongo(?:sh|dump|restore|export|import)?|unzip|zip|redis-cli)"
    r"\b[^\n|;&]*\Z"
)

_LOGIN = Regex(r"\b(?:login|account)[ \t]+[^\s,;:]{1,200}\s+\Z")


def _command(match: re.Match[str]) -> str:
    start = match.start()
    return match.string[max(0, start - _LINE_REACH) : start]


def _secret(match: re.Match[str]) -> Iterable[Span]:
    word = match["s"]
    if "q" in match.re.groupindex and match["q"] and not match.string.startswith((match["q"], "\n"), match.end()):
        return ()
    return () if is_placeholder(word) or is_reference(word) else ((match.start("s"), match.end("s"), ""),)


def judge_user_option(match: re.Match[str]) -> Iterable[Span]:
    """Masks the password of `-u user:password` of a program that fetches URLs."""
    return _secret(match) if _FETCHERS.search(_command(match)) else ()


def judge_password_option(match: re.Match[str]) -> Iterable[Span]:
    """Masks the word after `-p` where the command takes a password there (and not a port or a path)."""
    command = _command(match)
    known = _SPACED.search(command) if match["gap"] else _GLUED.search(command)
    return _secret(match) if known else ()


def judge_netrc(match: re.Match[str]) -> Iterable[Span]:
    """Masks the password of a netrc entry, which follows a login."""
    start = match.start()
    return _secret(match) if _LOGIN.search(match.string, max(0, start - _LINE_REACH), start) else ()


RULES = (
    Rule(
        "command-password",
        (" -u", " --user", " --proxy-u"),
        r"""[ ](?:-u|--user|--proxy-user)[ =]?(?P<q>\\{0,15}["'])?(?![,}\]:\s])"""
        r"""(?P<user>[^\s:"'\\]{1,100}):(?P<s>(?(q)[^"'\\\n]+|[^\s"'\\`;|]+))""",
        judge=judge_user_option,
        positives=("curl -s -u dev:«hunter2» https://example.org", "curl --user 'dev:«p w»' https://example.org"),
        negatives=("docker run -u 1000:1000 image", "curl -u dev:$PASS x", "curl -u dev x"),
    ),
    Rule(
        "command-password",
        (" -p", " -P", " -a "),
        r"""[ ]-[pPa](?P<gap>[ ]{1,4})?(?P<q>\\{0,15}["'])?(?![,}\]:\s])(?P<s>(?(q)[^"'\\\n]+|[^\s"'\\`;|-][^\s"'\\`;|]*))""",
        judge=judge_password_option,
        positives=(
            "mysql -u root -p«hunter2» app",
            "sshpass -p «hunter2» ssh dev@host",
            "docker login -u dev -p '«h w»' registry.example.org",
            "redis-cli -a «hunter2» ping",
        ),
        negatives=("ssh -p 22 dev@host", "mkdir -p a/b", "mysql -u root -p app", "docker run -p 80:80 x", "sshpass -p $PW ssh x"),
    ),
    Rule(
        "netrc",
        ("pass",),
        r"""password[ \t]+(?P<s>[^\s"'\\]+)""",
        judge=judge_netrc,
        fold=True,
        positives=(
            "machine example.org login dev password «hunter2»\n",
            "machine example.org\n  login dev\n  password «hunter2»\n",
        ),
        negatives=("machine learning needs a login and a password to start", "Root login disabled, password auth disabled"),
    ),
)
