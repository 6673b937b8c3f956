"""JSON's grammar as patterns over bytes, shared by the span scanner and by the repair of odd documents.

Only `jsonl_scan` and `lenient` use it. Strings may hold lone surrogate escapes and bytes that are not UTF-8; all else is strict.
"""

import re

WINDOW = 1 << 16
"""The most bytes that one match of a pattern with repeated groups may see."""

# Only single character sets repeat possessively: before Python 3.11.5 a possessive group whose body backtracks matches wrongly. Groups
# therefore repeat greedily, which costs memory per turn, so that no match sees more than WINDOW bytes.
_W = rb"[ \t\n\r]*+"
_BODY = rb'[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*'
_STR = rb'"' + _BODY + rb'"'
_NUM = rb"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?"
_SCALAR = rb"(?:" + _STR + rb"|" + _NUM + rb"|true|false|null)"
_KEY = _W + _STR + _W + rb":" + _W

SPACE = re.compile(_W)
SEPARATORS = re.compile(rb"[ \t\n\r,\[\]\x00]*+")
NUMBER = re.compile(_NUM)
NUMBER_RUN = re.compile(rb"[-+.0-9eE]*+")
STRING_BODY = re.compile(_BODY)
ESCAPE_START = re.compile(rb"\\(?:u[0-9a-fA-F]{0,3})?\Z")
MEMBERS = re.compile(rb"(?:" + _KEY + _SCALAR + _W + rb",)*")
MEMBER_TURN = re.compile(_KEY + rb"(?:" + _SCALAR + _W + rb"\}|[\[{])")
ITEMS = re.compile(rb"(?:" + _W + _SCALAR + _W + rb",)*")
ITEM_TURN = re.compile(_W + rb"(?:" + _SCALAR + _W + rb"\]|\{|\[++)")
AFTER = re.compile(_W + rb"(,|[\]}]++)")
OBJECT_START = re.compile(rb'\{(?=[ \t\n\r]*+(?:["}]|\Z))')
NUL, QUOTE, COMMA, COLON, BACKSLASH = 0x00, 0x22, 0x2C, 0x3A, 0x5C
LBRACKET, RBRACKET, LBRACE, RBRACE = 0x5B, 0x5D, 0x7B, 0x7D
BLANK = b" \t\n\r"
WORDS = {0x74: b"true", 0x66: b"false", 0x6E: b"null"}
