"""Rules for secrets in URLs: passwords before the `@`, signed links, webhooks.

The rest of the URL stays, so that host and path remain findable.
"""

import re
from collections.abc import Iterable

from lith.scrub.rules.rule import Rule, Span
from lith.scrub.rules.values import is_placeholder, is_reference, looks_random


def judge_userinfo(match: re.Match[str]) -> Iterable[Span]:
    """Masks the password of `user:password@host`, or a lone random user (a token used as one)."""
    password = match["password"]
    if password is None:
        user = match["user"]
        hex_key = len(user) >= 32 and all(c in "0123456789abcdef" for c in user)
        return ((match.start("user"), match.end("user"), ""),) if hex_key or looks_random(user) else ()
    if is_placeholder(password) or is_reference(password) or (password[0] in "{$%<" and password[-1] in "}%>"):
        return ()
    return ((match.start("password"), match.end("password"), ""),)


def judge_query(match: re.Match[str]) -> Iterable[Span]:
    """Masks the signature of a signed link."""
    value = match["s"]
    return () if is_placeholder(value) or not any(c.isdigit() for c in value) else ((match.start("s"), match.end("s"), ""),)


RULES = (
    Rule(
        "webhook",
        ("://",),
        r"://(?:hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/|(?:\w+\.)?discord(?:app)?\.com/api/(?:v[0-9]+/)?webhooks/"
        r"|[\w-]{1,60}\.webhook\.office\.com/webhookb2/|hooks\.zapier\.com/hooks/catch/|chat\.googleapis\.com/v1/spaces/)"
        r"(?P<s>[A-Za-z0-9_/@?&=%.-]{16,})",
        positives=(
            "https://hooks.slack.com/services/«T0000" + "0000/B00000000/aB3dE5fG7hI9jK1lM3nO5pQ7»",
            "https://discord.com/api/webhooks/«123456789012345678/aB3dE5fG7hI9jK1lM3nO5pQ7»",
        ),
        negatives=("https://hooks.slack.com/services/...",),
    ),
    Rule(
        "url-password",
        ("://",),
        r"""://(?!\[masked:)(?P<user>[^\s/:@"'<>\\`?#]{0,200}+)(?::(?P<password>[^\s"'<>\\`/?#]{1,256}))?@(?=[\w\[$])""",
        judge=judge_userinfo,
        positives=(
            "postgres://app:«hunter2»@db.example.org:5432/app",
            "redis://:«p@ss:w0rd»@localhost",
            "git clone https://x-access-token:«abc»@example.org/r.git",
            "https://«0a1b2c3d4e5f60718293a4b5c6d7e8f9»@errors.example.org/1",
            '{"url": "amqp://guest:«guest»@mq"}',
        ),
        negatives=(
            "https://example.org:8080/path@2x.png",
            "postgres://app:${DB_PASS}@db/app",
            "postgres://app:<password>@db/app",
            "ssh://git@example.org/r.git",
            "https://example.org/@user:name",
        ),
    ),
    Rule(
        "signed-url",
        ("sig=", "nature="),
        r"(?:sig|nature)=(?P<s>[A-Za-z0-9%/+=_-]{16,})",
        judge=judge_query,
        positives=(
            "https://a.blob.core.windows.net/c/b?sv=2022&sig=«aB3dE5fG7hI9%2BjK1lM3nO5p%3D»&se=1",
            "x?X-Amz-Signature=«0a1b2c3d4e5f60718293»",
        ),
        negatives=("config=abc", "signature=None"),
    ),
)
