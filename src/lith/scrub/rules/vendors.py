"""Rules for tokens that carry their maker's mark, so that they are known without any name beside them.

A table: the mark, what follows it, a sample. Samples are put together from pieces, so that no scanner takes this file for a leak.
"""

import re
from collections.abc import Iterable

from lith.scrub.regex import Regex
from lith.scrub.rules.rule import BOUNDARY, Judge, Rule, Span
from lith.scrub.rules.values import is_placeholder

_A36 = "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
_HEX32 = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"

ALNUM = "[A-Za-z0-9]"
WORD = "[A-Za-z0-9_-]"


def judge_token(match: re.Match[str]) -> Iterable[Span]:
    """Masks a whole token, unless what follows the mark only stands for a token (`sk-ant-xxxx`, `ghp_your_token`)."""
    body = match["body"]
    last = body.rpartition("-")[2]
    if is_placeholder(body) or (last and is_placeholder(last)) or body.lower().startswith(("your", "xxxx")):
        return ()
    return ((match.start(), match.end(), ""),)


def _token(name: str, marks: str, body: str, sample: str, *, bound: bool = True, negatives: tuple[str, ...] = ()) -> Rule:
    """Makes a rule for `mark + body`; `marks` are separated by blanks, `sample` is a body."""
    prefixes = tuple(marks.split())
    pattern = f"{BOUNDARY if bound else ''}(?:{'|'.join(map(re.escape, prefixes))})(?P<body>{body})"
    positives = tuple(f"x=1 «{prefix}{sample}»." for prefix in prefixes)
    placeholder = f"{prefixes[0]}{'x' * 40}"
    return Rule(name, prefixes, pattern, judge=judge_token, positives=positives, negatives=(placeholder, *negatives))


MODELS = (
    _token("anthropic-key", "sk-ant-", WORD + "{12,}", "api03-" + _A36, negatives=("sk-ant-your-key-here", "sk-ant-...")),
    _token("openrouter-key", "sk-or-", WORD + "{12,}", "v1-" + _HEX32 * 2),
    _token("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None- sk-lf-", WORD + "{12,}", _A36),
    _token(
        "secret-key",
        "sk-",
        r"(?:[A-Za-z]{2,10}[-_])?[A-Za-z0-9]{20,}" + WORD + "*",
        _A36,
        negatives=("sk-circle-fade-dot-and-so-on", "the task-assessment-of-the-day", "risk-" + "a" * 24),
    ),
    _token("groq-key", "gsk_", ALNUM + "{20,}", _A36, bound=False),
    _token("xai-key", "xai-", ALNUM + "{20,}", _A36),
    _token("huggingface-token", "hf_ api_org_", ALNUM + "{20,}", _A36, negatives=("hf_hub_download_with_retry_x",)),
    _token("perplexity-key", "pplx-", ALNUM + "{20,}", _A36),
    _token("nvidia-key", "nvapi-", WORD + "{20,}", _A36),
    _token("replicate-token", "r8_", ALNUM + "{20,}", _A36),
    _token("fireworks-key", "fw_", ALNUM + "{20,}", _A36),
    _token("cerebras-key", "csk-", ALNUM + "{20,}", _A36),
    _token("tavily-key", "tvly-", r"(?:dev-|prod-)?" + ALNUM + "{20,}", _A36),
    _token("firecrawl-key", "fc-", "[0-9a-f]{32}", _HEX32),
    _token("langsmith-key", "lsv2_pt_ lsv2_sk_", "[0-9a-f_]{20,}", _HEX32 + "_0a1b2c3d4e"),
    _token("jina-key", "jina_", WORD + "{20,}", _A36),
)

