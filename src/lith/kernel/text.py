"""Text: the one analyzer for everything that is indexed and everything that is asked, the query language, snippets.

This is the door; the modules `text_*` beside it are its parts. The full-text tables that it feeds are made with `FTS_TOKENIZER`. Any
room may call it. It never opens a database and knows nothing of sessions or messages.
"""

from lith.kernel.text_exact import exact_test
from lith.kernel.text_match import Mode, match_expression
from lith.kernel.text_query import Group, Node, Query, Term, iter_terms, query_terms
from lith.kernel.text_scripts import fold
from lith.kernel.text_snippet import Snippet, snippet
from lith.kernel.text_syntax import parse_query
from lith.kernel.text_tokens import FTS_TOKENIZER, SEAM, index_text

__all__ = [
    "FTS_TOKENIZER",
    "SEAM",
    "Group",
    "Mode",
    "Node",
    "Query",
    "Snippet",
    "Term",
    "exact_test",
    "fold",
    "index_text",
    "iter_terms",
    "match_expression",
    "parse_query",
    "query_terms",
    "snippet",
]
