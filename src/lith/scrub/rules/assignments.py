"""Rules for values given to a name that promises a secret: JSON, YAML, TOML, env files, code, flags, markup, prose.

One judge serves every rule here: `given.py` reads name and form, `values.py` the value, `verdict.py` decides. Only the value is
masked, never its quotes, so JSON stays JSON.
"""

import re
from collections.abc import Iterable

from lith.scrub.regex import Regex
from lith.scrub.rules.given import FLAG_PATTERN, PATTERN, Given, read_given, starts_line
from lith.scrub.rules.names import WIDE_PASSWORDS, WIDE_SECRETS, WIDE_TOKENS
from lith.scrub.rules.rule import Rule, Span
from lith.scrub.rules.values import Value, end_of_value, read_value
from lith.scrub.rules.verdict import hides_secret, is_after_string, judge_bare, judge_quoted

_MARKUP_VALUE = Regex(r"""[^<>\s"\\][^<>\n"\\]{0,500}(?=</)""")
_ITEM = Regex(r"""\s{0,80},?\s{0,80}(?=\\{0,15}["'])""")
_ITEMS = 64


def judge_assignment(match: re.Match[str]) -> Iterable[Span]:
    """Masks the value that is given to the name at a match, if name, form and value together say that it is a secret."""
    given = read_given(match)
    if given is None:
        return ()
    text, at = match.string, match.end()
    if given.how == "markup":
        return _judge_markup(text, at, given)
    if given.how in {"op", "pair"} and text.startswith("[", at):
        return _judge_list(text, at + 1, given)
    value = read_value(text, at)
    if value and value.quote:
        return ((value.start, end_of_value(text, value), ""),) if judge_quoted(given, value, text) else ()
    line = given.how == "op" and given.kind != "weak" and starts_line(text, given.first)
    if line:
        value = read_value(text, at, line=True)
    if value is None:
        return ()
    if given.how in {"prose", "cell"}:
        trimmed = value.text.rstrip(".,:;")
        value = Value(trimmed, value.start, value.start + len(trimmed))
    return ((value.start, end_of_value(text, value), given.wrap),) if judge_bare(given, value, text, line=line) else ()


def _judge_markup(text: str, at: int, given: Given) -> Iterable[Span]:
    value = _MARKUP_VALUE.match(text, at) if given.before in {"<", ":"} else None
    return ((at, value.end(), ""),) if value and hides_secret(given.kind, given.name, value[0]) else ()


def _judge_list(text: str, at: int, given: Given) -> Iterable[Span]:
    spans: list[Span] = []
    for _ in range(_ITEMS):
        item = _ITEM.match(text, at)
        value = read_value(text, item.end()) if item else None
        if value is None or not value.quote or (value.quote != given.quote and is_after_string(value)):
            break
        if hides_secret(given.kind, given.name, value.text):
            spans.append((value.start, end_of_value(text, value), ""))
        at = value.end + len(value.quote)
    return spans


def _rule(name: str, triggers: tuple[str, ...], positives: tuple[str, ...], negatives: tuple[str, ...]) -> Rule:
    return Rule(name, triggers, PATTERN, judge=judge_assignment, fold=True, positives=positives, negatives=negatives)