FORGES = (
    _token("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", "[A-Za-z0-9_]{16,}", _A36, bound=False),
    _token("github-token", "github_pat_", "[A-Za-z0-9_]{16,}", "11" + _A36, bound=False),
    _token(
        "gitlab-token",
        "glpat- glptt- gldt- glrt- glrtr- glcbt- glft- glsoat- glagent- gloas- glimt- glffct- glwt-",
        r"[A-Za-z0-9_.=-]{16,}(?<!\.)",
        "aB3dE5fG7hI9jK1lM3nO",
        bound=False,
    ),
    _token("npm-token", "npm_", ALNUM + "{30,}", _A36, negatives=("npm_config_registry_something_long",)),
    _token("pypi-token", "pypi-", f"(?:AgE{WORD}{{16,}}|{WORD}{{60,}})", "AgEIcHlwaS5vcmc" + _A36),
    _token("rubygems-key", "rubygems_", "[0-9a-f]{32,}", _HEX32),
    _token("dockerhub-token", "dckr_pat_ dckr_oat_", WORD + "{20,}", _A36, bound=False),
    _token("atlassian-token", "ATATT3 ATCTT3 ATBB", "[A-Za-z0-9_=-]{24,}", _A36),
    _token("buildkite-token", "bkua_", ALNUM + "{20,}", _A36),
    _token("circleci-token", "CCIPAT_ CCIPRJ_", "[A-Za-z0-9_]{20,}", _A36),
    _token("sonar-token", "sqp_ squ_ sqa_", "[0-9a-f]{40}", _HEX32 + "0a1b2c3d"),
    _token("sentry-token", "sntrys_ sntryu_", "[A-Za-z0-9_+/=-]{20,}", _A36),
    _token("linear-key", "lin_api_ lin_oauth_", ALNUM + "{20,}", _A36),
    _token("postman-key", "PMAK-", "[0-9a-f-]{30,}", _HEX32),
    _token("figma-token", "figd_", WORD + "{20,}", _A36),
    _token("notion-token", "ntn_", ALNUM + "{30,}", _A36),
)

CLOUDS = (
    _token("google-key", "AIza", WORD + "{30,40}", _A36[:35]),
    _token("google-oauth", "ya29.", r"[A-Za-z0-9_.-]{20,}(?<!\.)", "a0Af" + _A36),
    _token("google-oauth", "GOCSPX-", WORD + "{20,}", _A36[:28]),
    _token("stripe-key", "sk_live_ rk_live_ sk_test_ rk_test_ sk_org_live_", ALNUM + "{16,}", _A36[:24]),
    _token("webhook-secret", "whsec_", "[A-Za-z0-9+/=_-]{16,}", _A36[:32]),
    _token("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", ALNUM + "{32,}", _HEX32 * 2),
    _token("databricks-token", "dapi", r"[0-9a-f]{32}(?:-[0-9])?", _HEX32),
    _token("vault-token", "hvs. hvb. hvr.", WORD + "{16,}", "CAES" + _A36),
    _token("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa.", r"[A-Za-z0-9_.-]{20,}(?<!\.)", _A36),
    _token("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[A-Za-z0-9_.=-]{20,}(?<!\.)", _A36),
    _token("supabase-key", "sbp_ sb_secret_", WORD + "{20,}", _A36),
    _token("netlify-token", "nfp_", ALNUM + "{30,}", _A36),
    _token("fly-token", "fm2_ fo1_", r"[A-Za-z0-9_+/=-]{20,}", _A36),
    _token("pulumi-token", "pul-", "[0-9a-f]{40}", _HEX32 + "0a1b2c3d"),
    _token("heroku-key", "HRKU-", WORD + "{20,}", _A36),
    _token("grafana-token", "glc_ glsa_", "[A-Za-z0-9_+/=]{20,}", _A36),
    _token("newrelic-key", "NRAK- NRII-", WORD + "{20,}", _A36),
    _token("tailscale-key", "tskey-", r"(?:[a-z]{2,10}-)?" + WORD + "{16,}", "auth-" + _A36),
    _token("shopify-token", "shpat_ shpca_ shppa_ shpss_", "[0-9a-fA-F]{32}", _HEX32),
    _token("square-token", "sq0atp- sq0csp- sq0idp-", WORD + "{20,}", _A36),
    _token("onepassword-token", "ops_", "eyJ[A-Za-z0-9+/=_-]{40,}", "eyJ" + _A36 * 2),
    _token("age-key", "AGE-SECRET-KEY-", "1[A-Z0-9]{30,}", "1" + _A36.upper() + _A36.upper()),
)

