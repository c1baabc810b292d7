"""The Python of the built pages is, byte for byte, what its list names, and Pyodide's own lock agrees."""

import hashlib
import io
import tarfile

import pytest
import runtime
from places import ROOT


def test_every_file_is_the_listed_one_and_every_wheel_the_locked_one():
    assert list(runtime.faults()) == []
    assert {"pyodide.asm.wasm", "python_stdlib.zip"} < set(runtime.listed())


def test_a_changed_or_missing_file_is_named(tmp_path, monkeypatch):
    for name in runtime.listed():
        (tmp_path / name).symlink_to(runtime.FOLDER / name)
    monkeypatch.setattr(runtime, "FOLDER", tmp_path)
    (tmp_path / "pyodide.mjs").unlink()
    (tmp_path / "python_stdlib.zip").unlink()
    (tmp_path / "python_stdlib.zip").write_bytes(b"another")
    assert sorted(fault.split()[0] for fault in runtime.faults()) == ["pyodide.mjs", "python_stdlib.zip"]


@pytest.mark.parametrize("content, taken", [(b"the listed bytes", True), (b"other bytes", False)])
def test_an_archive_gives_only_files_with_the_listed_hash(tmp_path, monkeypatch, content, taken):
    monkeypatch.setattr(runtime, "FOLDER", tmp_path)
    monkeypatch.setattr(runtime, "LIST", tmp_path / "SHA256SUMS")
    runtime.LIST.write_text(f"{hashlib.sha256(b'the listed bytes').hexdigest()}  core.mjs\n")
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        member = tarfile.TarInfo("package/core.mjs")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    runtime.take(packed.getvalue())
    assert (tmp_path / "core.mjs").exists() == taken


def test_the_tree_stays_small_enough_to_clone():
    vendored = sum(path.stat().st_size for path in (ROOT / "book" / "_static").rglob("*") if path.is_file())
    assert vendored < 40e6
