"""Whatever happened to the files between syncs, the map equals one made from nothing."""

import contextlib
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, precondition, rule
from tests.ingest import world as w
from tests.ingest.canonical import differences, dump

SESSIONS = ("11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222")
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None  # thousands of small commits: do not wait for a disk
WORDS = st.sampled_from(
    (
        "retry the upload",
        "포트 변경",
        "fix query_flow.ts",
        "the proxy took 8000",
        "<system-reminder>x</system-reminder>",
        "naïve café",
        '<historical_context note="n" arcs="thread:1 mem:2">recalled</historical_context> what of that',
    )
)


class Crash(BaseException):
    """A process that stops in the middle of a sync."""


class SessionFiles(RuleBasedStateMachine):
    """Session files of one client under everything that may happen to them."""

    source = ""

    def lines(self, session: str, text: str, kind: int) -> bytes:
        raise NotImplementedError

    def name_of(self, slug: str, session: str) -> str:
        raise NotImplementedError

    def child(self, session: str, text: str) -> tuple[str, bytes]:
        raise NotImplementedError

    files = Bundle("files")

    @initialize()
    def start(self) -> None:
        self.base = Path(tempfile.mkdtemp(prefix="lith-state-", dir=MEMORY))
        self.world = w.World(self.base, self.source)
        self.number = 0
        self.synced = False
        self.ever_gone = False  # a file's last copy may be gone: compare after forgetting that
        self.moved = self.shrunk = False  # since the last sync: both together make the old place a gone file

    def teardown(self) -> None:
        if hasattr(self, "base"):
            shutil.rmtree(self.base, ignore_errors=True)

    def next(self) -> int:
        self.number += 1
        return self.number

    @rule(target=files, slug=st.sampled_from("ab"), session=st.sampled_from(SESSIONS), text=WORDS, kind=st.integers(0, 5))
    def create(self, slug: str, session: str, text: str, kind: int) -> str:
        name = self.name_of(slug, session)
        if self.world.path(name).exists():
            name = self.name_of(slug, w.record_uuid(self.next()))
        self.world.write(name, self.lines(session, text, kind))
        return name

    @rule(target=files, session=st.sampled_from(SESSIONS), text=WORDS)
    def create_child(self, session: str, text: str) -> str:
        name, data = self.child(session, text)
        self.world.write(name, data)
        return name

    @rule(name=files, session=st.sampled_from(SESSIONS), text=WORDS, kind=st.integers(0, 5))
    def append(self, name: str, session: str, text: str, kind: int) -> None:
        if not name.endswith(".zst") and self.world.path(name).exists():
            self.world.append(name, self.lines(session, text, kind))

    @rule(name=files, text=WORDS, cut=st.integers(1, 400))
    def append_torn(self, name: str, text: str, cut: int) -> None:
        if not name.endswith(".zst") and self.world.path(name).exists():
            self.world.append(name, self.lines(SESSIONS[0], text, 0)[:cut])

    @rule(name=files, part=st.floats(0, 1))
    def truncate(self, name: str, part: float) -> None:
        path = self.world.path(name)
        self.shrunk = True
        if path.exists():
            self.world.truncate(name, int(path.stat().st_size * part))

    @rule(name=files, part=st.floats(0, 1), text=WORDS)
    def truncate_and_regrow(self, name: str, part: float, text: str) -> None:
        self.truncate(name, part)
        if not name.endswith(".zst"):
            self.append(name, SESSIONS[1], text, 1)

    @rule(name=files)
    def rewrite_at_same_size(self, name: str) -> None:
        path = self.world.path(name)
        self.shrunk = True
        if path.exists() and not name.endswith(".zst"):
            path.write_bytes(path.read_bytes().replace(b"the", b"teh").replace(b"echo", b"ohce"))

    @rule(target=files, name=consumes(files))
    def rename(self, name: str) -> str:
        path = self.world.path(name)
        other = name.replace("a/", "c/", 1) if "a/" in name else name.replace("b/", "a/", 1)
        if not path.exists() or self.world.path(other).exists():
            return name
        path.rename(self.world.path(other))
        self.moved = True
        return other

    @rule(target=files, name=consumes(files))
    def compress(self, name: str) -> str:
        if name.endswith(".zst") or not self.world.path(name).exists():
            return name
        self.moved = True
        return self.world.compress(name)

    @rule(name=consumes(files))
    def delete(self, name: str) -> None:
        self.world.path(name).unlink(missing_ok=True)
        self.ever_gone = True

    @rule()
    def sync(self) -> None:
        self.world.sync()
        self.synced = True
        self.ever_gone |= self.moved and self.shrunk
        self.moved = self.shrunk = False
        self.check()
        again = self.world.sync().totals
        assert (again.bytes_read, again.rows_written) == (0, 0)

    @rule(at=st.integers(0, 3))
    def crash_in_sync(self, at: int) -> None:
        def stop(progress: object) -> None:
            if getattr(progress, "files_done", 0) >= at:
                raise Crash

        with contextlib.suppress(Crash):
            self.world.sync(progress=stop)

    @precondition(lambda self: self.synced)
    @rule()
    def forget_gone(self) -> None:
        self.world.sync(forget_gone=True)
        fresh = self.fresh()
        assert differences(dump(self.world.map), fresh) == {}

    def fresh(self) -> dict[str, object]:
        shutil.rmtree(self.base / "fresh", ignore_errors=True)
        self.world.sync(self.base / "fresh")
        return dump(self.base / "fresh" / "map.sqlite")

    def check(self) -> None:
        """The map equals a fresh one; where files are gone, it does so once they are forgotten (in a copy)."""
        fresh = self.fresh()
        if not self.ever_gone:
            assert differences(dump(self.world.map), fresh) == {}
            return
        copy = self.base / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.world.data, copy)
        self.world.sync(copy, forget_gone=True)
        assert differences(dump(copy / "map.sqlite"), fresh) == {}

    @invariant()
    def still_a_database(self) -> None:
        assert not getattr(self, "synced", False) or self.world.map.exists()


