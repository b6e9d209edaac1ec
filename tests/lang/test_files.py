"""Number files: what is read is what was written, and what is damaged is refused with its place."""

from __future__ import annotations

import io
import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gradcli.autograd.errors import detail_of
from gradcli.lang.files import FORMATS, Files, load, read_content, save


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(str(tmp_path))


def npy_bytes(array: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def refusal(path: Path, content: bytes | str) -> tuple[str, str]:
    """Return (code, message) of loading a file of ``content``."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises((ValueError, TypeError)) as caught:
        load(str(path), path.name)
    detail = detail_of(caught.value)
    assert detail is not None
    return detail.code, detail.message


# -- .npy --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "array",
    [
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.float64(2.5),
        np.zeros((0, 3)),
        np.array([True, False]),
        np.array([1.5], dtype="f2"),
        np.array([1, 2], dtype=">i4"),
        np.array([1 + 2j], dtype=">c16"),
        np.arange(24, dtype="u1").reshape(2, 3, 4).transpose(2, 0, 1),
    ],
)
def test_an_npy_file_of_any_order_reads_as_numpy_reads_it(tmp_path: Path, array: Any) -> None:
    np.save(str(tmp_path / "a.npy"), array)
    found = load(str(tmp_path / "a.npy")).numpy()
    assert found.shape == np.shape(array)
    assert found.dtype == np.asarray(array).dtype.newbyteorder("=")
    assert np.array_equal(found, array)


def test_an_npy_file_that_was_cut_off_says_what_is_missing(tmp_path: Path) -> None:
    whole = npy_bytes(np.arange(100.0))
    path = tmp_path / "cut.npy"
    code, message = refusal(path, whole[:500])
    assert code == "file-incomplete"
    assert message == "cut.npy: the data of a (100,) array of float64 is incomplete, expected 800 bytes, found 372"
    assert "expected 800 bytes, found 0" in refusal(path, whole[:128])[1]
    assert "the header is incomplete, expected 118 bytes, found 30" in refusal(path, whole[:40])[1]
    assert "incomplete, expected 10 bytes, found 4" in refusal(path, whole[:4])[1]
    assert refusal(path, b"")[0] == "file-malformed"


def test_bytes_after_the_data_are_ignored_as_numpy_does(tmp_path: Path) -> None:
    (tmp_path / "a.npy").write_bytes(npy_bytes(np.arange(100.0)) + b"junk")
    assert float(load(str(tmp_path / "a.npy")).numpy().sum()) == 4950.0


def test_an_absurd_shape_is_refused_before_memory_is_asked_for(tmp_path: Path) -> None:
    absurd = npy_bytes(np.arange(100.0)).replace(b"(100,), }", b"(10000000000000000,), }")
    assert "expected 80,000,000,000,000,000 bytes" in refusal(tmp_path / "a.npy", absurd)[1]
    negative = npy_bytes(np.arange(100.0)).replace(b"(100,)", b"(-10,)")
    assert "impossible shape (-10,)" in refusal(tmp_path / "a.npy", negative)[1]
    flagged = npy_bytes(np.arange(100.0)).replace(b"(100,)", b"(True,)")
    assert "impossible shape" in refusal(tmp_path / "a.npy", flagged)[1]


def test_a_huge_header_is_refused(tmp_path: Path) -> None:
    text = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }".ljust(1 << 20)
    content = b"\x93NUMPY\x02\x00" + (1 << 20).to_bytes(4, "little") + text + b"12345678"
    assert "1,048,576 bytes" in refusal(tmp_path / "a.npy", content)[1]


def test_records_are_refused_by_their_fields(tmp_path: Path) -> None:
    records = np.array([(1.0, 2)], dtype=[("u", "f8"), ("n", "i4")])
    code, message = refusal(tmp_path / "s.npy", npy_bytes(records))
    assert code == "file-dtype"
    assert "fields u (float64), n (int32)" in message


@pytest.mark.parametrize("array", [np.array(["a"]), np.array(["2020-01-01"], "M8[D]"), np.array([1.0], "g")])
def test_elements_that_are_no_numbers_are_refused(tmp_path: Path, array: Any) -> None:
    assert refusal(tmp_path / "a.npy", npy_bytes(array))[0] == "file-dtype"


def test_pickles_are_refused_with_the_reason(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    np.save(buffer, np.array([{}], dtype=object), allow_pickle=True)
    for name, content in [("o.npy", buffer.getvalue()), ("p.npy", b"\x80\x04K\x01."), ("m.pt", b""), ("m.pkl", b"")]:
        code, message = refusal(tmp_path / name, content)
        assert code == "file-pickle"
        assert "run any code" in message


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200), st.integers(0, 200))
def test_a_damaged_file_is_never_more_than_a_value_error(noise: bytes, cut: int) -> None:
    for name, reader_input in [("npy", npy_bytes(np.arange(3.0))[:cut] + noise), ("safetensors", noise)]:
        from importlib import import_module

        try:
            import_module(f"gradcli.lang.formats.{name}").read(io.BytesIO(reader_input), "x")
        except (ValueError, TypeError) as refused:
            assert detail_of(refused) is not None


# -- .csv --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\n1,2\n3,4\n", [[1, 2], [3, 4]]),
        ("\ufeff1,2\n3,4", [[1, 2], [3, 4]]),
        ("# c\n1,2\n\n3,4\n", [[1, 2], [3, 4]]),
        ("1;2\r\n3;4\r\n", [[1, 2], [3, 4]]),
        ("1\t2\n3\t4\n", [[1, 2], [3, 4]]),
        ("1 2\n 3  4\n", [[1, 2], [3, 4]]),
        ("1\n2\n", [1, 2]),
        (" 1 , 2 \n", [1, 2]),
        ('"1","2"\n', [1, 2]),
        ("1e3,-.5,inf\n", [1000.0, -0.5, np.inf]),
    ],
)
def test_a_table_is_read_whatever_its_delimiter_and_header(tmp_path: Path, text: str, expected: Any) -> None:
    (tmp_path / "t.csv").write_bytes(text.encode())
    assert load(str(tmp_path / "t.csv")).tolist() == expected


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("1,2\n3,4\n5\n6,7\n", "file-ragged", "t.csv, line 3, column 2: the line ends, where line 1 has 2 fields"),
        ("1,2\n3,4,x\n", "file-ragged", "t.csv, line 2, column 3: found 'x'"),
        ("1,\n3,4\n", "file-field", "t.csv, line 1, column 2: the field is empty"),
        ("1,2\n3,x7\n", "file-field", "t.csv, line 2, column 2: 'x7' is not a number"),
        ("1,5;2,5\n3,5;4,5\n", "file-field", "t.csv, line 1, column 1: '1,5' is not a number"),
        ("1,2,\n3,4,\n", "file-field", "t.csv, line 1, column 3: the field is empty"),
        ("a,b\n1,b\n", "file-field", "line 2, column 2: 'b'"),
        ("1_0,2\n", "file-field", "'1_0' is not a number"),
        ("", "file-malformed", "holds no numbers"),
        ("a,b\n", "file-malformed", "holds no numbers"),
    ],
)
def test_a_table_that_is_wrong_names_the_place(tmp_path: Path, text: str, code: str, words: str) -> None:
    found, message = refusal(tmp_path / "t.csv", text)
    assert (found, words in message) == (code, True), message


def test_text_that_is_not_utf8_names_the_line(tmp_path: Path) -> None:
    assert "byte 0xe4 in line 2" in refusal(tmp_path / "t.csv", b"1\n\xe4\n")[1]
    assert "NUL" in refusal(tmp_path / "t.csv", b"1\n\0\n")[1]


def test_the_repository_s_own_table_is_read() -> None:
    table = load(str(Path(__file__).parents[2] / "samples" / "iris.csv"))
    assert tuple(table.shape) == (150, 5)


# -- .json -------------------------------------------------------------------------------------------------------------
def test_json_reads_numbers_names_and_what_json_has_no_number_for(tmp_path: Path) -> None:
    path = tmp_path / "v.json"
    path.write_text('{"x": [[1, 2.5], ["nan", "-inf"]], "z": {"re": 1, "im": -2}, "n": [1, 2], "b": [true]}')
    found = load(str(path))
    assert np.array_equal(found["x"].numpy(), [[1, 2.5], [np.nan, -np.inf]], equal_nan=True)
    assert found["z"].item() == 1 - 2j
    assert found["n"].numpy().dtype == np.int64
    assert found["b"].numpy().dtype == np.bool_


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[1, 2], [3]]", "element [1]: found a list of 1 where the others have 2 elements"),
        ("[1, [2]]", "element [1]: a list is not a number"),
        ('[1, "a"]', "element [1]: 'a' is not a number"),
        ("[1, null]", "element [1]: null is not a number"),
        ("[1,\n 2", "line 2, column 3: this is not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[123456789012345678901234567890]", "beyond 64 bits"),
    ],
)
def test_json_that_is_no_array_names_the_place(tmp_path: Path, text: str, words: str) -> None:
    assert words in refusal(tmp_path / "v.json", text)[1]


# -- .npz and .safetensors ---------------------------------------------------------------------------------------------
def test_an_archive_gives_arrays_by_name_and_a_damaged_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    np.savez_compressed(path, z=np.ones((2, 2), "f4"))
    assert load(str(path))["z"].numpy().dtype == np.float32
    np.savez(path, x=np.arange(3.0))
    found = load(str(path))
    assert found["x"].tolist() == [0, 1, 2]
    whole = path.read_bytes()
    assert "incomplete or damaged" in refusal(path, whole[:100])[1]
    assert "incomplete or damaged (Bad CRC" in refusal(path, whole.replace(b"\x93NUMPY", b"\x93NUMPX"))[1]


def test_safetensors_agrees_with_the_format_s_own_library(tmp_path: Path) -> None:
    official = pytest.importorskip("safetensors.numpy")
    arrays = {
        "w": np.arange(6, dtype="f4").reshape(2, 3),
        "n": np.array([1, 2]),
        "e": np.zeros((0, 2)),
        "s": np.array(1.5),
    }
    official.save_file(arrays, tmp_path / "theirs.safetensors", metadata={"made": "here"})
    theirs = load(str(tmp_path / "theirs.safetensors"))
    assert {key: value.tolist() for key, value in theirs.items()} == {
        key: value.tolist() for key, value in arrays.items()
    }
    save(str(tmp_path / "ours.safetensors"), theirs)
    ours = official.load_file(tmp_path / "ours.safetensors")
    assert all(np.array_equal(ours[key], arrays[key]) and ours[key].dtype == arrays[key].dtype for key in arrays)


def safetensors_bytes(header: Any, data: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"123", "expected 8 bytes, found 3"),
        (safetensors_bytes(b"{}")[:9], "the header is incomplete, expected 2 bytes, found 1"),
        ((10**12).to_bytes(8, "little"), "1,000,000,000,000 bytes"),
        (safetensors_bytes(b"[]"), "header is damaged"),
        (safetensors_bytes({"x": {"dtype": "F64", "shape": [2], "data_offsets": [0, 16]}}, b"8" * 8), "found 8"),
        (
            safetensors_bytes({"x": {"dtype": "F64", "shape": [3], "data_offsets": [0, 16]}}, b"8" * 16),
            "needs 24 bytes",
        ),
        (safetensors_bytes({"x": {"dtype": "F64", "shape": [-1], "data_offsets": [0, 8]}}, b"8" * 8), "entry of 'x'"),
        (
            safetensors_bytes({"x": {"dtype": "F64", "shape": [1], "data_offsets": [8, 16]}}, b"8" * 16),
            "a hole at byte 0",
        ),
        (safetensors_bytes({}, b"8"), "belong to no tensor"),
        (safetensors_bytes({"x": {"dtype": "F8_E4M3", "shape": [1], "data_offsets": [0, 1]}}, b"8"), "F8_E4M3"),
        (safetensors_bytes(b'{"x": 1, "x": 2}'), "appears twice"),
    ],
)
def test_a_damaged_safetensors_file_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    assert words in refusal(tmp_path / "m.safetensors", content)[1]


def test_bfloat16_becomes_float32_exactly(tmp_path: Path) -> None:
    header = {"x": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]}}
    (tmp_path / "m.safetensors").write_bytes(safetensors_bytes(header, b"\x80\x3f\x20\xc0"))
    found = load(str(tmp_path / "m.safetensors"))["x"]
    assert (found.tolist(), found.numpy().dtype) == ([1.0, -2.5], np.float32)


# -- save --------------------------------------------------------------------------------------------------------------
NUMBERS = hnp.arrays(
    st.sampled_from(["f8", "f4", "i8", "u1", "?", "c16"]),
    hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=3),
)


@settings(max_examples=80, deadline=None)
@given(array=NUMBERS, suffix=st.sampled_from([".npy", ".npz", ".json", ".safetensors"]))
def test_what_is_saved_reads_back(tmp_path_factory: pytest.TempPathFactory, array: Any, suffix: str) -> None:
    if suffix == ".safetensors" and array.dtype.kind == "c":
        return
    path = tmp_path_factory.mktemp("saved") / f"a{suffix}"
    save(str(path), {"x": array} if suffix in (".npz", ".safetensors") else array)
    content = read_content(str(path), "a")
    found = content["x"] if isinstance(content, dict) else content
    if suffix != ".json":
        assert found.dtype == array.dtype
        assert found.shape == array.shape
    assert np.array_equal(np.asarray(found).reshape(array.shape), array, equal_nan=array.dtype.kind in "fc")


def test_a_table_is_saved_with_every_digit(tmp_path: Path) -> None:
    array = np.array([[0.1, 1e-320], [2 / 3, np.inf]])
    save(str(tmp_path / "t.csv"), array)
    assert (tmp_path / "t.csv").read_text() == "0.1,1e-320\n0.6666666666666666,inf\n"
    assert np.array_equal(load(str(tmp_path / "t.csv")).numpy(), array)


@pytest.mark.parametrize(
    ("name", "value"), [("a.npz", np.ones(2)), ("a.npy", {"x": np.ones(2)}), ("a.csv", np.ones((2, 2, 2)))]
)
def test_what_a_format_can_t_hold_is_refused(files: Files, name: str, value: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"holds|rows and columns"):
        files.save(name, value)


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "big.npy"
    save(str(path), np.arange(3.0))
    code = (
        "import sys, resource, signal, numpy as np; from gradcli.lang.files import save\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try: save(sys.argv[1], np.ones(10_000))\n"
        "except OSError as problem: print(problem)"
    )
    assert hasattr(signal, "SIGXFSZ") and hasattr(resource, "RLIMIT_FSIZE")
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert "big.npy can't be written: file too large" in done.stdout
    assert load(str(path)).tolist() == [0, 1, 2]
    assert os.listdir(tmp_path) == ["big.npy"]


# -- which files -------------------------------------------------------------------------------------------------------
def test_a_script_reaches_only_its_own_folder_and_what_was_allowed(tmp_path: Path) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    for folder in (home, home / "sub", other):
        folder.mkdir()
    for place in (home / "sub", other):
        np.save(place / "v.npy", np.ones(2))
    (home / "way-out").symlink_to(other)
    files = Files(str(home))
    assert files.load("sub/v.npy").tolist() == [1, 1]
    assert files.load("sub/../sub/v.npy").tolist() == [1, 1]
    for path in ("../other/v.npy", str(other / "v.npy"), "way-out/v.npy", "sub/../../other/v.npy"):
        with pytest.raises(PermissionError, match="only below its own folder"):
            files.load(path)
        with pytest.raises(PermissionError):
            files.save(path, np.zeros(2))
    assert Files(str(home), read=[str(other)]).load("../other/v.npy").tolist() == [1, 1]
    with pytest.raises(PermissionError):
        Files(str(home), read=[str(other)]).save("../other/v.npy", np.zeros(2))
    Files(str(home), write=[str(other)]).save("way-out/v.npy", np.zeros(2))
    assert load(str(other / "v.npy")).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("none.npy", "there is no file none.npy"),
        ("folder.npy", "folder.npy is a folder"),
        ("a.xyz", "'.xyz' names no known format"),
        ("", "is not a file name"),
        ("a\0.npy", "is not a file name"),
    ],
)
def test_a_name_that_leads_nowhere_says_so(tmp_path: Path, path: str, words: str) -> None:
    (tmp_path / "folder.npy").mkdir()
    with pytest.raises((OSError, ValueError), match=words.replace(".", r"\.")):
        Files(str(tmp_path)).load(path)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.npy")
    with pytest.raises(ValueError, match="not a regular file"):
        Files(str(tmp_path)).load("p.npy")


def test_every_format_has_a_reader_and_a_writer() -> None:
    from importlib import import_module

    for module in FORMATS.values():
        assert callable(import_module(f"gradcli.lang.formats.{module}").read)
        assert callable(import_module(f"gradcli.lang.formats.{module}").write)
