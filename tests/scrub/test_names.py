"""Which names promise a secret."""

import pytest

from lith.scrub.rules.names import Kind, kind_of


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("password", "password"),
        ("DB_PASSWORD", "password"),
        ("dbPassword2", "password"),
        ("pgpassword", "password"),
        ("password_hash", "password"),
        ("client-secret", "secret"),
        ("SECRET_KEY_BASE", "key"),
        ("apiKey", "key"),
        ("APIKey", "key"),
        ("x-api-key", "key"),
        ("AWS_SECRET_ACCESS_KEY", "key"),
        ("refreshToken", "token"),
        ("id_token", "token"),
        ("access_tokens", "token"),
        ("credentials", "credential"),
        ("Authorization", "authorization"),
        ("Set-Cookie", "cookie"),
        ("pin_code", "pin"),
        ("key", "weak"),
        ("_auth", "weak"),
        ("密码", "password"),
        ("max_tokens", None),
        ("tokens", None),
        ("token_count", None),
        ("nextPageToken", None),
        ("eos_token", None),
        ("InvalidToken", None),
        ("public_key", None),
        ("publicKeyToken", None),
        ("primaryKey", None),
        ("keys", None),
        ("password_field", None),
        ("token_url", None),
        ("secretName", None),
        ("monkey", None),
        ("tokenizer", None),
        ("NOPASSWD", None),
        ("", None),
        ("x" * 200 + "password", None),
        ("x=[masked:token]", None),
    ],
)
def test_names(name: str, kind: Kind | None) -> None:
    assert kind_of(name) == kind