class ClaudeFiles(SessionFiles):
    source = "claude_code"

    def name_of(self, slug: str, session: str) -> str:
        return f"-{slug}/{session}.jsonl"

    def child(self, session: str, text: str) -> tuple[str, bytes]:
        n = self.next()
        return f"-a/{session}/subagents/agent-a{n:07x}.jsonl", w.claude_user(n, session, text, agent=f"a{n:07x}")

    def lines(self, session: str, text: str, kind: int) -> bytes:
        n = self.next()
        if kind == 0:
            return w.claude_user(n, session, text)
        if kind == 1:
            first = w.claude_assistant(n, session, w.text_block(text), message=f"msg_{n}")
            return first + w.claude_assistant(self.next(), session, w.bash_block(n, f"echo {text}"), message=f"msg_{n}")
        if kind == 2:
            return w.line({"type": "summary", "summary": f"Title {text}", "leafUuid": w.record_uuid(max(1, n - 3))})
        if kind == 3:
            return (
                w.line({"type": "never-seen-before", "sessionId": session, "n": n})
                + b"{broken\n"
                + w.claude_user(n, session, text)[:-1]
                + b'{"type":"mode","mode":"normal"}\n'
            )
        if kind == 4:
            return w.claude_user(n, session, text, parent=w.record_uuid(max(1, n - 2)))
        return w.claude_user(max(1, n - 1), session, text + " again, longer than before")


class CodexFiles(SessionFiles):
    source = "codex"

    def name_of(self, slug: str, session: str) -> str:
        return f"sessions/2026/0{1 + 'abc'.index(slug)}/a/rollout-2026-01-01T00-00-00-{session}.jsonl"

    def child(self, session: str, text: str) -> tuple[str, bytes]:
        thread = w.record_uuid(self.next())
        data = (
            w.codex_meta(self.next(), thread, parent=session) + w.codex_meta(self.next(), session) + self.lines(session, text, 0)
        )
        return self.name_of("a", thread), data

    def lines(self, session: str, text: str, kind: int) -> bytes:
        n = self.next()
        if kind == 0:
            return w.codex_meta(n, session) + w.codex_event(n, "user_message", text)
        if kind == 1:
            return (
                w.codex_item(n, "user", text)
                + w.codex_event(n, "user_message", text)
                + w.codex_item(self.next(), "assistant", text)
            )
        if kind == 2:
            return w.codex_event(n, "agent_message", text)
        if kind == 3:
            return (
                b"[]\n"
                + w.codex_item(n, "assistant", text)
                + b'{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}\n'
            )
        if kind == 4:
            return w.codex_call(n, f"echo {text}")
        return w.line(
            {"timestamp": w.moment(n), "type": "compacted", "payload": {"message": f"so far: {text}", "replacement_history": []}}
        )


for machine in (ClaudeFiles, CodexFiles):
    machine.TestCase.settings = settings(
        max_examples=30, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
    )
TestClaudeFiles = ClaudeFiles.TestCase
TestCodexFiles = CodexFiles.TestCase
