"""A missing extra is one clear error."""

import subprocess
import sys
from pathlib import Path

import pytest

import lith.wiki

SOURCE = Path(lith.wiki.__file__).parents[2]


@pytest.mark.parametrize(
    ("module", "package", "text"), [("pyromark", "pyromark", "x"), ("yaml", "PyYAML", "---\\na: b\\n---\\n")]
)
def test_a_missing_package_is_named_with_what_to_install(module: str, package: str, text: str) -> None:
    code = (
        f"import sys; sys.modules[{module!r}] = None\n"
        "from lith.errors import MissingExtra\nfrom lith.wiki.page import read_page\n"
        f"try:\n    read_page(b'{text}', 'x')\nexcept MissingExtra as error:\n    print(error.message, '|', error.hint)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=SOURCE, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"this command needs the package {package} | install the extra: pip install 'lith[wiki]'"
