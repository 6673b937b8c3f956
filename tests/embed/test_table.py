import numpy as np

from lith.embed.table import FOLDER, read_about, read_rows, read_vocabulary


def test_the_parts_belong_together() -> None:
    about = read_about()
    rows, scales = read_rows()
    assert rows.shape == (about.rows, about.dimensions)
    assert scales.shape == (about.rows,)
    assert len(read_vocabulary()) == len(set(read_vocabulary())) == about.rows
    assert np.isfinite(scales).all()
    assert (scales >= 0).all()


def test_the_package_stays_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) <= 8_000_000


def test_the_licence_of_the_teacher_goes_along() -> None:
    notice = (FOLDER / "NOTICE").read_text(encoding="utf-8")
    assert "Apache License" in notice
    assert "all-MiniLM-L6-v2" in notice
