"""Any transcript, for hypothesis."""

from hypothesis import strategies as st
from tests.keep.transcripts import KINDS, make


def transcripts() -> st.SearchStrategy[bytes]:
    """Any of them, whole or without a final newline."""
    kinds = st.lists(st.sampled_from(KINDS), min_size=1, max_size=25)
    return st.builds(lambda kinds, newline: make(kinds, final_newline=newline), kinds, st.booleans())
