"""What a person wrote, of a text in the user's place.

Only `sources.pi` uses it. Pi puts the files and the skill that a prompt names before the words themselves. Pure, and linear in the length
of the text.
"""

import re
from typing import NamedTuple

_FILE = re.compile(r'\s*<file name="[^"\n]*">.*?</file>', re.DOTALL)
_SKILL = re.compile(r'\s*<skill name="([^"\n]{1,200})"[^>\n]*>\n.*?\n</skill>(?=\n\n|\s*\Z)', re.DOTALL)


class Words(NamedTuple):
    """What a person wrote: `text`, and the name of the skill that they called with it, if any."""

    text: str
    skill: str | None = None


def person_words(text: str) -> Words:
    """The words in `text` and the skill before them, without the contents that Pi put there."""
    at = 0
    skill = None
    if "<" in text:
        while match := _FILE.match(text, at):
            at = match.end()
        if match := _SKILL.match(text, at):
            skill = match[1]
            at = match.end()
    return Words(text[at:].lstrip() if at else text, skill)
