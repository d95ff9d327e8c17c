"""save() and load(): files in PyTorch's format, and files that are complete or absent."""
import collections
import os
import pickle
import zipfile

import pytest

import structured as st


def unpickled(path):
    """The value in the file as Python's own unpickler reads it: a tensor is the tuple of its arguments."""
    with zipfile.ZipFile(path) as archive:
        root = archive.namelist()[0].split("/")[0]

        class Unpickler(pickle.Unpickler):
            def persistent_load(self, identifier):
                kind, storage_class, key, device, count = identifier
                assert kind == "storage" and device == "cpu"
                return storage_class, archive.read(f"{root}/data/{key}"), count

            def find_class(self, module, name):
                if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
                    return lambda *arguments: arguments
                return collections.OrderedDict if module == "collections" else f"{module}.{name}"

        return Unpickler(archive.open(f"{root}/data.pkl")).load()


def state():
    a = st.arange(6.0)
    shared = [1, 2.5]
    return {"a": a[1:4], "nested": {"t": a.view(2, 3).T, 3: (shared, shared, None, True, "größe")},
            "ordered": collections.OrderedDict(x=-1, y=2**40), "empty": [[], (), {}, st.zeros(0)]}


def test_flat_dicts_are_written_in_the_format_of_pytorch(tmp_path):
    st.save({"weight": st.tensor([1.0, 2.0])}, tmp_path / "x.pt")
    (weight,) = unpickled(tmp_path / "x.pt").values()
    assert weight[0][0] == "torch.FloatStorage" and weight[2] == (2,)


@pytest.mark.parametrize("name", ["x.pt", "x.pth", "x"])
def test_values_are_written_in_the_format_of_pytorch(tmp_path, name):
    path = tmp_path / name
    st.save(state(), path)
    value = unpickled(path)
    storage_class, data, count = value["a"][0]
    assert storage_class == "torch.FloatStorage" and count == 6 and bytes(data) == bytes(st.arange(6.0))
    assert value["a"][1:4] == (1, (3,), (1,)) and value["a"][4] is False
    assert value["nested"]["t"][0] == value["a"][0] and value["nested"]["t"][2:4] == ((3, 2), (1, 3))
    first, second, *others = value["nested"][3]
    assert first is second and first == [1, 2.5] and others == [None, True, "größe"]
    assert value["ordered"] == {"x": -1, "y": 2**40} and value["empty"][:3] == [[], (), {}]
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        assert archive.read("archive/version") == b"3\n" and archive.read("archive/byteorder") == b"little"
        for info in archive.infolist():
            archive.fp.seek(info.header_offset)
            header = archive.fp.read(30)
            start = info.header_offset + 30 + header[26] + 256 * header[27] + header[28] + 256 * header[29]
            assert start % 64 == 0 and info.compress_type == zipfile.ZIP_STORED


def test_values_are_read_again(tmp_path):
    path = tmp_path / "x.pt"
    st.save(state(), path)
    value = st.load(path)
    assert value["a"].tolist() == [1, 2, 3] and value["nested"]["t"].shape == (3, 2)
    value["a"][0] = 9
    assert value["nested"]["t"][1, 0].item() == 9
    first, second, *others = value["nested"][3]
    assert first is second and others == [None, True, "größe"] and value["ordered"] == {"x": -1, "y": 2**40}
    assert value["empty"][:3] == [[], (), {}] and value["empty"][3].shape == (0,)


@pytest.mark.parametrize("value", [None, True, False, 0, -1, 255, 256, 2**31, -2**63, 1.5, float("inf"), "", "text"])
def test_values_without_tensors(tmp_path, value):
    st.save(value, tmp_path / "x.pt")
    loaded = st.load(tmp_path / "x.pt")
    assert loaded == value and type(loaded) is type(value)


@pytest.mark.parametrize("name", ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32",
                                  "float64", "complex64", "complex128"])
def test_tensors_of_all_dtypes(tmp_path, name):
    tensor = st.arange(6).view(2, 3).T.to(getattr(st, name))
    st.save(tensor, tmp_path / "x.pt")
    loaded = st.load(tmp_path / "x.pt")
    assert loaded.dtype is tensor.dtype and loaded.stride() == tensor.stride() and loaded.tolist() == tensor.tolist()