CHAT = (
    _token(
        "slack-token",
        "xoxb- xoxp- xoxa- xoxr- xoxs- xoxc- xoxd- xoxe- xapp-",
        "[A-Za-z0-9%-]{10,}",
        "123456789012-1234567890123-" + _A36[:24],
        bound=False,
    ),
    _token("slack-token", "xoxe.xoxp- xoxe.xoxb-", "[A-Za-z0-9-]{10,}", "1-" + _A36, bound=False),
    _token("sendgrid-key", "SG.", r"[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,80}", _A36[:22] + "." + _A36),
    _token("twilio-key", "SK", "[0-9a-f]{32}(?![0-9A-Za-z])", _HEX32),
    _token("mailgun-key", "key-", "[0-9a-f]{32}(?![0-9A-Za-z])", _HEX32),
)


def judge_aws(match: re.Match[str]) -> Iterable[Span]:
    """Masks an access key id, and the secret that stands right behind it (as in a table or a CSV of credentials)."""
    if match["secret"]:
        return ((match.start(), match.end("id"), ""), (match.start("secret"), match.end("secret"), ""))
    return ((match.start(), match.end("id"), ""),)


def _judge_left(left: str) -> Judge:
    """Makes a judge for tokens whose mark stands in their middle: what `left` finds before the match belongs to the token."""
    pattern = Regex(left + r"\Z")

    def judge(match: re.Match[str]) -> Iterable[Span]:
        start = match.start()
        before = pattern.search(match.string, max(0, start - 64), start)
        return ((before.start(), match.end(), ""),) if before else ()

    return judge


SHAPES = (
    Rule(
        "aws-key",
        ("AKIA", "ASIA", "ABIA", "ACCA"),
        BOUNDARY
        + r"""(?P<id>A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16})(?![A-Za-z0-9])(?:[\s,:|"';]{1,4}(?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=]))?""",
        judge=judge_aws,
        positives=(
            "id «AKIA" + "IOSFODNN7EXAMPLE».",
            "«ASIA" + "IOSFODNN7EXAMPLE»,«wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "zzzzzzKEYz»\n",
        ),
        negatives=("AKIA", "MAKIAVELLI0123456789"),
    ),
    Rule(
        "telegram-token",
        (":",),
        rf":(?P<s>{WORD}{{33,40}})(?![A-Za-z0-9_-])",
        judge=_judge_left(rf"(?:{BOUNDARY}|(?<=bot))[0-9]{{8,10}}"),
        positives=("bot «123456789:AA" + _A36[:33] + "» up", "https://api.telegram.org/bot«123456789:AA" + _A36[:33] + "»/getMe"),
        negatives=("12:" + _A36,),
    ),
    Rule(
        "discord-token",
        (".",),
        r"\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_.-])",
        judge=_judge_left(BOUNDARY + r"[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}"),
        positives=("«MTA5" + _A36[:20] + ".GaB3dE." + _A36 + "»",),
        negatives=("Module.method." + _A36,),
    ),
    Rule(
        "airtable-token",
        (".",),
        r"\.[0-9a-f]{64}(?![0-9A-Za-z])",
        judge=_judge_left(BOUNDARY + r"pat[A-Za-z0-9]{14}"),
        positives=("«pat" + _A36[:14] + "." + _HEX32 * 2 + "»",),
        negatives=("file." + _HEX32 * 2,),
    ),
    Rule(
        "terraform-token",
        (".atlasv1.",),
        r"\.atlasv1\.[A-Za-z0-9_=-]{40,}",
        judge=_judge_left(r"(?<!\\)" + BOUNDARY + r"[A-Za-z0-9]{14}"),
        positives=("«" + _A36[:14] + ".atlasv1." + _A36 * 2 + "»",),
    ),
    Rule(
        "azure-secret",
        tuple(f"{digit}Q~" for digit in range(10)),
        r"[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])",
        judge=_judge_left(r"(?<!\\)" + BOUNDARY + r"[A-Za-z0-9_~.]{3}"),
        positives=("«aB38Q~" + _A36[:34] + "»",),
    ),
)

RULES = (*MODELS, *FORGES, *CLOUDS, *CHAT, *SHAPES)
