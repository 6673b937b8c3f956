"""Which names hold secrets: `DB_PASSWORD`, `apiKey`, `client-secret` do, `max_tokens`, `public_key`, `password_field` do not.

The rules for assignments and `structured.py` ask here, so that text and decoded JSON agree. Never looks at values.
"""

from functools import lru_cache
from typing import Literal

from lith.scrub.regex import Regex

Kind = Literal["password", "secret", "token", "key", "credential", "authorization", "cookie", "pin", "weak"]
"""What a name promises. `weak` names (`key`, `auth`, `signature`) hold a secret only if the value looks random."""


def word_set(words: str) -> frozenset[str]:
    """Makes a set of the words in a text; the rules keep their vocabularies this way."""
    return frozenset(words.split())


_WORD = Regex(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

_TRAILERS = word_set(
    "value val hash b64 base64 prod production dev development staging live old new current prev previous primary secondary"
    " backup default env var base plain plaintext encrypted"
)
"""Last words that do not change what a name holds: `token_value`, `API_KEY_PROD`, `password2`."""

_PASSWORDS = word_set(
    "password passwords passphrases passwd passwort passphrase passcode pwd pass kennwort contrasena senha mnemonic"
)
_PASSWORD_ENDS = ("password", "passwd", "passphrase", "passwort", "pwd")
_NO_VALUE = word_set("no show hide invalid wrong incorrect forgot reset missing unexpected")
_NOT_PASSWORDS = word_set("nopasswd getpwd oldpwd chpasswd htpasswd bypass compass trespass")
_COUNTS = word_set(
    "max min num n total input output prompt completion cached reasoning thinking context stop bos eos pad unk sep cls mask"
    " special start end begin next page continuation sync cursor first last prev count budget per extra image audio text visible used"
    " remaining limit design lex syntax parse vocab added decoder encoder hidden cancellation semantic color by of generated estimated"
    " response cache read write creation usage avg mean median sampled spent saved invalid expired missing bad unknown unexpected wrong"
)
"""Words before `token(s)` that make it a unit of text, a page mark or a lexer's token."""

_BEARERS = word_set("api access auth refresh bearer secret bot id session user github gitlab slack oauth csrf xsrf personal")
"""Words before the plural `tokens` that still mean credentials."""

_KEYS = word_set(
    "api access secret private auth encryption encrypt decryption signing account shared master license licence subscription admin hmac"
    " webhook jwt consumer openai anthropic gemini groq mistral openrouter stripe sendgrid twilio datadog cohere deepseek xai"
    " azure aws gcp huggingface integration publishable restricted"
)
"""Words before `key(s)` that make it a credential."""

_KEY_ENDS = (
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "authkey",
    "encryptionkey",
    "signingkey",
    "accountkey",
    "licensekey",
)
_NOT_KEYS = word_set(
    "public primary foreign cache sort partition unique object hot short arrow row dict map translation lookup group project issue index"
    " keyboard pub host fingerprint any press data field column table config message i18n idempotency dedupe natural composite child list"
    " hash bucket get set has react state query store feature item"
)
_WIDE: dict[str, Kind] = {
    "密码": "password",
    "密碼": "password",
    "口令": "password",
    "パスワード": "password",
    "비밀번호": "password",
    "пароль": "password",
    "contraseña": "password",
    "密钥": "secret",
    "密鑰": "secret",
    "シークレット": "secret",
    "令牌": "token",
    "トークン": "token",
    "토큰": "token",
    "токен": "token",
}
"""Names outside ASCII, as they stand in prose and in config files of other languages."""

WIDE_PASSWORDS = tuple(word for word, kind in _WIDE.items() if kind == "password")
WIDE_SECRETS = tuple(word for word, kind in _WIDE.items() if kind == "secret")
WIDE_TOKENS = tuple(word for word, kind in _WIDE.items() if kind == "token")

_WEAK = word_set("auth jwt signature sig bearer otp totp salt seed")


@lru_cache(maxsize=4096)
def kind_of(name: str) -> Kind | None:
    """Says what kind of secret a name promises, or None if it promises none."""
    if len(name) > 160 or "[masked:" in name:
        return None
    if not name.isascii():
        return _WIDE.get(name.lower())
    words = [word[0].lower() for word in _WORD.finditer(name)]
    while len(words) > 1 and (words[-1].isdigit() or words[-1] in _TRAILERS):
        words.pop()
    if not words:
        return None
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if "public" in words and last != "password":
        return None
    if last == "pass" and name[0].isupper() and not name.isupper():
        return None
    return _kind_of_word(last, before)


def _kind_of_word(last: str, before: str) -> Kind | None:
    if last in _PASSWORDS or (last.endswith(_PASSWORD_ENDS) and last not in _NOT_PASSWORDS):
        return "password" if last not in _NOT_PASSWORDS and before not in _NO_VALUE else None
    if last in {"secret", "secrets"} or last.endswith("secret"):
        return "secret"
    if last in {"token", "tokens"} or last.endswith(("token", "tokens")):
        return _kind_of_token(last, before)
    if last in {"key", "keys"} or last.endswith(_KEY_ENDS):
        return _kind_of_key(last, before)
    if last in {"credential", "credentials", "creds", "cred"}:
        return "credential"
    if last == "authorization":
        return "authorization"
    if last in {"cookie", "cookies"}:
        return "cookie"
    if last == "pin" or (last == "code" and before == "pin"):
        return "pin"
    if last in _WEAK:
        return "weak"
    return None


def _kind_of_token(last: str, before: str) -> Kind | None:
    stem = last.removesuffix("s").removesuffix("token")
    if before in _COUNTS or stem in _COUNTS:
        return None
    if last.endswith("s") and not (before in _BEARERS or stem in _BEARERS):
        return None
    return "token"


def _kind_of_key(last: str, before: str) -> Kind | None:
    if before in _KEYS or last.endswith(_KEY_ENDS):
        return "key"
    return None if before in _NOT_KEYS or last == "keys" else "weak"
