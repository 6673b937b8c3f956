"""Text that is safe to show on a terminal: no escape sequences, no control characters, no tricks with direction.

Called by the faces for whatever came from a transcript. Never touches colours that lith itself adds afterwards.
"""

from lith.scrub.regex import Regex

_UNSAFE = Regex("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]")
_SEQUENCE = Regex(
    r"""(?xs)
    (?:\x1b\[|\x9b) [0-?]*+ [ -/]*+ [@-~]?                                # CSI: colours, cursor, modes
    | (?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f]) [^\x07\x1b\x9c\n]*+ (?:\x07|\x1b\\|\x9c)   # OSC, DCS, SOS, PM, APC with their text
    | \x1b [ -/]*+ [0-~]                                                  # two-character escapes, character sets
    """
)


def clean_terminal(text: str) -> str:
    """Removes escape sequences, control characters (but newline and tab), direction overrides and invisible tag characters.

    Lone surrogates, which no terminal can be sent, become U+FFFD. A sequence that is cut off loses its introducer only, so that no
    text hides behind it.
    """
    if not _UNSAFE.search(text):
        return text
    text = _SEQUENCE.sub("", text.replace("\r\n", "\n"))
    return _UNSAFE.sub(lambda found: "\ufffd" if "\ud800" <= found[0] <= "\udfff" else "", text)
