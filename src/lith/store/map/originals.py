"""Which shortened record stands for which original, as the receipts of prunes say; and the files that are archived generations.

Written by `ingest` only. A receipt is named by its path below the archive, beside the generations of its file.
"""

from collections.abc import Iterable

import apsw

from lith.kernel import sqlite

_AFTER_SLASH = chr(ord("/") + 1)


def find_receipts(connection: apsw.Connection) -> set[str]:
    """The receipts that were taken in."""
    return {row[0] for row in connection.execute("SELECT DISTINCT receipt FROM originals")}


def add_receipt(connection: apsw.Connection, receipt: str, pairs: Iterable[tuple[bytes, bytes]]) -> None:
    """Take in a receipt: (hash of a shortened record, hash of what it was). One without pairs is remembered by an empty one."""
    rows = [(receipt, pruned, original) for pruned, original in pairs] or [(receipt, b"", b"")]
    connection.executemany("INSERT OR REPLACE INTO originals VALUES (?, ?, ?)", rows)


def forget_receipt(connection: apsw.Connection, receipt: str) -> None:
    """Forget what a receipt said."""
    connection.execute("DELETE FROM originals WHERE receipt = ?", (receipt,))


def load_originals(connection: apsw.Connection, folders: Iterable[str]) -> dict[bytes, bytes]:
    """From the hash of each shortened record to that of its first original, by the receipts of some archived files, oldest first."""
    step: dict[bytes, bytes] = {}
    for folder in sorted(set(folders)):
        low, high = f"{folder}/receipts/", f"{folder}/receipts{_AFTER_SLASH}"
        query = "SELECT pruned, original FROM originals WHERE receipt >= ? AND receipt < ? ORDER BY receipt, pruned"
        for pruned, original in connection.execute(query, (low, high)):
            first = step.get(original, original)
            if first != pruned:
                step[pruned] = first
    return step


def find_generation_files(connection: apsw.Connection, folder: str) -> list[int]:
    """The ids of the generations of one archived file, by its folder below the archive."""
    query = "SELECT file_id FROM source_files WHERE role = 'generation' AND path >= ? AND path < ?"
    return [row[0] for row in sqlite.fetch(connection, query, (f"{folder}/", f"{folder}{_AFTER_SLASH}"))]
