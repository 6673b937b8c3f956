"""The yield alarm: a file with something in it and no message out of it is the sign of a format that lith does not know.

`sync` raises it for the files that it read, `status` for all that the map knows.
"""

import apsw

from lith.store.map import copies
from lith.store.map.files import FileRow


def find_alarm(connection: apsw.Connection, row: FileRow) -> str | None:
    """Why a file is alarming, in a sentence; None if it is not."""
    if row.state not in {"live", "gone"} or not (row.expected or row.unknown) or copies.has_messages(connection, row.file_id):
        return None
    what = f"{row.expected} conversation records" if row.expected else f"{sum(row.unknown.values())} records of unknown types"
    return f"{what} and not one message: perhaps a format that this version does not know"
