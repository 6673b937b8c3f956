"""`scrub`: what is masked, what stays, and the laws that hold for any text."""

import ast
import json
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lith
from lith.scrub import Scrubbed, scrub
from lith.scrub.rules import RULES

TOKEN = "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"

LEAKS = [
    ("export ANTHROPIC_API_KEY=sk-ant-" + "api03-" + TOKEN, "api03"),
    ("密码是hunter2abc", "hunter2"),
    ("token：" + TOKEN + "。", TOKEN),
    ("my key is sk-" + TOKEN + "，请", TOKEN),
    ("xghp_" + TOKEN + "x", TOKEN),
    ('"password" : "p@ss w0rd, with comma"', "w0rd"),
    ("{'secret': 'abc def'}", "abc def"),
    (r'"{\"api_key\": \"zz9 plural\", \"x\": 1}"', "zz9"),
    (r'{"a":"{\"b\":\"{\\\"token\\\":\\\"qqqqqqqq1\\\"}\"}"}', "qqqqqqqq1"),
    ("{&quot;password&quot;: &quot;hunter2&quot;}", "hunter2"),
    ('{"k":"line1\\nsk-proj-' + TOKEN + '"}', TOKEN),
    ('{"k":"\\u3002ghp_' + TOKEN + '"}', TOKEN),
    ("  db_password: s3cr3t!  # comment", "s3cr3t"),
    ("  password: |\n    s3cr3t-block\n", "s3cr3t"),
    ("secret: 'it''s'", "it"),
    ("     5→  password: hunter2", "hunter2"),
    ("config.yml:12:  password: hunterx", "hunterx"),
    ("+  apiKey: abcdef12", "abcdef12"),
    ("mongodb+srv://u:p%40ss@cluster0.example.org/", "p%40ss"),
    ("Server=tcp:db;User ID=a;Password=P@ssw;", "P@ssw"),
    ("?access_token=abcdefgh&x=1", "abcdefgh"),
    ("user=dev&password=letmein", "letmein"),
    ("AccountKey=" + TOKEN + "+/abc==;EndpointSuffix=core", "aB3d"),
    ('Cookie: a="quoted"; b=zzz9', "quoted"),
    ("TWILIO_AUTH_TOKEN=0a1b2c3d4e5f60718293a4b5c6d7e8f9", "0a1b2c"),
    ("HEROKU_API_KEY=550e8400-e29b-41d4-a716-446655440000", "550e"),
    ("GITHUB_TOKEN: 0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d", "0a1b2c"),
    ("docker run -e MYSQL_ROOT_PASSWORD='my pw' x", "my pw"),
    ("kubectl create secret generic x --from-literal=password=hunter2", "hunter2"),
    ("SECRET_KEY = 'abc$%^&*(def'", "def"),
    ("**Password:** hunter2", "hunter2"),
    ("| DB password | hunter2! |", "hunter2"),
    ("api key: abcdef123456", "abcdef"),
    ("setPassword('hunter2!')", "hunter2"),
    ("os.environ.setdefault('DB_PASSWORD', 'hunter2!')", "hunter2"),
    ("var password = `hunter2`;", "hunter2"),
    (':password => "hunter2"', "hunter2"),
    ('passwords = ["hunter2", "letmein"]', "letmein"),
    ('truncated: {"password": "hunter two', "two"),
    ("password=hunter2", "hunter2"),
    ("a=ghp_" + TOKEN + " b=xoxb-123456789012-abcdef c=AKIA" + "IOSFODNN7EXAMPLE", "xoxb"),
    ("a <private>my plan</private> b", "plan"),
    ("a <private>my plan", "plan"),
]

KEPT = [
    "max_tokens: 4096",
    "input_tokens=12, output_tokens=34",
    "def login(password: str, token: Optional[str] = None) -> Token:",
    "self.password = password",
    "user.password = await hash(user.password)",
    'os.environ["API_KEY"]',
    "echo ${TOKEN} $PASSWORD",
    "process.env.X",
    "api_key: <your-key>",
    "api_key=xxxxxxxx, password=***",
    "the password is stored hashed",
    "Password must contain 8 characters",
    '"integrity": "sha512-' + "aB3d" * 20 + '=="',
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
    "/srv/project/src/token_store.py",
    "550e8400-e29b-41d4-a716-446655440000",
    "commit 0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d",
    "sha256:" + "0a1b2c3d" * 8,
    "toolu_01A09q90qw90lq917835lq9",
    '"id": "msg_01XFDUDYJgAACzvnptvVoYEL"',
    "password: [masked:password]",
    '"sessionId": "01a22a78-ca13-7213-910a-357e5c6e2611"',
    'tokenizer = AutoTokenizer.from_pretrained("model-2")',
    '<input type="password" name="pw1" id="pw2">',
    "getpass.getpass('Password: ')",
    "label='Password:' name='x2'",
    "std::string token; case Token::String: break",
    "KeyError: 'token1'",
    "private_key_path: ~/.ssh/id_rsa",
    "use `<private>` around it",
    "x [masked:token]: abc12345",
    "",
]