def test_whether_tensors_require_gradients_is_kept(tmp_path):
    st.save({"leaf": st.ones(2, requires_grad=True), "other": st.ones(2)}, tmp_path / "x.pt")
    loaded = st.load(tmp_path / "x.pt")
    assert loaded["leaf"].requires_grad and loaded["leaf"].is_leaf and not loaded["other"].requires_grad


def test_states_of_modules_and_optimizers(tmp_path):
    module = st.nn.Sequential(st.nn.Linear(2, 3), st.nn.BatchNorm1d(3))
    optimizer = st.optim.Adam(module.parameters())
    module(st.ones(4, 2)).sum().backward()
    optimizer.step()
    st.save({"module": module.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 3}, tmp_path / "x.pt")
    loaded = st.load(tmp_path / "x.pt")
    other = st.nn.Sequential(st.nn.Linear(2, 3), st.nn.BatchNorm1d(3))
    other.load_state_dict(loaded["module"])
    assert all(st.equal(a, b) for a, b in zip(module.state_dict().values(), other.state_dict().values()))
    st.optim.Adam(other.parameters()).load_state_dict(loaded["optimizer"])


class Other:
    pass


def test_values_that_the_format_lacks(tmp_path):
    endless = []
    endless.append(endless)
    a = st.zeros(2, dtype=st.complex64)
    for value, error, text in [
            (Other(), TypeError, "Other"), ({"a": {1, 2}}, TypeError, "set"), (collections.defaultdict(int), TypeError, "defaultdict"),
            (2**70, OverflowError, None), (endless, ValueError, "nested"), (b"", TypeError, "bytes"),
            ([a, st.view_as_real(a)], RuntimeError, "share a storage"), (st.zeros(1, device="meta"), RuntimeError, "cpu")]:
        with pytest.raises(error, match=text):
            st.save(value, tmp_path / "x.pt")
    assert os.listdir(tmp_path) == []
    for value, name in [(3, "a.npy"), ({}, "a.npy"), (3, "a.npz"), (st.ones(2), "a.npz"), ([], "a.safetensors")]:
        with pytest.raises(TypeError, match="save: "):
            st.save(value, tmp_path / name)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name, good, bad", [
    ("x.pt", {"a": st.ones(2)}, {"a": st.ones(2), "b": Other()}), ("x.npz", {"a": st.ones(2)}, {"a": st.ones(2), "b": 3}),
    ("x.safetensors", {"a": st.ones(2)}, {"a": st.ones(2), "b": 3})])
def test_files_are_replaced_when_they_are_complete(tmp_path, name, good, bad):
    path = tmp_path / name
    st.save(good, path)
    loaded = st.load(path)
    with pytest.raises(TypeError):
        st.save(bad, path)
    assert st.load(path)["a"].tolist() == [1, 1] and os.listdir(tmp_path) == [name]
    st.save({"a": st.zeros(2)}, path)
    assert loaded["a"].tolist() == [1, 1] and st.load(path)["a"].tolist() == [0, 0] and os.listdir(tmp_path) == [name]
    with pytest.raises(Exception):
        st.save(good, tmp_path / "missing" / name)
    assert os.listdir(tmp_path) == [name]


def test_a_failed_write_leaves_no_file(tmp_path, monkeypatch):
    safetensors = pytest.importorskip("safetensors")

    def fail(entries, path):
        with open(path, "wb") as file:
            file.write(b"half")
        raise OSError("no space")

    monkeypatch.setattr(safetensors, "serialize_file", fail)
    with pytest.raises(OSError):
        st.save({"a": st.ones(2)}, tmp_path / "x.safetensors")
    assert os.listdir(tmp_path) == []


def test_functions_in_files_are_not_called(tmp_path):
    class Call:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "made"),)

    path = tmp_path / "x.pt"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x/data.pkl", pickle.dumps(Call(), protocol=2))
    with pytest.raises(RuntimeError, match="mkdir` are not supported"):
        st.load(path)
    assert os.listdir(tmp_path) == ["x.pt"]
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(RuntimeError, match="x.pt: "):
        st.load(path)
    assert st.load.__doc__
    with pytest.raises(FileNotFoundError):
        st.load(tmp_path / "absent.pt")
