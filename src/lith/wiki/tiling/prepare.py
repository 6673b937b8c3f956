"""What of a page is embedded: its title and its body (headings included), without frontmatter, in windows. Pure."""

import hashlib
import re

from lith.wiki.page import Facts

PREPARATION = 2
"""Raised whenever the text that is embedded changes, so that older vectors are not used."""
MIN_WORDS = 40
WINDOW = 3_800
"""Characters of a window, which the built-in model reads to the end, title included; windows are cut between words."""
MAX_WINDOWS = 64

_LINK = re.compile(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_COMMENT = re.compile(r"%%.*?%%|<!--.*?-->", re.DOTALL)


def is_short(facts: Facts) -> bool:
    """Whether a page says too little to be compared."""
    return facts.words < MIN_WORDS


def vector_key(facts: Facts) -> bytes:
    """The name of a page's vector: it changes with title, body and preparation, and with nothing else."""
    return hashlib.sha256(f"{PREPARATION}\0{facts.title}\0{facts.body_hash}".encode("utf-8", "surrogatepass")).digest()


def page_windows(title: str, body: str) -> list[str]:
    """The texts to embed for a page; links are read as the words they show."""
    text = _LINK.sub(r"\1", _COMMENT.sub(" ", body)).strip()
    windows: list[str] = []
    while text and len(windows) < MAX_WINDOWS:
        cut = len(text) if len(text) <= WINDOW else max(text.rfind(" ", 0, WINDOW), text.rfind("\n", 0, WINDOW), WINDOW // 2)
        windows.append(f"{title}\n{text[:cut].strip()}")
        text = text[cut:].strip()
    return windows or [title]
