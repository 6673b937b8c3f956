"""The bundled demo: a few short coding sessions, written for lith, in the formats that real clients write.

`write_sessions` lays them out as the clients would. `ops.demo` calls it; nothing here touches a real client's folder.
"""

from lith.demo.layout import write_sessions

__all__ = ["write_sessions"]
