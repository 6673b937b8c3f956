"""Nothing phones home: a whole session with lith, with every socket forbidden."""

import os
import subprocess
import sys

PROGRAM = """
import sys
def refuse(event, arguments):
    if event.startswith(("socket.", "urllib.", "http.", "ftplib.", "smtplib.")):
        raise RuntimeError(event)
sys.addaudithook(refuse)
from lith.faces.cli.main import run
for argv in (["demo"], ["sync"], ["status"], ["start"], ["find", "retry"], ["list"], ["stats"], ["config", "show"]):
    status = run(argv + ["--data-dir", sys.argv[1]])
    if status:
        sys.exit(f"{argv}: {status}")
"""


def test_no_command_opens_a_socket(tmp_path: object) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, f"{tmp_path}/data"], env=dict(os.environ), capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