@pytest.mark.parametrize(("text", "canary"), LEAKS)
def test_a_secret_does_not_survive(text: str, canary: str) -> None:
    scrubbed = scrub(text)
    assert canary not in scrubbed.text
    assert scrubbed.masked
    assert scrub(scrubbed.text).text == scrubbed.text


@pytest.mark.parametrize("text", KEPT)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert scrub(text) == scrub(scrub(text).text)
    assert scrub(text).text == text
    assert scrub(text).masked == ()


def test_the_mask_keeps_a_number_valid_json() -> None:
    assert json.loads(scrub('{"password": 12345678, "n": 1}').text) == {"password": "[masked:password]", "n": 1}
    nested = json.dumps({"body": json.dumps({"password": 12345678})})
    assert json.loads(json.loads(scrub(nested).text)["body"]) == {"password": "[masked:password]"}


def test_masks_are_counted_by_rule() -> None:
    scrubbed = scrub("password=hunter2 <private>x</private> https://u:pw1@h https://u:pw2@h")
    assert scrubbed.masked == (("password", 1), ("private", 1), ("url-password", 2))
    assert str(scrubbed) == scrubbed.text


def test_a_scrubbed_text_travels_between_processes() -> None:
    scrubbed = scrub("password=hunter2")
    assert pickle.loads(pickle.dumps(scrubbed)) == scrubbed


def test_only_scrub_makes_a_scrubbed() -> None:
    if TYPE_CHECKING:
        Scrubbed("x")  # type: ignore[arg-type]
    root = Path(lith.__file__).parent
    makers = [
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "Scrubbed"
    ]
    assert makers == []


SAMPLES = [re.sub("[«»]", "", sample) for rule in RULES for sample in (*rule.positives, *rule.negatives)]
ATOMS = [
    "password",
    "api_key",
    "token",
    "=",
    ":",
    " ",
    '"',
    "'",
    "`",
    "\\",
    "\n",
    "\\n",
    "{",
    "}",
    "[",
    "]",
    ",",
    "hunter2",
    "--",
    "|",
]
ATOMS.extend(
    [
        "<",
        ">",
        "Authorization: ",
        "Bearer ",
        "Cookie: ",
        "a=b",
        'sid="x"',
        "://",
        "-----BEGIN PRIVATE KEY-----",
        "密码",
        "：",
        "“",
    ]
)
ATOMS.extend(
    ["”", "[masked:token]", "[masked:", "${", "&quot;", "curl -u ", "mysql -p", "<private>", "</private>", "value", "İ", "\u2028"]
)


def pick(items: list[str]) -> st.SearchStrategy[str]:
    return st.integers(0, len(items) - 1).map(lambda at: items[at])


PIECES = st.one_of(pick(ATOMS), pick(SAMPLES), st.builds(lambda sample, at: sample[:at], pick(SAMPLES), st.integers(0, 60)))
TEXTS = st.lists(PIECES, max_size=6).map("".join)
NAMES = st.one_of(
    st.sampled_from(["password", "api_key", "token", "name", "value", "cookie", "Authorization", "pin", "a\\"]), TEXTS
)
DOCUMENTS = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXTS, TEXTS.map(json.dumps)
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_scrubbing_twice_changes_nothing(text: str) -> None:
    once = scrub(text).text
    assert scrub(once).text == once


@settings(max_examples=150, deadline=None)
@given(DOCUMENTS, st.booleans(), st.sampled_from([None, 2]))
def test_json_stays_json(document: Any, ensure_ascii: bool, indent: int | None) -> None:
    encoded = json.dumps(document, ensure_ascii=ensure_ascii, indent=indent)
    if re.search("<private", encoded, re.IGNORECASE):
        return  # an open span goes to the end of the text, whatever that breaks
    shown = json.loads(scrub(encoded).text)
    assert type(shown) is type(document) or isinstance(document, int | float)


HOSTILE = """
import resource, sys
import lith.scrub
resource.setrlimit(resource.RLIMIT_CPU, (90, 90))
size = 1_000_000
for call in sys.argv[1].split("\\x01"):
    name, _, unit = call.partition(" ")
    text = (unit * (size // len(unit) + 1))[:size]
    getattr(lith.scrub, name)(text, *([("a",)] if name == "wrap_sentinel" else ()))
print("done")
"""


def test_hostile_text_takes_linear_time() -> None:
    units = ['"', "a", "password", 'password="', "key=“", "Authorization: ", "eyJaaaaaaaaaaaaaaaaa.", "<private>", "://a:", "\\"]
    calls = [f"scrub {unit}" for unit in (*units, "-----BEGIN PRIVATE KEY-----")]
    calls += ["find_injections ignore all ", "clean_terminal \x1b]", "scrub_json token="]
    calls += [f"{name} <hook_context><historical_context arcs='a'>" for name in ("strip_sentinels", "wrap_sentinel")]
    ran = subprocess.run([sys.executable, "-c", HOSTILE, "\x01".join(calls)], capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr) == ("done\n", "")


def test_blanks_behind_a_secret_name_cost_linear_time() -> None:
    program = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_CPU, (20, 20)); from lith.scrub import scrub\n"
        "for word in ('key', 'password is', 'token :', 'secret:'):\n"
        "    for blank in (' ', '\\t', ' \\n'): scrub(word + blank * 300_000 + 'x = y')\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=120).returncode == 0
