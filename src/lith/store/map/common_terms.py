"""Which terms are in so many documents that they say little: counted from the index, when it has grown enough to matter.

Written by `ingest`, read by search. A statistic, like a database's own: it changes how fast an answer comes and a little of its order,
never which documents there are.
"""

import apsw

from lith.kernel import sqlite
from lith.store.map.files import get_meta, set_meta

COMMON_SHARE = 0.02
"""Terms in more than this share of the documents are kept."""

_GROWTH = 1.2
_AT_LEAST = 500


def refresh_common_terms(connection: apsw.Connection) -> None:
    """Count anew if the number of documents has grown or shrunk by a fifth since the last count."""
    documents = int(sqlite.fetch(connection, "SELECT count(*) FROM documents")[0][0])
    counted = int(get_meta(connection, "common_terms_documents") or 0)
    if documents < _AT_LEAST or counted / _GROWTH <= documents <= counted * _GROWTH:
        return
    connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.documents_vocab USING fts5vocab('main', 'documents_fts', 'row')")
    connection.execute("DELETE FROM common_terms")
    connection.execute(
        "INSERT INTO common_terms SELECT term, doc FROM temp.documents_vocab WHERE doc > ?", (int(documents * COMMON_SHARE),)
    )
    connection.execute("DROP TABLE temp.documents_vocab")
    set_meta(connection, "common_terms_documents", str(documents))