RULES = (
    _rule(
        "password",
        ("pass", "pwd", *WIDE_PASSWORDS),
        (
            '{"password": "«correct horse battery staple»", "a": 1}',
            "{'db_passwd': '«hunter2»'}",
            r'{"body": "{\"password\": \"«hun ter\\\"2»\", \"n\": 1}"}',
            "services:\n  db:\n    password: «hunter2» # local\n",
            "POSTGRES_PASSWORD=«postgres»\n",
            "export PGPASSWORD='«p w»'; psql",
            "mysqldump --password=«letmein» db",
            '["login", "--password", "«letmein»"]',
            "Server=db;User Id=sa;Password=«Passw0rd»;Encrypt=no",
            'password: str = "«hunter2»"',
            'os.environ["DB_PASSWORD"] = "«hunter2»"',
            "the password is «hunter2abc!9».",
            "<password>«hunter2»</password>",
            '{"name": "DB_PASSWORD", "value": "«hunter2»"}',
            "- name: DB_PASSWORD\n  value: «hunter2»\n",
            "密码：«hunter2»，请保密",
            "パスワードは「x」ではなく、password=«hunter2»。",
            "${DB_PASSWORD:-«hunter2»}",
        ),
        (
            "the password is stored hashed",
            "password: str",
            "  password: string;\n  token: string;",
            "password = getpass()",
            "password=password, user=user",
            "if password == confirm_password:",
            '{"password": "<your-password>"}',
            "PASSWORD=${DB_PASSWORD}",
            'password = "${DB_PASSWORD}"',
            '{"password": ["This field is required."]}',
            "PWD=/home/dev/project",
            "12 passed, 3 failed; pass: 12",
            "--- PASS: TestLogin2FA (0.00s)",
            "password_field: email2",
            "Forgot password? Reset it at https://example.org/reset",
            '"password": "[masked:password]"',
            "password: process.env.DB_PASSWORD,",
        ),
    ),
    _rule(
        "secret",
        ("secret", *WIDE_SECRETS),
        (
            'client_secret = "«a-b-c-d-e-f»"',
            "aws_secret_access_key = «wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzKEY»",
            "aws configure set aws_secret_access_key «wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzKEY»",
            'JWT_SECRET: "«keyboard cat»"',
        ),
        (
            "secretName: my-app-tls",
            "the secret to success",
            'secret = os.environ["SECRET"]',
            "secrets: inherit",
            "secret: !vault |",
        ),
    ),
    _rule(
        "credential",
        ("cred",),
        ('"credentials": "«dXNlcjpodW50ZXIy»"',),
        ("credentials: 'include'", "credentials: /etc/creds.json", "credentials = load_credentials()"),
    ),
    _rule(
        "token",
        ("token", *WIDE_TOKENS),
        (
            'export FOO_TOKEN="«abcdef123456»"',
            "curl 'https://example.org/x?token=«abcdef»&page=2'",
            "//registry.example.org/:_authToken=«abcdef123456»",
            '"refreshToken":"«0.AXoAabc»"',
        ),
        (
            "max_tokens: 4096",
            '"token_count": 12345, "total_tokens": 99999',
            "token = get_token()",
            "token count: 1234567",
            '"nextPageToken": "CAUQAA12345678"',
            "const token = await fetchToken();",
            'if token == "(": pass',
            'eos_token = "<|endoftext|>"',
            "TOKEN=$(cat token.txt)",
            "token: ${{ secrets.GITHUB_TOKEN }}",
            "  token: accessToken2\n",
            "token: Optional[str] = None",
        ),
    ),
    _rule(
        "key",
        ("key",),
        (
            'api_key="«abcdef123456»"',
            "X-Api-Key: «abcdef123456»",
            "AccountName=x;AccountKey=«bm90YXJlYWxrZXlidXRsb25n0Zw==»;EndpointSuffix=core",
            "SERVICE_KEY=«aB3dE5fG7hI9jK1lM3nO5p»",
            '<add key="ApiKey" value="«abcdef123456»"/>',
        ),
        (
            'os.environ["API_KEY"]',
            "key: value",
            "keyboard: us2",
            "primary_key = user_id2",
            "public_key: aB3dE5fG7hI9jK1lM3nO5p",
            "api_key: OPENAI_API_KEY",
            "private_key: ~/.ssh/id_ed25519",
            "the key is sha256-based",
            'api_key = process.env.OPENAI_KEY || ""',
        ),
    ),
    _rule("auth", ("auth",), ('"auth": "«ZGV2OmFCM2RFNWZHN2g5»"',), ("auth: none", "author: dev2", "auth = Auth0Client2")),
    Rule(
        "flag",
        (" --",),
        FLAG_PATTERN,
        judge=judge_assignment,
        positives=("login --password «letmein» --user me", "tool --passphrase '«abc 123»' run", "x --client-secret '«a b c»' y"),
        negatives=(
            "--password PASSWORD  the password to use",
            "use --token to pass the token, --password for the password",
            "tool --api-key $KEY --token-limit 5000 --secret <secret>",
        ),
    ),
)
