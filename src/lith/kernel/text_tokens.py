"""The analyzer: text as FTS5 gets it, and the ways in which one word of a query can stand in the index.

Called through `lith.kernel.text`. What is inserted is the text itself (so that FTS5 sees its words in order), followed by the extra
tokens of its identifiers; a query word goes through the same functions, so that both sides agree by construction.
"""

import re

from lith.kernel import text_terms
from lith.kernel.text_scripts import COLOUR_CODE, cut_scripts, normal_form, trimmed

FTS_TOKENIZER = "porter unicode61 remove_diacritics 2"
"""The `tokenize=` option of every FTS5 table that holds `index_text`."""

SEAM = "zqz"
"""A token between the text and each group of extra tokens, so that no phrase matches from one into the next."""

_COLOUR_CODE = re.compile(COLOUR_CODE)
_SEAM = f" {SEAM} "


def index_text(text: str) -> str:
    """Return what to insert into FTS5 for a text: its words in order, then, after a seam, the extra tokens of its identifiers."""
    base = base_text(text)
    groups = dict.fromkeys(text_terms.iter_groups(base))
    return _SEAM.join((base, *groups)) if groups else base


def base_text(text: str) -> str:
    """Return the text as FTS5 shall split it, without extra tokens: what a phrase is matched against."""
    if "\x1b" in text:
        text = _COLOUR_CODE.sub(" ", text)
    return text_terms.cut_long_words(cut_scripts(normal_form(text)))


def word_phrases(word: str) -> list[str]:
    """Return the phrases by which a query word can be found: as written, as one whole token, as its camelCase words.

    A word without a letter or digit has none.
    """
    base = base_text(word)
    signed = text_terms.find_signed(base.strip())
    if signed:
        return [signed]
    bare = trimmed(base)
    if not bare:
        return []
    phrases = [bare]
    for chunk in text_terms.iter_chunks(bare):
        if chunk == bare:
            wholes, camel = text_terms.split_identifier(chunk)
            phrases.extend(whole for whole in wholes if len(whole) == sum(map(str.isalnum, bare)))
            phrases.extend(words for words in camel if words.replace(" ", "") == bare.lower())
    return list(dict.fromkeys(phrases))
