"""The options that several commands of the wiki share, and the model that some of them name."""

from lith.faces.cli.words import Option, Values
from lith.ops.wiki.models import ModelChoice

APPLY = Option(("--apply",), "apply", "Do it. Without this the plan is shown, and nothing is written.", shape="flag")
VAULT = Option(
    ("--vault",), "vault", "The vault's folder [default: the setting wiki.vault, else the nearest vault].", metavar="PATH"
)
EXPONENT = Option(
    ("-k", "--exponent"), "exponent", "A fold takes 2^K items [default: 4, so 16 items].", shape="number", metavar="K", least=1
)
MODEL = Option(
    ("--model",), "model", "The embedding model: built in, or one of an Ollama server [default: built in].", metavar="NAME"
)
OLLAMA_URL = Option(
    ("--ollama-url",), "ollama_url", "Where the Ollama server is [default: http://127.0.0.1:11434].", metavar="URL"
)
ALLOW_REMOTE = Option(
    ("--allow-remote-ollama",),
    "allow_remote",
    "Let the server be another machine: then the text of the pages leaves this one.",
    shape="flag",
)
MODELS = (MODEL, OLLAMA_URL, ALLOW_REMOTE)
"""Which embedding model compares texts."""


def model_choice(values: Values) -> ModelChoice:
    """The model that the options name."""
    return ModelChoice(model=values.text("model"), ollama_url=values.text("ollama_url"), allow_remote=values.flag("allow_remote"))
